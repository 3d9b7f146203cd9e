"""What hand-written autograd Functions share: the dtype they compute in, convolutions' gradients, private gradients.

A Function that writes over the gradient it is given needs less memory, but that tensor may be somebody else's too: an
addition hands one gradient to both of its terms, a hook may have kept it. `private` tells, and copies where it must.

FULLFIELD_COPY_GRADIENTS=1 in the environment, or `always_copying()`, lets it copy always: what it tells follows from
counts of references, which are the interpreter's and torch's own business. Results must be the same bits with and
without; where they are not on some machine, the counts are wrong there.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield import heap
from fullfield.kernels.stored import Stored
from fullfield.kernels.traced import traced
from fullfield.model import autocast

_copying = os.environ.get("FULLFIELD_COPY_GRADIENTS") == "1"
_LARGE = 1 << 23  # values of a map; what smaller ones leave in the heap is less than what it costs to clear it again


def working_dtype(x: Tensor | Stored) -> torch.dtype:
    """What a convolution of `x` computes in: autocast's dtype where it is on (it leaves fp64 alone), else its own."""
    short = autocast.dtype(x.device.type)
    return x.dtype if short is None or x.dtype == torch.float64 else short


@contextlib.contextmanager
def by_hand(x: Tensor | Stored, *, values: int = 0) -> Iterator[None]:
    """Around what is written by hand for a map like `x`: no autocast, so every operation in the dtype of its operands.
    `values`: of the largest map in it, where that is not `x`.

    Bands have many sizes, and what they leave in the heap of the process does not fit the next ones: beside a CPU it
    is given back to the system at the end.
    """
    with autocast.off(x.device.type):
        yield
    if x.device.type == "cpu" and max(values, x.numel()) >= _LARGE and not traced(x):
        heap.return_freed_memory()


def input_gradient(
    g: Tensor, weight: Tensor, x: Tensor, *, stride: Sequence[int], padding: Sequence[int], groups: int = 1
) -> Tensor:
    """Of a convolution of `x`, of which only shape and strides are read."""
    wanted = (True, False, False)
    return cast(Tensor, _gradients(g, x, weight, stride, padding, groups, wanted)[0])


def weight_gradient(
    g: Tensor, x: Tensor, weight: Tensor, *, stride: Sequence[int], padding: Sequence[int], groups: int = 1
) -> Tensor:
    """Of a convolution of `x`, in the dtype of `g`."""
    wanted = (False, True, False)
    return cast(Tensor, _gradients(g, x, weight, stride, padding, groups, wanted)[1])


def unpooled(pool: nn.MaxPool2d, x: Tensor, g: Tensor) -> Tensor:
    """The gradient of `pool`'s input `x`, with the places of its maxima found again."""
    sizes = (pool.kernel_size, pool.stride, pool.padding, pool.dilation)
    window = [[size, size] if isinstance(size, int) else list(size) for size in sizes]
    places = torch.ops.aten.max_pool2d_with_indices(x, *window, pool.ceil_mode)[1]
    return cast(Tensor, torch.ops.aten.max_pool2d_with_indices_backward(g, x, *window, pool.ceil_mode, places))


def relu_backward_(g: Tensor, y: Tensor) -> Tensor:
    """`g` in place: 0 where `y`, before or behind the ReLU, is not above 0."""
    return cast(Tensor, torch.ops.aten.threshold_backward.grad_input(g, y, 0, grad_input=g))


@contextlib.contextmanager
def always_copying() -> Iterator[None]:
    """Within it no gradient that a part was given is written over, for tests of when it may be.

    In all threads: autograd runs the backward of a card in one of its own.
    """
    global _copying
    before, _copying = _copying, True
    try:
        yield
    finally:
        _copying = before


def private(g: Tensor) -> Tensor:
    """`g` where nobody but the calling `backward` can see it, else a copy of it.

    Call it in the first line of a `backward` that `once_differentiable` wraps, and with its argument: it compares how
    often the tensor is referred to with how often a gradient is that nobody has kept. A trace takes
    it as private: it is, in the chain that is traced.
    """
    if traced(g):
        return g
    if _copying:
        return g.clone(memory_format=_format(g))
    seen = (sys.getrefcount(g), g._use_count(), _of_storage(g))
    alone = all(count <= least for count, least in zip(seen, _least_references()))
    dense = g.is_contiguous() or g.is_contiguous(memory_format=torch.channels_last)
    return g if alone and dense else g.clone(memory_format=_format(g))


def once(kept: list[Any] | None) -> list[Any]:
    """What a forward has left to its backward. Raises RuntimeError where a backward has used it up already."""
    if kept is None:
        raise RuntimeError("Backward runs through a hand-written part once only: what it kept has been written over.")
    return kept


def _gradients(
    g: Tensor,
    x: Tensor,
    weight: Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    groups: int,
    wanted: tuple[bool, ...],
) -> tuple[Tensor | None, ...]:
    found = torch.ops.aten.convolution_backward(
        g, x, weight, None, stride, padding, [1, 1], False, [0, 0], groups, list(wanted)
    )
    return cast("tuple[Tensor | None, ...]", found)


def _format(g: Tensor) -> torch.memory_format:
    """That of `g` where it has one: an expanded gradient has none."""
    last = torch.channels_last
    return last if g.is_contiguous(memory_format=last) and not g.is_contiguous() else torch.contiguous_format


def _of_storage(tensor: Tensor) -> int:
    return torch._C._storage_Use_Count(tensor.untyped_storage()._cdata)


@cache
def _least_references() -> tuple[int, int, int]:
    """The counts that `private` sees of a gradient that nobody else has. They differ from version to version."""
    seen: list[tuple[int, int, int]] = []

    class Probe(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x.clone()

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, g: Tensor) -> Tensor:
            count(g)
            return g.clone()

    def count(g: Tensor) -> None:
        seen.append((sys.getrefcount(g), g._use_count(), _of_storage(g)))

    with torch.enable_grad():
        # The second probe is the producer of the first one's gradient, as one of our parts is of another's.
        Probe.apply(Probe.apply(torch.zeros(2, requires_grad=True))).sum().backward()
    return seen[-1]
