"""The plan of a training that shall fit: the settings that it begins with, and those that it falls back to.

A rung that remembers other things than the one before it could not go on from its checkpoint; it is left out. What was
planned stays in the run's `plan.json`: a training that is gone on with is run as it was, whatever is free today.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fullfield import files
from fullfield.context import Context
from fullfield.data.prepared import Prepared
from fullfield.errors import OutOfMemory
from fullfield.events import Notice
from fullfield.plan import job as plan_job
from fullfield.plan import predicting
from fullfield.plan.plan import Ladder
from fullfield.plan.predicting import Asked
from fullfield.plan.spec import AUTO, TrainSpec
from fullfield.techniques import compose
from fullfield.techniques.base import Stage
from fullfield.units import parse_bytes

PLAN = "plan.json"


def rungs(spec: TrainSpec, data: Prepared, context: Context) -> list[TrainSpec]:
    """`spec` as it shall be run first, and as it can be run where memory runs out all the same.

    Without `fit` that is `spec` alone. Tells the plan. Raises UsageError where nothing fits.
    """
    if not spec.fit:
        return [spec]
    planned = _planned(spec, context.folder)
    if planned:
        return planned
    ladder = predicting.ladder(_asked(spec, data))
    context.emit(plan_job.made(ladder))
    context.emit(Notice(text=f"{predicting.describe(ladder.plan)}; {ladder.plan.reason}"))
    found = [replace(spec, techniques=techniques) for techniques in _sets(ladder)]
    keep(spec, found, context.folder)
    return found


def keep(asked: TrainSpec, left: Sequence[TrainSpec], folder: Path) -> None:
    """Note the settings that are `left` to run by, the present ones first, for who goes on with this training."""
    sets = [list(one.techniques) for one in left]
    files.write_text(folder / PLAN, json.dumps({**_question(asked), "techniques": sets}, indent=1))


def explain(error: OutOfMemory, next_one: TrainSpec) -> str:
    """What is said when a rung is left for the next."""
    return (
        f"{error.title} {error.detail} It goes on from the last checkpoint, in less memory, more slowly and with the "
        f"same gradients: {' + '.join(next_one.techniques)}."
    )


def _planned(spec: TrainSpec, folder: Path) -> list[TrainSpec]:
    """What was planned for the same question; nothing where none was, or its note is damaged."""
    try:
        values = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        sets = values.pop("techniques")
        return [replace(spec, techniques=tuple(one)) for one in sets] if values == _question(spec) else []
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def _question(spec: TrainSpec) -> dict[str, object]:
    return {"fit": spec.fit, "always": list(spec.techniques)}


def _asked(spec: TrainSpec, data: Prepared) -> Asked:
    height, width = (max(getattr(item, side) for item in data.items) for side in ("rows", "columns"))
    return Asked(
        height=max(height, predicting.SMALLEST),
        width=max(width, predicting.SMALLEST),
        batch=spec.batch,
        encoder=spec.encoder,
        budget=0 if spec.fit == AUTO else parse_bytes(spec.fit),
        device=spec.device,
        always=spec.techniques,
    )


def _sets(ladder: Ladder) -> Iterator[tuple[str, ...]]:
    yield ladder.plan.techniques
    remembered = _remembered(ladder.plan.techniques)
    for one in ladder.next:
        if _remembered(one.techniques) == remembered:
            yield one.techniques


def _remembered(techniques: tuple[str, ...]) -> tuple[str, ...]:
    """What decides what the optimizer remembers, and where."""
    return tuple(str(one) for one in compose.read(techniques) if one.stage is Stage.OPTIMIZER)
