"""`fullfield bench cost`: what a thousand images cost beside how long a step takes, over plans and batch sizes.

A point is a plan of the planner (or the original, or AMP) with a batch size, at a price per hour of this machine. The
frontier: points of which no other is better in both figures, and none equal in one and better in the other. Of several
devices (`fullfield.bench.several`) each costs the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullfield.bench import paper, report, sets, several, steps
from fullfield.bench.plots import Curve, Curves
from fullfield.bench.report import NOTE, Cell, Column, Report, Table
from fullfield.bench.rows import Row
from fullfield.bench.sets import Choice, Measured
from fullfield.bench.several import Point, Spread
from fullfield.bench.steps import Setting, Step, Steps
from fullfield.errors import Interrupted, UsageError

QUICK = ("original", "AMP", sets.FASTEST, sets.SMALLEST)
HOUR = 3600.0


@dataclass(frozen=True, kw_only=True)
class Prices(Spread):
    """`price` of an hour of this machine in `currency`. Steps of `batches` squares of `size` pixels a side."""

    price: float = 1.0
    currency: str = "EUR"
    size: int = paper.SIZE
    batches: tuple[int, ...] = (1, 2, 4, 8)

    def of(self, step: Step, images: int) -> float:
        """What `images` images cost."""
        return images / step.images_per_second / HOUR * self.price


def bench(*, json: bool, quick: bool, out: Path | None = None, **given: Any) -> int:
    """Measure every plan, write the report and print it. The exit code is 130 where it was stopped.

    `given`: fields of `Prices` and `Setting`. `quick`: a few plans, small images, one or two of them.
    """
    setting, prices = Setting(), Prices()
    if quick:
        setting, prices = Setting(only=QUICK, repeat=3), Prices(size=256, batches=(1, 2))
    setting, prices = steps.split(given, setting, prices)
    if prices.price <= 0:
        raise UsageError("Cannot reckon costs.", detail="The price of an hour is a number above 0.")
    taker = Steps(setting, steps.folder_of("cost", out, quick=quick))
    measured = run(taker, prices)
    points = [] if measured.stopped else several.points(taker, prices.size, prices)
    report.publish(_report(taker, prices, measured, points), taker.folder, json=json)
    return int(Interrupted.exit_code) if measured.stopped else 0


def run(taker: Steps, prices: Prices) -> Measured:
    """The steps of every plan by batch size, as `tried` of each row."""
    machine, shape = taker.machine, taker.shape(prices.size)
    choices = sets.paper(machine.card.kind)[:2] + sets.planned(machine, shape, whole=True)
    choices = sets.asked(sets.possible(choices, machine, shape), taker.setting.only)

    def measure(choice: Choice) -> Row:
        tried: list[Step] = []
        for batch in prices.batches:
            tried.append(taker.take(choice, size=prices.size, batch=batch))
            if not tried[-1].fits:
                break
        return {"tried": tried}

    return sets.measured(choices, measure)


def frontier(points: Sequence[tuple[float, float]]) -> list[bool]:
    """For each point whether no other is as good in one figure and better in the other; small is good."""
    return [not any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in points) for one in points]


def _report(taker: Steps, prices: Prices, measured: Measured, points: Sequence[Point] = ()) -> Report:
    facts = {
        **taker.facts(),
        "images": f"squares of {prices.size} pixels, batches of {', '.join(map(str, prices.batches))}",
        "price": f"{prices.price:g} {prices.currency} per hour of this machine",
        "devices": several.fact(taker, prices),
    }
    rows, shared = _rows(taker, prices, measured), _several(points, prices)
    return Report(
        bench="cost",
        title="Cost beside latency and memory",
        facts=facts,
        tables=(
            Table(name="points", title="Plans and batch sizes", columns=_columns(prices), rows=tuple(rows)),
            Table(name="devices", title="Several devices", columns=_of_several(prices), rows=tuple(shared)),
        ),
        plots=(*_plots(rows, prices), _plot(shared, prices)),
        remarks=(steps.SOURCE, _ONE_PRICE, several.SIMULATED),
    )


def _several(points: Sequence[Point], prices: Prices) -> list[dict[str, Cell]]:
    """With what a thousand images cost on so many devices."""
    rows = []
    for point in points:
        rate = point.images_per_second
        rows.append(
            {**several.cells(point), "cost": 1000 / rate / HOUR * prices.price * point.devices if rate else None}
        )
    return rows


def _of_several(prices: Prices) -> tuple[Column, ...]:
    cost = Column(name="cost", title=f"{prices.currency} per 1000 images", digits=4, meaning="of all devices together.")
    return (*several.COLUMNS, cost, Column(name=NOTE, title="note"))


def _plot(rows: Sequence[dict[str, Cell]], prices: Prices) -> Curves:
    return Curves(
        name="devices",
        title="Cost and latency of 1, 2, 4 … devices; open markers: simulated",
        x="seconds of a step",
        y=f"{prices.currency} per 1000 images",
        curves=several.curves(rows, "seconds", "cost"),
    )


_ONE_PRICE = (
    "Every point is of this machine and its price. What takes less memory may also run on a smaller, cheaper card: "
    "measure there with its own price, and compare the tables."
)


def _rows(taker: Steps, prices: Prices, measured: Measured) -> list[dict[str, Cell]]:
    rows: list[dict[str, Cell]] = []
    for choice in measured.choices:
        common = sets.cells(choice, taker.machine, taker.shape(prices.size))
        for step in measured.found.get(choice.name, {"tried": [None]})["tried"]:
            rows.append({**common, **(_cells(step, prices) if step else {})})
    whole = [row for row in rows if row.get("cost") is not None]
    for name, other in (("cost_latency", "seconds"), ("cost_memory", "peak")):
        points = [(float(row[other] or 0), float(row["cost"] or 0)) for row in whole]
        for row, best in zip(whole, frontier(points), strict=True):
            row[name] = best
    return rows


def _cells(step: Step, prices: Prices) -> dict[str, Cell]:
    cells: dict[str, Cell] = {"batch": step.batch, **steps.cells(step)}
    if not step.fits:
        return {**cells, NOTE: step.reason}
    return {**cells, "cost": prices.of(step, 1000), "epoch": prices.of(step, paper.TRAINING_IMAGES)}


def _columns(prices: Prices) -> tuple[Column, ...]:
    money = prices.currency
    return (
        Column(name="name", title="training"),
        Column(name="techniques", title="techniques"),
        Column(name="exact", title="exact", meaning="the gradients are those of the original with the same batch."),
        Column(name="batch", title="batch", meaning="images of a step."),
        *steps.COLUMNS,
        Column(name="cost", title=f"{money} per 1000 images", digits=4),
        Column(
            name="epoch",
            title=f"{money} per epoch",
            digits=4,
            meaning=f"{paper.TRAINING_IMAGES} images, as in the paper.",
        ),
        Column(name="cost_latency", title="frontier: latency", meaning="no other is cheaper at no longer a step."),
        Column(name="cost_memory", title="frontier: memory", meaning="no other is cheaper in no more memory."),
        Column(name=NOTE, title="note"),
    )


def _plots(rows: Sequence[dict[str, Cell]], prices: Prices) -> tuple[Curves, ...]:
    y = f"{prices.currency} per 1000 images"
    return (
        _curves("latency", "Cost and latency", "seconds of a step", y, "seconds", "cost_latency", rows),
        _curves("memory", "Cost and memory", "MiB at the peak of a step", y, "peak", "cost_memory", rows),
    )


def _curves(name: str, title: str, x: str, y: str, across: str, best: str, rows: Sequence[dict[str, Cell]]) -> Curves:
    """A curve for each plan, over its batch sizes; and the frontier."""
    whole = [row for row in rows if row.get("cost") is not None]

    def points(some: Sequence[dict[str, Cell]]) -> tuple[tuple[float, float], ...]:
        return tuple((float(row[across] or 0), float(row["cost"] or 0)) for row in some)

    plans = dict.fromkeys(str(row["name"]) for row in whole)
    curves = [Curve(name=plan, points=points([row for row in whole if row["name"] == plan])) for plan in plans]
    edge = Curve(name="frontier", points=tuple(sorted(points([row for row in whole if row[best]]))), edge=True)
    return Curves(name=name, title=title, x=x, y=y, curves=(*curves, edge))
