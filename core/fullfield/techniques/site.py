"""Where a training shall run and on what: all that decides whether a technique is possible and what it takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from fullfield.hardware.links import INSIDE, Link
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs

SUSTAINED = 0.22  # of a card's stated rates; measured: a plain step of 2,048 pixels


@dataclass(frozen=True, kw_only=True)
class Card:
    """One device. `kind`: "cpu" or "cuda". `present`: it is in this machine; else it is only named.

    `total_bytes`, `free_bytes`: of its memory (the machine's, for the CPU). `capability`: compute capability of a
    CUDA card, (0, 0) for a CPU. `slow`: formats of numbers in which a CPU is slower than in fp32. `context_bytes`:
    what the process takes on it before the first tensor. `flops_per_second`, `bytes_per_second`: of a card, at most, in
    fp32; of a CPU 0, but among those of several computers, and beside cards, what its ranks compute together, roughly.
    `sharing`: how many ranks compute on it, each with a share of all this.
    """

    kind: str
    title: str
    total_bytes: int
    free_bytes: int
    capability: tuple[int, int] = (0, 0)
    slow: tuple[str, ...] = ()
    context_bytes: int = 0
    flops_per_second: float = 0.0
    bytes_per_second: float = 0.0
    present: bool = True
    sharing: int = 1

    @property
    def speed(self) -> float:
        """FLOPs a second of one rank's training, roughly: by which ranks on unlike devices stand to one another."""
        return self.flops_per_second * (SUSTAINED if self.kind == "cuda" else 1.0) / self.sharing

    @property
    def share_bytes(self) -> int:
        """Of what is free, what one of its ranks may take."""
        return self.free_bytes // self.sharing

    @property
    def alone(self) -> Self:
        """As it is for one rank that has all of it."""
        return replace(self, sharing=1)


@dataclass(frozen=True, kw_only=True)
class Site:
    """`devices`: one for each rank. `shape`: what all of them train on in one step.

    `compiler`: a C++ compiler for torch.compile is here ("" where none is missing, else what is missing, a sentence).
    `costs`: bytes and FLOPs of every part of the network by the way that it is run. `link`: between any two devices.
    `computers`: how many there are, with as many ranks on each. `lowest`: see `rows`.
    """

    devices: tuple[Card, ...]
    shape: Shape
    costs: Costs
    compiler: str = ""
    link: Link = INSIDE
    computers: int = 1
    lowest: int = 0

    @property
    def rows(self) -> int:
        """Of the lowest of the images that are trained on or evaluated, each by itself; of `shape` where none is
        known."""
        return self.lowest or self.shape.height

    @property
    def ranks(self) -> int:
        """How many processes train together."""
        return len(self.devices)

    @property
    def kind(self) -> str:
        """The kind of its devices, "cpu" or "cuda"; the latter where the CPU is beside cards."""
        return self.devices[0].kind

    @property
    def mixed(self) -> bool:
        """Whether some of its devices are cards and others the CPU: the first is a card."""
        return len({card.kind for card in self.devices}) > 1


@dataclass(frozen=True, kw_only=True)
class Several:
    """Processes that train together, as far as it decides what they share where nobody says it. `batch`: images of a
    step, of all of them. `network`: its name. `listed`: how many cards were named, of nothing but cards."""

    ranks: int
    batch: int
    network: str
    listed: int = 0
    computers: int = 1

    @property
    def own_cards(self) -> bool:
        """Whether each has a card of its own, which was named, and all are in one computer."""
        return self.computers == 1 and self.listed >= self.ranks
