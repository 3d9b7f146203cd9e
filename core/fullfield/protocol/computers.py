"""A computer of several that train together, as who plans for them is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullfield.checked import Count
from fullfield.errors import UsageError
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


def refuse_mixed(nodes: Sequence[Computer], device: str) -> None:
    """Raise UsageError where some would compute on cards and others on their processors: they could not talk. On one
    of them a card and the processor can."""
    if len(nodes) > 1 and device.endswith(",cpu"):
        raise UsageError(
            "Cannot train on several computers with a card and the CPU of each.",
            detail="Between computers either cards talk or processors. On one a card and the CPU go together.",
            hint=f"Choose the device auto or cpu, or one of them alone (--on {nodes[0].name}).",
        )
    of_kind = {bool(one.cards): one.name for one in nodes}
    if len(of_kind) > 1 and device == "auto":
        raise UsageError(
            "These nodes cannot train together.",
            detail=f"On {of_kind[True]} there is a card, on {of_kind[False]} there is none.",
            hint="Let all of them train on the CPU (--device cpu), or leave out those without a card.",
        )
