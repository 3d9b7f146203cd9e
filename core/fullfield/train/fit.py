"""The plan of a training that shall fit: the settings that it begins with, and those that it falls back to.

A rung that remembers other things than the one before it could not go on from its checkpoint; it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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


def rungs(spec: TrainSpec, data: Prepared, context: Context) -> list[TrainSpec]:
    """`spec` as it shall be run first, and as it can be run where memory runs out all the same.

    Without `fit` that is `spec` alone. Tells the plan. Raises UsageError where nothing fits.
    """
    if not spec.fit:
        return [spec]
    ladder = predicting.ladder(_asked(spec, data))
    context.emit(plan_job.made(ladder))
    context.emit(Notice(text=f"{predicting.describe(ladder.plan)}; {ladder.plan.reason}"))
    return [replace(spec, techniques=techniques) for techniques in _sets(ladder)]


def explain(error: OutOfMemory, next_one: TrainSpec) -> str:
    """What is said when a rung is left for the next."""
    return (
        f"{error.title} {error.detail} It goes on from the last checkpoint, in less memory, more slowly and with the "
        f"same gradients: {' + '.join(next_one.techniques)}."
    )


def _asked(spec: TrainSpec, data: Prepared) -> Asked:
    height, width = (max(getattr(item, side) for item in data.items) for side in ("rows", "columns"))
    return Asked(
        height=max(height, predicting.SMALLEST),
        width=max(width, predicting.SMALLEST),
        batch=spec.batch,
        encoder=spec.encoder,
        budget=0 if spec.fit == AUTO else parse_bytes(spec.fit),
        device=spec.device,
        always=tuple(dict.fromkeys((*predicting.ALWAYS, *spec.techniques))),
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
