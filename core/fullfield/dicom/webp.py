"""What a WebP file says of itself, walked before any decoder sees it (RFC 9649): its parts, its size, what it holds.

Pillow gives a canvas its memory as soon as it opens a file, so size and completeness are looked at here first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fullfield.dicom.refusals import damaged, refused

HEAD = 12
MOST_CHUNKS = 4096
BLANK_TAIL = 1024  # bytes of zeros: an encoder of VP8 needs a few for the emptiest of pictures

_LOSSY, _LOSSLESS, _EXTENDED, _FRAMES = b"VP8 ", b"VP8L", b"VP8X", (b"ANIM", b"ANMF")
_START, _SIGNATURE = b"\x9d\x01\x2a", 0x2F
_MOVING = 0x02  # a flag of VP8X


@dataclass(frozen=True, kw_only=True)
class WebP:
    """`lossy`: coded as VP8. `blank_tail`: its last bytes are all zero, as those that a copy did not come to."""

    rows: int
    columns: int
    lossy: bool
    blank_tail: bool


def examine(data: bytes) -> WebP:
    """The one still picture of a WebP file. Raises InputUnreadable (cut short, senseless), InputRefused (a movie)."""
    canvas: tuple[int, int] | None = None
    for name, part in _chunks(data):
        if name in _FRAMES or (name == _EXTENDED and part[:1] and part[0] & _MOVING):
            raise refused("a moving picture", hint="Save one of its pictures as PNG or TIFF.")
        if name == _EXTENDED and len(part) >= 10:
            canvas = int.from_bytes(part[7:10], "little") + 1, int.from_bytes(part[4:7], "little") + 1
        if name in (_LOSSY, _LOSSLESS):
            rows, columns = _size(name, part)
            if canvas not in (None, (rows, columns)):
                raise damaged("The sizes in its WebP header contradict each other.")
            lossy = name == _LOSSY
            tail = len(part) > BLANK_TAIL and not part[-BLANK_TAIL:].strip(b"\0")
            return WebP(rows=rows, columns=columns, lossy=lossy, blank_tail=lossy and tail)
    raise damaged("Its WebP file holds no picture.")


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    end, at = 8 + int.from_bytes(data[4:8], "little"), HEAD
    if end > len(data):
        raise damaged("It is cut short.")
    for _ in range(MOST_CHUNKS):
        if at + 8 > end:
            return
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if at + 8 + length > end:
            raise damaged("It is cut short.")
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _size(name: bytes, part: bytes) -> tuple[int, int]:
    """Rows and columns as the picture's own header says them (RFC 6386 section 9.1, RFC 9649 section 3.4)."""
    if name == _LOSSY and len(part) >= 10 and part[3:6] == _START:
        return int.from_bytes(part[8:10], "little") & 0x3FFF, int.from_bytes(part[6:8], "little") & 0x3FFF
    if name == _LOSSLESS and len(part) >= 5 and part[0] == _SIGNATURE:
        bits = int.from_bytes(part[1:5], "little")
        return (bits >> 14 & 0x3FFF) + 1, (bits & 0x3FFF) + 1
    raise damaged("The header of its WebP picture makes no sense.")
