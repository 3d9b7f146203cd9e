"""The walk over a data set's bytes: it finds what is there, and ends for every input."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullfield.dicom.elements import MAX_DEPTH, MAX_ELEMENTS, Walk, known_vr, name
from fullfield.errors import InputUnreadable
from sources import element

ITEM, ITEM_END, SEQUENCE_END = (struct.pack("<HHI", 0xFFFE, low, 0) for low in (0xE000, 0xE00D, 0xE0DD))
OPEN_ITEM = struct.pack("<HHI", 0xFFFE, 0xE000, 0xFFFFFFFF)
CONTENT = 0x0040A730


def sequence(content: bytes) -> bytes:
    return element(CONTENT, "SQ", b"", length=0xFFFFFFFF) + content + SEQUENCE_END


def walk(data: bytes, *, implicit: bool = False, little: bool = True) -> list[tuple[int, str, int, int]]:
    found, at = [], 0
    walker = Walk(data, little=little)
    while at < len(data):
        one, at = walker.element(at, len(data), implicit=implicit)
        found.append((one.tag, one.vr, one.start, one.length))
    return found


def nested(depth: int) -> bytes:
    return (element(CONTENT, "SQ", b"", length=0xFFFFFFFF) + OPEN_ITEM) * depth + (ITEM_END + SEQUENCE_END) * depth


def test_that_short_and_long_elements_are_found_where_they_lie() -> None:
    data = element(0x00080060, "CS", b"CR") + element(0x7FE00010, "OW", b"abcd")
    assert walk(data) == [(0x00080060, "CS", 8, 2), (0x7FE00010, "OW", 22, 4)]


def test_that_big_endian_elements_are_found() -> None:
    data = element(0x00280010, "US", b"\x01\x00", order=">")
    assert walk(data, little=False) == [(0x00280010, "US", 8, 2)]


def test_that_implicit_elements_are_found() -> None:
    data = struct.pack("<HHI", 0x0028, 0x0010, 2) + b"\1\0"
    assert walk(data, implicit=True) == [(0x00280010, "", 8, 2)]


def test_that_an_implicit_element_in_an_explicit_file_is_found() -> None:
    data = struct.pack("<HHI", 0x0028, 0x0010, 2) + b"\1\0"
    assert walk(data) == [(0x00280010, "", 8, 2)]


def test_that_items_of_a_sequence_hold_their_elements() -> None:
    inner = element(0x00080100, "SH", b"T-1")
    data = element(0x00082218, "SQ", struct.pack("<HHI", 0xFFFE, 0xE000, len(inner)) + inner)
    found, _ = Walk(data, little=True).element(0, len(data), implicit=False)
    assert found.items is not None
    assert [[one.tag for one in item] for item in found.items] == [[0x00080100]]


def test_that_a_sequence_of_unknown_type_is_walked_as_implicit() -> None:
    inner = struct.pack("<HHI", 0x0008, 0x0100, 2) + b"AB"
    item = struct.pack("<HHI", 0xFFFE, 0xE000, len(inner)) + inner
    data = element(0x00082218, "UN", item)
    found, _ = Walk(data, little=True).element(0, len(data), implicit=False)
    assert found.items is not None and found.items[0][0].tag == 0x00080100


def test_that_a_value_of_unknown_type_that_is_no_sequence_stays_whole() -> None:
    data = element(0x00082218, "UN", b"garbage!")
    found, _ = Walk(data, little=True).element(0, len(data), implicit=False)
    assert found.items is None and found.length == 8


def test_that_fragments_of_compressed_pixels_are_listed() -> None:
    fragment = struct.pack("<HHI", 0xFFFE, 0xE000, 4) + b"abcd"
    data = element(0x7FE00010, "OB", b"", length=0xFFFFFFFF) + ITEM + fragment + SEQUENCE_END
    found, after = Walk(data, little=True).element(0, len(data), implicit=False)
    assert found.fragments == ((20, 0), (28, 4)) and after == len(data)


def test_that_nesting_to_the_limit_is_walked() -> None:
    assert walk(nested(MAX_DEPTH))[0][0] == CONTENT


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (nested(MAX_DEPTH + 1), "nested"),
        (nested(20_000), "nested"),
        (sequence(ITEM * MAX_ELEMENTS), "more than"),
        (b"\x08\0\x60\0CS", "cut short"),
        (element(0x00080060, "CS", b"CR", length=400), "says 400 bytes"),
        (element(0x7FE00010, "OW", b"", length=0xFFFFFFFE), "says 4294967294 bytes"),
        (element(0x00080060, "ZZ", b"CR"), "unknown type"),
        (element(CONTENT, "SQ", b"", length=0xFFFFFFFF), "not closed"),
        (sequence(b"\0" * 8), "where an item should stand"),
        (element(CONTENT, "SQ", struct.pack("<HHI", 0xFFFE, 0xE000, 99)), "longer than the sequence"),
        (element(0x7FE00010, "OB", b"", length=0xFFFFFFFF) + ITEM, "not closed"),
        (element(0x00080005, "UT", b"", length=0xFFFFFFFF), "says no length"),
    ],
)
def test_that_a_broken_data_set_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(InputUnreadable) as refusal:
        walk(data)
    assert words in refusal.value.detail


@settings(max_examples=400)
@given(data=st.binary(max_size=400), implicit=st.booleans(), little=st.booleans())
def test_that_any_bytes_are_walked_or_refused(data: bytes, implicit: bool, little: bool) -> None:
    try:
        found = walk(data, implicit=implicit, little=little)
    except InputUnreadable:
        return
    assert all(start >= 0 and start + length <= len(data) for _, _, start, length in found)


@settings(max_examples=200)
@given(
    values=st.lists(
        st.tuples(
            st.sampled_from([0x00080060, 0x00100010, 0x00280010, 0x00091001, 0x7FE00010]),
            st.sampled_from(["CS", "PN", "US", "UN", "OW", "LO"]),
            st.binary(max_size=60),
        ),
        max_size=12,
    )
)
def test_that_every_written_element_is_found_again(values: list[tuple[int, str, bytes]]) -> None:
    data = b"".join(element(tag, vr, value) for tag, vr, value in values)
    assert [(tag, vr) for tag, vr, _, _ in walk(data)] == [(tag, vr) for tag, vr, _ in values]


def test_that_a_tag_is_named_as_the_standard_writes_it() -> None:
    assert name(0x7FE00010) == "(7FE0,0010)"


@pytest.mark.parametrize(
    ("tag", "vr"), [(0x00280010, "US"), (0x00280106, "US or SS"), (0x00091001, ""), (0x00080001 + 0xF0000000, "")]
)
def test_that_only_the_standard_s_types_are_known(tag: int, vr: str) -> None:
    assert known_vr(tag) == vr
