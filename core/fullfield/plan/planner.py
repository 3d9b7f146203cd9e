"""The planner: of all sets of techniques worth trying, the fastest that fits a budget; the next ones as a ladder.

It decides and does nothing else. Which sets there are, the techniques themselves say (`fullfield.plan.sets`); what one
takes is asked of `Predict`, which composes it from costs of parts that were traced once. Approximate sets are looked at
only where they are allowed, and then rank by time like the others. The order of sets is fixed, so equal questions have
equal answers; and a smaller budget chooses from fewer plans, so it is never faster. Of sets that are equally fast the
plainer one is chosen, the one of fewer techniques: what saves memory that nobody needs is left out.

What ranks say to one another is made shorter only where they wait long for it, and a step is clearly shorter so.

What no technique proposes (`Technique.candidates`) is not searched: who names it has it in every plan
(`Question.always`). What would save nothing at a site (`Technique.useless`) is left out unless it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from fullfield.errors import UsageError
from fullfield.plan.curve import curve
from fullfield.plan.plan import Ladder, names, nothing_fits
from fullfield.plan.question import Question
from fullfield.plan.sets import Set, Sets
from fullfield.plan.spec import remembered
from fullfield.protocol.plan import MOST_WAITING, Plan
from fullfield.techniques import compose, sharing
from fullfield.techniques.base import Tier
from fullfield.techniques.site import Site
from fullfield.units import format_bytes

Predict = Callable[[Set], Plan]
"""The plan of a set of techniques. Raises UsageError where the set is impossible at the site."""

RUNGS = 8
CLEARLY_SHORTER = 0.9  # of the step's time, at most
WORTH_A_RUNG = 0.99  # of the memory of the rung above, at most


def plan(
    question: Question,
    site: Site,
    predict: Predict,
    first: Callable[[Set], None] | None = None,
    more: Sequence[int] = (),
) -> Ladder:
    """The fastest plan within the budget, with reasons; or that of the techniques that are named. Raises UsageError
    where none fits, or none is possible.

    `first`: called with every set that any search asks about, before any is asked about. `more`: by rank, what its
    device has beyond the budget.
    """
    if question.techniques is not None:
        return Ladder(plan=predict(question.named), next=(), refused=())
    sets, search = Sets(question, site), _Search(question.budget, predict, more)
    if first is not None:
        for techniques in sets.of(Tier.USUAL):
            first(techniques)
    for tier in Tier:
        search.ask(sets.of(tier))
        search.ask_in_other_layouts(sets)
        search.ask_with_less_said(sets)
        fitting = search.fitting()
        rungs = max(question.rungs, 1 if tier is Tier.USUAL else 0)
        if fitting and len(list(_rungs(fitting, resuming=question.rungs > 0))) >= rungs:
            break
    if not search.plans and not search.refused:  # no set was asked about
        sharing.refuse_idle(compose.read(question.always), question.several, site)
    found = choose(search.plans, question.budget, search.refused, resuming=question.rungs > 0, more=more)
    return replace(found, budget=question.budget)


class _Search:
    """What has been asked, and answered. `plans`: of the sets that are possible."""

    def __init__(self, budget: int, predict: Predict, more: Sequence[int] = ()) -> None:
        self._budget, self._predict, self._more = budget, predict, more
        self._asked: set[tuple[str, ...]] = set()
        self._refused: list[str] = []
        self._found: list[tuple[Plan, Set]] = []
        self._shortened = 0  # of those found, how many have been asked about with less said

    @property
    def plans(self) -> list[Plan]:
        """Of the sets that are possible."""
        return [plan for plan, _ in self._found]

    @property
    def refused(self) -> tuple[str, ...]:
        """Sentences on sets that are impossible, each once."""
        return tuple(dict.fromkeys(self._refused))

    def fitting(self) -> list[Plan]:
        """Of the plans, those within the budget, in the order of choice."""
        return sorted((one for one in self.plans if fits(one, self._budget, self._more)), key=_choice)

    def ask(self, sets: Iterable[Set]) -> None:
        """Of each that was not asked about yet."""
        for techniques in sets:
            texts = tuple(map(str, techniques))
            if texts not in self._asked:
                self._asked.add(texts)
                try:
                    self._found.append((self._predict(techniques), techniques))
                except UsageError as error:
                    self._refused.append(error.detail or error.title)

    def ask_in_other_layouts(self, sets: Sets) -> None:
        """Of sets that were asked about, of those alone that would be faster than the fastest that fits, and may fit
        in another layout."""
        for plan, techniques in sorted(self._found, key=lambda found: _choice(found[0])):
            for share, other in sets.in_other_layouts(techniques):
                fitting = self.fitting()
                faster = not fitting or plan.time_factor < fitting[0].time_factor
                if faster and fits(plan, self._budget, self._more, share=share):
                    self.ask([other])

    def ask_with_less_said(self, sets: Sets) -> None:
        """Of each set whose ranks wait long for one another's messages, with what makes these shorter; the plan says
        so. What does not make its step clearly shorter is left out."""
        found = self._found[self._shortened :]
        for plan, techniques in found:
            waiting, time = plan.waiting, plan.time_factor
            for one, shorter in sets.saying_less(techniques):
                if waiting <= MOST_WAITING:
                    break
                try:
                    other = self._predict(shorter)
                except UsageError as error:
                    self._refused.append(error.detail or error.title)
                    continue
                if other.time_factor < CLEARLY_SHORTER * time:
                    waiting, time = other.waiting, other.time_factor
                    note = f"The link is the limit: without {one} a rank waits {plan.waiting:.0%} of a step."
                    self._found.append((replace(other, notes=(*other.notes, note)), shorter))
        self._shortened = len(self._found)


def choose(
    plans: Sequence[Plan],
    budget: int,
    refused: tuple[str, ...] = (),
    *,
    resuming: bool = False,
    more: Sequence[int] = (),
) -> Ladder:
    """Of `plans`, the fastest within `budget`; of equally fast ones the plainest, then the one that takes least.

    `refused`: sentences on sets that are impossible. `resuming`: with rungs alone that go on from its checkpoint.
    `more`: by rank, what its device has beyond the budget. Raises UsageError: no plan fits, or there is none.
    """
    if not plans:
        raise UsageError("No plan is possible here.", detail=" ".join(refused))
    ordered = sorted(plans, key=_choice)
    fitting = [one for one in ordered if fits(one, budget, more)]
    if not fitting:
        raise nothing_fits(budget, min(ordered, key=lambda one: (one.process_bytes, one.techniques)), more)
    chosen = fitting[0]
    count, takes, faster = len(fitting), format_bytes(chosen.process_bytes), ordered[: ordered.index(chosen)]
    reason = f"chosen because it is the fastest of {count} plans that fit {format_bytes(budget)}: it takes {takes}."
    if more:
        reason = f"chosen because it is the fastest of {count} plans that fit what each device has: it takes {takes}."
    if count == 1:
        reason = f"chosen because it is the only plan that fits: it takes {takes}."
    return Ladder(
        plan=replace(chosen, reason=reason),
        next=tuple(_rungs(fitting, resuming=resuming)),
        refused=(*_too_large(faster, budget, more), *refused),
        curve=curve(plans),
    )


def _too_large(faster: Sequence[Plan], budget: int, more: Sequence[int]) -> list[str]:
    """Why faster plans do not fit, a sentence on the one that takes least: by a device that has too little, where they
    have unlike memory."""
    if not faster:
        return []
    one = min(faster, key=lambda one: (one.process_bytes, one.techniques))
    takes = format_bytes(one.process_bytes)
    text = f"{names(one)}: refused because it takes {takes}, more than {format_bytes(budget)}."
    for device, beyond in zip(one.devices, more, strict=False):
        if device.process_bytes > budget + beyond:
            takes, has = format_bytes(device.process_bytes), format_bytes(budget + beyond)
            text = f"{names(one)}: refused because it takes {takes} on {device.name}, which has {has} for it."
            break
    others = len(faster) - 1
    return [f"{text} Faster plans that do not fit either: {others}." if others else text]


def fits(plan: Plan, budget: int, more: Sequence[int], *, share: float = 1.0) -> bool:
    """Whether every device holds its part of a plan that takes `share` of what it says."""
    held = [one.process_bytes for one in plan.devices] if more else [plan.process_bytes]
    return all(bytes_ * share <= budget + beyond for bytes_, beyond in zip(held, more or (0,), strict=True))


def _choice(one: Plan) -> tuple[float, int, int, tuple[str, ...]]:
    """By time, then the plainest, then by memory."""
    return one.time_factor, len(one.techniques), one.process_bytes, one.techniques


def _rungs(fitting: Sequence[Plan], *, resuming: bool) -> Iterator[Plan]:
    """From the fastest plan down: each takes less than every one before it, at the least cost in time."""
    chosen, *others = fitting
    if resuming:
        others = [one for one in others if remembered(one.techniques) == remembered(chosen.techniques)]
    least, count = chosen.process_bytes, 0
    for one in others:
        if one.process_bytes < least * WORTH_A_RUNG and count < RUNGS:
            more = one.time_factor / chosen.time_factor
            takes = format_bytes(one.process_bytes)
            yield replace(one, reason=f"it takes {takes}, at {more:.2f} times the chosen plan's time.")
            least, count = one.process_bytes, count + 1
