"""What one value may look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.dicom import values

CASES = [
    ("CS", "Hand", "HAND"),
    ("CS", "C-Spine", "C_SPINE"),
    ("DA", "20240229", "20240229"),
    ("DA", "2004.08.26", "20040826"),
    ("DA", "00000000", None),
    ("DA", "20230229", None),
    ("TM", "10:11:12", "101112"),
    ("TM", "105314.0000", "105314.0000"),
    ("TM", "246060", None),
    ("DT", "20240229101112.5+0100", "20240229101112.5+0100"),
    ("DT", "2024", "2024"),
    ("DT", "20241301", None),
    ("AS", "58Y", "058Y"),
    ("AS", "58", None),
    ("DS", "0.1440", "0.1440"),
    ("DS", "nan", None),
    ("DS", "1e400", None),
    ("DS", "0.12345678901234567890", "0.12345678901235"),
    ("IS", "7.0", "7"),
    ("IS", "2147483648", None),
    ("UI", "1.2.840.10008.1.2\0", "1.2.840.10008.1.2"),
    ("UI", "../../etc", None),
    ("UI", "1.02.3", None),
    ("UI", "1." + "2" * 64, None),
    ("PN", "Muster^Eva=a^b=c=d", "Muster^Eva=a^b=c"),
    ("PN", "x" * 65_000, "x" * 64),
    ("PN", "a\u202eb\x00\x1b[31m\nc", "ab[31m c"),
    ("LO", "a\tb", "a b"),
    ("LT", "one\r\ntwo\x07", "one\r\ntwo"),
    ("SH", "\udcff", "\ufffd"),
    ("AE", "STATION_ÄÖ", None),
    ("UR", "https://a.b/c d", None),
    ("LO", "   ", ""),
]


@pytest.mark.parametrize(("vr", "value", "expected"), CASES)
def test_that_a_value_is_mended_where_its_meaning_is_sure_and_given_up_elsewhere(
    vr: str, value: str, expected: str | None
) -> None:
    assert values.clean(vr, value) == expected


@given(st.sampled_from(sorted(values.TEXT)), st.text(st.characters(exclude_categories=()), max_size=200))
def test_that_a_cleaned_value_is_utf8_without_control_characters_within_its_limit_and_stable(
    vr: str, value: str
) -> None:
    cleaned = values.clean(vr, value)
    if cleaned is None:
        return
    cleaned.encode("utf-8")
    lines = vr in ("ST", "LT", "UT")
    assert not any(character < " " and not (lines and character in "\t\n\f\r") for character in cleaned)
    groups = cleaned.split("=") if vr == "PN" else [cleaned]
    assert all(len(group) <= values.LIMIT.get(vr, 2048) for group in groups)
    assert values.clean(vr, cleaned) == cleaned


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30))
def test_that_a_number_fits_into_a_decimal_string(value: float) -> None:
    text = values.number(value)
    assert len(text) <= 16
    assert float(text) == pytest.approx(value, rel=1e-8, abs=1e-300)


@pytest.mark.parametrize(
    ("vr", "value", "expected"),
    [
        ("CS", "A" * 17, "A" * 16),
        ("SH", "A" * 17, "A" * 16),
        ("LO", "A" * 65, "A" * 64),
        ("ST", "A" * 1025, "A" * 1024),
        ("LT", "A" * 10241, "A" * 10240),
        ("AE", " STATION ", "STATION"),
        ("AE", "A" * 17, "A" * 16),
        ("UC", "A" * 10241, "A" * 10240),
        ("UT", "A" * 65537, "A" * 65536),
        ("ZZ", "anything", ""),
        ("PN", "a^b^c^d^e^f", "a^b^c^d^e"),
        ("PN", "a= b =c=d", "a=b=c"),
        ("PN", "a==", "a"),
        ("TM", "10:11", None),
        ("TM", "1011", "1011"),
        ("TM", "10", "10"),
        ("TM", "101160", "101160"),
        ("TM", "101161", None),
        ("TM", "101112.1234567", None),
        ("AS", "1y", "001Y"),
        ("AS", "1234Y", None),
        ("DT", "20240101", "20240101"),
        ("DT", "202401", "202401"),
        ("DT", "20240230", None),
        ("DT", "2024010112", "2024010112"),
        ("DT", "2024+0100", "2024+0100"),
        ("DT", "20240101+1500", None),
        ("DT", "2024010125", None),
        ("IS", "-2147483647", "-2147483647"),
        ("IS", "-2147483648", None),
        ("IS", "2147483647", "2147483647"),
        ("IS", "1.5", None),
        ("IS", "1e3", "1000"),
        ("DS", "1234567890123456", "1234567890123456"),
        ("DS", ".5", ".5"),
        ("DS", "5.", "5."),
        ("DS", "", ""),
        ("UI", "0.1", "0.1"),
        ("UI", "1", None),
        ("UI", "1." + "2" * 62, "1." + "2" * 62),
        ("UI", "1." + "2" * 63, None),
        ("UR", "https://" + "a" * 2040, "https://" + "a" * 2040),
        ("UR", "https://" + "a" * 2041, None),
        ("UR", "https://ä", None),
        ("LT", "a\tb\x0cc", "a\tb\x0cc"),
        ("LO", "a\x0cb\ufeffc", "abc"),
    ],
)
def test_that_a_value_is_kept_to_the_edge_of_its_rule(vr: str, value: str, expected: str | None) -> None:
    assert values.clean(vr, value) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [(3.0, "3"), (-3.0, "-3"), (0.5, "0.5"), (1e14, "100000000000000"), (-0.0, "0")],
)
def test_that_a_whole_number_is_written_as_one(value: float, text: str) -> None:
    assert values.number(value) == text


@pytest.mark.parametrize("value", [1e15, 1e16, -1e15, 1 / 3])
def test_that_a_number_that_is_too_long_is_written_shorter(value: float) -> None:
    assert len(values.number(value)) <= 16 and float(values.number(value)) == pytest.approx(value)


def test_that_an_identifier_stays_as_it_is_or_ends_in_the_hash_of_what_it_was() -> None:
    assert values.identifier(" 4711 \0") == "4711"
    assert values.identifier("A" * 64) == "A" * 64
    long, other = values.identifier("A" * 65), values.identifier("A" * 66)
    assert long != other and long[:52] == "A" * 51 + "~" and len(long) == 64
    assert values.identifier("a\\b").startswith("a/b~") and values.identifier("a/b") == "a/b"
    assert values.identifier("a\ufffd", "a\xe9").startswith("a\ufffd~")
    assert values.identifier("a\ufffd", "a\xe9") != values.identifier("a\ufffd", "a\xe8")
