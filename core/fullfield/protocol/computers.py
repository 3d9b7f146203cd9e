"""A computer of several that train together, as who plans for them is told of it."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.checked import Count
from fullfield.protocol.plan import LinkPlan
from fullfield.protocol.setup_events import Present


@dataclass(frozen=True, kw_only=True)
class Computer:
    """`name`: what its user calls it. `cards`: with the bytes that are free of each. `cores`, `free_bytes`,
    `total_bytes`: of its processor and memory. `link`: what is between it and the first of them; None of the first, and
    where nobody has measured it."""

    name: str
    cards: tuple[Present, ...] = ()
    cores: Count = 0
    free_bytes: Count = 0
    total_bytes: Count = 0
    link: LinkPlan | None = None
