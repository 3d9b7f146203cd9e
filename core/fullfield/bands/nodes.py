"""The kinds of nodes that a segment is made of: which rows each needs, what it computes on them, and its gradients.

A node never sees a whole map. `value` gets the rows of its inputs that `need` names and makes rows [first, last);
`gradients` gets the gradient at those rows and gives that of its inputs at the rows that it needed. Zero padding above
and below exists only at the edges of the map, so it is added by hand there; left and right the kernels add it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from fullfield.bands import handmade
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Statistics
from fullfield.kernels.batch_norm_backward import Line, Sums

Span = tuple[int, int]
"""Rows [first, last)."""


@dataclass(kw_only=True, eq=False)
class State:
    """What is known while a segment runs. `dtype`: of its convolutions.

    `sums`: of BatchNorm's backward, and `lines`, which follow from them. `gradients`: of parameters, one buffer each,
    summed over the bands.
    """

    dtype: torch.dtype
    statistics: dict[Norm, Statistics] = field(default_factory=dict)
    sums: dict[Norm, Sums] = field(default_factory=dict)
    lines: dict[Norm, Line] = field(default_factory=dict)
    gradients: dict[Tensor, Tensor] = field(default_factory=dict)
    cast: dict[Tensor, Tensor] = field(default_factory=dict)

    def parameter(self, parameter: Tensor, dtype: torch.dtype) -> Tensor:
        """The parameter in `dtype`, cast once."""
        if parameter.dtype == dtype:
            return parameter.detach()
        if parameter not in self.cast:
            self.cast[parameter] = parameter.detach().to(dtype)
        return self.cast[parameter]

    def add(self, parameter: Tensor, gradient: Tensor) -> None:
        """Add to the parameter's gradient. `gradient` must be the caller's own."""
        if not parameter.requires_grad:
            return
        if parameter in self.gradients:
            self.gradients[parameter].add_(gradient)
        else:
            self.gradients[parameter] = gradient.to(parameter.dtype)


@dataclass(frozen=True, kw_only=True, eq=False)
class Node:
    """A node that makes row for row, and costs so little that it is computed again rather than kept."""

    inputs: tuple[Node, ...] = ()
    linear: ClassVar[bool] = False
    """Its gradients need no values of its inputs."""

    def height(self, height: int) -> int:
        """Rows of its map, where those of its inputs have `height` rows."""
        return height

    def need(self, span: Span, height: int) -> Span:
        """Rows of the inputs, which have `height`, that its rows `span` are made of."""
        return span

    def reach(self, span: Span, height: int) -> Span:
        """Its rows, of which there are `height`, that rows `span` of an input go into."""
        return span

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        """Rows `span` from the needed rows of the inputs, which have `height` rows in all."""
        raise NotImplementedError

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Of the inputs, at the rows that `span` needs. `g`, at `span`, is not changed."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, eq=False)
class Input(Node):
    """A map from outside, by its name."""

    name: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Window(Node):
    """A square window of `size` rows that moves by `stride`, with `padding` rows beyond each edge."""

    size: int
    stride: int
    padding: int

    def height(self, height: int) -> int:
        return (height + 2 * self.padding - self.size) // self.stride + 1

    def need(self, span: Span, height: int) -> Span:
        first, last = self.sees(span)
        return max(0, first), min(height, last)

    def reach(self, span: Span, height: int) -> Span:
        first = -((self.size - 1 - self.padding - span[0]) // self.stride)
        return max(0, first), min(height, (span[1] - 1 + self.padding) // self.stride + 1)

    def padded(self, x: Tensor, span: Span, height: int, value: float) -> tuple[Tensor, Span]:
        """`x` with the rows beyond the edges that rows `span` look at, and the padding that is left to the kernel.

        The kernel pads by itself what is padded alike above and below, which is a whole map or no row at all.
        """
        above, below = self.beyond(span, height)
        if above == below:
            return x, (above, self.padding)
        return functional.pad(x, (0, 0, above, below), value=value), (0, self.padding)

    def beyond(self, span: Span, height: int) -> Span:
        """How many rows above and below the map rows `span` look at."""
        first, last = self.sees(span)
        return max(0, -first), max(0, last - height)

    def inner(self, padded: Tensor, span: Span, height: int) -> Tensor:
        """Without the rows that `padded` added."""
        above, below = self.beyond(span, height)
        return padded[:, :, above : padded.shape[2] - below]

    def sees(self, span: Span) -> Span:
        """The rows that rows `span` look at, also those beyond the edges of the map."""
        return span[0] * self.stride - self.padding, (span[1] - 1) * self.stride - self.padding + self.size


@dataclass(frozen=True, kw_only=True, eq=False)
class Conv(Window):
    """A convolution. `precise`: in fp32 also under autocast, as the head is."""

    module: nn.Conv2d
    precise: bool = False

    def dtype(self, state: State, x: Tensor) -> torch.dtype:
        """What it computes in."""
        if not self.precise:
            return state.dtype
        return x.dtype if x.dtype == torch.float64 else torch.float32

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        dtype = self.dtype(state, inputs[0])
        weight = state.parameter(self.module.weight, dtype)
        bias = None if self.module.bias is None else state.parameter(self.module.bias, dtype)
        x, padding = self.padded(inputs[0].to(dtype), span, height, 0.0)
        return functional.conv2d(x, weight, bias, self.stride, padding, groups=self.module.groups)

    def input_gradient(self, state: State, span: Span, height: int, g: Tensor) -> Tensor:
        """At the rows that `span` needs; it is linear, so it needs no value of its input."""
        weight = state.parameter(self.module.weight, g.dtype)
        first, last = self.sees(span)
        width = (g.shape[3] - 1) * self.stride - 2 * self.padding + self.size
        # Stride 2: the last row and column of an even map are beyond the last window, but for the padding.
        width += (-width) % self.stride
        above, below = self.beyond(span, height)
        alike = above == below
        taken = self.need(span, height) if alike else (first, last)
        groups = self.module.groups
        like = g.new_empty(1).expand(g.shape[0], groups * weight.shape[1], taken[1] - taken[0], width)
        step, padding = (self.stride,) * 2, (above if alike else 0, self.padding)
        found = handmade.input_gradient(g, weight, like, stride=step, padding=padding, groups=groups)
        inner = found if alike else self.inner(found, span, height)
        return inner.to(state.dtype)  # all maps but a precise one's own are of that dtype

    def add_weight_gradient(self, state: State, span: Span, height: int, g: Tensor, x: Tensor) -> None:
        """Add what rows `span` give to weight and bias. `x` is what they need."""
        g = g.contiguous()
        x, padding = self.padded(x.to(g.dtype), span, height, 0.0)
        weight = state.parameter(self.module.weight, g.dtype)
        step = (self.stride,) * 2
        new = handmade.weight_gradient(g, x, weight, stride=step, padding=padding, groups=self.module.groups)
        state.add(self.module.weight, new)
        if self.module.bias is not None:
            state.add(self.module.bias, g.sum((0, 2, 3)))


@dataclass(frozen=True, kw_only=True, eq=False)
class MaxPool(Window):
    """Maximum over the window; ties go to the first, as in PyTorch."""

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        x, padding = self.padded(inputs[0], span, height, -math.inf)
        return functional.max_pool2d(x, self.size, self.stride, padding)

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        x, padding = self.padded(inputs[0], span, height, -math.inf)
        window = [self.size] * 2, [self.stride] * 2, [*padding], [1, 1], False
        where = torch.ops.aten.max_pool2d_with_indices(x, *window)[1]
        found = torch.ops.aten.max_pool2d_with_indices_backward(g, x, *window, where)
        return (found if padding[0] else self.inner(found, span, height),)


@dataclass(frozen=True, kw_only=True, eq=False)
class Norm(Node):
    """BatchNorm of a convolution's output, then ReLU where there is one, which ends at `ceiling`.

    `updates`: it measures for the running statistics too; not where a node computes again what another one did.
    """

    module: nn.BatchNorm2d
    relu: bool
    ceiling: float = math.inf
    updates: bool = True

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        bn, known = self.module, state.statistics[self]
        weight, bias = bn.weight.detach(), bn.bias.detach()
        return batch_norm.normalised(inputs[0], weight, bias, known, relu=self.relu, ceiling=self.ceiling)

    def sums(self, state: State, g: Tensor, z: Tensor) -> Sums:
        """Of backward, over rows `z` of its input; `g`: gradient of its output there."""
        bn, known = self.module, state.statistics[self]
        weight, bias = bn.weight.detach(), bn.bias.detach()
        return batch_norm_backward.sums(z, g, weight, bias, known, relu=self.relu, ceiling=self.ceiling)

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Written over its input, which nothing reads afterwards."""
        bn, z = self.module, inputs[0]
        known = state.statistics[self]
        weight, bias = bn.weight.detach(), bn.bias.detach()
        if self not in state.lines:
            state.lines[self] = batch_norm_backward.line(weight, known, state.sums[self])
        line, relu, ceiling = state.lines[self], self.relu, self.ceiling
        new = batch_norm_backward.backward_(z, g, weight, bias, known, line, relu=relu, ceiling=ceiling, into_NCHW=z)
        return (new,)

    def both(self, state: State, g: Tensor, z: Tensor) -> tuple[Tensor, Sums]:
        """Its gradient, likewise, and its sums, where `z` is its whole input."""
        bn, known = self.module, state.statistics[self]
        weight, bias = bn.weight.detach(), bn.bias.detach()
        relu, ceiling = self.relu, self.ceiling
        return batch_norm_backward.both(z, g, weight, bias, known, relu=relu, ceiling=ceiling, into_NCHW=z)
