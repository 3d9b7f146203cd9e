"""`fullfield bench size`: the largest square image that each technique trains while keeping a least throughput.

The search doubles the side until a step does not fit the budget or is too slow, and halves what is left down to a grid
of 32 pixels: memory and time grow with the side, so the largest lies between what was kept and what was not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullfield.bench import paper, report, sets, steps
from fullfield.bench.plots import Bars, Curve, Curves, Series
from fullfield.bench.report import NOTE, Cell, Column, Report, Table
from fullfield.bench.rows import Row
from fullfield.bench.sets import Choice, Measured
from fullfield.bench.steps import Setting, Step, Steps
from fullfield.errors import Interrupted, UsageError

GRID = 32
SMALLEST = 192  # MS-SSIM needs more than 160 pixels a side
NIGHT_SECONDS = 12 * 3600
LEAST = paper.EPOCHS * paper.TRAINING_IMAGES / NIGHT_SECONDS
QUICK = ("original", "AMP", "Chkp", "hybrid_bands", sets.PLANNER)
QUICK_BUDGET = "500MiB"


@dataclass(frozen=True, kw_only=True)
class Search:
    """`least`: images per second that must be kept. `largest`, `grid`: pixels. `first`: the side it begins with."""

    least: float = LEAST
    largest: int = 8192
    batch: int = 1
    first: int = 512
    grid: int = GRID


def bench(*, json: bool, quick: bool, out: Path | None = None, **given: Any) -> int:
    """Search with every technique, write the report and print it. The exit code is 130 where it was stopped.

    `given`: fields of `Search` and `Setting`. `quick`: a few techniques and small images in little memory.
    """
    setting, search = Setting(), Search()
    if quick:
        setting = Setting(budget=QUICK_BUDGET, only=QUICK, repeat=2)
        search = Search(largest=512, first=256, grid=64)
    setting, search = steps.split(given, setting, search)
    _check(search)
    taker = Steps(setting, steps.folder_of("size", out, quick=quick))
    measured = run(taker, search)
    report.publish(_report(taker, search, measured), taker.folder, json=json)
    return int(Interrupted.exit_code) if measured.stopped else 0


def run(taker: Steps, search: Search) -> Measured:
    """The largest side of every set; `tried` of each row: all steps that were measured."""
    machine, shape = taker.machine, taker.shape(search.first, search.batch)
    choices = sets.scenario(machine, shape, taker.setting.only)

    def measure(choice: Choice) -> Row:
        tried: dict[int, Step] = {}

        def keeps(size: int) -> bool:
            tried[size] = step = taker.take(choice, size=size, batch=search.batch)
            return step.fits and step.images_per_second >= search.least

        found = largest(keeps, first=search.first, last=search.largest, grid=search.grid)
        return {"size": found, "tried": tried}

    return sets.measured(choices, measure)


def largest(keeps: Callable[[int], bool], *, first: int, last: int, grid: int = GRID, smallest: int = SMALLEST) -> int:
    """The largest multiple of `grid` from `smallest` to `last` that keeps, where all below it do; 0 where none does."""
    low, high, side = smallest - grid, last + grid, min(first, last)
    while low < side < high and keeps(side):  # doubling
        low, side = side, min(2 * side, last)
        if low == last:
            return last
    high = side
    while high - low > grid:
        side = low + (high - low) // (2 * grid) * grid
        low, high = (side, high) if keeps(side) else (low, side)
    return low if low >= smallest else 0


def _check(search: Search) -> None:
    if search.least <= 0 or search.largest < SMALLEST or search.largest % search.grid:
        raise UsageError(
            "Cannot search for the largest image.",
            detail=f"--least is a number above 0, and --largest a multiple of {search.grid} from {SMALLEST}.",
            hint=f"For instance --least {LEAST:.3f} --largest 4096.",
        )


def _report(taker: Steps, search: Search, measured: Measured) -> Report:
    rows = []
    for choice in measured.choices:
        common = sets.cells(choice, taker.machine, taker.shape(search.first, search.batch))
        rows.append({**common, **_cells(choice, measured.found.get(choice.name), search)})
    hours = paper.EPOCHS * paper.TRAINING_IMAGES / search.least / 3600
    facts = {
        **taker.facts(),
        "least": f"{search.least:.3f} images/s (the paper's training, {paper.EPOCHS} epochs of "
        f"{paper.TRAINING_IMAGES} images, takes {hours:.1f} hours with it)",
        "search": f"squares from {SMALLEST} to {search.largest} pixels in steps of {search.grid}, batch {search.batch}",
    }
    return Report(
        bench="size",
        title="The largest image that keeps a least throughput",
        facts=facts,
        tables=(Table(name="largest", title="Largest image", columns=_COLUMNS, rows=tuple(rows)),),
        plots=_plots(measured, search),
        remarks=(steps.SOURCE,),
    )


def _cells(choice: Choice, row: Row | None, search: Search) -> Mapping[str, Cell]:
    if row is None:
        return {}
    tried: dict[int, Step] = row["tried"]
    over = min((size for size in tried if size > row["size"]), default=0)
    cells: dict[str, Cell] = {"tried": " ".join(map(str, sorted(tried))), "limit": "the end of the search"}
    if over:
        step = tried[over]
        slow = f"{step.images_per_second:.3f} images/s" if step.fits else step.reason
        cells["limit"] = f"at {over}: {slow}"
    if not row["size"]:
        return {**cells, NOTE: "none of the sizes can be kept"}
    best = tried[row["size"]]
    megapixels = row["size"] ** 2 / 1e6 * best.images_per_second
    cells |= {"size": row["size"], "megapixels_per_second": megapixels, **steps.cells(best)}
    if choice.planner:
        cells["techniques"] = " + ".join(best.techniques) or "none"
    return cells


_COLUMNS = (
    Column(name="name", title="training"),
    Column(name="techniques", title="techniques", meaning="of the planner: those that it chose at the largest size."),
    Column(name="exact", title="exact", meaning="the gradients are those of the original."),
    Column(name="size", title="largest px", meaning="the side of the largest square that fits and is fast enough."),
    *steps.COLUMNS,
    Column(name="megapixels_per_second", title="MP/s", digits=3),
    Column(name="limit", title="limited by", meaning="what the next larger size that was tried lacked."),
    Column(name="tried", title="sizes tried"),
    Column(name=NOTE, title="note"),
)


def _plots(measured: Measured, search: Search) -> tuple[Bars | Curves, ...]:
    rows = [(choice.name, measured.found[choice.name]) for choice in measured.choices if choice.name in measured.found]
    sides = Series(name="largest side", values=tuple(float(row["size"]) or None for _, row in rows))
    curves = [
        Curve(
            name=name,
            points=tuple((size, step.images_per_second) for size, step in sorted(row["tried"].items()) if step.fits),
        )
        for name, row in rows
    ]
    return (
        Bars(
            name="largest",
            title="Largest image",
            axis="pixels a side",
            labels=tuple(name for name, _ in rows),
            stacked=(sides,),
        ),
        Curves(
            name="throughput",
            title="Throughput by size, as far as the memory goes",
            x="pixels a side",
            y="images per second",
            curves=tuple(curves),
            levels=(("least", search.least),),
        ),
    )
