"""Pinned memory for the host tier, taken in large blocks and given out in pieces of their own size.

torch rounds every pinned block to a power of two, so six maps of 1,087 MiB took 1,984. Here a block is as large as it
has to be, and what is given back is given out again. A card may still be copying to or from a piece that is given back:
whoever gives it back says until when, and the next one to get it waits.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

LEAST_BLOCK = 64 << 20  # bytes: many small pieces share one
ALIGNED = 512  # bytes: where a piece begins, as torch's own allocators have it
Memory = npt.NDArray[np.uint8]


class Until(Protocol):
    """A moment of a card's, such as a `torch.cuda.Event`."""

    def synchronize(self) -> None:
        """Wait for it."""
        ...


@dataclass(kw_only=True, eq=False)
class Piece:
    """`memory`: as many bytes as were asked for; `last`: what must have happened before anybody else may have them."""

    memory: Memory
    block: int
    first: int
    size: int
    last: Until | None = None


@dataclass(kw_only=True, eq=False)
class _Gap:
    first: int
    size: int
    last: tuple[Until, ...] = ()


class Arena:
    """`take` and `give` pieces. `pin`: makes a block of so many bytes."""

    def __init__(self, pin: Callable[[int], Memory]) -> None:
        self._pin = pin
        self._blocks: list[Memory] = []
        self._gaps: list[list[_Gap]] = []

    @property
    def held(self) -> int:
        """Bytes of all blocks."""
        return sum(block.nbytes for block in self._blocks)

    def take(self, count: int) -> Piece:
        """Room for `count` bytes, uninitialised: the smallest gap that is large enough, else a new block."""
        size = max(ALIGNED, -(-count // ALIGNED) * ALIGNED)
        fitting = [
            (gap.size, number, gap) for number, gaps in enumerate(self._gaps) for gap in gaps if gap.size >= size
        ]
        if fitting:
            _, number, gap = min(fitting, key=lambda one: one[:2])
        else:
            number, gap = len(self._blocks), _Gap(first=0, size=max(size, LEAST_BLOCK))
            self._blocks.append(self._pin(gap.size))
            self._gaps.append([gap])
        for moment in gap.last:
            moment.synchronize()
        first, gap.last = gap.first, ()
        gap.first, gap.size = gap.first + size, gap.size - size
        if not gap.size:
            self._gaps[number].remove(gap)
        return Piece(memory=self._blocks[number][first : first + count], block=number, first=first, size=size)

    def give(self, piece: Piece) -> None:
        """Take a piece back; gaps that touch become one."""
        moments = () if piece.last is None else (piece.last,)
        new = _Gap(first=piece.first, size=piece.size, last=moments)
        joined: list[_Gap] = []
        for gap in sorted([*self._gaps[piece.block], new], key=lambda one: one.first):
            before = joined[-1] if joined else None
            if before is not None and before.first + before.size == gap.first:
                before.size, before.last = before.size + gap.size, (*before.last, *gap.last)
            else:
                joined.append(gap)
        self._gaps[piece.block] = joined


def pinned(count: int) -> Memory:
    """A block that a card reads and writes by itself. Raises RuntimeError where the system has no more to pin."""
    import torch

    block = np.frombuffer(mmap.mmap(-1, count), np.uint8)
    cudart: Any = torch.cuda.cudart()  # type: ignore[no-untyped-call]
    torch.cuda.check_error(int(cudart.cudaHostRegister(block.ctypes.data, count, 0)))
    return block
