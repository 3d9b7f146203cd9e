"""A value as a JSON object, and back: what every type of this room is written and read by."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from fullfield.checked import Fields

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_log = logging.getLogger(__name__)
MOST_NAMED = 60  # characters of a name that is not ours


def of(value: DataclassInstance) -> Fields:
    """The fields of a value, as plain as JSON has them: tuples are lists."""
    return {name: _plain(one) for name, one in asdict(value).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value


class Unread:
    """What a reader could not take: how often, by the name of the type. The first of each name is logged."""

    def __init__(self, what: str) -> None:
        self._what = what
        self.counts: Counter[str] = Counter()

    def note(self, name: object, why: str) -> None:
        """One more of this name. A name that could be anything else than a type's is not repeated."""
        text = name if isinstance(name, str) and name.isidentifier() and len(name) <= MOST_NAMED else "(no name)"
        self.counts[text] += 1
        if self.counts[text] == 1:
            _log.warning("%s %s is passed over: %s", self._what, text, why)
