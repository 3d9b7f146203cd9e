"""A report as a PDF of A4 pages: its tables as text that flows over pages, then its figures."""

from __future__ import annotations

import io
import textwrap
import unicodedata
from collections.abc import Iterator
from typing import Any

import matplotlib
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from fullfield.report import fonts
from fullfield.report.content import Report
from fullfield.report.tables import Table
from fullfield.translation import marked

PAGE = (8.27, 11.69)  # inches, A4
LEFT, TOP, BOTTOM, WIDTH = 0.09, 0.94, 0.09, 0.82  # shares of the page
LINE = 0.0155
SIGNS = 100  # of a line across the page, at the text's size
WIDE = 0.85  # as many where there is no space: of digits alone, such as a checksum's
ASCENT = 0.76  # of a letter's size above its line, in DejaVu Sans
TEXT, SMALL, HEAD, TITLE = 9, 7.5, 11, 16
GREY = "#555555"
LACKING = marked(
    "Some characters of this report are boxes: no font of this computer has them. Install one that does, such as "
    "Noto Sans CJK for Chinese, Japanese and Korean, or make the report as an HTML file."
)


def write(report: Report, figures: list[tuple[str, Figure]]) -> bytes:
    """The file's content. What the usual font lacks is written by installed ones; that none has it is said."""
    stream = io.BytesIO()
    said = [report.title, *(text for table in report.tables for row in table.rows for text in row)]
    others, lacking = fonts.others("".join(said))
    family = [*matplotlib.rcParams["font.family"], *others]
    metadata = {"Title": report.title, "Creator": "Fullfield", "CreationDate": None}
    with matplotlib.rc_context({"font.family": family}), PdfPages(stream, metadata=metadata) as pages:
        disclaimers = [text for _, text in report.words.disclaimers()]
        sheet = _Sheet(pages, foot=disclaimers[0])
        sheet.paragraph(report.title, size=TITLE, after=1.6)
        sheet.line(report.made, colour=GREY, after=1.6)
        for text in disclaimers:
            sheet.paragraph(text)
        if lacking:
            sheet.paragraph(report.words.say(LACKING))
        for table in report.tables:
            sheet.table(table)
        sheet.close()
        for _, figure in figures:
            _foot(figure, disclaimers[0])
            pages.savefig(figure, bbox_inches="tight", pad_inches=0.4)
    return stream.getvalue()


class _Sheet:
    """Text from the top of a page to its foot, and on to the next."""

    def __init__(self, pages: Any, *, foot: str) -> None:
        self._pages, self._foot = pages, foot
        self._begin()

    def line(
        self, text: str, *, x: float = LEFT, size: float = TEXT, colour: str = "black", after: float = 1.0
    ) -> None:
        """One line, and so many lines down."""
        self._put(text, x=x, size=size, colour=colour)
        self._down(after)

    def paragraph(self, text: str, *, colour: str = "black", size: float = TEXT, after: float = 1.0) -> None:
        """Lines across the page, each so many lines down."""
        signs = SIGNS * TEXT / size * _narrowed(text)
        for part in textwrap.wrap(text, round(signs)):
            self.line(part, colour=colour, size=size, after=after)

    def table(self, table: Table) -> None:
        """A title, and rows whose cells wrap within their columns."""
        self._down(1.2)
        if self._y < BOTTOM + 6 * LINE:
            self._turn()
        self.line(table.title, size=HEAD, after=1.4)
        shares = _shares(table)
        for row in [*([table.head] if table.head else []), *table.rows]:
            self._row(row, shares, colour=GREY if row is table.head else "black")
        if table.note:
            self.paragraph(table.note, colour=GREY, size=SMALL)

    def close(self) -> None:
        """The last page."""
        _foot(self._figure, self._foot)
        self._pages.savefig(self._figure)

    def _row(self, row: tuple[str, ...], shares: list[float], *, colour: str) -> None:
        cells = [_wrapped(text, share) for text, share in zip(row, shares, strict=True)]
        lines = max(map(len, cells))
        if self._y - (lines - 1) * LINE < BOTTOM:  # it stays whole
            self._turn()
        for number in range(lines):
            x = LEFT
            for cell, share in zip(cells, shares, strict=True):
                if number < len(cell):
                    self._put(cell[number], x=x, size=TEXT, colour=colour)
                x += share * WIDTH
            self._down(1.0)
        self._down(0.25)

    def _put(self, text: str, *, x: float, size: float, colour: str) -> None:
        # On one line whatever stands above its letters (É), and no mathematics: a dollar sign in a note is one.
        line = self._y - ASCENT * size / 72 / PAGE[1]
        self._figure.text(x, line, text, fontsize=size, color=colour, va="baseline", parse_math=False)

    def _down(self, lines: float) -> None:
        self._y -= lines * LINE
        if self._y < BOTTOM:
            self._turn()

    def _turn(self) -> None:
        self.close()
        self._begin()

    def _begin(self) -> None:
        self._figure, self._y = Figure(figsize=PAGE), TOP


def _wrapped(text: str, share: float) -> list[str]:
    """The lines of a cell that has this share of the width."""
    signs = share * SIGNS * _narrowed(text)
    return textwrap.wrap(text, max(8, round(signs) - 2)) or [""]


def _narrowed(text: str) -> float:
    """The share of the usual signs of a line that fits: Chinese, Japanese and Korean ones are twice as wide."""
    wide = any(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return (1 if " " in text else WIDE) / (2 if wide else 1)


def _shares(table: Table) -> list[float]:
    """How much of the width each column gets."""
    count = len(table.rows[0])
    if count == 2:
        return [0.36, 0.64]
    return [0.28, *_even(0.72, count - 1)] if count != 3 else [0.26, 0.54, 0.2]


def _even(whole: float, count: int) -> Iterator[float]:
    return (whole / count for _ in range(count))


def _foot(figure: Figure, text: str) -> None:
    figure.text(0.5, 0.03 if figure.get_figheight() > 8 else -0.04, text, fontsize=6.5, color=GREY, ha="center")
