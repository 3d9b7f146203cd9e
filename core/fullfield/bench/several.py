"""One, two, four and more devices: what `bench throughput` and `bench cost` say of them, measured or simulated.

Measured is what this machine has devices for. The other points are simulated, and marked so wherever they are shown:
the measured step of one device, the share of its work that each of several would have, by the traced costs of the
network's parts, and what they would say to one another, by the latency and the bytes of a link. No such step is run.
`fullfield.bench.reckoned` does the arithmetic, in a process of its own, for it takes torch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from fullfield import system
from fullfield.bench import machine as machines
from fullfield.bench import on_ranks, ranked
from fullfield.bench.plots import Curve
from fullfield.bench.report import NOTE, Cell, Column
from fullfield.bench.rows import Rows
from fullfield.bench.sets import Choice
from fullfield.bench.speak import say
from fullfield.bench.steps import Steps
from fullfield.checked import Fields, make
from fullfield.errors import FullfieldError
from fullfield.hardware import links

MIB = 2**20
COUNTS = (1, 2, 4, 8)
PIPELINED = 8  # images of a batch that pass through parts of the network
_MODULE = "fullfield.bench.reckoned"


@dataclass(frozen=True, kw_only=True)
class Spread:
    """`devices`: numbers of them. `link`: what connects them where they are not here, of `fullfield.hardware.links`.

    Raises UsageError for what is no link."""

    devices: tuple[int, ...] = COUNTS
    link: str = ""

    def __post_init__(self) -> None:
        if self.link:
            links.find(self.link)


@dataclass(frozen=True, kw_only=True)
class Way:
    """To share a training. `beside`: techniques of one device; `shared`: of several. `images`: of a step; 0: one for
    each device."""

    name: str
    beside: tuple[str, ...]
    shared: tuple[str, ...]
    images: int = 0

    def batch(self, count: int) -> int:
        """Images of a step on so many devices; one has one."""
        return self.images if self.images and count > 1 else count

    def techniques(self, count: int) -> tuple[str, ...]:
        """On so many devices."""
        return (*self.beside, *(self.shared if count > 1 else ()))


WAYS = (
    Way(name="data parallel", beside=("banded_loss",), shared=("data_parallel",)),
    Way(name="data parallel, ZeRO 3", beside=("banded_loss",), shared=("data_parallel", "zero:level=3")),
    Way(name="PyTorch's data parallel", beside=("banded_loss",), shared=("ddp",)),
    Way(name="PyTorch's divided optimizer", beside=("banded_loss",), shared=("data_parallel", "zero_optimizer")),
    Way(name="PyTorch's fully sharded", beside=("banded_loss",), shared=("fsdp",)),
    Way(name="model parallel", beside=("banded_loss",), shared=("model_parallel",), images=PIPELINED),
    Way(name="rows of an image", beside=("banded_loss", "hybrid_bands"), shared=("spatial",), images=1),
)


@dataclass(frozen=True, kw_only=True)
class Point:
    """A step of `batch` images on so many `devices`. `peak`: bytes of everything on the fullest, predicted; `sent`: of
    each, at most. `reason`: why there are no figures."""

    way: str
    techniques: tuple[str, ...]
    devices: int
    batch: int
    simulated: bool
    seconds: float | None = None
    peak: int | None = None
    sent: int = 0
    reason: str = ""

    @property
    def images_per_second(self) -> float | None:
        """None where it has no figures."""
        return self.batch / self.seconds if self.seconds else None


def points(taker: Steps, size: int, spread: Spread) -> list[Point]:
    """Of every way and number of devices, squares of `size` pixels. What fails costs its own point."""
    if not spread.devices:
        return []
    say("Several devices")
    alone: dict[tuple[str, ...], float] = {}
    reasons: dict[tuple[str, ...], str] = {}
    for beside in dict.fromkeys(way.beside for way in WAYS):
        step = taker.take(Choice(name="+".join(beside), techniques=beside), size=size, batch=1)
        if step.seconds:
            alone[beside] = step.seconds
        reasons[beside] = step.reason
    known = [way for way in WAYS if way.beside in alone]
    try:
        reckoned = _reckoned(taker, size, spread, known, alone) if known else {}
        failed = ""
    except FullfieldError as error:
        reckoned, failed = {}, f"{error.title} {error.detail}".strip()
    found = []
    for way in WAYS:
        for count in spread.devices:
            point = reckoned.get((way.name, count)) or nothing(way, count, failed or reasons[way.beside])
            here = 1 < count <= taker.machine.count and not point.reason
            found.append(_measured(taker, size, way, point) if here else point)
    return found


def nothing(way: Way, count: int, reason: str) -> Point:
    """A point without figures."""
    return Point(
        way=way.name,
        techniques=way.techniques(count),
        devices=count,
        batch=way.batch(count),
        simulated=count > 1,
        reason=reason,
    )


def _reckoned(
    taker: Steps, size: int, spread: Spread, ways: Sequence[Way], alone: Mapping[tuple[str, ...], float]
) -> dict[tuple[str, int], Point]:
    machine = taker.machine
    question: Fields = {
        "ways": [{**asdict(way), "seconds": alone[way.beside]} for way in ways],
        "counts": list(spread.devices),
        "link": link_of(taker, spread),
        "size": size,
        "encoder": taker.setting.encoder,
        "device": machine.device,
        "threads": machine.threads,
    }
    reported = machines.last_line(
        [*system.python_command(_MODULE), json.dumps(question)], seconds=on_ranks.MOST_SECONDS
    )
    if "died" in reported:
        raise FullfieldError("Cannot reckon several devices.", detail=reported["died"])
    every = [make(Point, one) for one in reported["points"]]
    return {(one.way, one.devices): one for one in every}


def _measured(taker: Steps, size: int, way: Way, point: Point) -> Point:
    """The point as this machine's own devices make it."""
    setting, machine = taker.setting, taker.machine
    rows = Rows(taker.folder, {"bench": "several", **machine.key(), "encoder": setting.encoder})
    key: Fields = {"techniques": list(point.techniques), "devices": point.devices, "batch": point.batch, "size": size}

    def ask() -> Fields:
        return ranked.ask(
            point.techniques,
            ranks=point.devices,
            side=size,
            batch=point.batch,
            encoder=setting.encoder,
            device=setting.device,
            threads=machine.threads,
            repeat=setting.repeat,
        )

    try:
        found = ranked.read(rows.once(f"{way.name} {point.devices}", key, ask))
    except FullfieldError as error:
        return nothing(way, point.devices, f"{error.title} {error.detail}".strip())
    return Point(
        way=way.name,
        techniques=point.techniques,
        devices=point.devices,
        batch=point.batch,
        simulated=False,
        seconds=found.seconds,
        peak=point.peak,
        sent=max(one.sent for one in found.ranks),
    )


def link_of(taker: Steps, spread: Spread) -> str:
    """That connects devices: cards of one computer, or computers on the network of a building."""
    return spread.link or ("1GbE" if taker.machine.card.kind == "cpu" else "PCIe")


def fact(taker: Steps, spread: Spread) -> str:
    """What is simulated, in words."""
    one = "computers like this one" if taker.machine.card.kind == "cpu" else f"cards like {taker.machine.card.title}"
    return f"{', '.join(map(str, spread.devices))}; simulated: {one}, connected by {link_of(taker, spread)}"


SIMULATED = (
    "*Simulated* points were not run: the measured step of one device, the share of its work that each of several "
    "would have by the traced costs of the network's parts, and what they would say to one another by the latency and "
    "the bytes of a link, of which nothing is taken to be hidden behind computing. On CPUs work is counted in FLOPs."
)


def cells(point: Point) -> dict[str, Cell]:
    """What every table says of a point, see `COLUMNS`."""
    return {
        "way": point.way,
        "techniques": " + ".join(point.techniques),
        "devices": point.devices,
        "batch": point.batch,
        "source": None if point.seconds is None else "simulated" if point.simulated else "measured",
        "seconds": point.seconds,
        "images_per_second": point.images_per_second,
        "peak": None if point.peak is None else point.peak / MIB,
        "sent": point.sent / MIB if point.devices > 1 and not point.reason else None,
        NOTE: point.reason or None,
    }


COLUMNS = (
    Column(name="way", title="shared by"),
    Column(name="techniques", title="techniques"),
    Column(name="devices", title="devices"),
    Column(name="batch", title="batch", meaning="images of a step, of all devices together."),
    Column(name="source", title="source", meaning="measured on this machine, or simulated: see below."),
    Column(name="seconds", title="s per step", digits=2),
    Column(name="images_per_second", title="images/s", digits=3),
    Column(name="peak", title="predicted MiB", meaning="what torch is reckoned to give out on the fullest device."),
    Column(name="sent", title="sent MiB", meaning="by each device in a step, at most."),
)


def curves(rows: Sequence[Mapping[str, Cell]], x: str, y: str) -> tuple[Curve, ...]:
    """For each way a curve of what was measured, and one of what was simulated."""
    found = []
    for way in dict.fromkeys(str(row["way"]) for row in rows):
        its = [row for row in rows if row["way"] == way and row.get(x) is not None and row.get(y) is not None]
        measured, simulated = ([row for row in its if row["source"] == source] for source in ("measured", "simulated"))
        if its:
            found.append(Curve(name=way, points=_points(measured, x, y)))
        if simulated:
            joined = [*measured[-1:], *simulated]
            found.append(Curve(name=f"{way}: simulated", points=_points(joined, x, y), simulated=True))
    return tuple(found)


def _points(rows: Sequence[Mapping[str, Cell]], x: str, y: str) -> tuple[tuple[float, float], ...]:
    return tuple((float(row[x] or 0), float(row[y] or 0)) for row in rows)
