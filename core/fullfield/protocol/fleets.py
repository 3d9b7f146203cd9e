"""A training on several nodes, as each of them is told of it: which nodes, how many are enough, and where they meet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from fullfield.checked import Between, Count
from fullfield.errors import UsageError
from fullfield.protocol.computers import Computer

Number = Annotated[int, Between(1, 1024)]


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """`names`: what their user calls the nodes; the first is the head, which has the run's folder and rank 0. `number`:
    which of them this one is. `least`, `most`: how many train together; fewer wait.

    `interface`: of this node, on which alone it listens. `address`, `port`: of the head's store. `key`: random, before
    all that stands there: of a run of another user nothing is read. It goes on standard input alone. `computers`: what
    the nodes have, for the head, which plans for all of them.
    """

    names: tuple[str, ...]
    number: Count
    least: Number
    most: Number
    interface: str
    key: str
    address: str = ""
    port: Count = 0
    computers: tuple[Computer, ...] = ()

    @property
    def leads(self) -> bool:
        """Whether this node is the head."""
        return self.number == 0


def bounds(text: str, nodes: int) -> tuple[int, int]:
    """The two numbers of MIN:MAX, for so many nodes; all of them where nothing is said. Raises UsageError."""
    if not text:
        return nodes, nodes
    found = re.fullmatch(r"(\d{1,9})(?::(\d{0,9}))?", text)
    least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= least <= most <= nodes:
        raise UsageError(
            f"Cannot train on {text[:40]!r} nodes.",
            detail=f"{nodes} are named.",
            hint=f"Say the least and the most that train together, such as --nodes 1:{nodes}.",
        )
    return least, most
