"""The report of `bench single`: memory and time, losses, each beside the paper's figures, and their plots."""

from __future__ import annotations

from collections.abc import Mapping

from fullfield.bench import paper, sets
from fullfield.bench.machine import Machine
from fullfield.bench.paper import Setting
from fullfield.bench.plots import Bars, Plot, Series
from fullfield.bench.report import NOTE, Cell, Column, Report, Table
from fullfield.bench.rows import Row
from fullfield.bench.sets import Measured
from fullfield.memory.account import Shape

_Rows = list[dict[str, Cell]]

MIB = 2**20
PROCESS, ALLOCATOR = "process", "allocator"

_NAME = Column(name="name", title="training")
_TECHNIQUES = Column(name="techniques", title="techniques")
_NOTE = Column(name=NOTE, title="note")
_MEANT = {
    PROCESS: "of the process on the card, as NVML tells it and the paper measured it",
    ALLOCATOR: "of what torch's allocator had given out, in one step that was profiled (no card tells the process's)",
}


def report(facts: Mapping[str, Cell], machine: Machine, shape: Shape, measured: Measured, *, other: str) -> Report:
    """Tables 1 and 2 and plots, a row for each choice. `other`: in what the trainings are not the paper's; "" where
    they are, and only then the plots show its figures too."""
    by = PROCESS if any(row["process_forward"] is not None for row in measured.found.values()) else ALLOCATOR
    memory: _Rows = []
    losses: _Rows = []
    for choice in measured.choices:
        row = measured.found.get(choice.name)
        common = sets.cells(choice, machine, shape)
        memory.append({**common, **_memory(row, by), **paper_memory(Setting.SINGLE, choice.paper)})
        losses.append({**common, **losses_of(row), **paper_losses(Setting.SINGLE, choice.paper)})
    tables = (
        Table(name="memory", title="Table 1: memory and time", columns=_memory_columns(by), rows=tuple(memory)),
        Table(name="loss", title="Table 2: losses after the last epoch", columns=LOSS_COLUMNS, rows=tuple(losses)),
    )
    return Report(
        bench="single",
        title="Single techniques beside the paper",
        facts={**facts, "memory": _MEANT[by]},
        tables=tables,
        plots=_plots(memory, losses, by, beside=not other),
        remarks=(
            *not_the_papers(other),
            paper.SET_UP,
            COMPARABLE,
        ),
    )


def not_the_papers(other: str) -> tuple[str, ...]:
    """A remark on `other`, see `report`."""
    return (f"**These trainings are not the paper's**: {other}.",) if other else ()


COMPARABLE = (
    "Figures of two machines, two versions of torch and other images are not to be compared one by one: compare what "
    "each technique saves of its own *original*."
)


def _memory(row: Row | None, by: str) -> dict[str, Cell]:
    if row is None:
        return {}
    seconds = row["step_seconds"]
    cells: dict[str, Cell] = {
        "seconds": None if seconds is None else seconds * row["steps"],
        "steps": row["steps"],
        "before": _mib(row["allocator_before"]),
        "host": _mib(row["host"]),
        "peak": ": ".join(text for text in (row["peak_phase"], row["peak_operation"]) if text) or None,
    }
    for prefix, source in (("", by), ("allocator_", ALLOCATOR)):
        forward, backward = (_mib(row[f"{source}_{phase}"]) for phase in ("forward", "backward"))
        cells |= {f"{prefix}forward": forward, f"{prefix}backward": backward}
        cells[f"{prefix}total"] = None if forward is None or backward is None else forward + backward
    return cells


def paper_memory(setting: Setting, name: str) -> dict[str, Cell]:
    """The paper's figures beside ours; nothing where it has none."""
    found = paper.find(setting, name)
    names = ("forward", "backward", "total", "seconds")
    return {} if found is None else {f"paper_{one}": getattr(found, one) for one in names}


def losses_of(row: Row | None) -> dict[str, Cell]:
    """Of what a training told, see `fullfield.bench.trained.Trained`."""
    names = ("train_loss", "validation_loss", "epochs")
    return {} if row is None else {name: row[name] for name in names}


def paper_losses(setting: Setting, name: str) -> dict[str, Cell]:
    """Likewise."""
    found = paper.find(setting, name)
    if found is None:
        return {}
    return {
        "paper_train_loss": found.train_loss,
        "paper_validation_loss": found.validation_loss,
        "paper_remark": found.remark or None,
    }


def _mib(count: int | None) -> float | None:
    return None if count is None else count / MIB


def _memory_columns(by: str) -> tuple[Column, ...]:
    meant = _MEANT[by]
    columns = [
        _NAME,
        _TECHNIQUES,
        Column(name="exact", title="exact", meaning="the gradients are those of the original."),
        Column(
            name="forward",
            title="forward MiB",
            meaning=f"what memory grew by in the forward with the loss, over what there was before the step: {meant}.",
        ),
        Column(name="backward", title="backward MiB", meaning="by how much more it grew in the backward."),
        Column(name="total", title="total MiB", meaning="the sum of both: the growth at the step's peak."),
        Column(
            name="seconds",
            title="s per epoch",
            digits=1,
            meaning="the median optimizer step times the steps of an epoch; validation does not count.",
        ),
    ]
    if by == PROCESS:
        columns += [
            Column(
                name=f"allocator_{name}",
                title=f"{name} MiB (allocator)",
                meaning=f"the same of what torch's allocator had given out, in one profiled step: {name}.",
            )
            for name in ("forward", "backward", "total")
        ]
    columns += [
        Column(
            name=f"paper_{name}",
            title=f"paper: {title}",
            digits=digits,
            meaning="" if name != "forward" else "the paper's own figures, see below.",
        )
        for name, title, digits in PAPER_COLUMNS
    ]
    return (
        *columns,
        Column(name="before", title="before MiB", meaning="weights, optimizer and images, there before the step."),
        Column(name="host", title="host MiB", meaning="the largest resident set of the whole process."),
        Column(name="peak", title="peak in", meaning="what ran when most was given out."),
        Column(name="steps", title="steps", meaning="optimizer steps of an epoch."),
        _NOTE,
    )


PAPER_COLUMNS = (
    ("forward", "forward MB", 0),
    ("backward", "backward MB", 0),
    ("total", "total MB", 0),
    ("seconds", "s per epoch", 1),
)
LOSS_COLUMNS = (
    _NAME,
    Column(name="train_loss", title="train", digits=2, meaning="100·(1 − MS-SSIM), the mean of the last epoch."),
    Column(name="validation_loss", title="validation", digits=2, meaning="the same on the images held back."),
    Column(name="paper_train_loss", title="paper: train", digits=2),
    Column(name="paper_validation_loss", title="paper: validation", digits=2),
    Column(name="epochs", title="epochs"),
    Column(name="paper_remark", title="the paper's remark"),
    _NOTE,
)


def _plots(memory: _Rows, losses: _Rows, by: str, *, beside: bool) -> tuple[Plot, ...]:
    source = "process on the card (NVML)" if by == PROCESS else "torch's allocator"
    return (
        bars(
            "memory",
            f"Growth of memory in a step: {source}",
            "MiB",
            memory,
            ("forward", "backward"),
            beside and by == PROCESS,
        ),
        bars("time", "Time of an epoch, without validation", "seconds", memory, ("seconds",), beside),
        bars("loss", "Validation loss", "100·(1 − MS-SSIM)", losses, ("validation_loss",), beside),
    )


def bars(name: str, title: str, axis: str, rows: _Rows, ours: tuple[str, ...], beside: bool) -> Bars:
    """Without rows that there are no figures for. The paper's figure goes with the sum of ours."""
    theirs = ("paper_total" if len(ours) > 1 else f"paper_{ours[0]}",) if beside else ()
    shown = [row for row in rows if any(row.get(one) is not None for one in (*ours, *theirs))]

    def series(column: str, called: str) -> Series:
        return Series(name=called, values=tuple(_number(row.get(column)) for row in shown))

    return Bars(
        name=name,
        title=title,
        axis=axis,
        labels=tuple(str(row["name"]) for row in shown),
        stacked=tuple(series(one, one if len(ours) > 1 else "this machine") for one in ours),
        beside=tuple(series(one, "the paper") for one in theirs),
    )


def _number(value: Cell) -> float | None:
    return float(value) if isinstance(value, float | int) else None
