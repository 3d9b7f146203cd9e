"""The images of every batch divided among processes, each with all weights: the step is that of the whole batch.

BatchNorm takes its statistics from the images of each process by itself, as torch.nn.parallel.DistributedDataParallel
does: of one image each, the step is the mean of steps of single images, and not the step of the whole batch. Its
running statistics, which a model is used with, are those of all images.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Reason, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fullfield.techniques.build import Build

BUCKET_BYTES = 25 << 20
"""Of gradients that are summed in one message, as in torch.nn.parallel.DistributedDataParallel."""


class DataParallel(Technique):
    """See the module."""

    name = "data_parallel"
    title = "Images shared among processes"
    sentence = "Several processes learn together: each takes some images of a batch, on a card of its own where it can."
    source = "Li et al. 2020, PyTorch Distributed; Goyal et al. 2017, Accurate, Large Minibatch SGD, section 3"
    stage = Stage.REPLICAS
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        "quantization": "Each process would find other ranges of numbers in its own images.",
    }

    def refuse(self, site: Site) -> Reason | None:
        """One process."""
        if site.ranks == 1:
            return Reason(
                text="There is one process.", hint="The command line starts several: fullfield train --processes 2."
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Beside the gradients lie those that are being summed. `site.shape` is what one process trains on."""
        weights = site.costs.facts.weights.values()
        summed = min(sum(weights), BUCKET_BYTES + max(weights)) / sum(weights)
        return replace(before, update=max(before.update, summed))

    def apply(self, build: Build) -> None:
        """The ranks of the training are replicas."""
        build.replicas = build.ranks
