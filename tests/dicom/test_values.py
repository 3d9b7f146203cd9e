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
