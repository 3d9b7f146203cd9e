"""LARS: SGD with momentum whose rate follows, layer by layer, how large the layer's weights are beside their gradient.

You, Gitman, Ginsburg 2017, Algorithm 1, with weights w and gradient g of a layer, the rate γ of the step, weight decay
β, momentum m and trust coefficient η:

    λ = η·‖w‖ / (‖g‖ + β·‖w‖)        v ← m·v + γ·λ·(g + β·w)        w ← w − v

A layer is one tensor of weights. Biases and BatchNorm's weights, which have one axis, have λ = 1 and β = 0, as in
TensorFlow's LARSOptimizer with the `skip_list` that is meant for networks with BatchNorm. Where all weights of a layer
are zero, which the paper leaves open, λ is 1 as there: else they would stay zero.

Every tensor is updated by itself, so the same numbers come out where updates are made inside backward.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    import torch

    from fullfield.techniques.build import Build

STATE = 1.0  # bytes by those of the weights: v
STARTS = 8  # operations for each tensor of weights; counted
NOTE = (
    "LARS moves the weights of a layer by at most the learning rate times the trust coefficient of their size, before "
    "momentum: choose a learning rate far above that of Adam, such as 1."
)
_ONE = "Both are optimizers. Choose one."


@dataclass(frozen=True, kw_only=True)
class Options:
    """The numbers of the paper's Algorithm 1."""

    trust: float = option(
        0.001, "the trust coefficient: how far a layer moves in a step, by its size", least=0.0001, most=1.0
    )
    momentum: float = option(0.9, "how much of the last movement is kept", least=0.0, most=0.999)
    decay: float = option(0.0005, "weight decay: how much weights are drawn to zero", least=0.0, most=1.0)


class Lars(Technique):
    """See the module."""

    name = "lars"
    title = "LARS for large batches"
    sentence = "Gives every layer a learning rate that suits the size of its weights, for batches of very many images."
    source = "You, Gitman, Ginsburg 2017, Large Batch Training of Convolutional Networks (LARS), Algorithm 1"
    stage = Stage.OPTIMIZER
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        "optimizer_8bit": "It keeps what Adam remembers in short numbers, and LARS is no Adam. Choose one.",
        "optimizer_4bit": "It keeps what Adam remembers in short numbers, and LARS is no Adam. Choose one.",
        "optimizer_offload": "It moves what Adam remembers, and LARS is no Adam. Choose one.",
        "lamb": _ONE,
    }
    Options = Options

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """One value is remembered for each weight, and none is needed for the update itself."""
        starts = before.update_starts + STARTS * site.costs.facts.tensors
        notes = (*before.notes, NOTE)
        return replace(before, state=STATE, host_state=0.0, update=0.0, update_starts=starts, notes=notes)

    def apply(self, build: Build) -> None:
        """Another optimizer."""
        options = self.options
        build.optimizer = partial(_optimizer(), trust=options.trust, momentum=options.momentum, decay=options.decay)


@cache
def _optimizer() -> Callable[..., torch.optim.Optimizer]:
    """The class of the optimizer: made here, for a declaration imports no torch."""
    import torch
    from torch import Tensor

    class LarsOptimizer(torch.optim.Optimizer):
        """See the module."""

        def __init__(self, parameters: Any, *, trust: float, momentum: float, decay: float, lr: float = 1.0) -> None:
            super().__init__(parameters, {"lr": lr, "trust": trust, "momentum": momentum, "decay": decay})

        @torch.no_grad()
        def step(self, closure: Any = None) -> None:  # type: ignore[override]
            """Update every parameter that has a gradient."""
            assert closure is None
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        state = self.state[parameter]
                        if not state:
                            state["momentum"] = torch.zeros_like(parameter)
                        _move(parameter, parameter.grad, state["momentum"], group)

    def _move(w: Tensor, g: Tensor, v: Tensor, group: Mapping[str, Any]) -> None:
        rate, decay = group["lr"], group["decay"]
        v.mul_(group["momentum"])
        if w.ndim <= 1:
            v.add_(g, alpha=rate)
        else:
            size = torch.linalg.vector_norm(w)
            divisor = torch.linalg.vector_norm(g) + decay * size
            local = rate * torch.where((size > 0) & (divisor > 0), group["trust"] * size / divisor, 1.0)
            v.addcmul_(g, local).addcmul_(w, local, value=decay)
        w.sub_(v)

    return LarsOptimizer
