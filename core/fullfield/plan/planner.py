"""The planner: of all sets of techniques worth trying, the fastest that fits a budget; the next ones as a ladder.

It decides and does nothing else. What a set takes is asked of `Predict`, which composes it from costs of parts that
were traced once. Exact sets come first: approximate ones are looked at only where they are allowed, and then rank by
time like the others. The order of sets is fixed, so equal questions have equal answers; and a smaller budget chooses
from fewer plans, so it is never faster.

Compared are the plain step, `recompute`, `checkpointing`, bands, and where the optimizer remembers and runs; where it
is allowed, half precision. Not searched are `channels_last`, `compile`, `offload_activations`, `compressed_activations`
and optimizers in few bits: who names one has it in every plan (`Question.always`). So the fastest of these plans may
not be the fastest that there is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from fullfield.errors import UsageError
from fullfield.plan.plan import Ladder, Plan, nothing_fits
from fullfield.plan.spec import remembered
from fullfield.techniques import compose
from fullfield.techniques.base import Technique
from fullfield.units import format_bytes

Predict = Callable[[tuple[Technique, ...]], Plan]
"""The plan of a set of techniques. Raises UsageError where the set is impossible at the site."""

RUNGS = 8

ACTIVATIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("recompute",),
    ("checkpointing",),
    ("hybrid_bands",),
    ("hybrid_bands:nested=layer1+layer2+layer3",),
)
TIGHT: tuple[tuple[str, ...], ...] = (("hybrid_bands:nested=layer1+layer2+layer3+layer4,fused=true",),)
LAST_RESORT: tuple[tuple[str, ...], ...] = (("full_bands",),)
UTMOST: tuple[tuple[str, ...], ...] = (("full_bands:tier=host",), ("full_bands:rows=32,tier=host",))
"""Each slower than all ways before them, and they take seconds to trace: `TIGHT` is asked about where the chosen plan
has no rung below it without, the last resort where nothing else fits, the utmost where not even that does, or where a
rung below is wanted.
"""
OPTIMIZERS: tuple[tuple[str, ...], ...] = ((), ("optimizer_in_backward",), ("optimizer_offload",))
APPROXIMATE: tuple[tuple[str, ...], ...] = ((), ("precision:format=bf16",), ("precision:format=fp16",))


@dataclass(frozen=True, kw_only=True)
class Question:
    """`budget`: bytes that a plan may take, compared with `Plan.peak_bytes`. `approximate`: allow what is not exact.

    `always`: techniques that every plan shall have. `rungs`: ways that take less than the chosen plan, at least, where
    there are any: for a training that may meet a want of memory. It goes on by them from its checkpoint, so they, and
    the whole ladder then, remember the same of the optimizer as the chosen plan. `before`: techniques by which this
    training ran until now; what its optimizer remembers is kept. None: it has not begun.
    """

    budget: int
    approximate: bool = False
    always: tuple[str, ...] = ()
    rungs: int = 0
    before: tuple[str, ...] | None = None


def candidates(
    question: Question, activations: tuple[tuple[str, ...], ...] = ACTIVATIONS
) -> Iterator[tuple[Technique, ...]]:
    """Every set worth trying, plainest first. Sets whose techniques do not go together are left out."""
    precisions = APPROXIMATE if question.approximate else ((),)
    for way, optimizer, precision in product(activations, OPTIMIZERS, precisions):
        texts = tuple(dict.fromkeys((*question.always, *precision, *way, *optimizer)))
        with contextlib.suppress(UsageError):
            if question.before is None or remembered(texts) == remembered(question.before):
                yield compose.read(texts)


def plan(question: Question, predict: Predict) -> Ladder:
    """The fastest plan within the budget, with reasons. Raises UsageError where none fits, or none is possible."""
    plans: list[Plan] = []
    refused: list[str] = []
    for activations, rungs in ((ACTIVATIONS, 1), (TIGHT, 0), (LAST_RESORT, 0), (UTMOST, 0)):
        for techniques in candidates(question, activations):
            try:
                plans.append(predict(techniques))
            except UsageError as error:
                refused.append(error.detail or error.title)
        fitting = _by_time(one for one in plans if one.peak_bytes <= question.budget)
        if fitting and len(list(_rungs(fitting, going_on=question.rungs > 0))) >= max(rungs, question.rungs):
            break
    return choose(plans, question.budget, tuple(dict.fromkeys(refused)), going_on=question.rungs > 0)


def choose(plans: Sequence[Plan], budget: int, refused: tuple[str, ...] = (), *, going_on: bool = False) -> Ladder:
    """Of `plans`, the fastest within `budget`; among equally fast ones the one that takes least.

    `refused`: sentences on sets that are impossible. `going_on`: with rungs alone that go on from its checkpoint.
    Raises UsageError: no plan fits, or there is none.
    """
    if not plans:
        raise UsageError("No plan is possible here.", detail=" ".join(refused))
    by_time = _by_time(plans)
    fitting = [one for one in by_time if one.peak_bytes <= budget]
    if not fitting:
        least = min(by_time, key=lambda one: (one.peak_bytes, one.techniques))
        raise nothing_fits(format_bytes(budget), least, format_bytes(least.peak_bytes))
    chosen = fitting[0]
    faster = by_time[: by_time.index(chosen)]
    too_large = tuple(
        f"{names(one)}: refused because it takes {format_bytes(one.peak_bytes)}, more than {format_bytes(budget)}."
        for one in faster
    )
    reason = (
        f"chosen because it is the fastest of {len(fitting)} plans that fit {format_bytes(budget)}, of those that "
        f"recompute, work in bands or move the optimizer: it takes {format_bytes(chosen.peak_bytes)}."
    )
    return Ladder(
        plan=replace(chosen, reason=reason),
        next=tuple(_rungs(fitting, going_on=going_on)),
        refused=too_large + refused,
    )


def _by_time(plans: Iterable[Plan]) -> list[Plan]:
    return sorted(plans, key=lambda one: (one.time_factor, one.peak_bytes, one.techniques))


def names(one: Plan) -> str:
    """The techniques of a plan as people read them."""
    return " + ".join(one.techniques) or "no technique"


def _rungs(fitting: Sequence[Plan], *, going_on: bool) -> Iterator[Plan]:
    """From the fastest plan down: each takes less than every one before it, at the least cost in time."""
    chosen, *others = fitting
    if going_on:
        others = [one for one in others if remembered(one.techniques) == remembered(chosen.techniques)]
    least, count = chosen.peak_bytes, 0
    for one in others:
        if one.peak_bytes < least and count < RUNGS:
            more = one.time_factor / chosen.time_factor
            takes = format_bytes(one.peak_bytes)
            yield replace(one, reason=f"it takes {takes}, at {more:.2f} times the chosen plan's time.")
            least, count = one.peak_bytes, count + 1
