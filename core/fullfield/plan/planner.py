"""The planner: of all sets of techniques worth trying, the fastest that fits a budget; the next ones as a ladder.

It decides and does nothing else. What a set takes is asked of `Predict`, which composes it from costs of parts that
were traced once. Exact sets come first: approximate ones are looked at only where they are allowed, and then rank by
time like the others. The order of sets is fixed, so equal questions have equal answers; and a smaller budget chooses
from fewer plans, so it is never faster. Of sets that are equally fast the plainer one is chosen, the one of fewer
techniques: what saves memory that nobody needs is left out.

Compared are all exact techniques: how activations are kept (`ACTIVATIONS` and what follows it), where the optimizer
remembers and when it updates (`OPTIMIZERS`), and how the network is laid out and compiled (`VARIANTS`); where it is
allowed, half precision. Not searched are `compressed_activations`, optimizers in few bits and what changes the model:
who names one has it in every plan (`Question.always`). What would save nothing at a site (`Technique.useless`) is left
out unless it is named.
"""

from __future__ import annotations

import contextlib
import math
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
WORTH_A_RUNG = 0.99  # of the memory of the rung above, at most

ACTIVATIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("recompute",),
    ("checkpointing",),
    ("hybrid_bands",),
    ("hybrid_bands:nested=layer1+layer2+layer3",),
    ("offload_activations",),
    ("checkpointing", "offload_activations"),
)
TIGHT: tuple[tuple[str, ...], ...] = (("hybrid_bands:nested=layer1+layer2+layer3+layer4,fused=true",),)
LAST_RESORT: tuple[tuple[str, ...], ...] = (("full_bands",),)
UTMOST: tuple[tuple[str, ...], ...] = (
    ("full_bands:rows=32",),
    ("full_bands:tier=host",),
    ("full_bands:rows=32,tier=host",),
)
"""Each slower than all ways before them, and they take seconds to trace: `TIGHT` is asked about where the chosen plan
has no rung below it without, the last resort where nothing else fits, the utmost where not even that does, or where a
rung below is wanted.
"""
OPTIMIZERS: tuple[tuple[str, ...], ...] = (
    (),
    ("optimizer_in_backward",),
    ("optimizer_offload",),
    ("optimizer_offload", "optimizer_in_backward"),
)
APPROXIMATE: tuple[tuple[str, ...], ...] = ((), ("precision:format=bf16",), ("precision:format=fp16",))
VARIANTS: tuple[tuple[str, ...], ...] = ((), ("channels_last",), ("compile",), ("channels_last", "compile"))
"""How a set is laid out and compiled, which changes little of what it takes, and takes seconds to trace. So all sets
are asked about in the way that is the fastest at the site (`Question.fastest`), and in another one only where a set
does not fit that would be the plan, by so little that its memory may matter:"""
LEAST_MEMORY = {"channels_last": 0.97, "compile": 0.85}
"""Of what a set takes, at least, is what it takes with this one more, or less. Another layout holds the same tensors,
only kernels' temporaries differ: traced were 0.99 and more. A compiled stage keeps fewer maps: 0.90 and more."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """`budget`: bytes that a plan may take, compared with `Plan.process_bytes`. `approximate`: allow what is not exact.

    `always`: techniques that every plan shall have. `rungs`: ways that take less than the chosen plan, at least, where
    there are any: for a training that may meet a want of memory. It goes on by them from its checkpoint, so they, and
    the whole ladder then, remember the same of the optimizer as the chosen plan. `before`: techniques by which this
    training ran until now; what its optimizer remembers is kept. None: it has not begun. `useless`: whether a technique
    would save nothing at the site; it is proposed only where `always` or `before` names it. `fastest`: of `VARIANTS`,
    the one that makes every set the fastest there.
    """

    budget: int
    approximate: bool = False
    always: tuple[str, ...] = ()
    rungs: int = 0
    before: tuple[str, ...] | None = None
    useless: Callable[[Technique], bool] = lambda _: False
    fastest: tuple[str, ...] = ()


def candidates(
    question: Question, activations: tuple[tuple[str, ...], ...] = ACTIVATIONS
) -> Iterator[tuple[Technique, ...]]:
    """Every set worth trying, plainest first. Sets whose techniques do not go together are left out."""
    precisions = APPROXIMATE if question.approximate else ((),)
    for way, optimizer, precision in product(activations, OPTIMIZERS, precisions):
        yield from _possible(question, (*question.fastest, *precision, *way, *optimizer))


def plan(question: Question, predict: Predict) -> Ladder:
    """The fastest plan within the budget, with reasons. Raises UsageError where none fits, or none is possible."""
    search = _Search(question, predict)
    for activations, rungs in ((ACTIVATIONS, 1), (TIGHT, 0), (LAST_RESORT, 0), (UTMOST, 0)):
        search.ask(candidates(question, activations))
        search.ask_variants()
        fitting = search.fitting()
        if fitting and len(list(_rungs(fitting, going_on=question.rungs > 0))) >= max(rungs, question.rungs):
            break
    return choose(search.plans, question.budget, search.refused, going_on=question.rungs > 0)


class _Search:
    """What has been asked, and answered. `plans`: of the sets that are possible."""

    def __init__(self, question: Question, predict: Predict) -> None:
        self._question, self._predict = question, predict
        self._asked: set[tuple[str, ...]] = set()
        self._refused: list[str] = []
        self.plans: list[Plan] = []

    @property
    def refused(self) -> tuple[str, ...]:
        """Sentences on sets that are impossible, each once."""
        return tuple(dict.fromkeys(self._refused))

    def fitting(self) -> list[Plan]:
        """Of the plans, those within the budget, in the order of choice."""
        return _in_order(one for one in self.plans if one.process_bytes <= self._question.budget)

    def ask(self, sets: Iterable[tuple[Technique, ...]]) -> None:
        """Of each that was not asked about yet."""
        for techniques in sets:
            texts = tuple(map(str, techniques))
            if texts not in self._asked:
                self._asked.add(texts)
                try:
                    self.plans.append(self._predict(techniques))
                except UsageError as error:
                    self._refused.append(error.detail or error.title)

    def ask_variants(self) -> None:
        """Of sets that were asked about, of those alone that would be faster than the fastest that fits."""
        for one in _in_order(self.plans):
            others = [text for text in one.techniques if text not in LEAST_MEMORY]
            way = {text for text in one.techniques if text in LEAST_MEMORY}
            for variant in VARIANTS:
                fitting = self.fitting()
                faster = not fitting or one.time_factor < fitting[0].time_factor
                least = one.process_bytes * math.prod(LEAST_MEMORY[name] for name in way.symmetric_difference(variant))
                if faster and least <= self._question.budget:
                    self.ask(_possible(self._question, (*others, *variant)))


def choose(plans: Sequence[Plan], budget: int, refused: tuple[str, ...] = (), *, going_on: bool = False) -> Ladder:
    """Of `plans`, the fastest within `budget`; of equally fast ones the plainest, then the one that takes least.

    `refused`: sentences on sets that are impossible. `going_on`: with rungs alone that go on from its checkpoint.
    Raises UsageError: no plan fits, or there is none.
    """
    if not plans:
        raise UsageError("No plan is possible here.", detail=" ".join(refused))
    ordered = _in_order(plans)
    fitting = [one for one in ordered if one.process_bytes <= budget]
    if not fitting:
        least = min(ordered, key=lambda one: (one.process_bytes, one.techniques))
        raise nothing_fits(format_bytes(budget), least, format_bytes(least.process_bytes))
    chosen = fitting[0]
    faster = ordered[: ordered.index(chosen)]
    too_large = tuple(
        f"{names(one)}: refused because it takes {format_bytes(one.process_bytes)}, more than {format_bytes(budget)}."
        for one in faster
    )
    reason = (
        f"chosen because it is the fastest of {len(fitting)} plans that fit {format_bytes(budget)}: it takes "
        f"{format_bytes(chosen.process_bytes)}."
    )
    return Ladder(
        plan=replace(chosen, reason=reason),
        next=tuple(_rungs(fitting, going_on=going_on)),
        refused=too_large + refused,
    )


def _possible(question: Question, texts: Iterable[str]) -> Iterator[tuple[Technique, ...]]:
    """The set of these techniques and those that are always there; none where they do not go together."""
    named = {*question.always, *(question.before or ())}
    with contextlib.suppress(UsageError):
        techniques = compose.read(dict.fromkeys((*question.always, *texts)))
        kept = question.before is None or remembered(list(map(str, techniques))) == remembered(question.before)
        if kept and not any(question.useless(one) for one in techniques if str(one) not in named):
            yield techniques


def _in_order(plans: Iterable[Plan]) -> list[Plan]:
    """By time, then the plainest, then by memory."""
    return sorted(plans, key=lambda one: (one.time_factor, len(one.techniques), one.process_bytes, one.techniques))


def names(one: Plan) -> str:
    """The techniques of a plan as people read them."""
    return " + ".join(one.techniques) or "no technique"


def _rungs(fitting: Sequence[Plan], *, going_on: bool) -> Iterator[Plan]:
    """From the fastest plan down: each takes less than every one before it, at the least cost in time."""
    chosen, *others = fitting
    if going_on:
        others = [one for one in others if remembered(one.techniques) == remembered(chosen.techniques)]
    least, count = chosen.process_bytes, 0
    for one in others:
        if one.process_bytes < least * WORTH_A_RUNG and count < RUNGS:
            more = one.time_factor / chosen.time_factor
            takes = format_bytes(one.process_bytes)
            yield replace(one, reason=f"it takes {takes}, at {more:.2f} times the chosen plan's time.")
            least, count = one.process_bytes, count + 1
