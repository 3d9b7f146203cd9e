"""The plan of a training that shall fit: the settings that it begins with, and those that it falls back to.

What was planned stays in the run's `plan.json`: a training that is gone on with is run as it was, whatever is free
today.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data.prepared import Prepared
from fullfield.distribution import handed, meet
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import OutOfMemory, UsageError
from fullfield.hardware.links import Link
from fullfield.memory import costs
from fullfield.model.spec import called
from fullfield.plan import job as plan_job
from fullfield.plan import predicting, where
from fullfield.plan.begun import has_saved
from fullfield.plan.plan import Ladder, describe, too_small
from fullfield.plan.question import Question
from fullfield.plan.spec import AUTO, SMALLEST, TrainSpec
from fullfield.protocol.events import Notice, RungTaken
from fullfield.protocol.plan import LinkPlan
from fullfield.techniques import compose, sharing
from fullfield.train import build
from fullfield.units import parse_bytes

PLAN, OTHER = "plan.json", "plan-of-{}.json"
"""Of the ranks that it began with, or go on with it; and of so many others that there may be."""


@dataclass(frozen=True, kw_only=True)
class Rung:
    """Settings to run by, and what was predicted for them (`Plan.process_bytes`); 0: not known."""

    spec: TrainSpec
    peak_bytes: int = 0
    time_factor: float = 0.0


def rungs(
    spec: TrainSpec,
    data: Prepared,
    context: Context,
    team: Team = ALONE,
    others: Mapping[int, TrainSpec] = MappingProxyType({}),
    between: Link | None = None,
    training: int = 0,
) -> list[Rung]:
    """`spec` as it shall be run first, and as it can be run where memory runs out all the same.

    Without `fit` that is `spec` alone; where no plan can be made for it, building the network says why. Tells the
    plan, which rank 0 makes. `others`: as it would be run by other numbers of ranks, for which plans are made, too.
    `between`: the ranks, as it was measured. `training`: of how many images it learns, 0: of all. Raises UsageError
    where nothing fits, for one of them either.
    """

    def made() -> list[Fields]:
        place = _Place(context=context, processes=meet.here(team.size), between=between, training=training)
        found = _rungs(spec, data, place, team.size)
        for ranks, other in others.items():
            _plan_for(ranks, other, found[0], data, place)
        return [_plain(rung) for rung in found]

    return [_rung(spec, one) for one in handed.values(team, made)]


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where it is planned: `processes` of this computer, of all or of each node; `between`: the ranks. `training`: of
    how many images it learns, 0: of all."""

    context: Context
    processes: int
    between: Link | None
    training: int = 0


def _plan_for(ranks: int, spec: TrainSpec, first: Rung, data: Prepared, place: _Place) -> None:
    """Plan how so many ranks go on with what began by the plan `first`, tell it, and note it for then."""
    context = place.context
    question = replace(_question(spec, data, place, ranks), before=first.spec.techniques)
    try:
        ladder = predicting.ladder(question)
    except UsageError as error:
        raise UsageError(
            f"Cannot train where it may come to {ranks} processes.",
            detail=f"{error.title} {error.detail}",
            hint=f"Choose a larger number of machines that are enough (--nodes MIN:MAX; in the window: Goes on with at "
            f"least). {error.hint}",
        ) from error
    context.emit(Notice(text=f"Of {ranks} {'process' if ranks == 1 else 'processes'}: {describe(ladder.plan)}."))
    _warn(question, ladder, context)
    if spec.fit:
        keep(spec, _found(spec, ladder), context.folder, ranks, name=OTHER.format(ranks))


def _plain(rung: Rung) -> Fields:
    return {"techniques": list(rung.spec.techniques), "peak": rung.peak_bytes, "factor": rung.time_factor}


def _rung(spec: TrainSpec, one: Fields) -> Rung:
    techniques = tuple(one["techniques"])
    return Rung(spec=replace(spec, techniques=techniques), peak_bytes=one["peak"], time_factor=one["factor"])


def _rungs(spec: TrainSpec, data: Prepared, place: _Place, ranks: int) -> list[Rung]:
    context = place.context
    planned = _planned(spec, context.folder, ranks)
    if planned:
        return planned
    question = _question(spec, data, place, ranks)
    if spec.fit and question.before is not None and _is_damaged(context.folder):
        text = "The plan of this training (plan.json) is damaged: it may go on by other techniques than before."
        context.emit(Notice(text=text, level="warning"))
    try:
        ladder = predicting.ladder(question)
    except UsageError as error:
        if spec.fit:
            raise
        if sharing.are_idle(compose.read(spec.techniques), ranks=ranks, batch=question.batch):  # of so small a set
            context.emit(Notice(text=error.detail, level="warning"))
        return [Rung(spec=spec)]
    context.emit(replace(plan_job.made(ladder), budget_bytes=ladder.budget))
    context.emit(
        Notice(text=f"{describe(ladder.plan)}; {ladder.plan.reason}" if spec.fit else f"{describe(ladder.plan)}.")
    )
    _warn(question, ladder, context)
    found = _found(spec, ladder)
    if spec.fit:
        keep(spec, found, context.folder, ranks)
    return found


def _warn(question: Question, ladder: Ladder, context: Context) -> None:
    """Name the nodes that are too small for techniques that nobody has chosen by memory."""
    if question.nodes and question.techniques is not None:
        limits = [one.free_bytes for one in where.targets(question)]
        for sentence in too_small(ladder.plan, limits):
            context.emit(Notice(text=sentence, level="warning"))


def _found(spec: TrainSpec, ladder: Ladder) -> list[Rung]:
    return [
        Rung(
            spec=replace(spec, techniques=plan.techniques),
            peak_bytes=plan.process_bytes,
            time_factor=plan.time_factor,
        )
        for plan in (ladder.plan, *ladder.next)
    ]


def keep(asked: TrainSpec, left: Sequence[Rung], folder: Path, ranks: int = 1, *, name: str = PLAN) -> None:
    """Note the rungs that are `left`, the present one first, for who goes on with this training by as many `ranks`."""
    sets = [list(rung.spec.techniques) for rung in left]
    figures = [[rung.peak_bytes, rung.time_factor] for rung in left]
    values = {**_noted(asked, ranks), "asked": _asked(asked), "techniques": sets, "figures": figures}
    files.write_text(folder / name, json.dumps(values, indent=1))


def taken(error: OutOfMemory, before: Rung, left: Sequence[Rung], *, step: int, died: bool = False) -> RungTaken:
    """What is told when a rung is left for the first of those that are `left`; it goes on from `step`.

    `died`: without a word, see `fullfield.train.crash_marker`.
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


def _planned(spec: TrainSpec, folder: Path, ranks: int = 1) -> list[Rung]:
    """What was planned for the same question; nothing where none was, or its note is damaged."""
    if not spec.fit:
        return []
    return _noted_in(folder / PLAN, spec, ranks) or _noted_in(folder / OTHER.format(ranks), spec, ranks)


def _noted_in(path: Path, spec: TrainSpec, ranks: int) -> list[Rung]:
    try:
        values = checked.parse(path.read_bytes())
        sets = values.pop("techniques")
        figures = values.pop("figures", [[0, 0.0]] * len(sets))
        asked = values.pop("asked", "")
        if values != _noted(spec, ranks) or (asked != _asked(spec) and not has_saved(path.parent)):
            return []
        return [
            Rung(spec=replace(spec, techniques=tuple(one)), peak_bytes=int(peak), time_factor=float(factor))
            for one, (peak, factor) in zip(sets, figures, strict=True)
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def _before(spec: TrainSpec, folder: Path) -> tuple[str, ...] | None:
    """The techniques by which the training in `folder` ran until now; None where it has saved nothing yet."""
    if not has_saved(folder):
        return None
    found = _run_by(folder)
    return spec.techniques if found is None else found  # it was not planned, or its note is damaged


def _asked(spec: TrainSpec) -> str:
    """All else that is asked for, as a hash: another training in the folder is planned anew."""
    others = {**spec.to_json(), "fit": "", "techniques": [], "weights": ""}
    return hashlib.sha256(json.dumps(others, sort_keys=True).encode()).hexdigest()


def _run_by(folder: Path) -> tuple[str, ...] | None:
    try:
        (first, *_) = checked.parse((folder / PLAN).read_bytes())["techniques"]
        return tuple(map(str, first))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_damaged(folder: Path) -> bool:
    return (folder / PLAN).exists() and _run_by(folder) is None


def _noted(spec: TrainSpec, ranks: int) -> Fields:
    """The question, and what its answer was reckoned from: figures of an earlier version are of other steps."""
    noted: Fields = {"fit": spec.fit, "always": list(spec.techniques), "costs": costs.VERSION}
    return noted | {"ranks": ranks} if ranks > 1 else noted


def _question(spec: TrainSpec, data: Prepared, place: _Place, ranks: int) -> Question:
    """With `fit` the planner chooses within the budget; else the plan of the techniques of `spec` is asked for."""
    (height, width), batch = build.largest_step(spec, data, place.training)
    nodes = place.context.nodes if max(place.context.worlds) > place.processes else ()
    between = LinkPlan(**vars(place.between)) if place.between is not None else None
    return Question(
        height=max(height, SMALLEST),
        width=max(width, SMALLEST),
        batch=batch,
        lowest=build.lowest(data),
        encoder=called(spec.network, spec.encoder),
        budget=parse_bytes(spec.fit) if spec.fit not in ("", AUTO) else 0,
        device=spec.device,
        techniques=None if spec.fit else spec.techniques,
        always=spec.techniques,
        rungs=1,
        before=_before(spec, place.context.folder),
        trains_here=True,
        processes=place.processes if nodes else ranks,
        nodes=tuple(replace(one, link=between) for one in nodes),
        together=ranks // place.processes if nodes else 0,
    )
