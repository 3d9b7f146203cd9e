"""torch.distributed.optim.ZeroRedundancyOptimizer: each process remembers what Adam needs of its share of the weights.

It updates these, and gets the others' from the processes that have updated them. Its own way to a checkpoint sends
pickled objects; here each process gives what it remembers by name, as tensors, and the checkpoint is that of one
process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.techniques.base import ONE_KIND, ONE_PROCESS, Effect, Reason, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from torch.optim import Optimizer

    from fullfield.distribution.traffic import Traffic
    from fullfield.techniques.build import Build, Parameters

ANOTHER = "Both say how the optimizer remembers, and PyTorch divides that of Adam alone. Choose one."


class ZeroOptimizer(Technique):
    """See the module."""

    name = "zero_optimizer"
    title = "PyTorch's divided optimizer"
    sentence = "Each of several processes keeps the optimizer's memory of its share of the network, as PyTorch does it."
    source = "Rajbhandari et al. 2020, ZeRO, § 5.1; torch.distributed.optim.ZeroRedundancyOptimizer"
    stage = Stage.REPLICAS
    effect = Effect.EXACT
    needs = ("data_parallel",)
    excludes: ClassVar[Mapping[str, str]] = {
        "zero": "Both divide what the optimizer remembers. Choose one.",
        "optimizer_in_backward": "PyTorch updates all weights at once, when backward is over.",
        "optimizer_8bit": ANOTHER,
        "optimizer_4bit": ANOTHER,
        "optimizer_offload": ANOTHER,
        "lars": ANOTHER,
        "lamb": ANOTHER,
    }

    def refuse(self, site: Site) -> Reason | None:
        """One process, or a card and the CPU."""
        if site.ranks == 1:
            return ONE_PROCESS
        return ONE_KIND if site.mixed else None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Whole tensors are divided, so one process has the largest; each is a message when it is updated."""
        facts = site.costs.facts
        share = max(1 / site.ranks, facts.largest / max(1, sum(facts.weights.values())))
        said = Work(shared=sum(facts.parameters.values()) // 2, collectives=len(facts.parameters))
        return replace(before, state=before.state * share, exchanged=before.exchanged + said)

    def apply(self, build: Build) -> None:
        """In the place of Adam; what one process remembers is an optimizer inside it."""
        build.optimizer = partial(_divided, build.ranks.traffic)
        build.local = _local


def _divided(traffic: Traffic, parameters: Parameters) -> Optimizer:
    import torch
    from torch.distributed.optim import ZeroRedundancyOptimizer

    divided = ZeroRedundancyOptimizer(parameters, torch.optim.Adam, fused=True)

    def sent(*_: object) -> None:
        for parameter in parameters:
            traffic.tell_one(parameter)

    divided.register_step_post_hook(sent)
    return divided


def _local(optimizer: Optimizer) -> Optimizer:
    from torch.distributed.optim import ZeroRedundancyOptimizer

    return cast("Optimizer", cast(ZeroRedundancyOptimizer, optimizer).optim)
