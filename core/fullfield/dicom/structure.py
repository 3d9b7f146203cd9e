"""What a file says of its pixels, checked against itself before a single one is decoded (PS3.3 C.7.6.3, PS3.5 §8, A.4).

Every number that a decoder would size a buffer with is compared with the bytes that are there. What fails is refused in
plain words; what passes is a `Structure`, from which decoding needs no other look at the file's header.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from fullfield.dicom import codestream, values
from fullfield.dicom.accepted import sop_class
from fullfield.dicom.codestream import Codestream
from fullfield.dicom.elements import PIXEL_DATA, Element, name
from fullfield.dicom.parse import Bytes, Parsed, parse
from fullfield.dicom.refusals import damaged, refused
from fullfield.dicom.syntaxes import Coding

MAX_PIXELS = 100_000_000  # the largest radiographs, stitched spines and mammograms, have about 30 million
MIN_SIDE = 16  # smaller is an icon; a pyramid or a network has nothing to work on there
MIN_BITS = 6  # PS3.3 C.8.11.3: DX stores 6 to 16
COMPRESSED_SLACK = 1 << 20
END_WITHIN = 1024  # bytes: fragments are padded to even length, by some makers to a block

_SAMPLES, _PHOTOMETRIC, _PLANAR, _FRAMES = 0x00280002, 0x00280004, 0x00280006, 0x00280008
_ROWS, _COLUMNS, _ALLOCATED, _STORED = 0x00280010, 0x00280011, 0x00280100, 0x00280101
_HIGH_BIT, _SIGNED = 0x00280102, 0x00280103
_FLOAT, _DOUBLE = 0x7FE00008, 0x7FE00009
_STUDY_UID, _SERIES_UID = 0x0020000D, 0x0020000E
_UIDS = {0x00080018: "SOP Instance UID", _STUDY_UID: "Study Instance UID", _SERIES_UID: "Series Instance UID"}
_GREY = frozenset(("MONOCHROME1", "MONOCHROME2"))
_COLOUR = frozenset(("RGB", "YBR_FULL", "YBR_FULL_422", "YBR_RCT", "YBR_ICT", "YBR_PARTIAL_422", "YBR_PARTIAL_420"))
_UID = re.compile(r"\d+(\.\d+)+")


@dataclass(frozen=True, kw_only=True, eq=False)
class Structure:
    """A file whose description of its pixels agrees with its bytes.

    `frame`: the bytes of the one image, native or compressed. `stream`: what a compressed one says of itself, where it
    has a header of its own. `word`: native samples are words whose bytes follow the file's order.
    """

    parsed: Parsed
    sop_class: str
    rows: int
    columns: int
    samples: int
    photometric: str
    allocated: int
    stored: int
    high_bit: int
    signed: bool
    planar: bool
    word: bool
    frame: memoryview
    stream: Codestream | None = None


def examine(data: Bytes) -> Structure:
    """Check the bytes of a DICOM file. Raises InputUnreadable, InputRefused."""
    parsed = parse(data)
    accepted = sop_class(parsed)
    element = _pixel_element(parsed)
    _check_uids(parsed)
    _check_frames(parsed)
    samples, photometric = _colour(parsed)
    rows, columns = _matrix(parsed)
    allocated, stored, high_bit, signed = _bits(parsed)
    planar = samples > 1 and _number(parsed, _PLANAR, "Planar Configuration", default=0) == 1
    expected = rows * columns * samples * allocated // 8
    stream = None
    if parsed.syntax.coding is Coding.NATIVE:
        frame = _native_frame(parsed, element, expected, photometric)
    else:
        frame = _compressed_frame(parsed, element, expected)
        stream = _stream(parsed, bytes(frame), rows=rows, columns=columns, samples=samples, allocated=allocated)
    return Structure(
        parsed=parsed,
        sop_class=accepted,
        rows=rows,
        columns=columns,
        samples=samples,
        photometric=photometric,
        allocated=allocated,
        stored=stored,
        high_bit=high_bit,
        signed=signed,
        planar=planar,
        word=element.vr != "OB",
        frame=frame,
        stream=stream,
    )


def _check_uids(parsed: Parsed) -> None:
    for tag, title in _UIDS.items():
        uid = parsed.text(tag)
        if not uid and tag == 0x00080018:
            raise damaged("It has no SOP Instance UID (0008,0018).")
        if not uid:
            parsed.warn(f"The file has no {title}.")
        elif len(uid) > 64 or not _UID.fullmatch(uid):
            raise damaged(f"Its {title} {name(tag)} is malformed.")
        elif tag == _STUDY_UID and not values.is_uid(uid):
            parsed.warn(
                "Its Study Instance UID has a part that begins with 0, which DICOM forbids; it is kept as it is, so"
                " that the images of a study stay together."
            )


def _check_frames(parsed: Parsed) -> None:
    text = parsed.text(_FRAMES)
    if not text:
        return
    if len(text) > 12 or not re.fullmatch(r"[+-]?\d+", text) or int(text) < 0:
        raise damaged("Its Number of Frames (0028,0008) is no number of images.")
    if int(text) > 1:
        raise refused("a series of images in one file (multi-frame)", detail=f"It holds {int(text):,} frames.")
    if int(text) == 0:
        parsed.warn("The file says that it holds 0 images; the one that it holds was read.")


def _colour(parsed: Parsed) -> tuple[int, str]:
    samples = _number(parsed, _SAMPLES, "Samples per Pixel", default=1)
    photometric = parsed.text(_PHOTOMETRIC).upper()
    if photometric == "PALETTE COLOR":
        raise refused("a colour image", detail="Its pixels are numbers of a colour palette.")
    if samples == 1 and photometric in _GREY:
        return samples, photometric
    if samples == 3 and photometric in _COLOUR:
        return samples, photometric
    if not photometric:
        raise damaged("It does not say what its pixels mean: Photometric Interpretation (0028,0004) is missing.")
    raise damaged(f"Its Photometric Interpretation does not fit {samples} samples per pixel.")


def _matrix(parsed: Parsed) -> tuple[int, int]:
    rows = _number(parsed, _ROWS, "Rows")
    columns = _number(parsed, _COLUMNS, "Columns")
    if not rows or not columns or rows * columns > MAX_PIXELS:
        raise damaged(f"Its matrix of {rows} rows and {columns} columns is no radiograph's.")
    if min(rows, columns) < MIN_SIDE:
        raise refused(f"too small, {rows} by {columns} pixels", detail=f"The shorter side must have {MIN_SIDE}.")
    return rows, columns


def _bits(parsed: Parsed) -> tuple[int, int, int, bool]:
    allocated = _number(parsed, _ALLOCATED, "Bits Allocated")
    stored = _number(parsed, _STORED, "Bits Stored")
    high_bit = _number(parsed, _HIGH_BIT, "High Bit", default=max(0, stored - 1))
    signed = _number(parsed, _SIGNED, "Pixel Representation", default=0)
    if allocated not in (8, 16):
        raise damaged(f"Its Bits Allocated is {allocated}; radiographs have 8 or 16.")
    if not MIN_BITS <= stored <= allocated:
        raise damaged(f"Its Bits Stored is {stored} of {allocated} allocated.")
    if high_bit >= allocated:
        raise damaged(f"Its High Bit is {high_bit} of {allocated} allocated.")
    if signed not in (0, 1):
        raise damaged(f"Its Pixel Representation is {signed}; it must be 0 or 1.")
    if high_bit < stored - 1:
        parsed.warn("The file's High Bit contradicts its Bits Stored; the lowest bits were read.")
        high_bit = stored - 1
    return allocated, stored, high_bit, bool(signed)


def _number(parsed: Parsed, tag: int, title: str, *, default: int | None = None) -> int:
    """An unsigned short of one value (VR US), as PS3.6 gives it to every attribute that is asked for here."""
    element = parsed.elements.get(tag)
    if element is None or element.length == 0:
        if default is None:
            raise damaged(f"It does not say its {title} {name(tag)}.")
        return default
    if element.vr not in ("", "US") or element.length != 2:
        raise damaged(f"Its {title} {name(tag)} is not one number as the standard writes it.")
    return int.from_bytes(parsed.value(tag), "little" if parsed.syntax.little else "big")


def _pixel_element(parsed: Parsed) -> Element:
    element = parsed.elements.get(PIXEL_DATA)
    if _FLOAT in parsed.elements or _DOUBLE in parsed.elements:
        raise refused("an image of floating-point numbers")
    if element is None:
        raise refused("a header without an image", detail="It holds no Pixel Data (7FE0,0010).")
    if element.vr not in ("", "OB", "OW", "UN") or element.items is not None:
        raise damaged("Its Pixel Data (7FE0,0010) are not pixels.")
    if element.length == 0:
        raise damaged("Its Pixel Data (7FE0,0010) are empty.")
    return element


def _native_frame(parsed: Parsed, element: Element, expected: int, photometric: str) -> memoryview:
    if element.fragments is not None:
        raise damaged("It holds compressed pixels, and says that they are uncompressed.")
    if photometric not in (*_GREY, "RGB", "YBR_FULL"):
        raise refused("a colour image", detail=f"Its pixels are {photometric}.")
    excess = element.length - expected
    if excess < 0:
        raise damaged(f"It is cut short: its image needs {expected:,} bytes, and {element.length:,} are there.")
    if excess >= expected:
        raise damaged("It holds pixels for more images than it says.")
    if excess > 1:
        parsed.warn("The file holds more pixels than its image has; those at the end were ignored.")
    return memoryview(parsed.data)[element.start : element.start + expected]


def _compressed_frame(parsed: Parsed, element: Element, expected: int) -> memoryview:
    coding = parsed.syntax.coding
    if element.fragments is None:
        raise damaged(f"It says that its pixels are {coding}, and they are not compressed.")
    if len(element.fragments) < 2:
        raise damaged("Its Pixel Data (7FE0,0010) hold no image.")
    (table, table_length), *fragments = element.fragments
    lengths = [length for _, length in fragments]
    total = sum(lengths)
    _check_table(parsed.data[table : table + table_length], total + 8 * len(fragments))
    if total > 2 * expected + COMPRESSED_SLACK:
        raise damaged(f"Its compressed image of {total:,} bytes is larger than its uncompressed one would be.")
    if any(_begins_an_image(parsed.data[start : start + 4], coding) for start, _ in fragments[1:]):
        raise damaged("It holds more compressed images than it says.")
    if len(fragments) == 1:
        return memoryview(parsed.data)[fragments[0][0] : fragments[0][0] + lengths[0]]
    return memoryview(b"".join(parsed.data[start : start + length] for start, length in fragments))


def _check_table(table: bytes, end: int) -> None:
    """The Basic Offset Table (PS3.5 A.4). One image needs none, and some makers list its fragments there."""
    if len(table) % 4 or any(offset >= end for (offset,) in struct.iter_unpack("<I", table)):
        raise damaged("The table of its compressed images points outside them.")


def _begins_an_image(head: bytes, coding: Coding) -> bool:
    """True for a fragment that is no continuation. An RLE image is one fragment (PS3.5 A.4.2)."""
    return coding is Coding.RLE or head[:3] == b"\xff\xd8\xff" or head == b"\xff\x4f\xff\x51"


def _stream(
    parsed: Parsed, frame: bytes, *, rows: int, columns: int, samples: int, allocated: int
) -> Codestream | None:
    coding = parsed.syntax.coding
    if coding is Coding.RLE:
        codestream.check_rle(frame, segments=samples * allocated // 8)
        return None
    stream = codestream.jpeg_2000(frame) if coding is Coding.JPEG_2000 else codestream.jpeg(frame)
    if (stream.process is codestream.Process.JPEG_LS) != (coding is Coding.JPEG_LS):
        raise damaged(f"It says that its pixels are {coding}, and they are {stream.process}.")
    if (stream.rows, stream.columns) != (rows, columns):
        raise damaged(
            f"Its header says {rows} by {columns} pixels, and its compressed image {stream.rows} by {stream.columns}."
        )
    if stream.components != samples:
        raise damaged(f"Its header says {samples} samples per pixel, and its compressed image {stream.components}.")
    if frame.rfind(codestream.END, max(0, len(frame) - END_WITHIN)) < 0:
        if coding is not Coding.JPEG_2000:
            raise damaged("It is cut short: its compressed image has no end.")
        parsed.warn("The compressed image has no end; fine detail may be missing.")
    if not 2 <= stream.precision <= 16:
        raise damaged(f"Its compressed image has {stream.precision} bits per sample.")
    return stream
