"""From bytes to elements: every uncompressed encoding, files without a preamble, and those that only pretend."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullfield.dicom import parse as parsing
from fullfield.dicom.parse import parse
from fullfield.errors import FullfieldError, InputRefused, InputUnreadable
from sources import NATIVE, dataset, element, encoded

SOUND = encoded(dataset())


def body(content: bytes) -> bytes:
    """What follows the file meta information."""
    at = 132
    while content[at : at + 2] == b"\2\0":
        long = content[at + 4 : at + 6] in (b"OB", b"UN")
        at += 12 + int.from_bytes(content[at + 8 : at + 12], "little") if long else 8 + content[at + 6]
    return content[at:]


@pytest.mark.parametrize("syntax", NATIVE)
def test_that_every_uncompressed_encoding_is_taken_apart(syntax: str) -> None:
    parsed = parse(encoded(dataset(), NATIVE[syntax]))
    assert parsed.text(0x00080060) == "CR"
    assert parsed.value(0x00280010) == (48).to_bytes(2, "big" if syntax == "explicit big" else "little")
    assert parsed.syntax.uid == NATIVE[syntax] and not parsed.warnings


def test_that_a_file_without_a_preamble_is_read() -> None:
    assert parse(SOUND[132:]).text(0x00080060) == "CR"


@pytest.mark.parametrize("syntax", ["implicit little", "explicit little", "explicit big"])
def test_that_a_file_without_meta_information_is_told_from_its_first_element(syntax: str) -> None:
    parsed = parse(body(encoded(dataset(), NATIVE[syntax])))
    assert parsed.syntax.uid == NATIVE[syntax]
    assert parsed.warnings == ["The file does not say its transfer syntax; it was told from its first element."]


def test_that_explicit_types_under_an_implicit_name_are_seen_and_told() -> None:
    parsed = parse(_named(NATIVE["implicit little"]))
    assert parsed.text(0x00080060) == "CR" and "implicit" in parsed.warnings[0]


def test_that_implicit_elements_under_an_explicit_name_are_read() -> None:
    implicit = body(encoded(dataset(), NATIVE["implicit little"]))
    assert parse(_named(NATIVE["explicit little"], implicit)).text(0x00080060) == "CR"


def test_that_a_wrong_length_of_the_meta_information_is_not_believed() -> None:
    for length in (b"\0\0\0\0", b"\xff\xff\xff\xff"):
        lie = element(0x00020000, "UL", length)
        assert parse(SOUND[:132] + lie + SOUND[132:]).text(0x00080060) == "CR"


@pytest.mark.parametrize(
    ("syntax", "words"),
    [
        ("1.2.3.4", "not known"),
        ("../../etc/passwd", "not known"),
        ("1.2.840.10008.1.2.4.102", "MPEG-4"),
        ("1.2.840.10008.1.2.4.55", "not among"),
    ],
)
def test_that_an_unknown_transfer_syntax_is_refused_by_name(syntax: str, words: str) -> None:
    with pytest.raises(InputUnreadable) as refusal:
        parse(
            SOUND.replace(b"1.2.840.10008.1.2.1\0", syntax.encode().ljust(20, b"\0")[:20])
            if len(syntax) <= 20
            else _named(syntax)
        )
    assert words in refusal.value.detail
    assert "passwd" not in str(refusal.value)


def _named(syntax: str, content: bytes = b"") -> bytes:
    return bytes(128) + b"DICM" + element(0x00020010, "UI", syntax.encode()) + (content or body(SOUND))


def test_that_a_syntax_that_lies_about_the_byte_order_is_refused() -> None:
    with pytest.raises(InputUnreadable):
        parse(_named(NATIVE["explicit big"]))


def test_that_a_deflate_bomb_ends_early() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    zeros = bytes(16 << 20)
    bomb = b"".join(packer.compress(zeros) for _ in range(16)) + packer.flush()
    with pytest.raises(InputUnreadable, match="grows past"):
        parse(_named(NATIVE["deflated"]).replace(body(SOUND), bomb))


def test_that_a_truncated_deflate_stream_is_refused() -> None:
    with pytest.raises(InputUnreadable, match="cut short"):
        parse(encoded(dataset(), NATIVE["deflated"])[:-200])


@pytest.mark.parametrize("tag", sorted(parsing.CRITICAL))
def test_that_a_critical_attribute_that_stands_twice_is_refused(tag: int) -> None:
    twin = element(tag, "OW" if tag == 0x7FE00010 else "LO", b"12")
    data = SOUND + twin if tag in parse(SOUND).elements else SOUND + twin + twin
    with pytest.raises(InputRefused, match="twice"):
        parse(data)


def test_that_another_attribute_that_stands_twice_counts_once_and_is_told() -> None:
    parsed = parse(
        _named(NATIVE["explicit little"]).replace(body(SOUND), element(0x00080060, "CS", b"MG") + body(SOUND))
    )
    assert parsed.text(0x00080060) == "MG" and "stands twice" in parsed.warnings[0]


@pytest.mark.parametrize("rest", [b"\0" * 1024, bytes(range(256)) * 4, b"\xff" * 7], ids=["zeros", "garbage", "few"])
def test_that_padding_after_the_pixels_is_let_pass(rest: bytes) -> None:
    assert parse(SOUND + rest).text(0x00080060) == "CR"


@pytest.mark.parametrize("data", [b"", b"A" * 4096, b"\xff" * 4096, b"\0" * 4096, b"\x80\4\x95cposix"])
def test_that_what_is_no_data_set_is_refused(data: bytes) -> None:
    with pytest.raises(FullfieldError):
        parse(data)


@settings(max_examples=300)
@given(where=st.integers(0, len(SOUND) - 1), what=st.binary(min_size=0, max_size=12), cut=st.integers(0, 12))
def test_that_a_damaged_file_is_read_or_refused(where: int, what: bytes, cut: int) -> None:
    try:
        parsed = parse(SOUND[:where] + what + SOUND[where + cut :])
    except (InputRefused, InputUnreadable):
        return
    assert all(one.start + one.length <= len(parsed.data) for one in parsed.elements.values())
