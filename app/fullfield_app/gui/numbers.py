"""Numbers and units as the user's language writes them: "1.5 GiB" in English, "1,5 GiB" in Spanish; below zero with
the minus of print, as axes have it.

What a page shows of a number goes through here; what a file holds never does.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale

from fullfield import sentences, units

_NARROW = "\u00a0"  # a space that no line breaks at, between a number and its unit


def number(value: float, decimals: int = 0) -> str:
    """`20000` → "20,000"; `0.25, 2` → "0.25"."""
    return _minus(QLocale().toString(float(value), "f", decimals))


def plain(value: float, decimals: int = 0) -> str:
    """As `number`, without signs between thousands: sizes of images, grey levels, years."""
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return _minus(locale.toString(float(value), "f", decimals))


def short(value: float, digits: int = 3) -> str:
    """`digits` significant digits, without zeros at the end: `0.00123456` → "0.00123", `2.0` → "2"."""
    return _minus(_point(f"{value:.{digits}g}"))


def signed(value: float, decimals: int = 0) -> str:
    """With its sign: `2.04, 1` → "+2.0"; what rounds to 0 has none."""
    text = number(abs(value), decimals)
    return text if round(value, decimals) == 0 else f"{'+' if value > 0 else '−'}{text}"


def percent(value: float, decimals: int = 0) -> str:
    """`value` is in percent: `12.34, 1` → "12.3 %"."""
    return f"{number(value, decimals)}{_NARROW}%"


def data(count: float) -> str:
    """A number of bytes: "1.5 GiB"."""
    return _point(units.format_bytes(count))


def seconds(value: float) -> str:
    """A duration: "0.4 s", "1 min 15 s"."""
    return _point(units.format_seconds(value))


def milliseconds(value: float) -> str:
    """`value` is in milliseconds: "84 ms"."""
    return f"{number(value)}{_NARROW}ms"


def amount(typed: str) -> str:
    """An amount as the engine reads it: its decimal sign may be a comma, its minus that of print, in any language."""
    return typed.strip().replace(",", ".").replace("−", "-")


def written(value: str) -> str:
    """A value that the engine has written, with its numbers in this language's signs."""
    locale = QLocale()
    return sentences.written(value, decimal=locale.decimalPoint(), thousands=locale.groupSeparator())


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _point(text: str) -> str:
    return text.replace(".", QLocale().decimalPoint())
