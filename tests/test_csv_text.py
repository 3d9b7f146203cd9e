"""No cell of a table that the product writes is a formula."""

from __future__ import annotations

import csv
import io
import re

import pytest

from fullfield.csv_text import Writer, neutral
from support import ROOT


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "-", "=", "+1 of", "-1e"],
)
def test_that_a_formula_gets_an_apostrophe(text: str) -> None:
    assert neutral(text) == f"'{text}"


@pytest.mark.parametrize(
    "cell", [-1, -0.5, "-1.5", "-1,5", "+2", "-3e-05", "1", "", "Dr. Muster", "a=b", "’", None, "ñ"]
)
def test_that_numbers_and_plain_texts_stay_as_they_are(cell: str | float | None) -> None:
    assert neutral(cell) == cell


def test_that_a_row_reads_back_with_its_signs() -> None:
    text = io.StringIO()
    Writer(text, lineterminator="\n").writerow(('=HYPERLINK("x")', -1.5, "two\nlines", ";"))
    assert next(csv.reader(io.StringIO(text.getvalue()))) == ['\'=HYPERLINK("x")', "-1.5", "two\nlines", ";"]


def test_that_nothing_else_writes_a_table() -> None:
    sources = [*(ROOT / "core").rglob("*.py"), *(ROOT / "app").rglob("*.py")]
    found = {path.name for path in sources if re.search(r"csv\.(writer|DictWriter)\(", path.read_text("utf-8"))}
    assert found == {"csv_text.py"}
