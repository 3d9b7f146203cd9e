"""Damage that a decoder notices and decodes over: libjpeg fills gaps with grey and says so on a stream alone.

A JPEG that was cut and has its end mark put back is decoded to the last row without an error. The libraries' words on
standard error are all that tells; Pillow keeps even those to itself, so a JPEG that Pillow decodes is decoded by OpenCV
too, whose libjpeg-turbo speaks (some hundredths of a second for a radiograph).
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator

import numpy as np

FOUND = (
    "This file is damaged: the decoder met faults in its compressed image, and parts of the picture may be missing "
    "or wrong."
)
_WORDS = (b"Corrupt", b"Premature end", b"Inconsistent progression")  # of libjpeg's warnings, those on entropy data
_EXTRANEOUS = re.compile(rb"Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd9\s*")
_END, _SCAN, _COMMENT = b"\xff\xd9", 0xDA, 0xFE


@contextlib.contextmanager
def overheard() -> Iterator[bytearray]:
    """What C libraries write to standard error meanwhile, there at the end. One thread of the process may use it."""
    said = bytearray()
    with tempfile.TemporaryFile() as received:
        kept = os.dup(2)
        os.dup2(received.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            received.seek(0)
            said += received.read(1 << 16)


def reported(said: bytes | bytearray, data: bytes) -> bool:
    """True where a library said of the JPEG `data` that it is damaged; zeros between the last row and the end are not.

    libjpeg tells its first warning alone: any of the words is damage.
    """
    padding = _EXTRANEOUS.fullmatch(bytes(said).strip())
    if padding is not None:
        end = data.rfind(_END)
        return any(data[max(0, end - int(padding[1])) : end])
    return any(word in said for word in _WORDS)


def in_jpeg(data: bytes) -> bool:
    """True where the samples of a JPEG of 8 bits (baseline, extended, progressive) do not all come from its bytes."""
    import cv2

    cv2.setNumThreads(1)
    with overheard() as said:
        cv2.imdecode(np.frombuffer(_bare(data), np.uint8), cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION)
    return reported(said, data)


def _bare(data: bytes) -> bytes:
    """The stream without what libjpeg could warn of first and harmlessly: comments, makers' data, odd scan limits."""
    kept, at, sequential = [data[:2]], 2, False
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, end = data[at + 1], at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        sequential |= marker in (0xC0, 0xC1)
        if marker == _SCAN:
            head = data[at:end]
            return b"".join((*kept, head[:-3] + b"\0\x3f\0" if sequential else head, data[end:]))
        if not 0xE0 <= marker <= 0xEF and marker != _COMMENT:
            kept.append(data[at:end])
        at = end
    return data
