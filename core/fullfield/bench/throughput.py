"""`fullfield bench throughput`: the most images per second that each technique reaches over batch sizes 1, 2, 4 …

A technique that takes less memory allows a larger batch, and a larger batch uses a card better: whether that makes up
for the technique's own time is what is asked. The search ends where a batch does not fit, or two doublings brought
nothing. And what several devices reach together, by how they share a training (`fullfield.bench.several`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullfield.bench import paper, report, sets, several, steps
from fullfield.bench.plots import Bars, Curve, Curves, Series
from fullfield.bench.report import NOTE, Cell, Column, Report, Table
from fullfield.bench.rows import Row
from fullfield.bench.sets import Choice, Measured
from fullfield.bench.several import Point, Spread
from fullfield.bench.steps import Setting, Step, Steps
from fullfield.errors import Interrupted

MOST_BATCH = 256
WITHOUT_GAIN = 2  # doublings
QUICK = ("original", "AMP", "Chkp", "banded_loss")


@dataclass(frozen=True, kw_only=True)
class Batches(Spread):
    """Batches of squares of `size` pixels a side, up to `most` images."""

    size: int = paper.SIZE
    most: int = MOST_BATCH


def bench(*, json: bool, quick: bool, out: Path | None = None, **given: Any) -> int:
    """Measure every technique, write the report and print it. The exit code is 130 where it was stopped.

    `given`: fields of `Batches` and `Setting`. `quick`: a few techniques, small images, up to 4 of them.
    """
    setting, batches = Setting(), Batches()
    if quick:
        setting, batches = Setting(only=QUICK, repeat=3), Batches(size=256, most=4)
    setting, batches = steps.split(given, setting, batches)
    taker = Steps(setting, steps.folder_of("throughput", out, quick=quick))
    measured = run(taker, batches)
    points = [] if measured.stopped else several.points(taker, batches.size, batches)
    report.publish(_report(taker, batches, measured, points), taker.folder, json=json)
    return int(Interrupted.exit_code) if measured.stopped else 0


def run(taker: Steps, batches: Batches) -> Measured:
    """The steps of every set by batch size, as `tried` of each row."""
    shape = taker.shape(batches.size, batch=2)  # what is impossible with one image alone is measured with more

    def measure(choice: Choice) -> Row:
        tried: list[Step] = []
        batch = 1
        while batch <= batches.most and not _is_done(tried):
            tried.append(taker.take(choice, size=batches.size, batch=batch))
            batch *= 2
        return {"tried": tried}

    return sets.measured(sets.scenario(taker.machine, shape, taker.setting.only), measure)


def _is_done(tried: list[Step]) -> bool:
    """The last batch did not fit, or two doublings brought nothing."""
    if not tried:
        return False
    if not tried[-1].fits:
        return not tried[-1].refused
    rates = [step.images_per_second for step in tried]
    return rates.index(max(rates)) < len(rates) - WITHOUT_GAIN


def _report(taker: Steps, batches: Batches, measured: Measured, points: Sequence[Point] = ()) -> Report:
    rows = []
    for choice in measured.choices:
        common = sets.cells(choice, taker.machine, taker.shape(batches.size, batch=2))
        rows.append({**common, **_cells(choice, measured.found.get(choice.name))})
    return Report(
        bench="throughput",
        title="The largest throughput over batch sizes",
        facts={
            **taker.facts(),
            "images": f"squares of {batches.size} pixels, batches of 1, 2, 4 … {batches.most}",
            "devices": several.fact(taker, batches),
        },
        tables=(
            Table(name="best", title="Largest throughput", columns=_COLUMNS, rows=tuple(rows)),
            Table(name="devices", title="Several devices", columns=_SEVERAL, rows=tuple(_several(points))),
        ),
        plots=(*_plots(measured), _plot(points)),
        remarks=(steps.SOURCE, _STATISTICS, several.SIMULATED),
    )


def _several(points: Sequence[Point]) -> list[Mapping[str, Cell]]:
    alone = {point.way: point.images_per_second for point in points if point.devices == 1}
    rows: list[Mapping[str, Cell]] = []
    for point in points:
        rate, one = point.images_per_second, alone.get(point.way)
        gain = rate / one if rate and one else None
        rows.append({**several.cells(point), "gain": gain, "each": gain / point.devices if gain else None})
    return rows


_SEVERAL = (
    *several.COLUMNS,
    Column(name="gain", title="× one device", digits=2, meaning="its throughput by that of one device."),
    Column(name="each", title="of each", digits=2, meaning="the same by the number of devices: 1 is all there is."),
    Column(name=NOTE, title="note"),
)


def _plot(points: Sequence[Point]) -> Curves:
    return Curves(
        name="devices",
        title="Throughput by number of devices; open markers: simulated",
        x="devices",
        y="images per second",
        curves=several.curves(_several(points), "devices", "images_per_second"),
        doubling=True,
    )


_STATISTICS = (
    "A larger batch is another training: BatchNorm sees other statistics, and an epoch has fewer steps. What is "
    "compared here is speed alone."
)


def _cells(choice: Choice, row: Row | None) -> Mapping[str, Cell]:
    if row is None:
        return {}
    tried: list[Step] = row["tried"]
    last = tried[-1]
    cells: dict[str, Cell] = {"tried": " ".join(str(step.batch) for step in tried), "limit": "the end of the search"}
    if not last.fits:
        cells["limit"] = f"at {last.batch}: {last.reason}"
    best = max(tried, key=lambda step: step.images_per_second)
    if last.fits and last is not best:
        cells["limit"] = "a larger one was no faster"
    if not best.fits:
        return {**cells, NOTE: "no batch fits"}
    if choice.planner:
        cells["techniques"] = " + ".join(best.techniques) or "none"
    alone = tried[0].images_per_second
    return {
        **cells,
        **steps.cells(best),
        "batch": best.batch,
        "gain": best.images_per_second / alone if alone else None,
    }


_COLUMNS = (
    Column(name="name", title="training"),
    Column(name="techniques", title="techniques", meaning="of the planner: those that it chose at the best batch."),
    Column(name="exact", title="exact", meaning="the gradients are those of the original with the same batch."),
    Column(name="batch", title="best batch", meaning="images of a step with which most images per second are trained."),
    *steps.COLUMNS,
    Column(name="gain", title="× batch 1", digits=2, meaning="the best throughput by that of one image a step."),
    Column(name="limit", title="limited by", meaning="why no larger batch was tried."),
    Column(name="tried", title="batches tried"),
    Column(name=NOTE, title="note"),
)


def _plots(measured: Measured) -> tuple[Bars | Curves, ...]:
    rows = [
        (choice.name, measured.found[choice.name]["tried"])
        for choice in measured.choices
        if choice.name in measured.found
    ]
    best = tuple(max(step.images_per_second for step in tried) or None for _, tried in rows)
    curves = tuple(
        Curve(name=name, points=tuple((step.batch, step.images_per_second) for step in tried if step.fits))
        for name, tried in rows
    )
    return (
        Bars(
            name="best",
            title="Largest throughput over batch sizes",
            axis="images per second",
            labels=tuple(name for name, _ in rows),
            stacked=(Series(name="images per second", values=best),),
        ),
        Curves(
            name="batches",
            title="Throughput by batch size, as far as the memory goes",
            x="images of a step",
            y="images per second",
            curves=curves,
            doubling=True,
        ),
    )
