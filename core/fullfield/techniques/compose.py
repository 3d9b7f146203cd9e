"""A set of techniques: its order, its conflicts, its prediction, and its application to a training step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from fullfield.errors import UsageError
from fullfield.memory.account import MemoryEstimate
from fullfield.memory.kept import led
from fullfield.techniques import networks, registry
from fullfield.techniques.base import Effect, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build


def read(texts: Iterable[str]) -> tuple[Technique, ...]:
    """The techniques of their texts in the order of application. Raises UsageError: unknown, twice, or in conflict."""
    techniques = ordered([registry.read(text) for text in texts])
    mistakes = conflicts(techniques)
    if mistakes and not exclusions(techniques):
        raise UsageError(
            "A technique needs another one.", detail=" ".join(mistakes), hint="Add it, or leave this one out."
        )
    if mistakes:
        raise UsageError(
            "These techniques do not go together.", detail=" ".join(mistakes), hint="Leave one of them out."
        )
    return techniques


def ordered(techniques: Sequence[Technique]) -> tuple[Technique, ...]:
    """In the order of application: by stage, within a stage as the registry lists them."""
    place = {name: number for number, name in enumerate(registry.all_techniques())}
    return tuple(sorted(techniques, key=lambda one: (one.stage, place[one.name])))


def conflicts(techniques: Sequence[Technique]) -> list[str]:
    """Sentences on what does not go together; empty where all does."""
    names = {technique.name for technique in techniques}
    missing = [f"{one.name} needs {other}." for one in techniques for other in one.needed if other not in names]
    missing += [
        f"{one.name} needs one of these: {', '.join(one.needs_one_of)}."
        for one in techniques
        if one.needs_one_of and not names.intersection(one.needs_one_of)
    ]
    return exclusions(techniques) + missing


def exclusions(techniques: Sequence[Technique]) -> list[str]:
    """Sentences on what does not go together whatever else is added."""
    names = [technique.name for technique in techniques]
    there = {technique.name: technique for technique in techniques}
    twice = [f"{name} is named twice." for name in sorted(set(names)) if names.count(name) > 1]
    return twice + [
        f"{one.name} does not go with {other}: {why}"
        for one in techniques
        for other, why in one.excluded.items()
        if (found := there.get(other.partition(":")[0])) and found.has(other)
    ]


def together(always: tuple[Technique, ...], others: Iterable[Technique]) -> list[tuple[Technique, ...]]:
    """`always`, alone and with all of `others` that go together. What excludes one another is not multiplied by the
    rest; what still needs another technique is among them."""
    found = [always]
    for one in others:
        found += [(*several, one) for several in found if not exclusions((*several, one))]
    return found


def refusals(techniques: Sequence[Technique], site: Site) -> list[str]:
    """Sentences on why techniques are impossible at this site; empty where all are possible."""
    found = [(technique, networks.refused(technique, site)) for technique in techniques]
    return [f"{technique.name}: {reason.text} {reason.hint}".strip() for technique, reason in found if reason]


def predict(techniques: Sequence[Technique], site: Site) -> MemoryEstimate:
    """What the training takes with all of them. Pure. On a card and the CPU the first rank updates what is no other
    one's alone (`build.begin`)."""
    plain = MemoryEstimate(shape=site.shape)
    found = reduce(lambda before, technique: technique.predict(before, site), techniques, plain)
    if not site.mixed or found.owned is not None:
        return found
    owned, said = led(site.costs.facts, site.ranks)
    return replace(found, owned=owned, exchanged=found.exchanged + said)


def with_plans(techniques: Sequence[Technique], site: Site) -> tuple[Technique, ...]:
    """With plans in the place of options that ask for one: what `apply` takes, and what a run's record names."""
    found: list[Technique] = []
    for technique in techniques:
        if technique.needs_plan:
            whole = predict([one for one in techniques if one.foresees or not one.needs_plan], site)
            parts = predict(found, site).parts
            technique = technique.with_plan(replace(whole, parts=parts), site)
        found.append(technique)
    return tuple(found)


def effect(techniques: Sequence[Technique], site: Site) -> Effect:
    """The strongest effect among them."""
    order = [Effect.EXACT, Effect.APPROXIMATE, Effect.MODEL]
    return max((technique.effect_on(site) for technique in techniques), key=order.index, default=Effect.EXACT)


def apply(techniques: Sequence[Technique], build: Build) -> None:
    """Apply all, in order."""
    for technique in techniques:
        technique.apply(build)
