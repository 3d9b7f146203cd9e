"""Tables for spreadsheets and scripts: the one writer of CSV, in which no cell is a formula.

A spreadsheet computes a cell that begins with one of a few signs, and a reader's name or a criterion may come from
anywhere: such a cell gets an apostrophe before it, as OWASP advises (CSV injection). Numbers stay numbers, negative
ones too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Protocol

_SIGNS = frozenset("=+-@\t\r\n＝＋－＠")  # the last four: their wide forms, which some take for the same
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


class Sink(Protocol):
    """Where the text goes."""

    def write(self, text: str, /) -> object:
        """Take a piece of it."""


class Writer:
    """Writes rows; `delimiter` and `lineterminator` as `csv.writer` has them."""

    def __init__(self, sink: Sink, *, delimiter: str = ",", lineterminator: str = "\r\n") -> None:
        self._writer = csv.writer(sink, delimiter=delimiter, lineterminator=lineterminator)

    def writerow(self, values: Iterable[object]) -> None:
        """One row."""
        self._writer.writerow([neutral(value) for value in values])


def neutral(value: object) -> object:
    """A cell that no spreadsheet computes; numbers, and texts that are nothing but a number, as they are."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value) or value.lstrip(" ")[:1] not in _SIGNS or not value:
        return value
    return f"'{value}"


__all__ = ["Writer", "neutral"]
