"""The halo exchange of convolutions: what one reads across a portion's edge, the rows of a map that other devices
compute.

Each is handed over by the device that has computed it, so none is computed twice for it. How many a convolution wants
is its padding; where the image ends there are zeros, as ever.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, cast

import torch
from torch import Tensor, nn

from fullfield.enhance.portions import Portion


def rows_beside(x: Tensor, count: int, portion: Portion) -> tuple[Tensor | None, Tensor | None]:
    """`count` rows above a portion's own of a map and as many below, on its device; None where the image ends.

    `x`: the portion's own rows, (1, C, n, W). What is handed over is a copy: a view would keep all of the map.
    """
    if portion.alone:
        return None, None
    if x.shape[2] < count:
        raise ValueError(f"{count} rows are wanted of a portion that has {x.shape[2]} of the map")
    above, below = portion.swap(x[:, :, :count].clone(), x[:, :, x.shape[2] - count :].clone())
    return _here(above, x), _here(below, x)


def _here(rows: Tensor | None, x: Tensor) -> Tensor | None:
    return rows if rows is None else rows.to(x.device, non_blocking=True)


@contextlib.contextmanager
def across(stage: nn.Module, portion: Portion) -> Iterator[None]:
    """Within it the convolutions of a stage, which is given the own rows of its maps, read beyond them."""
    reading = [] if portion.alone else [one for one in stage.modules() if isinstance(one, nn.Conv2d) and one.padding[0]]
    paddings = [cast(tuple[int, int], conv.padding) for conv in reading]
    hooks = []
    for conv, (rows, columns) in zip(reading, paddings, strict=True):
        hooks.append(conv.register_forward_pre_hook(_Reading(rows, portion)))
        conv.padding = (0, columns)
    try:
        yield
    finally:
        for conv, padding, hook in zip(reading, paddings, hooks, strict=True):
            conv.padding = padding
            hook.remove()


class _Reading:
    """Puts rows of the neighbours, or zeros, above and below what a convolution is given."""

    def __init__(self, count: int, portion: Portion) -> None:
        self._count, self._portion = count, portion

    def __call__(self, module: nn.Module, given: Any) -> tuple[Tensor]:
        (x,) = given
        above, below = rows_beside(x, self._count, self._portion)
        zeros = torch.zeros_like(x[:, :, : self._count])
        return (torch.cat([zeros if above is None else above, x, zeros if below is None else below], dim=2),)
