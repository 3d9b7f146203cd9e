"""Rows of a map in bands: which they are, and the order in which a pass visits them.

A trace that only counts bytes need not visit every band: inner bands are all alike. Inside `sampling()` a pass visits
the first two, two in the middle and the last, and `weight()` says how many bands the present one stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_sampling: ContextVar[bool] = ContextVar("sampling", default=False)
_weight: ContextVar[int] = ContextVar("weight", default=1)
SAMPLED = 5


def count(height: int, rows: int) -> int:
    """How many bands of at most `rows` rows a map of `height` rows has."""
    return max(1, -(-height // rows))


def band(number: int, height: int, bands: int) -> tuple[int, int]:
    """The rows [first, last) of band `number`; the bands are as even as whole rows can be."""
    return number * height // bands, (number + 1) * height // bands


def visit(bands: int) -> Iterator[int]:
    """The numbers of the bands of one pass, in order; some of them only, inside `sampling()`."""
    if not _sampling.get() or bands <= SAMPLED:
        yield from range(bands)
        return
    outer = _weight.get()
    middle = bands // 2
    for number in (0, 1, middle, middle + 1, bands - 1):
        if number in (middle, middle + 1):
            stands_for = bands - 3
            token = _weight.set(outer * (stands_for // 2 + (stands_for % 2 if number == middle else 0)))
        else:
            token = _weight.set(outer)
        try:
            yield number
        finally:
            _weight.reset(token)


def sampled() -> bool:
    """A trace is counting: values need not be right."""
    return _sampling.get()


def weight() -> int:
    """How many bands the band that is being visited stands for."""
    return _weight.get()


@contextmanager
def sampling() -> Iterator[None]:
    """Visit only bands that differ, for a trace."""
    token = _sampling.set(True)
    try:
        yield
    finally:
        _sampling.reset(token)
