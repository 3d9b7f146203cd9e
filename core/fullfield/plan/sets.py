"""Which sets of techniques are worth asking about: all that the registry's techniques propose and that go together.

A set has of each technique one candidate at most. Beside what a training always has it holds ways to save memory, and
one layout (`Candidate.least_memory`): of those that go with it the one that is the fastest at the site.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import islice

from fullfield.hardware import devices
from fullfield.plan.question import Question
from fullfield.techniques import compose, networks, registry, sharing
from fullfield.techniques.base import Candidate, Effect, Stage, Technique, Tier
from fullfield.techniques.site import Site

Set = tuple[Technique, ...]


class Sets:
    """The sets for one question at one site. Raises UsageError where what every plan shall have conflicts.

    Where `question.before` says by what a training ran, its optimizer keeps what it has, unless `question.always`
    names another one."""

    def __init__(self, question: Question, site: Site) -> None:
        candidates = _candidates(site)
        self._ranks, self._batch = site.ranks, site.shape.batch
        always = compose.read(question.always)
        before = () if question.before is None else compose.read(question.before)
        kept = _optimizer(always) or _optimizer(before)
        self._kept = None if question.before is None else kept
        self._always = (*always, *(one for one in kept if one not in always))
        named = {str(one) for one in (*always, *before)}
        effects = (Effect.EXACT, Effect.APPROXIMATE) if question.approximate else (Effect.EXACT,)
        self._proposed = [
            one
            for one in candidates
            if one.technique.effect_on(site) in effects
            and (str(one.technique) in named or one.technique.useless(site) is None)
        ]
        self._shortening = [one.technique for one in self._proposed if one.shortens]
        self._least = {str(one.technique): one.least_memory for one in self._proposed if one.least_memory is not None}
        self._layouts = compose.together((), [one.technique for one in self._proposed if one.least_memory is not None])
        possible = [one for one in self._layouts if not compose.refusals(one, site)]
        self._fastest_first = sorted(possible, key=lambda layout: compose.predict(layout, site).time)
        if site.kind != devices.CPU:
            self._fastest_first = [()]  # whether one is faster on a card was not measured

    def of(self, tier: Tier) -> Iterator[Set]:
        """Every set with something of this tier and nothing of a later one, plainest first, in its fastest layout."""
        ways = [one for one in self._proposed if one.least_memory is None and one.tier <= tier and not one.shortens]
        late = {str(one.technique) for one in ways if one.tier is tier}
        for techniques in compose.together(self._always, [one.technique for one in ways]):
            if tier is Tier.USUAL or any(str(one) in late for one in techniques):
                laid_out = (self._checked((*techniques, *layout)) for layout in self._fastest_first)
                yield from islice((one for one in laid_out if one is not None), 1)

    def in_other_layouts(self, techniques: Set) -> Iterator[tuple[float, Set]]:
        """The set in every layout, and what it takes so at least by what it takes as it is."""
        always = set(map(str, self._always))
        laid_out = {str(one) for one in techniques if str(one) in self._least} - always
        others = [one for one in techniques if str(one) not in laid_out]
        for layout in self._layouts:
            changed = laid_out.symmetric_difference(map(str, layout))
            found = self._checked((*others, *layout))
            if found is not None:
                yield math.prod(self._least[text] for text in changed), found

    def saying_less(self, techniques: Set) -> Iterator[tuple[Technique, Set]]:
        """The set with each way by which its ranks say less to one another, as they are proposed."""
        for one in self._shortening:
            found = self._checked((*techniques, one))
            if found is not None:
                yield one, found

    def _checked(self, techniques: Set) -> Set | None:
        """The set in the order of application; None where it does not go together, where nothing says what several
        ranks share, where that is too little for so many, or where its optimizer keeps other things than that of the
        training that has begun."""
        ordered = compose.ordered(techniques)
        if self._ranks > 1 and not any(one.stage.of_ranks for one in ordered):
            return None
        if sharing.are_idle(ordered, ranks=self._ranks, batch=self._batch):
            return None
        kept = self._kept is None or list(map(str, _optimizer(ordered))) == list(map(str, self._kept))
        return ordered if kept and not compose.conflicts(ordered) else None


def ways(site: Site, stages: Collection[Stage], latest: Tier = Tier.UTMOST) -> Iterator[tuple[str, ...]]:
    """All that is proposed of some stages up to a tier, alone and together, as texts; the plain way first. For benches:
    with what would save nothing here, and what is not exact."""
    proposed = [one.technique for one in _candidates(site) if one.tier <= latest and one.technique.stage in stages]
    for found in compose.together((), proposed):
        yield tuple(map(str, compose.ordered(found)))


def _candidates(site: Site) -> list[Candidate]:
    """Of all techniques that are for the network, in the order of application."""
    kinds = sorted(registry.all_techniques().values(), key=lambda kind: kind.stage)
    return [one for kind in kinds if networks.why_not(kind, site) is None for one in kind.candidates(site)]


def _optimizer(techniques: Set) -> Set:
    """What decides what the optimizer keeps, and where; see `fullfield.plan.spec.remembered`."""
    return tuple(one for one in techniques if one.stage is Stage.OPTIMIZER)
