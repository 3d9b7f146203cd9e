"""What stands for everything around a part that is traced alone: the parts before and behind it, images, predictions.

None of it has values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from fullfield.bands import feeds
from fullfield.bands.feeds import OnHost
from fullfield.host_tier.host import HostTensor
from fullfield.kernels.away import Away
from fullfield.kernels.stored import LEVELS, Stored
from fullfield.memory.account import Shape
from fullfield.memory.costs import MapForm


def form_of(tensor: Tensor) -> MapForm:
    """What is remembered of a map."""
    return MapForm(
        shape=tuple(tensor.shape),
        stride=tensor.stride(),
        dtype=str(tensor.dtype).removeprefix("torch."),
        needs_gradient=tensor.requires_grad,
    )


def empty(form: MapForm, device: torch.device) -> Tensor:
    """A map of that form."""
    return torch.empty_strided(form.shape, form.stride, dtype=getattr(torch, form.dtype), device=device)


class Before(torch.autograd.Function):
    """Stands for the part that made a map: makes it, and receives its gradient."""

    @staticmethod
    def forward(ctx: Any, anchor: Tensor, form: MapForm, received: list[Tensor]) -> Tensor:
        ctx.received = received
        return empty(form, anchor.device)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, None, None]:
        ctx.received.append(gradients[0])
        return None, None, None


class Behind(torch.autograd.Function):
    """Stands for the parts that take a map: keeps nothing of it, and makes its gradient, which `reported` hears of."""

    @staticmethod
    def forward(ctx: Any, made: Tensor, reported: Callable[[Tensor], None]) -> Tensor:
        ctx.form, ctx.reported = form_of(made), reported
        return torch.empty((), device=made.device)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        gradient = empty(ctx.form, gradients[0].device)
        ctx.reported(gradient)
        return gradient, None


def given(images: Tensor) -> tuple[Tensor | Stored, tuple[Tensor, ...]]:
    """As parts and loss take them, where they are as they are stored with tables; and what that made."""
    if images.dtype != torch.uint16:
        return images, ()
    tables = torch.empty(len(images), LEVELS, device=images.device)
    return Stored(images, tables), (tables,)


def away(token: Tensor, shape: Shape) -> Away:
    """The prediction whose token it is, where it lies in the host tier."""
    size = torch.Size((1, 1, shape.height, shape.width))
    return feeds.away(token, OnHost(HostTensor(size, torch.float32, token.device, rows_first=True)))
