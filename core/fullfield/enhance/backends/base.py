"""What computes a network: the protocol of an engine of inference. Imports none; each has its own file beside this.

An engine's file has a function `open_backend`, as `OpenBackend` says, and a line in `registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fullfield.enhance.portions import Portion
from fullfield.image.declared import Declared
from fullfield.model.card import Card

Unit = NDArray[np.float32]
Rows = Callable[[int, int], Unit]
"""Rows `low` … `high` − 1 of a network's input, float32 (high − low, width) in 0…1."""
Parts = Generator[tuple[int, Unit], None, Declared | None]
"""The output in 0…1 from top to bottom, as (first row, (n, columns)); at the end what was done to the image, where a
network says that."""

FP32, BF16 = "fp32", "bf16"


class Backend(Protocol):
    """An engine with the network's weights in it. `title`: where it computes, for people: a card's name, "the CPU"."""

    title: str
    precision: str

    def capacity(self, budget: int | None = None) -> int:
        """How many pixels can be computed at once in `budget` bytes, or in what is free now."""

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Parts:
        """The output. Sides: multiples of 32. `portion`: its rows alone, while other devices compute the others; an
        engine that opens a model for one device alone raises ValueError."""

    def is_out_of_memory(self, error: Exception) -> bool:
        """Memory ran out, in any of the ways that the engine says it: smaller tiles may be computed all the same."""

    def free(self) -> None:
        """Give back what is kept for later, after memory ran out."""


class Opened(NamedTuple):
    """A model in an engine, once for each device; the card, whose seal holds; `said`: which devices and precision they
    have, and why."""

    backends: tuple[Backend, ...]
    card: Card
    said: str


class OpenBackend(Protocol):
    """Opens a model file, or one `member`, from 0, of an ensemble's. `precision`: "fp32", or "bf16", which is used only
    where the engine is faster with it.

    Raises ModelError where the file is missing, damaged, an ensemble, or of a network that the engine does not
    compute; DeviceUnavailable, UsageError for a device (`auto`, `cpu`, `cuda:N`, several
    of them with commas) that it cannot use.
    """

    def __call__(self, path: Path, /, *, device: str, precision: str, member: int | None) -> Opened: ...
