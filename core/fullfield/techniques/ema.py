"""An exponential moving average of the weights, which is evaluated, chosen as the best model by, and exported.

After every update the average θ̄ of the weights θ moves on: θ̄ ← θ̄ + (1 − β)/(1 − βᵗ)·(θ − θ̄), t the updates so far.
That is the moving average of Kingma and Ba 2015, section 7.2, with its correction of the beginning, written without
the division by 1 − βᵗ at its end: the first weights of all have no part in it. A weight's t counts its own updates.

BatchNorm's running statistics are averaged alike, as torch.optim.swa_utils.AveragedModel does with use_buffers=True, so
they are those of the same steps as the weights; how many batches they have seen is not averaged. Gradients, optimizer
and the weights that are trained are untouched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.techniques.base import Effect, Stage, Technique, option
from fullfield.techniques.site import Site
from fullfield.techniques.weights import by_weights

if TYPE_CHECKING:
    from torch import Tensor, nn

    from fullfield.model.network import Network
    from fullfield.techniques.build import Build

STARTS = 2  # operations for each tensor of weights: itself, and one of BatchNorm's statistics at most; counted
NOTE = "The average of the weights is one more copy of them, in 32 bits, whatever the size of the images."


@dataclass(frozen=True, kw_only=True)
class Options:
    """How far it looks back: over some 1 / (1 − decay) steps."""

    decay: float = option(
        0.999, "how much of the average is kept in each step; 0.999 looks back over 1,000 steps", least=0.0, most=0.9999
    )


class ExponentialMovingAverage(Technique):
    """See the module."""

    name = "ema"
    title = "Averaged weights"
    sentence = (
        "Uses the average of the network's last states as the model, which is steadier than the last state alone."
    )
    source = (
        "Polyak, Juditsky 1992, Acceleration of Stochastic Approximation by Averaging; "
        "Kingma, Ba 2015, Adam, § 7.2; torch.optim.swa_utils.AveragedModel"
    )
    stage = Stage.STEP
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        "quantization": "The ranges that int8 rounds to are found for the weights as they are, not for their average.",
        "zero:level=3": "The average is one more copy of all weights on every process. Choose level 1 or 2 of zero.",
    }
    Options = Options

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """A copy of the weights and of BatchNorm's statistics, on the device, wherever the optimizer remembers."""
        copies = 1.0 + by_weights(site.costs.facts.buffers, site)
        starts = before.update_starts + STARTS * site.costs.facts.tensors
        known = len(site.costs.facts.parameters)
        changed = Work(shared=8 * known, collectives=min(1, known))  # which of them any rank has updated
        return replace(
            before,
            copies=before.copies + copies,
            update_starts=starts,
            of_owners=before.of_owners + changed,
            notes=(*before.notes, NOTE),
        )

    def apply(self, build: Build) -> None:
        """The average follows every update, lies in checkpoints, and is in the place of the weights in all results."""
        average = _Average(build.network, self.options.decay)
        build.kept |= average.tensors()
        build.updated.append(average.follow)
        build.as_result.append(average.in_place)


class _Average:
    """The averages of a network's parameters and floating-point buffers, by name."""

    def __init__(self, network: Network, decay: float) -> None:
        import torch

        self._decay = decay
        self._names = {parameter: name for name, parameter in network.named_parameters()}
        self._statistics = {name: one for name, one in network.named_buffers() if one.is_floating_point()}
        self._followed = {**{name: one for one, name in self._names.items()}, **self._statistics}
        self._averages = {name: one.detach().clone() for name, one in self._followed.items()}
        self._places = {name: place for place, name in enumerate(self._followed)}
        self._updates = torch.zeros(len(self._followed), dtype=torch.int64, device="cpu")
        self._counts = self._updates.numpy()  # the same memory: counting asks nothing of a device

    def tensors(self) -> dict[str, Tensor]:
        """What is remembered, by name: the very tensors."""
        return {f"ema.{name}": one for name, one in self._averages.items()} | {"ema.updates": self._updates}

    def follow(self, parameters: Sequence[nn.Parameter]) -> None:
        """Move on after an update of `parameters`, and the statistics of its forward."""
        for name in (*(self._names[one] for one in parameters), *self._statistics):
            place = self._places[name]
            self._counts[place] += 1
            share = (1 - self._decay) / (1 - self._decay ** int(self._counts[place]))
            self._averages[name].lerp_(self._followed[name].detach(), share)

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Inside, the network's parameters and buffers are the averages. Nothing is copied."""
        self._exchange()
        try:
            yield
        finally:
            self._exchange()

    def _exchange(self) -> None:
        for name, one in self._followed.items():
            average = self._averages[name]
            one.data, average.data = average.data, one.data
