"""The plan of a training that shall fit: the settings that it begins with, and those that it falls back to.

What was planned stays in the run's `plan.json`: a training that is gone on with is run as it was, whatever is free
today.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fullfield import checked, files
from fullfield.context import Context
from fullfield.data.prepared import Prepared
from fullfield.errors import OutOfMemory, UsageError
from fullfield.events import Notice, RungTaken
from fullfield.hardware import devices
from fullfield.plan import job as plan_job
from fullfield.plan import predicting
from fullfield.plan.plan import Ladder
from fullfield.plan.predicting import Asked
from fullfield.plan.spec import AUTO, SMALLEST, TrainSpec, remembered
from fullfield.units import parse_bytes

PLAN = "plan.json"


@dataclass(frozen=True, kw_only=True)
class Rung:
    """Settings to run by, and what was predicted for them (`Plan.process_bytes`); 0: not known."""

    spec: TrainSpec
    peak_bytes: int = 0
    time_factor: float = 0.0


def rungs(spec: TrainSpec, data: Prepared, context: Context) -> list[Rung]:
    """`spec` as it shall be run first, and as it can be run where memory runs out all the same.

    Without `fit` that is `spec` alone. Tells the plan. Raises UsageError where nothing fits.
    """
    if not spec.fit:
        return [_as_it_is(spec, data, context)]
    planned = _planned(spec, context.folder)
    if planned:
        return planned
    asked = _asked(spec, data, 0 if spec.fit == AUTO else parse_bytes(spec.fit))
    ladder, budget = _found(replace(asked, before=_before(spec, context.folder)))
    context.emit(replace(plan_job.made(ladder), budget_bytes=budget))
    context.emit(Notice(text=f"{predicting.describe(ladder.plan)}; {ladder.plan.reason}"))
    found = [
        Rung(
            spec=replace(spec, techniques=plan.techniques),
            peak_bytes=plan.process_bytes,
            time_factor=plan.time_factor,
        )
        for plan in (ladder.plan, *ladder.next)
    ]
    keep(spec, found, context.folder)
    return found


def _found(asked: Asked) -> tuple[Ladder, int]:
    """The ladder within `asked.budget` (0: what is free), and that budget.

    On a CPU this process goes on to be the training: what it holds already beyond what libraries were measured at
    belongs to every plan, and so is taken from the budget first. Raises UsageError where nothing fits.
    """
    budget = asked.budget or predicting.free_bytes(asked.device)
    more = predicting.more_held(asked)
    try:
        ladder = predicting.ladder(replace(asked, budget=max(1, budget - more)))
    finally:
        devices.free_cached()  # of the planning
    return predicting.with_more(ladder, more), budget


def _as_it_is(spec: TrainSpec, data: Prepared, context: Context) -> Rung:
    """Its plan is told; where none can be made, whoever builds the network says why."""
    asked = replace(_asked(spec, data, 0), techniques=spec.techniques)
    try:
        ladder = predicting.with_more(predicting.ladder(asked), predicting.more_held(asked))
    except UsageError:
        return Rung(spec=spec)
    finally:
        devices.free_cached()
    context.emit(plan_job.made(ladder))
    context.emit(Notice(text=f"{predicting.describe(ladder.plan)}."))
    return Rung(spec=spec, peak_bytes=ladder.plan.process_bytes, time_factor=ladder.plan.time_factor)


def keep(asked: TrainSpec, left: Sequence[Rung], folder: Path) -> None:
    """Note the rungs that are `left`, the present one first, for who goes on with this training."""
    sets = [list(rung.spec.techniques) for rung in left]
    figures = [[rung.peak_bytes, rung.time_factor] for rung in left]
    values = {**_question(asked), "techniques": sets, "figures": figures}
    files.write_text(folder / PLAN, json.dumps(values, indent=1))


def taken(error: OutOfMemory, before: Rung, left: Sequence[Rung], *, step: int, died: bool = False) -> RungTaken:
    """What is told when a rung is left for the first of those that are `left`; it goes on from `step`.

    `died`: without a word, see `fullfield.train.life`.
    """
    rung = left[0]
    less = " + ".join(rung.spec.techniques)
    text = f"{error.title} {error.detail} " + (
        f"It goes on from the last checkpoint, in less memory, more slowly and with the same gradients: {less}."
        if step
        else f"It goes on from its first step, in less memory, more slowly and with the same gradients: {less}."
    )
    return RungTaken(
        text=text,
        before=list(before.spec.techniques),
        techniques=list(rung.spec.techniques),
        step=step,
        left=len(left) - 1,
        peak_bytes=rung.peak_bytes,
        time_factor=rung.time_factor,
        peak_bytes_before=before.peak_bytes,
        time_factor_before=before.time_factor,
        died=died,
    )


def _planned(spec: TrainSpec, folder: Path) -> list[Rung]:
    """What was planned for the same question; nothing where none was, or its note is damaged."""
    try:
        values = checked.parse((folder / PLAN).read_bytes())
        sets = values.pop("techniques")
        figures = values.pop("figures", [[0, 0.0]] * len(sets))
        if values != _question(spec):
            return []
        return [
            Rung(spec=replace(spec, techniques=tuple(one)), peak_bytes=int(peak), time_factor=float(factor))
            for one, (peak, factor) in zip(sets, figures, strict=True)
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def _before(spec: TrainSpec, folder: Path) -> tuple[str, ...] | None:
    """The techniques by which the training in `folder` ran until now; None where it has saved nothing yet, or where
    `spec` names what its optimizer remembers.
    """
    if remembered(spec.techniques) or not any(folder.glob("checkpoints/step-*")):
        return None
    try:
        (first, *_) = checked.parse((folder / PLAN).read_bytes())["techniques"]
        return tuple(map(str, first))
    except (OSError, ValueError, KeyError, TypeError):
        return spec.techniques  # it was not planned


def _question(spec: TrainSpec) -> dict[str, object]:
    return {"fit": spec.fit, "always": list(spec.techniques)}


def _asked(spec: TrainSpec, data: Prepared, budget: int) -> Asked:
    height, width = (max(getattr(item, side) for item in data.items) for side in ("rows", "columns"))
    return Asked(
        height=max(height, SMALLEST),
        width=max(width, SMALLEST),
        batch=spec.batch,
        encoder=spec.encoder,
        budget=budget,
        device=spec.device,
        always=spec.techniques,
        rungs=1,
    )
