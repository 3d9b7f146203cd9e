"""A report as one value, and what is written of it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.bench import plots, report, steps
from fullfield.bench.plots import Bars, Curve, Curves, Series
from fullfield.bench.report import Column, Report, Table
from fullfield.errors import OutputInvalid

COLUMNS = (
    Column(name="name", title="training"),
    Column(name="total", title="total MiB", digits=1, meaning="the growth at the peak."),
    Column(name="exact", title="exact"),
    Column(name="note", title="note"),
)
ROWS = (
    {"name": "original", "total": 1198.25, "exact": True, "note": None},
    {"name": "A|B", "total": float("nan"), "exact": False, "note": "left out"},
    {"name": "nothing", "note": "impossible here"},
)
TABLE = Table(name="memory", title="Memory", columns=COLUMNS, rows=ROWS)
BARS = Bars(
    name="bars",
    title="Memory",
    axis="MiB",
    labels=("original", "AMP"),
    stacked=(Series(name="forward", values=(758.0, None)), Series(name="backward", values=(440.0, 102.0))),
    beside=(Series(name="the paper", values=(1198.0, None)),),
)
CURVES = Curves(
    name="curves",
    title="Throughput",
    x="batch",
    y="images/s",
    curves=(
        Curve(name="original", points=((1, 2.0), (2, 3.0))),
        Curve(name="AMP", points=()),
        Curve(name="frontier", points=((1, 2.0),), edge=True),
    ),
    levels=(("least", 0.5),),
    doubling=True,
)
REPORT = Report(
    bench="single",
    title="Beside the paper",
    facts={"device": "the CPU", "threads": 2},
    tables=(TABLE,),
    plots=(BARS, CURVES),
    remarks=("A remark.",),
)


def cells_of(markdown: str) -> list[list[str]]:
    """The cells of the only table."""
    lines = [line.replace("\\|", "\0") for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("\0", "|") for cell in line.strip("|").split("|")] for line in lines]


def test_that_markdown_csv_and_json_hold_the_same_cells() -> None:
    heading, _, *shown = cells_of(report.markdown(REPORT))
    assert heading == ["training", "total MiB", "exact", "note"]
    assert shown[0] == ["original", "1198.2", "yes", ""]
    first, *lines = csv.reader(io.StringIO(report.to_csv(TABLE)))
    assert first == ["name", "total", "exact", "note"]
    rows = json.loads(report.to_json(REPORT))["tables"]["memory"]["rows"]
    for line, row, people in zip(lines, rows, shown, strict=True):
        assert line[0] == row["name"] == people[0]
        assert (float(line[1]) if line[1] else None) == row["total"]
        assert line[3] == (row["note"] or "") == people[3]


def test_that_an_empty_cell_is_empty_everywhere_and_never_a_number() -> None:
    shown = cells_of(report.markdown(REPORT))
    assert shown[3][:3] == ["A|B", "", "no"]
    assert shown[4] == ["nothing", "", "", "impossible here"]
    assert report.to_csv(TABLE).splitlines()[3] == "nothing,,,impossible here"
    assert "NaN" not in report.to_json(REPORT)


def test_that_a_column_that_no_row_fills_is_left_out_for_people_alone() -> None:
    table = Table(name="memory", title="Memory", columns=COLUMNS, rows=({"name": "original"},))
    assert cells_of(report.markdown(Report(bench="b", title="T", facts={}, tables=(table,))))[0] == ["training"]
    assert report.to_csv(table).splitlines()[0] == "name,total,exact,note"


def test_that_meanings_facts_and_remarks_are_printed_with_the_table() -> None:
    text = report.markdown(REPORT)
    assert "- **total MiB**: the growth at the peak." in text
    assert "- device: the CPU" in text
    assert "A remark." in text


def test_that_files_are_named_by_their_bench_and_the_text_names_its_pictures(tmp_path: Path) -> None:
    written = [path.name for path in report.write(REPORT, tmp_path)]
    pictures = ["single-bars.png", "single-curves.png"]
    assert written == ["single.json", "single.md", "single-memory.csv", *pictures]
    text = (tmp_path / "single.md").read_text(encoding="utf-8")
    assert all(f"({name})" in text for name in pictures)


@pytest.mark.parametrize("name", ["single.json", "single.md", "single-memory.csv", "single-bars.png"])
def test_that_a_bench_replaces_its_own_reports_and_no_file_of_others(tmp_path: Path, name: str) -> None:
    others = tmp_path / name
    others.write_text('{"my": "notes"}')
    with pytest.raises(OutputInvalid, match="it is not of this bench"):
        steps.folder_of("single", tmp_path, quick=True)
    assert others.read_text() == '{"my": "notes"}'
    others.unlink()
    report.write(replace(REPORT, plots=()), tmp_path)
    (tmp_path / "single-bars.png").write_bytes(b"a plot")
    (tmp_path / "size-notes.txt").write_text("mine")
    assert steps.folder_of("single", tmp_path, quick=True) == steps.folder_of("size", tmp_path, quick=True) == tmp_path


@pytest.mark.parametrize("plot", [BARS, CURVES], ids=lambda plot: plot.name)
def test_that_a_plot_is_drawn_without_a_screen_and_the_same_each_time(plot: plots.Plot) -> None:
    picture = plots.draw(plot)
    assert picture.startswith(b"\x89PNG")
    assert picture == plots.draw(plot)


def test_that_matplotlib_waits_until_something_is_drawn() -> None:
    code = "import sys, fullfield.bench.report; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
