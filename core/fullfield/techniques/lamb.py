"""LAMB: Adam whose step is, layer by layer, as long as the layer's weights are large, times the rate.

You et al. 2020, Algorithm 2, with weights w and gradient g of a layer, the rate η of step t, and weight decay λ:

    m ← β₁·m + (1 − β₁)·g            v ← β₂·v + (1 − β₂)·g²
    r = (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)
    w ← w − η·φ(‖w‖) / ‖r + λ·w‖·(r + λ·w)

φ is the identity, β₁ = 0.9, β₂ = 0.999, ε = 1e-6, as in the paper's experiments. A layer is one tensor of weights.
Biases and BatchNorm's weights, which have one axis, move by η·r, without weight decay; so they do in TensorFlow's
LAMB, whose `exclude_from_weight_decay` decides on both. As there, a layer whose weights or step are all zero moves by
η·(r + λ·w).

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
from fullfield.techniques.weights import by_weights

if TYPE_CHECKING:
    import torch

    from fullfield.techniques.build import Build

STATE = 2.0  # bytes by those of the weights: m and v
STARTS = 15  # operations for each tensor of weights; counted
BETAS, EPSILON = (0.9, 0.999), 1e-6


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the paper tunes beside the learning rate."""

    decay: float = option(0.01, "weight decay: how much weights are drawn to zero", least=0.0, most=10.0)


class Lamb(Technique):
    """See the module."""

    name = "lamb"
    title = "LAMB for large batches"
    sentence = "Adam with steps that suit the size of every layer's weights, for batches of very many images."
    source = (
        "You et al. 2020, Large Batch Optimization for Deep Learning: Training BERT in 76 minutes (LAMB), Algorithm 2"
    )
    stage = Stage.OPTIMIZER
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        "optimizer_8bit": "Both are optimizers with their own update. Choose one.",
        "optimizer_4bit": "Both are optimizers with their own update. Choose one.",
        "optimizer_offload": "It updates a layer in pieces, and LAMB needs the whole layer's step first. Choose one.",
    }
    Options = Options

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Two values are remembered for each weight; the step of the largest layer is there for a moment."""
        starts = before.update_starts + STARTS * site.costs.facts.tensors
        update = by_weights(site.costs.facts.largest, site)
        return replace(before, state=STATE, host_state=0.0, update=update, update_starts=starts)

    def apply(self, build: Build) -> None:
        """Another optimizer."""
        build.optimizer = partial(_optimizer(), decay=self.options.decay)


@cache
def _optimizer() -> Callable[..., torch.optim.Optimizer]:
    """The class of the optimizer: made here, for a declaration imports no torch."""
    import torch
    from torch import Tensor

    class LambOptimizer(torch.optim.Optimizer):
        """See the module."""

        def __init__(self, parameters: Any, *, decay: float, lr: float = 1e-3) -> None:
            super().__init__(parameters, {"lr": lr, "decay": decay})

        @torch.no_grad()
        def step(self, closure: Any = None) -> None:  # type: ignore[override]
            """Update every parameter that has a gradient."""
            assert closure is None
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        state = self.state[parameter]
                        if not state:
                            state["step"] = torch.zeros(())  # not on the device: read in every step
                            state["exp_avg"] = torch.zeros_like(parameter)
                            state["exp_avg_sq"] = torch.zeros_like(parameter)
                        state["step"] += 1
                        _move(parameter, _step(parameter.grad, state), group)

    def _step(g: Tensor, state: Mapping[str, Tensor]) -> Tensor:
        """r; the moments follow the gradient."""
        m, v, count = state["exp_avg"], state["exp_avg_sq"], int(state["step"])
        m.lerp_(g, 1 - BETAS[0])
        v.mul_(BETAS[1]).addcmul_(g, g, value=1 - BETAS[1])
        r = v / (1 - BETAS[1] ** count)
        r.sqrt_().add_(EPSILON)
        return torch.div(m, r, out=r).div_(1 - BETAS[0] ** count)

    def _move(w: Tensor, r: Tensor, group: Mapping[str, Any]) -> None:
        if w.ndim <= 1:
            w.add_(r, alpha=-group["lr"])
            return
        r.add_(w, alpha=group["decay"])
        size, length = torch.linalg.vector_norm(w), torch.linalg.vector_norm(r)
        local = torch.where((size > 0) & (length > 0), size / length, 1.0)
        w.addcmul_(r, local, value=-group["lr"])

    return LambOptimizer
