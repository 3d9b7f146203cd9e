"""A bench's report as one value, written for people (Markdown, plots), for spreadsheets (CSV) and for programs (JSON).

A cell is a text, a number, a truth or nothing. Nothing is an empty cell, and its row says why in the column `note`.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from fullfield import checked, csv_text, files, replacing, standard_output
from fullfield.bench.plots import Plot, draw
from fullfield.bench.speak import say
from fullfield.errors import OutputInvalid

Cell = str | float | int | bool | None
NOTE = "note"


@dataclass(frozen=True, kw_only=True)
class Column:
    """`name`: in CSV and JSON. `title`: for people, with the unit. `digits` after the point. `meaning`: a sentence that
    is printed below the table."""

    name: str
    title: str
    digits: int = 0
    meaning: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of cells by the names of the columns; a cell that a row lacks is empty."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell], ...]

    def cell(self, row: Mapping[str, Cell], column: Column) -> Cell:
        """The value as it is; a number that is not finite is nothing."""
        value = row.get(column.name)
        return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that a bench has to say. `facts`: what was measured, where and how, name and value. `remarks`: sentences."""

    bench: str
    title: str
    facts: Mapping[str, Cell]
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()
    remarks: tuple[str, ...] = field(default=())


def refuse_other(folder: Path, bench: str) -> None:
    """Raises OutputInvalid where the report of this bench would replace files of others: those of its names, unless
    its own JSON lies beside them."""
    ours = folder / f"{bench}.json"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        if checked.parse(ours.read_bytes())["bench"] == bench:
            return
    refusal = OutputInvalid(
        "Cannot write the report into this folder.",
        detail="A file is there whose name begins as the report's, and it is not of this bench: it could be lost.",
        hint="Name another folder (--out DIR), or move that file.",
    )
    for path in (ours, folder / f"{bench}.md", *folder.glob(f"{bench}-*.csv"), *folder.glob(f"{bench}-*.png")):
        replacing.refuse_other(path, refusal=refusal)


def write(report: Report, folder: Path) -> list[Path]:
    """Leave the report in `folder`, named by its bench; the files, the JSON first. Raises CannotWrite."""
    written = [folder / f"{report.bench}.json", folder / f"{report.bench}.md"]
    written += [folder / f"{report.bench}-{table.name}.csv" for table in report.tables]
    contents = [to_json(report), markdown(report), *map(to_csv, report.tables)]
    for path, text in zip(written, contents, strict=True):
        files.write_text(path, text)
    for plot in report.plots:
        written.append(folder / _picture(report, plot))
        files.write_bytes(written[-1], draw(plot))
    return written


def markdown(report: Report) -> str:
    """The report for people; plots are named as files beside it."""
    lines = [f"# {report.title}", ""]
    lines += [f"- {name}: {_shown(value, 1)}" for name, value in report.facts.items()]
    for table in report.tables:
        lines += ["", f"## {table.title}", "", *_grid(table), ""]
        lines += [f"- **{column.title}**: {column.meaning}" for column in table.columns if column.meaning]
    for plot in report.plots:
        lines += ["", f"![{plot.title}]({_picture(report, plot)})"]
    if report.remarks:
        lines += ["", *(f"{sentence}  " for sentence in report.remarks)]
    return "\n".join(lines) + "\n"


def publish(report: Report, folder: Path, *, json: bool) -> None:
    """Leave the report in `folder`, and write it to standard output, as Markdown or as JSON."""
    write(report, folder)
    standard_output.write(to_json(report) + "\n" if json else markdown(report))
    say(f"The report with its tables and plots lies in {folder}.")


def to_csv(table: Table) -> str:
    """The table with its columns' names in the first line, numbers unrounded."""
    stream = io.StringIO()
    writer = csv_text.Writer(stream, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow([_plain(table.cell(row, column)) for column in table.columns])
    return stream.getvalue()


def to_json(report: Report) -> str:
    """All values, unrounded; an empty cell is null."""
    tables = {
        table.name: {
            "title": table.title,
            "columns": [asdict(column) for column in table.columns],
            "rows": [{column.name: table.cell(row, column) for column in table.columns} for row in table.rows],
        }
        for table in report.tables
    }
    values = {"bench": report.bench, "title": report.title, "facts": dict(report.facts), "tables": tables}
    return json.dumps({**values, "remarks": list(report.remarks)}, indent=1, ensure_ascii=False, allow_nan=False)


def _picture(report: Report, plot: Plot) -> str:
    return f"{report.bench}-{plot.name}.png"


def _grid(table: Table) -> list[str]:
    """Columns of equal width, so that it can be read as it is too; those that are empty in all rows are left out."""
    columns = [
        column for column in table.columns if any(table.cell(row, column) not in (None, "") for row in table.rows)
    ]
    cells = [[column.title for column in columns]]
    cells += [[_escaped(_shown(table.cell(row, column), column.digits)) for column in columns] for row in table.rows]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    numeric = [any(_is_number(table.cell(row, column)) for row in table.rows) for column in columns]
    rule = [f"{'-' * max(2, width - 1)}:" if right else "-" * max(3, width) for width, right in zip(widths, numeric)]

    def line(texts: list[str]) -> str:
        padded = [
            text.rjust(width) if right else text.ljust(width) for text, width, right in zip(texts, widths, numeric)
        ]
        return f"| {' | '.join(padded)} |"

    return [line(cells[0]), line(rule), *map(line, cells[1:])]


def _shown(value: Cell, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{digits}f}" if math.isfinite(value) else ""
    return str(value)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _plain(value: Cell) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _is_number(value: Cell) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool)
