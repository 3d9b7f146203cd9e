"""The elements of a data set, found by our own bounded walk over the bytes before any library sees them (PS3.5 §7).

The walk only finds where things lie: it converts no value. It ends for every input: each step moves forward, nesting
ends at MAX_DEPTH, the number of elements at `most`, and no length may point outside what holds it.
"""

from __future__ import annotations

import mmap
import struct
from typing import NamedTuple

from pydicom.datadict import dictionary_VR

from fullfield.dicom.refusals import damaged
from fullfield.errors import InputUnreadable

MAX_DEPTH = 64  # real radiographs nest up to about 6 deep; libraries recurse, and fall over near 250
MAX_ELEMENTS = 100_000  # real radiographs hold up to about 2,000

LONG_VRS = frozenset(b"OB OD OF OL OV OW SQ SV UC UN UR UT UV".split())
SHORT_VRS = frozenset(b"AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US".split())
UNDEFINED = 0xFFFFFFFF
ITEM, ITEM_END, SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
PIXEL_DATA = 0x7FE00010


class Element(NamedTuple):
    """Where one element lies. `tag`: group << 16 | element. `vr`: "" where the encoding is implicit.

    `start`, `length`: of the value, in bytes. `items`: the elements of each item of a sequence; None for a value.
    `fragments`: (start, length) of each fragment of encapsulated pixels, the offset table first.
    """

    tag: int
    vr: str
    start: int
    length: int
    items: tuple[tuple[Element, ...], ...] | None = None
    fragments: tuple[tuple[int, int], ...] | None = None


class Walk:
    """One walk over `data`. Raises InputUnreadable where the bytes are no data set."""

    def __init__(self, data: bytes | mmap.mmap, *, little: bool, most: int = MAX_ELEMENTS) -> None:
        order = "<" if little else ">"
        self._data = data
        self._count, self._most = 0, most
        self._tag = struct.Struct(order + "HH").unpack_from
        self._short = struct.Struct(order + "H").unpack_from
        self._long = struct.Struct(order + "I").unpack_from

    def tag(self, at: int) -> int:
        """The tag that stands at `at`; eight bytes must be left there."""
        group, element = self._tag(self._data, at)
        return int(group << 16 | element)

    def element(self, at: int, end: int, *, implicit: bool, depth: int = 0) -> tuple[Element, int]:
        """The element at `at`, and where the next one begins. `end`: the first byte that is not its holder's."""
        self._count_one()
        if end - at < 8:
            raise damaged("It is cut short: it ends in the middle of an element.")
        tag = self.tag(at)
        vr, start, length = self._head(at, end, tag, implicit)
        if length == UNDEFINED:
            return self._undefined(tag, vr, start, end, depth)
        if length > end - start:
            raise damaged(f"It is cut short: element {name(tag)} says {length} bytes, and {end - start} are left.")
        items = None
        if vr == "SQ":
            items, _ = self._items(start, start + length, implicit=implicit, depth=depth + 1, bounded=True)
        elif vr in ("", "UN") and _is_sequence(tag):
            items = self._untyped_items(start, length, depth=depth + 1, sure=vr == "")
        return Element(tag, vr, start, length, items), start + length

    def _count_one(self) -> None:
        self._count += 1
        if self._count > self._most:
            raise damaged(f"It holds more than {self._most:,} elements: no radiograph does.")

    def _head(self, at: int, end: int, tag: int, implicit: bool) -> tuple[str, int, int]:
        if implicit or tag >> 16 == 0xFFFE:
            return "", at + 8, self._long(self._data, at + 4)[0]
        vr = self._data[at + 4 : at + 6]
        if vr in SHORT_VRS:
            return vr.decode(), at + 8, self._short(self._data, at + 6)[0]
        if vr in LONG_VRS:
            if end - at < 12:
                raise damaged("It is cut short: it ends in the middle of an element.")
            return vr.decode(), at + 12, self._long(self._data, at + 8)[0]
        if vr.isalpha() and vr.isupper():
            raise damaged(f"Element {name(tag)} has the unknown type {vr.decode()!r}.")
        return "", at + 8, self._long(self._data, at + 4)[0]  # an implicit element in an explicit file: some makers do

    def _undefined(self, tag: int, vr: str, start: int, end: int, depth: int) -> tuple[Element, int]:
        if vr in ("", "SQ", "UN"):
            implicit = vr != "SQ"  # of unknown type means implicit inside: PS3.5 §6.2.2 note 2
            items, after = self._items(start, end, implicit=implicit, depth=depth + 1, bounded=False)
            return Element(tag, vr, start, after - start, items), after
        if vr in ("OB", "OW"):
            fragments, after = self._fragments(tag, start, end)
            return Element(tag, vr, start, after - start, None, fragments), after
        raise damaged(f"Element {name(tag)} of type {vr} says no length.")

    def _untyped_items(
        self, start: int, length: int, *, depth: int, sure: bool
    ) -> tuple[tuple[Element, ...], ...] | None:
        """The items of what the dictionary calls a sequence. Not `sure`: a value that is none stays whole."""
        try:
            return self._items(start, start + length, implicit=True, depth=depth, bounded=True)[0]
        except InputUnreadable:
            if sure:
                raise
            return None

    def _items(
        self, at: int, end: int, *, implicit: bool, depth: int, bounded: bool
    ) -> tuple[tuple[tuple[Element, ...], ...], int]:
        """The items from `at` on: to `end` where `bounded`, else to the sequence's own end mark."""
        if depth > MAX_DEPTH:
            raise damaged(f"Its sequences are nested more than {MAX_DEPTH} deep: no radiograph's are.")
        items: list[tuple[Element, ...]] = []
        while at < end or not bounded:
            if end - at < 8:
                raise damaged("It is cut short: a sequence is not closed.")
            tag, length = self.tag(at), self._long(self._data, at + 4)[0]
            at += 8
            if tag == SEQUENCE_END:
                if bounded and at != end:
                    raise damaged("A sequence ends before its own length.")
                return tuple(items), at
            if tag != ITEM:
                raise damaged(f"A sequence holds {name(tag)} where an item should stand.")
            self._count_one()
            elements, at = self._item(at, end, length, implicit=implicit, depth=depth)
            items.append(elements)
        return tuple(items), at

    def _item(self, at: int, end: int, length: int, *, implicit: bool, depth: int) -> tuple[tuple[Element, ...], int]:
        elements: list[Element] = []
        if length != UNDEFINED:
            if length > end - at:
                raise damaged("An item is longer than the sequence that holds it.")
            end = at + length
        while True:
            if at == end and length != UNDEFINED:
                return tuple(elements), at
            if end - at >= 8 and self.tag(at) == ITEM_END:
                if length != UNDEFINED and at + 8 != end:
                    raise damaged("An item ends before its own length.")
                return tuple(elements), at + 8
            element, at = self.element(at, end, implicit=implicit, depth=depth)
            elements.append(element)

    def _fragments(self, tag: int, at: int, end: int) -> tuple[tuple[tuple[int, int], ...], int]:
        found: list[tuple[int, int]] = []
        while True:
            if end - at < 8:
                raise damaged("It is cut short: its compressed pixels are not closed.")
            mark, length = self.tag(at), self._long(self._data, at + 4)[0]
            at += 8
            if mark == SEQUENCE_END:
                return tuple(found), at
            self._count_one()
            if mark != ITEM:
                raise damaged(f"Element {name(tag)} says no length and does not hold compressed fragments.")
            if length > end - at:
                raise damaged(f"It is cut short: a fragment says {length} bytes, and {end - at} are left.")
            found.append((at, length))
            at += length


def name(tag: int) -> str:
    """`(0028,0010)`."""
    return f"({tag >> 16:04X},{tag & 0xFFFF:04X})"


def known_vr(tag: int) -> str:
    """The type that the standard gives to `tag`, "US" or "US or SS" for instance; "" for an unknown tag."""
    if tag >> 16 & 1:
        return ""
    try:
        return dictionary_VR(tag)
    except KeyError:
        return ""


def _is_sequence(tag: int) -> bool:
    return known_vr(tag) == "SQ"
