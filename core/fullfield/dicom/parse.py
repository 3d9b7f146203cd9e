"""From the bytes of a file to its elements: preamble, file meta information, transfer syntax, data set (PS3.10 §7).

Everything is found by our own walk (`elements.py`), within limits; a deflated data set is inflated within limits too.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from dataclasses import dataclass, field

from fullfield.dicom.elements import LONG_VRS, MAX_ELEMENTS, PIXEL_DATA, SHORT_VRS, Element, Walk, name
from fullfield.dicom.formats import starts_like_a_data_set
from fullfield.dicom.refusals import damaged, refused
from fullfield.dicom.syntaxes import EXPLICIT_BIG, EXPLICIT_LITTLE, IMPLICIT_LITTLE, SYNTAXES, Syntax, title_of
from fullfield.errors import InputUnreadable

Bytes = bytes | mmap.mmap
"""Of a file: in memory, or mapped. A part of either is bytes."""

PREAMBLE = 128
INFLATED_BYTES = 700 << 20  # a radiograph of 100 Mpixel with three 16-bit samples, and its header
INFLATED_RATIO = 200  # radiographs deflate 2 to 20 times; below SMALL_INFLATED a blank one may reach 1,000
SMALL_INFLATED = 64 << 20

_TRANSFER_SYNTAX, _MEDIA_SOP_CLASS = 0x00020010, 0x00020002
CRITICAL = {
    0x00080016: "SOP Class UID",
    0x00080018: "SOP Instance UID",
    0x00100010: "Patient's Name",
    0x00100020: "Patient ID",
    0x0020000D: "Study Instance UID",
    0x0020000E: "Series Instance UID",
    0x00280002: "Samples per Pixel",
    0x00280004: "Photometric Interpretation",
    0x00280008: "Number of Frames",
    0x00280010: "Rows",
    0x00280011: "Columns",
    0x00280100: "Bits Allocated",
    0x00280101: "Bits Stored",
    0x00280102: "High Bit",
    0x00280103: "Pixel Representation",
    0x00281052: "Rescale Intercept",
    0x00281053: "Rescale Slope",
    PIXEL_DATA: "Pixel Data",
}
"""Attributes that must not stand twice: two readers of such a file would see two patients or two pictures."""


@dataclass(kw_only=True, eq=False)
class Parsed:
    """A file taken apart. Offsets of `elements` point into `data`: the file, or its data set inflated.

    `elements`: the top level by tag. `media_class`: the SOP class that the file meta information names. `damaged`:
    a decoder has met faults in the pixels that it decoded over.
    """

    data: Bytes
    syntax: Syntax
    elements: dict[int, Element]
    media_class: str = ""
    warnings: list[str] = field(default_factory=list)
    damaged: bool = False

    def value(self, tag: int) -> bytes:
        """The raw value of a top-level element; empty where it is absent."""
        element = self.elements.get(tag)
        return b"" if element is None else self.data[element.start : element.start + element.length]

    def text(self, tag: int) -> str:
        """A value of ASCII characters, without its padding."""
        return self.value(tag).decode("latin-1").strip(" \0")

    def warn(self, sentence: str) -> None:
        """Keep a sentence for the user, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


def parse(data: Bytes, *, most: int = MAX_ELEMENTS) -> Parsed:
    """Take the bytes of a DICOM file of at most so many elements apart. Raises InputUnreadable, InputRefused."""
    if not data:
        raise damaged("It is empty.")
    at = PREAMBLE + 4 if data[PREAMBLE : PREAMBLE + 4] == b"DICM" else 0
    if at == 0 and not starts_like_a_data_set(data):
        raise refused("no DICOM file and no image that Fullfield knows")
    meta, at = _meta(data, at)
    warnings: list[str] = []
    syntax = _syntax(data, at, meta, warnings)
    if syntax.deflated:
        data, at = _inflate(data, at), 0
    parsed = Parsed(data=data, syntax=syntax, elements={}, media_class=meta.get(_MEDIA_SOP_CLASS, ""))
    parsed.warnings.extend(warnings)
    _top_level(parsed, at, most)
    return parsed


def _meta(data: Bytes, at: int) -> tuple[dict[int, str], int]:
    """Group 2, always little-endian and explicit; its own length is not believed (PS3.10 §7.1)."""
    walk, found = Walk(data, little=True), {}
    while len(data) - at >= 8 and data[at : at + 2] == b"\x02\0":
        element, at = walk.element(at, len(data), implicit=False)
        found[element.tag] = data[element.start : element.start + element.length].decode("latin-1").strip(" \0")
    return found, at


def _syntax(data: Bytes, at: int, meta: dict[int, str], warnings: list[str]) -> Syntax:
    uid = meta.get(_TRANSFER_SYNTAX, "")
    if not uid:
        warnings.append("The file does not say its transfer syntax; it was told from its first element.")
        uid = _guessed(data, at)
    syntax = SYNTAXES.get(uid)
    if syntax is not None and syntax.implicit and data[at + 4 : at + 6] in SHORT_VRS | LONG_VRS:
        warnings.append("The file says that its types are implicit, and they are not.")
        return SYNTAXES[EXPLICIT_LITTLE]
    if syntax is None:
        known = title_of(uid)
        detail = f"{known} is not among the transfer syntaxes that Fullfield decodes." if known else ""
        raise damaged(
            detail or "The transfer syntax that it names is not known.",
            hint="Export it again uncompressed, or as JPEG 2000, JPEG-LS, JPEG or RLE.",
        )
    return syntax


def _guessed(data: Bytes, at: int) -> str:
    head = data[at : at + 6]
    if not head[4:6].isalpha() or not head[4:6].isupper():
        return IMPLICIT_LITTLE
    return EXPLICIT_BIG if head[:2] == b"\0\x08" else EXPLICIT_LITTLE


def _inflate(data: Bytes, at: int) -> bytes:
    """The data set, inflated. Ends at INFLATED_BYTES, and sooner where hardly any input makes very much output."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    pieces: list[bytes] = []
    done, source = 0, data[at:]
    limit = min(INFLATED_BYTES, max(SMALL_INFLATED, INFLATED_RATIO * len(source)))
    try:
        while not stream.eof and done <= limit:
            piece = stream.decompress(source, 4 << 20)
            source = stream.unconsumed_tail
            if not piece and not source:
                break
            pieces.append(piece)
            done += len(piece)
    except zlib.error as error:
        raise damaged("Its deflated data set cannot be inflated.") from error
    if done > limit:
        raise damaged(f"Its deflated data set grows past {limit >> 20} MiB: no radiograph's does.")
    if not stream.eof:
        raise damaged("It is cut short: its deflated data set does not end.")
    return b"".join(pieces)


def _top_level(parsed: Parsed, at: int, most: int) -> None:
    """Every element of the top level. What follows the pixels is padding at best, and its faults are let pass."""
    walk, end = Walk(parsed.data, little=parsed.syntax.little, most=most), len(parsed.data)
    while at < end:
        try:
            at = _one(parsed, walk, at, end)
        except (InputUnreadable, struct.error):
            if PIXEL_DATA not in parsed.elements:
                raise
            parsed.warn("Bytes after the end of the image were ignored.")
            return


def _one(parsed: Parsed, walk: Walk, at: int, end: int) -> int:
    element, at = walk.element(at, end, implicit=parsed.syntax.implicit)
    if element.tag not in parsed.elements:
        parsed.elements[element.tag] = element
    elif element.tag in CRITICAL:
        raise refused("ambiguous", detail=f"It holds {CRITICAL[element.tag]} {name(element.tag)} twice.")
    else:
        parsed.warn("An attribute stands twice in the file; the first one counts.")
    return at
