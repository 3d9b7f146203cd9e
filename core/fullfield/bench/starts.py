"""How many kernels a step in bands would start on a card, counted over a real one: a table of `fullfield bench memory`.

Counted are forward and backward; the loss's own are left out, for it has other kernels on a card than on a CPU. A trace
counts otherwise (`fullfield.memory.account.Work.starts`), so each count is held beside itself alone: decision 093.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode

from fullfield.bench.stepping import Stepping, noise
from fullfield.bench.table import Table
from fullfield.kernels import msssim, msssim_kernel, msssim_shares, plain_loss
from fullfield.memory import operations
from fullfield.memory.account import Shape
from fullfield.memory.watch import BACKWARD, FORWARD
from fullfield.plan.spec import USUAL_TECHNIQUES

SHAPE = Shape(height=1024, width=1024)
MOST = {"hybrid_bands": 3_847, "full_bands": 10_157}  # half of what was counted before decision 042
LOSS = frozenset(str(module.__file__) for module in (msssim, msssim_kernel, msssim_shares, plain_loss))


class Started(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts the operations that would start a kernel on a card, but for those that these files ask for."""

    def __init__(self, *, but: Collection[str] = ()) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._but, self.count = but, 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += operations.starts(func) and not self._left_out()
        return func(*args, **(kwargs or {}))

    def _left_out(self) -> bool:
        frame = sys._getframe(2) if self._but else None
        while frame is not None and frame.f_code.co_filename not in self._but:
            frame = frame.f_back
        return frame is not None


def bench(*, json: bool) -> bool:
    """Count and print; whether every technique starts at most what is its bound."""
    table = Table("starts", ("techniques", "height", "width", "starts", "most"), json=json)
    kept = True
    for name, most in MOST.items():
        texts = (name, *USUAL_TECHNIQUES)
        count = counted(texts)
        kept &= count <= most
        table.row("+".join(texts), SHAPE.height, SHAPE.width, count, most)
    return kept


def counted(texts: tuple[str, ...]) -> int:
    """What a step with these techniques starts in forward and backward, beside the loss."""
    training, mode = Stepping(texts, encoder=SHAPE.encoder), Started(but=LOSS)
    training.build.structure = msssim.Structure(variant=msssim.UNCOMPILED)  # nothing compiles within such a mode

    def phase(name: str) -> AbstractContextManager[object]:
        return mode if name in (FORWARD, BACKWARD) else contextlib.nullcontext()

    training.step(noise(SHAPE, training.build), phase)
    return mode.count
