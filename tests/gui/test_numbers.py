"""Numbers as the user's language writes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from fullfield_app.gui import numbers

NARROW = "\u00a0"


@pytest.fixture
def speak() -> Iterator[None]:
    yield
    QLocale.setDefault(QLocale.c())


@pytest.mark.usefixtures("speak")
def test_that_spanish_has_a_comma_where_english_has_a_point() -> None:
    reported = {}
    for language in ("en", "es"):
        QLocale.setDefault(QLocale(language))
        reported[language] = [
            numbers.number(0.25, 2),
            numbers.percent(12.34, 1),
            numbers.data(1536),
            numbers.seconds(0.42),
            numbers.seconds(75.2),
            numbers.short(0.00123456),
            numbers.milliseconds(84),
        ]
    english = ["0.25", f"12.3{NARROW}%", "1.5 KiB", "0.4 s", "1 min 15 s", "0.00123", f"84{NARROW}ms"]
    assert reported == {"en": english, "es": [text.replace(".", ",") for text in english]}


@pytest.mark.usefixtures("speak")
def test_that_thousands_are_set_apart_where_a_number_counts_and_not_where_it_names_a_size() -> None:
    QLocale.setDefault(QLocale("en"))
    assert numbers.number(20000) == "20,000" and numbers.plain(4288) == "4288"
    QLocale.setDefault(QLocale("es"))
    assert numbers.number(20000) == "20.000" and numbers.plain(4288) == "4288"


@pytest.mark.usefixtures("speak")
def test_that_numbers_below_zero_have_the_minus_of_print_and_are_read_again() -> None:
    QLocale.setDefault(QLocale("es"))
    written = [numbers.number(-0.01, 2), numbers.plain(-1234), numbers.short(-0.5), numbers.signed(-0.01, 2)]
    assert written == ["−0,01", "−1234", "−0,5", "−0,01"]
    assert [float(numbers.amount(text)) for text in written] == [-0.01, -1234, -0.5, -0.01]
    assert float(numbers.amount(numbers.short(1e-05, 6))) == 1e-05
