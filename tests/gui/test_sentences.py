"""Values of the engine within its sentences: numbers are written as the user's language does, versions stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from fullfield_app.gui import numbers


@pytest.fixture(autouse=True)
def spanish() -> Iterator[None]:
    QLocale.setDefault(QLocale("es_ES"))
    yield
    QLocale.setDefault(QLocale.c())


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("14.8 GiB", "14,8 GiB"),
        ("4.0 GiB, 3.5 GiB free)", "4,0 GiB, 3,5 GiB free)"),
        ("1,234.5 s", "1.234,5 s"),
        ("0.75", "0,75"),
        ("12.5 %", "12,5 %"),
    ],
)
def test_that_an_amount_is_written_as_the_language_does(value: str, said: str) -> None:
    assert numbers.written(value) == said


@pytest.mark.parametrize(
    "value", ["chest 1.0.0, general 1.0.0", "glibc2.36, Python 3.11.7", "torch 2.15.0, numpy 2.4.6"]
)
def test_that_a_version_stays_as_it_is(value: str) -> None:
    assert numbers.written(value) == value
