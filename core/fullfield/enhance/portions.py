"""Domain decomposition with halo exchange: one image's rows among several that compute at once. Each has some rows of
every map, and is handed the few beside them, its halo, by those who compute these.

    portion 0 ── its last rows ──►  portion 1 ── its last rows ──►  portion 2
              ◄── its first rows ──           ◄── its first rows ──

All of them take the same steps in the same order, so nothing is named on the way. Rows are opaque here: no engine is
imported.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable
from itertools import pairwise
from typing import Any


class Ended(Exception):
    """Another portion of the image has failed."""


class _Border:
    """Between two portions: what goes down, and what goes up."""

    def __init__(self) -> None:
        self.down, self.up = queue.SimpleQueue[Any](), queue.SimpleQueue[Any]()


class Portion:
    """Rows `first` … `last` − 1 of an image that has `of` rows; all multiples of 32."""

    def __init__(self, first: int, last: int, of: int) -> None:
        self.first, self.last, self.of = first, last, of
        self._above: _Border | None = None
        self._below: _Border | None = None

    @classmethod
    def whole(cls, rows: int) -> Portion:
        """All rows of an image: it has no neighbours."""
        return cls(0, rows, rows)

    @property
    def alone(self) -> bool:
        """Whether it has no neighbours."""
        return self._above is None and self._below is None

    def at(self, stride: int) -> range:
        """Its rows of a map of that stride."""
        return range(self.first // stride, self.last // stride)

    def swap(self, top: Any, bottom: Any) -> tuple[Any, Any]:
        """Hand `top` to the portion above and `bottom` to the one below; what they hand down and up, once they do; None
        where the image ends. Raises Ended."""
        if self._above is not None:
            self._above.up.put(top)
        if self._below is not None:
            self._below.down.put(bottom)
        above = None if self._above is None else _taken(self._above.down)
        below = None if self._below is None else _taken(self._below.up)
        return above, below

    def end(self) -> None:
        """Have its neighbours raise Ended, now or when they next wait for it."""
        if self._above is not None:
            self._above.up.put(Ended)
        if self._below is not None:
            self._below.down.put(Ended)


def _taken(handed: queue.SimpleQueue[Any]) -> Any:
    rows = handed.get()
    if rows is Ended:
        raise Ended
    return rows


def divided(edges: Iterable[tuple[int, int]]) -> tuple[Portion, ...]:
    """An image's portions, from top to bottom, by the first row of each and the one behind its last."""
    spans = tuple(edges)
    portions = tuple(Portion(first, last, spans[-1][1]) for first, last in spans)
    for above, below in pairwise(portions):
        above._below = below._above = _Border()
    return portions
