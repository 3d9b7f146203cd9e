"""Which techniques are chosen, with which options; and which others cannot join them. No widget.

Built from the registry, so a new technique is in the list without a line here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import Field, dataclass, fields, replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from fullfield.errors import UsageError
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect, Stage, Technique
from fullfield_app.gui.translation import say_core


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One technique of the registry. `options`: the fields of its form; `effect`: what it does to the numbers."""

    name: str
    title: str
    sentence: str
    source: str
    effect: Effect
    stage: Stage
    options: tuple[Field[Any], ...]


def entries() -> tuple[Entry, ...]:
    """All techniques: exact ones first, those that change the model last; of each, those of one device before those of
    several; else as they are applied."""
    found = [
        Entry(
            name=name,
            title=kind.title,
            sentence=kind.sentence,
            source=kind.source,
            effect=kind.effect,
            stage=kind.stage,
            options=tuple(fields(kind.Options)),
        )
        for name, kind in registry.all_techniques().items()
    ]
    order = [Effect.EXACT, Effect.APPROXIMATE, Effect.MODEL]
    return tuple(sorted(found, key=lambda entry: (order.index(entry.effect), entry.stage.of_ranks, entry.stage)))


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """`names`: those that are switched on; `options`: by technique, what differs from its defaults, on or off."""

    names: frozenset[str] = frozenset()
    options: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The set as `TrainSpec.techniques` takes it, in the order of application."""
        return tuple(map(str, compose.ordered([self.technique(name) for name in self.names])))

    @property
    def compared(self) -> tuple[str, ...]:
        """Every technique with the options that it has here."""
        return tuple(str(self.technique(name)) for name in registry.all_techniques())

    def technique(self, name: str) -> Technique:
        """The technique `name` with its options."""
        kind = registry.all_techniques()[name]
        return kind(kind.Options(**self.values(name)))

    def values(self, name: str) -> dict[str, Any]:
        """The options of a technique, of those that differ from the defaults."""
        return dict(dict(self.options).get(name, ()))

    def switched(self, name: str, on: bool) -> Chosen:
        """With one more, or one less."""
        return replace(self, names=self.names | {name} if on else self.names - {name})

    def with_option(self, name: str, option: str, value: Any) -> Chosen:
        """With another option of a technique."""
        usual = {item.name: item.default for item in fields(registry.all_techniques()[name].Options)}
        values = {key: kept for key, kept in {**self.values(name), option: value}.items() if kept != usual[key]}
        others = {key: kept for key, kept in self.options if key != name}
        if values:
            others[name] = tuple(sorted(values.items()))
        return replace(self, options=tuple(sorted(others.items())))

    def obstacles(self) -> dict[str, str]:
        """Why techniques that are off cannot be switched on, in a sentence each, by name."""
        found = {}
        on = [self.technique(name) for name in self.names]
        there = set(compose.conflicts(on))
        for name in registry.all_techniques():
            if name not in self.names:
                new = [text for text in compose.conflicts([*on, self.technique(name)]) if text not in there]
                if new:
                    found[name] = " ".join(map(readable, new))
        return found

    def conflicts(self) -> str:
        """What does not go together in the set, which only its options can bring about; empty where all does."""
        return " ".join(map(readable, compose.conflicts([self.technique(name) for name in self.names])))


def title(name: str) -> str:
    """The title of a technique in the user's language."""
    return QCoreApplication.translate("techniques", registry.all_techniques()[name].title)


def readable(text: str) -> str:
    """A sentence of the engine in the user's language, with titles in the place of names and their options: before its
    colon alone, for some names are words."""
    head, colon, rest = say_core(text).partition(": ")
    names = "|".join(registry.all_techniques())
    return re.sub(rf"\b({names})\b(:\S+)?", lambda found: title(found[1]), head) + colon + say_core(rest)


def chosen(texts: Iterable[str], before: Chosen | None = None) -> Chosen:
    """The set of these texts; one that nobody knows (any more) is passed over. `before`: whose other options stay."""
    names, options = set(), dict(before.options if before else ())
    for text in texts:
        try:
            technique = registry.read(text)
        except UsageError:
            continue
        names.add(technique.name)
        usual = technique.Options()
        values = {item.name: getattr(technique.options, item.name) for item in fields(technique.Options)}
        changed = tuple(sorted((key, value) for key, value in values.items() if value != getattr(usual, key)))
        options.pop(technique.name, None)
        if changed:
            options[technique.name] = changed
    return Chosen(names=frozenset(names), options=tuple(sorted(options.items())))
