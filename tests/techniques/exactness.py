"""Proofs that a technique's gradients are those of the plain network: in fp64, where no rounding hides a mistake."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn

import narrow
from fullfield.model.network import Network
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.base import Technique
from fullfield.techniques.build import Build

GRADIENT, STATISTIC = 1e-11, 1e-10  # the largest differences that pass
ZERO = 1e-14  # of the whole gradient's norm: below it a gradient is zero, and what is found of it is rounding


@dataclass(frozen=True, kw_only=True)
class Found:
    """What one step left behind: the objective's value, gradients of parameters, BatchNorm's buffers."""

    value: Tensor
    gradients: dict[str, Tensor]
    statistics: dict[str, Tensor]


def reference(
    encoder: str = "resnet18", batch: int = 1, height: int = 192, width: int = 224, *, by: int = 4
) -> tuple[Network, Tensor, Tensor]:
    """A seeded network in fp64 with BatchNorm weights that matter, an image and what it shall become. `by`: of so many
    of its channels one is left, for what is to be exact is so with few."""
    network = copy.deepcopy(_network(encoder, by))  # before the seed: the first time it is made, which draws numbers
    torch.manual_seed(9)
    x = torch.rand(batch, 1, height, width, dtype=torch.float64)
    return network, x, 0.7 * x + 0.1 * torch.rand_like(x) + 0.1


def stage(name: str, encoder: str = "resnet18") -> nn.Module:
    """A stage of a network with all its channels, a copy of its own."""
    return copy.deepcopy(_network(encoder, 1).stages[name])


@cache
def _network(encoder: str, by: int = 4) -> Network:
    return narrow.network(encoder, by=by)


def built(network: Network, *techniques: Technique) -> Build:
    """A step of a copy of `network` with `techniques`."""
    build = builds.begin(copy.deepcopy(network), torch.device("cpu"))
    compose.apply(techniques, build)
    return build


def gradients(build: Build, x: Tensor, y: Tensor, objective: Callable[[Tensor, Tensor], Tensor] | None = None) -> Found:
    """One step without its update. `objective`: in the place of 1 − MS-SSIM, which needs sides above 160."""
    build.network.zero_grad(set_to_none=True)
    with contextlib.ExitStack() as around:
        for enter in build.around:
            around.enter_context(enter())
        value = (objective or build.structure)(build.chain(x), y)
    value.backward()
    return found(build.network, value)


def found(module: nn.Module, value: Tensor) -> Found:
    """What a backward through `module` has left in it."""
    return Found(
        value=value.detach(),
        gradients={name: one.grad for name, one in module.named_parameters() if one.grad is not None},
        statistics={name: buffer.clone() for name, buffer in module.named_buffers()},
    )


def worst(one: Found, other: Found) -> float:
    """The largest ‖a−b‖₂/‖b‖₂ over all parameters' gradients; infinite where one of the two has more of them.

    A shift that a normalisation behind it takes away again has none: it must be zero in both.
    """
    whole = sum(float(gradient.square().sum()) for gradient in other.gradients.values()) ** 0.5
    zeros = {name for name, gradient in other.gradients.items() if gradient.norm() <= ZERO * whole}
    if not all(name in one.gradients and one.gradients[name].norm() <= ZERO * whole for name in zeros):
        return float("inf")
    rest = [{name: g for name, g in each.gradients.items() if name not in zeros} for each in (one, other)]
    return _worst(*rest)


def agree(one: Found, other: Found, *, gradient: float = GRADIENT, statistic: float = STATISTIC) -> None:
    """Assert that value, gradients and statistics are equal but for rounding, and counters exactly."""
    assert abs(one.value - other.value) <= gradient * abs(other.value)
    assert worst(one, other) <= gradient
    counters = {name for name in other.statistics if name.endswith("num_batches_tracked")}
    assert all(torch.equal(one.statistics[name], other.statistics[name]) for name in counters)
    running = [{k: v for k, v in each.statistics.items() if k not in counters} for each in (one, other)]
    assert _worst(*running) <= statistic


def _worst(one: dict[str, Tensor], other: dict[str, Tensor]) -> float:
    if one.keys() != other.keys():
        return float("inf")
    differences = [((one[name] - wanted).norm() / wanted.norm()).item() for name, wanted in other.items()]
    return max(value if value == value else float("inf") for value in differences)  # NaN must not pass
