"""Decimal strings as numbers, or none at all."""

from __future__ import annotations

from typing import Any

import pytest
from pydicom.valuerep import DSfloat

from fullfield.dicom.numbers import decimal, decimals


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (None, ()),
        ("", ()),
        ("0.5", (0.5,)),
        (7, (7.0,)),
        (DSfloat("1.5"), (1.5,)),
        (["0.1", "0.2"], (0.1, 0.2)),
        ([1, DSfloat("-2")], (1.0, -2.0)),
        ([], ()),
        ("x", ()),
        (["1", "x"], ()),
        (["1", None], ()),
        (["1", "nan"], ()),
        (["nan", "1"], ()),
        ("inf", ()),
        (len, ()),
    ],
    ids=str,
)
def test_that_numbers_are_all_finite_or_there_are_none(value: Any, numbers: tuple[float, ...]) -> None:
    assert decimals(value) == numbers
    assert decimal(value) == (numbers[0] if numbers else None)
