"""The nodes without parameters that a segment joins its convolutions with: upsampling, concatenation, sums, sigmoid."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.bands.nodes import Node, Span, State


@dataclass(frozen=True, kw_only=True, eq=False)
class Upsample(Node):
    """Nearest, by two."""

    linear = True

    def height(self, height: int) -> int:
        return 2 * height

    def need(self, span: Span, height: int) -> Span:
        return span[0] // 2, (span[1] - 1) // 2 + 1

    def reach(self, span: Span, height: int) -> Span:
        return 2 * span[0], 2 * span[1]

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        twice = functional.interpolate(inputs[0], scale_factor=2.0, mode="nearest")
        above = span[0] % 2
        return twice[:, :, above : above + span[1] - span[0]]

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        """At the edges of an odd span it holds half of the sum: no row that is owned lies there."""
        first, last = self.need(span, height)
        g = functional.pad(g, (0, 0, span[0] - 2 * first, 2 * last - span[1]))
        batch, channels, rows, columns = g.shape
        size = [batch, channels, rows // 2, columns // 2]
        return (torch.ops.aten.upsample_nearest2d_backward(g, [rows, columns], size, None, None),)


@dataclass(frozen=True, kw_only=True, eq=False)
class Concatenate(Node):
    """Channels of all inputs, one after the other; `sizes`: how many each has."""

    linear = True
    sizes: tuple[int, ...]

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        return torch.cat(inputs, dim=1)

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        return torch.split(g, list(self.sizes), dim=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Add(Node):
    """The sum of two maps."""

    linear = True

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        return inputs[0] + inputs[1]

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        return g, g


@dataclass(frozen=True, kw_only=True, eq=False)
class AddRelu(Node):
    """ReLU of the sum of two maps."""

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        return (inputs[0] + inputs[1]).relu_()

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        masked = torch.ops.aten.threshold_backward(g, self.value(state, span, height, *inputs), 0)
        return masked, masked


@dataclass(frozen=True, kw_only=True, eq=False)
class Sigmoid(Node):
    """1/(1 + e⁻ˣ)."""

    def value(self, state: State, span: Span, height: int, *inputs: Tensor) -> Tensor:
        return torch.sigmoid(inputs[0])

    def gradients(self, state: State, span: Span, height: int, g: Tensor, *inputs: Tensor) -> tuple[Tensor, ...]:
        return (torch.ops.aten.sigmoid_backward(g, torch.sigmoid(inputs[0])),)
