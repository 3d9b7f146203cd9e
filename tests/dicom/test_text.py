"""Text in the character sets that clinics use, and in those that nobody should."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.dicom.text import CharacterSet


@pytest.mark.parametrize(
    ("terms", "raw", "text"),
    [
        ("ISO_IR 100", "Müller^Jörg".encode("latin-1"), "Müller^Jörg"),
        ("ISO_IR_100", "Müller^Jörg".encode("latin-1"), "Müller^Jörg"),
        ("ISO_IR 192", "Дмитрий^Ω".encode(), "Дмитрий^Ω"),
        ("ISO-IR 192", "Дмитрий^Ω".encode(), "Дмитрий^Ω"),
        ("ISO_IR 144", "Люкceмбypг".encode("iso8859_5"), "Люкceмбypг"),
        ("ISO_IR 126", "Διονυσιος".encode("iso8859_7"), "Διονυσιος"),
        ("ISO_IR 203", "Œuvré^Žofia €".encode("iso8859_15"), "Œuvré^Žofia €"),
        ("\\ISO 2022 IR 203", b"M\xfcller^\x1b-b\xa4", "Müller^€"),
        ("ISO_IR 203", "Œ".encode("iso8859_15"), "Œ"),
        ("GB18030", "王^小东".encode("gb18030"), "王^小东"),
        (
            "\\ISO 2022 IR 87",
            b"Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B",
            "Yamada^Tarou=山田^太郎",
        ),
        (
            "\\ISO 2022 IR 58",
            b"Zhang^XiaoDong=\x1b$)A\xd5\xc5^\x1b$)A\xd0\xa1\xb6\xab= ",
            "Zhang^XiaoDong=张^小东=",
        ),
        ("\\ISO 2022 IR 149", b"Hong^Gildong=\x1b$)C\xfb\xf3^\x1b$)C\xd1\xce\xd4\xd7", "Hong^Gildong=洪^吉洞"),
        ("", "Müller".encode(), "Müller"),
        ("", "Müller".encode("latin-1"), "Müller"),
    ],
)
def test_that_a_name_is_decoded(terms: str, raw: bytes, text: str) -> None:
    assert CharacterSet(terms).decode(raw, "PN") == [text]


def test_that_bytes_that_fit_no_character_are_replaced() -> None:
    assert CharacterSet("ISO_IR 192").decode(b"\xff\xfe^\xc3\x28", "PN") == ["\ufffd\ufffd^\ufffd("]


@pytest.mark.parametrize(
    "terms", ["utf-7", "unicode_escape", "../../x", "\\\\\\\\", "A" * 60000, "ISO_IR 999", "rot13"]
)
def test_that_a_word_that_the_standard_does_not_know_never_reaches_a_codec(terms: str) -> None:
    assert CharacterSet(terms).decode(rb"+AGEAYg-\u0041", "LT") == [rb"+AGEAYg-\u0041".decode()]


@pytest.mark.parametrize("raw", [b"\x1b$)Z\xb0\xa1", b"\x1b(Z\xe4"])
def test_that_text_of_an_unknown_escape_comes_without_a_warning(raw: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert CharacterSet("ISO 2022 IR 100\\ISO 2022 IR 87").decode(raw, "LO")


def test_that_values_are_parted_after_decoding() -> None:
    assert CharacterSet("").decode(b"ORIGINAL\\PRIMARY ", "CS") == ["ORIGINAL", "PRIMARY"]
    assert CharacterSet("").decode(b"a\\b", "LT") == ["a\\b"]
    assert CharacterSet("GB18030").decode("昞".encode("gb18030"), "LO") == ["昞"]  # its second byte is a backslash


@given(raw=st.binary(max_size=60), terms=st.text(max_size=20), vr=st.sampled_from(["PN", "LO", "LT", "CS", "UI"]))
def test_that_any_bytes_become_text(raw: bytes, terms: str, vr: str) -> None:
    assert all(isinstance(value, str) for value in CharacterSet(terms).decode(raw, vr))


@pytest.mark.parametrize(
    "term", ["ISO 2022 IR 100", "ISO_2022_IR_100", "iso-2022-ir 100", "ISO2022 IR100", " ISO_IR100\0"]
)
def test_that_a_term_is_known_however_a_maker_spells_it(term: str) -> None:
    assert not CharacterSet(term).unknown
    assert CharacterSet(term).decode("Jörg".encode("latin-1"), "LO") == ["Jörg"]


@pytest.mark.parametrize(
    ("terms", "unknown"),
    [
        ("", False),
        (" ", False),
        ("ISO_IR 100", False),
        ("ISO_IR 999", True),
        ("\\ISO 2022 IR 87", False),
        ("x\\ISO_IR 6", True),
    ],
)
def test_that_a_set_is_unknown_where_one_of_its_terms_is(terms: str, unknown: bool) -> None:
    assert CharacterSet(terms).unknown is unknown


def test_that_of_endless_terms_and_endless_text_the_first_are_taken() -> None:
    assert not CharacterSet("\\".join(["ISO_IR 6"] * 8 + ["ISO_IR 999"])).unknown
    assert CharacterSet("\\".join(["ISO_IR 6"] * 7 + ["ISO_IR 999"])).unknown
    assert CharacterSet("").decode(b"a" * 70_000, "LT") == ["a" * 65_536]


@pytest.mark.parametrize("vr", ["CS", "DA", "UI", "UR", "IS"])
def test_that_what_is_of_the_default_repertoire_is_not_read_by_the_set(vr: str) -> None:
    assert CharacterSet("ISO_IR 144").decode("Ж".encode(), vr) == ["Ж"]
    assert CharacterSet("ISO_IR 144").decode("Ж".encode("iso8859_5"), "LO") == ["Ж"]
    assert CharacterSet("").decode(b"AB \0", vr) == ["AB"]
