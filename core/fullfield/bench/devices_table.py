"""The report of `bench devices`: memory, time and losses by setting, each beside the paper's figures, and their plots.

What several processes hold is shown as their mean, as the paper does it, and as each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fullfield.bench import paper, ranked, sets, single_table
from fullfield.bench.machine import Machine
from fullfield.bench.paper import Setting
from fullfield.bench.placements import Placement
from fullfield.bench.plots import Bars
from fullfield.bench.report import NOTE, Cell, Column, Report, Table
from fullfield.bench.rows import Row
from fullfield.bench.sets import Measured

MIB = 2**20
_Cells = dict[str, Cell]
_TABLES: tuple[tuple[Setting | None, str, str, str], ...] = (
    (Setting.DATA, "data", "Table 3: data parallel, memory and time", "Table 4: data parallel, losses"),
    (Setting.MODEL, "model", "Table 5: model parallel, memory and time", "Table 6: model parallel, losses"),
    (None, "rows", "Not in the paper: one image shared, memory and time", "Not in the paper: one image shared, losses"),
)


def report(
    facts: Mapping[str, Cell], machine: Machine, measured: Measured, *, side: int, encoder: str, other: str
) -> Report:
    """Two tables for each setting, and a plot of memory and one of losses for each. `side`: of the trainings. `other`:
    in what they are not the paper's, "" where they are."""
    tables: list[Table] = []
    plots: list[Bars] = []
    rows = [one for one in measured.choices if isinstance(one, Placement)]
    for setting, name, of_memory, of_losses in _TABLES:
        memory: list[_Cells] = []
        losses: list[_Cells] = []
        for row in (one for one in rows if one.setting is setting):
            found = measured.found.get(row.name)
            common = sets.cells(row, machine, row.shape(side, encoder))
            common |= {"processes": row.processes, "batch": row.batch}
            theirs = setting or Setting.SINGLE  # which has no row without a name
            memory.append({**common, **_memory(found, row, machine), **single_table.paper_memory(theirs, row.paper)})
            reported = found["trained"] if found else None
            losses.append(
                {**common, **single_table.losses_of(reported), **single_table.paper_losses(theirs, row.paper)}
            )
        tables.append(Table(name=f"{name}-memory", title=of_memory, columns=_COLUMNS, rows=tuple(memory)))
        tables.append(Table(name=f"{name}-loss", title=of_losses, columns=_LOSSES, rows=tuple(losses)))
        grown = ("forward", "backward", "whole") if any(one.get("whole") for one in memory) else ("forward", "backward")
        plots.append(
            single_table.bars(f"{name}-memory", f"{of_memory}: growth in a step", "MiB a process", memory, grown, False)
        )
        title, axis = f"{of_losses}: validation", "100·(1 − MS-SSIM)"
        plots.append(single_table.bars(f"{name}-loss", title, axis, losses, ("validation_loss",), False))
    return Report(
        bench="devices",
        title="Several devices beside the paper",
        facts=facts,
        tables=tuple(tables),
        plots=tuple(plots),
        remarks=(*single_table.not_the_papers(other), paper.SET_UP, single_table.COMPARABLE, _SHARED),
    )


_SHARED = (
    "*Shared cores*: the processes share this computer's processor, so several are as slow together as one that does "
    "all of their work, and slower by what they say to one another. Such times say nothing of several devices."
)


def sharing(machine: Machine, processes: int) -> str:
    """In words, whether so many processes have devices of their own; "" where they do."""
    if processes <= machine.count:
        return ""
    return ", which share the cores of this computer" if machine.card.kind == "cpu" else ", which share cards"


def _memory(row: Row | None, of: Placement, machine: Machine) -> _Cells:
    if row is None:
        return {}
    found, training = ranked.read(row["recorded"]), row["trained"]
    ranks = found.ranks
    seconds = training["step_seconds"]
    cells: _Cells = {
        "seconds": None if seconds is None else seconds * training["steps"],
        "shared": _marked(of, machine),
        "steps": training["steps"],
        "total": _mean(one.growth for one in ranks),
        "each": _each(one.growth for one in ranks) if len(ranks) > 1 else None,
        "before": _mean(one.before for one in ranks),
        "predicted": max(one.predicted for one in ranks) / MIB,
        "measured": max(one.measured for one in ranks) / MIB,
        "sent": _each(one.sent for one in ranks) if len(ranks) > 1 else None,
        "messages": max(one.messages for one in ranks) if len(ranks) > 1 else None,
    }
    forwards = [one.forward for one in ranks if one.forward is not None]
    backwards = [one.backward for one in ranks if one.backward is not None]
    if len(forwards) == len(backwards) == len(ranks):
        return {**cells, "forward": _mean(forwards), "backward": _mean(backwards)}
    return {**cells, "whole": cells["total"]}


def _marked(of: Placement, machine: Machine) -> str | None:
    if of.processes <= machine.count:
        return None
    return "shared cores" if machine.card.kind == "cpu" else "shared card"


def _mean(counts: Iterable[int]) -> float:
    known: Sequence[int] = list(counts)
    return sum(known) / len(known) / MIB


def _each(counts: Iterable[int]) -> str:
    return " / ".join(f"{count / MIB:.0f}" for count in counts)


_NAMED = (
    Column(name="name", title="training"),
    Column(name="processes", title="processes"),
    Column(name="batch", title="batch", meaning="images of a step, of all processes together."),
)
_COLUMNS = (
    *_NAMED,
    Column(name="techniques", title="techniques"),
    Column(name="exact", title="exact", meaning="the gradients are those of one process with the whole batch."),
    Column(
        name="forward",
        title="forward MiB",
        meaning="what a process grew by in the forward with the loss, over what there was before the step; the mean of "
        "the processes. Empty where several images are in memory at once.",
    ),
    Column(name="backward", title="backward MiB", meaning="by how much more it grew in the backward."),
    Column(name="total", title="total MiB", meaning="the growth at the step's peak."),
    Column(name="each", title="of each", meaning="the total of each process."),
    Column(name="seconds", title="s per epoch", digits=1, meaning="the median step times the steps of an epoch."),
    Column(name="shared", title="time", meaning="whether the processes have devices of their own, see below."),
    *(
        Column(name=f"paper_{name}", title=f"paper: {title}", digits=digits)
        for name, title, digits in single_table.PAPER_COLUMNS
    ),
    Column(name="before", title="before MiB", meaning="weights, optimizer, images: there before the step."),
    Column(name="measured", title="measured MiB", meaning="all of it, of the fullest process."),
    Column(name="predicted", title="predicted MiB", meaning="the same by the plan, with 1 % more for safety."),
    Column(name="sent", title="sent MiB", meaning="what each process gives to others in a step."),
    Column(name="messages", title="messages", meaning="in a step, of the process that has most."),
    Column(name="steps", title="steps", meaning="optimizer steps of an epoch."),
    Column(name=NOTE, title="note"),
)
_LOSSES = (*_NAMED, *single_table.LOSS_COLUMNS[1:])
