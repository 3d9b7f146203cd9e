"""The network as a chain of parts that a training runs one after the other: what techniques cut, replace and measure.

`Network` says what is computed; a `Chain` says how. Each part makes one map from maps that were made before it, and is
free to keep for backward whatever it needs. Plain: one part per stage, run as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fullfield.model.network import Network
from fullfield.model.stages import INPUT, OUTPUT

__all__ = ["INPUT", "OUTPUT", "PLAIN", "Chain", "Part", "plain"]

PLAIN = "plain"


@dataclass(frozen=True, kw_only=True)
class Part:
    """`run(*maps)` makes the map `name` from the maps `takes`, with gradients to all that require one.

    `stages`: the network's stages whose work it does, some of them perhaps for a second time. `method`: how, in the
    words of the table of costs; two parts of equal stages, method and shapes take equal memory.
    """

    name: str
    takes: tuple[str, ...]
    stages: tuple[str, ...]
    run: Callable[..., Any]
    method: str = PLAIN


class Chain:
    """Parts in order. Called with images (N, 1, H, W) it gives predictions (N, 1, H, W)."""

    def __init__(self, parts: Sequence[Part]) -> None:
        """Raises ValueError where a part takes a map that none before it makes, or none makes the output."""
        made = {INPUT}
        for part in parts:
            missing = set(part.takes) - made
            if missing:
                raise ValueError(f"part {part.name} takes {sorted(missing)}, which no part before it makes")
            made.add(part.name)
        if not parts or parts[-1].name != OUTPUT:
            raise ValueError(f"the last part must make {OUTPUT}")
        self.parts = tuple(parts)

    def __call__(self, x_NCHW: Any) -> Any:
        """The prediction of images. They are a tensor, or as stored where `Build.stored_input` is set; it is a
        tensor, or lies in the host tier where `Build.away` is set.

        A map is freed as soon as no later part takes it."""
        maps: dict[str, Any] = {INPUT: x_NCHW}
        for position, part in enumerate(self.parts):
            maps[part.name] = part.run(*(maps[name] for name in part.takes))
            later = {name for other in self.parts[position + 1 :] for name in other.takes}
            for spent in set(maps) - later - {OUTPUT}:
                del maps[spent]
        return maps[OUTPUT]

    def part(self, name: str) -> Part:
        """The part that makes the map `name`. Raises KeyError."""
        return {part.name: part for part in self.parts}[name]

    def replaced(self, name: str, *parts: Part) -> Chain:
        """The chain with `parts` in the place of the part `name`; the last of them makes its map. Raises KeyError."""
        self.part(name)
        return Chain([new for part in self.parts for new in (parts if part.name == name else (part,))])


def plain(network: Network) -> Chain:
    """Every stage a part of its own, run as it is."""
    stages = network.takes.items()
    return Chain([Part(name=name, takes=takes, stages=(name,), run=network.stages[name]) for name, takes in stages])
