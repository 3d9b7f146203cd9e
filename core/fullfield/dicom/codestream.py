"""What the header of a compressed picture says of itself, read before any codec sees it.

JPEG: ITU-T T.81 B.2.2 (SOF). JPEG-LS: ITU-T T.87 C.2.2 (SOF55). JPEG 2000 and HTJ2K: ITU-T T.800 A.5.1 (SIZ).
RLE: PS3.5 G.5. A header that asks for more tiles, samples or bits than a radiograph has is refused here.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import StrEnum

from fullfield.dicom.refusals import damaged

END = b"\xff\xd9"  # EOI of JPEG and JPEG-LS, EOC of JPEG 2000
MAX_MARKERS = 4096
MAX_TILES = 65_535  # ITU-T T.800 A.5.1


class Process(StrEnum):
    """How the samples are coded."""

    JPEG_DCT = "JPEG (DCT)"
    JPEG_LOSSLESS = "JPEG lossless"
    JPEG_LS = "JPEG-LS"
    JPEG_2000 = "JPEG 2000"


@dataclass(frozen=True, kw_only=True)
class Codestream:
    """`precision`: bits per sample in the stream. `start`: where the bare stream begins (after a JP2 wrapper)."""

    process: Process
    rows: int
    columns: int
    components: int
    precision: int
    signed: bool = False
    start: int = 0


_SOF = {0xC0: Process.JPEG_DCT, 0xC1: Process.JPEG_DCT, 0xC3: Process.JPEG_LOSSLESS, 0xF7: Process.JPEG_LS}
_PROGRESSIVE = 0xC2
_FRAMES = frozenset((*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0), 0xF7))
_BARE = frozenset((0x01, *range(0xD0, 0xD8)))  # TEM and RST stand without a length


def jpeg(data: bytes, *, progressive: bool = False) -> Codestream:
    """The frame header of a JPEG or JPEG-LS stream. `progressive`: allowed (files that are no DICOM)."""
    if data[:2] != b"\xff\xd8":
        raise damaged("Its compressed pixels are no JPEG.")
    at = 2
    for _ in range(MAX_MARKERS):
        if at + 4 > len(data) or data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _BARE:
            at += 2
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAMES:
            return _frame(data[at + 4 : at + 2 + length], marker, progressive=progressive)
        if marker in (0xD9, 0xDA) or length < 2:
            break
        at += 2 + length
    raise damaged("Its JPEG pixels have no frame header.")


def _frame(header: bytes, marker: int, *, progressive: bool) -> Codestream:
    process = Process.JPEG_DCT if progressive and marker == _PROGRESSIVE else _SOF.get(marker)
    if process is None:
        raise damaged(f"Its pixels are in a JPEG process (SOF{marker - 0xC0}) that DICOM does not use.")
    if len(header) < 6:
        raise damaged("The frame header of its JPEG pixels is cut short.")
    precision, rows, columns, components = struct.unpack_from(">BHHB", header)
    return Codestream(process=process, rows=rows, columns=columns, components=components, precision=precision)


def jpeg_2000(data: bytes) -> Codestream:
    """The SIZ marker of a JPEG 2000 or HTJ2K stream; a JP2 wrapper around it, which some makers write, is passed."""
    start = 0 if data[:4] == b"\xff\x4f\xff\x51" else data.find(b"\xff\x4f\xff\x51", 0, 1 << 16)
    if start < 0 or len(data) - start < 45 or (start and data[4:8] != b"jP  "):
        raise damaged("Its compressed pixels are no JPEG 2000.")
    _, _, right, bottom, left, top, tile_width, tile_height, tile_left, tile_top, components = struct.unpack_from(
        ">HH8IH", data, start + 4
    )
    if not (tile_left <= left < right and tile_top <= top < bottom and tile_width and tile_height):
        raise damaged("The size in its JPEG 2000 header makes no sense.")
    tiles = -(-(right - tile_left) // tile_width) * -(-(bottom - tile_top) // tile_height)
    if tiles > MAX_TILES:
        raise damaged(f"Its JPEG 2000 pixels say {tiles:,} tiles.")
    samples = data[start + 42 : start + 42 + 3 * components]
    if (
        components not in (1, 3)
        or len(samples) != 3 * components
        or len({samples[0::3], samples[0:1] * components}) > 1
    ):
        raise damaged("Its JPEG 2000 pixels are neither grey nor three equal components.")
    if set(samples[1::3] + samples[2::3]) != {1}:
        raise damaged("Its JPEG 2000 pixels are subsampled.")
    return Codestream(
        process=Process.JPEG_2000,
        rows=bottom - top,
        columns=right - left,
        components=components,
        precision=(samples[0] & 0x7F) + 1,
        signed=bool(samples[0] & 0x80),
        start=start,
    )


def check_rle(data: bytes, *, segments: int) -> None:
    """The 64-byte header of an RLE frame: so many segments, in order, inside the frame."""
    if len(data) < 64:
        raise damaged("The header of its RLE pixels is cut short.")
    count, *offsets = struct.unpack_from("<16I", data)
    if count != segments:
        raise damaged(f"Its RLE pixels say {count} segments where {segments} are needed.")
    used = offsets[:segments]
    if used[0] != 64 or any(a >= b for a, b in zip(used, [*used[1:], len(data)])):
        raise damaged("The segments of its RLE pixels lie outside the image.")
