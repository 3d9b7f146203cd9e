"""What computes a network: the protocol of an engine of inference. Imports none; each has its own file beside this."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fullfield.hardware.devices import Device

Unit = NDArray[np.float32]
Rows = Callable[[int, int], Unit]
"""Rows `low` … `high` − 1 of a network's input, float32 (high − low, width) in 0…1."""

FP32, BF16 = "fp32", "bf16"


class Backend(Protocol):
    """An engine with the network's weights in it."""

    device: Device
    precision: str

    def capacity(self, budget: int | None = None) -> int:
        """How many pixels can be computed at once in `budget` bytes, or in what is free now."""

    def run(self, image: Rows, rows: int, columns: int) -> Iterator[tuple[int, Unit]]:
        """The output in 0…1 from top to bottom, as (first row, (n, columns)). Sides: multiples of 32."""

    def free(self) -> None:
        """Give back what is kept for later, after memory ran out."""
