"""The images of every batch divided among processes, each with all weights: the step is that of the whole batch.

BatchNorm takes its statistics from the images of each process by itself (`own`), as
torch.nn.parallel.DistributedDataParallel does: of one image each, the step is the mean of steps of single images, and
not the step of the whole batch. Or from those of all together (`joint`): then it is exactly that step. Its running
statistics, which a model is used with, are those of all images in both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.distribution.processes import LARGE
from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.techniques.base import ONE_PROCESS, Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fullfield.techniques.build import Build

OWN, JOINT = "own", "joint"
NORM = 3  # tensors of a convolution and its normalisation: of these there are as many
BUCKET_BYTES = 4 << 20
"""Of gradients that are summed in one message. torch.nn.parallel.DistributedDataParallel takes 25 MiB; with less the
first one leaves earlier, and less lies beside gradients that are let go of inside backward."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Whose images are normalised together."""

    batch_norm: str = option(
        OWN,
        "Batch normalisation by the images of each process alone, or by those of all: as one process with all of them",
        choices=(OWN, JOINT),
    )


class DataParallel(Technique):
    """See the module."""

    name = "data_parallel"
    title = "Images shared among processes"
    sentence = "Several processes learn together: each takes some images of a batch, on a card of its own where it can."
    source = "Li et al. 2020, PyTorch Distributed; Goyal et al. 2017, Accurate, Large Minibatch SGD, section 3"
    stage = Stage.REPLICAS
    effect = Effect.MODEL
    Options = Options
    excludes: ClassVar[Mapping[str, str]] = {
        "quantization": "Each process would find other ranges of numbers in its own images.",
    }

    def effect_on(self, site: Site) -> Effect:
        """Joint statistics are those of the whole batch."""
        return Effect.EXACT if self.options.batch_norm == JOINT else self.effect

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """With joint statistics, which are exact, where each process gets an image."""
        if not 1 < site.ranks <= site.shape.batch:
            return ()
        return (Candidate(technique=cls(Options(batch_norm=JOINT))),)

    def refuse(self, site: Site) -> Reason | None:
        """One process."""
        if site.ranks == 1:
            return ONE_PROCESS
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """A share of the images; beside the gradients lies a message of them."""
        facts = site.costs.facts
        shape = replace(before.shape, batch=-(-before.shape.batch // site.ranks))
        sizes = facts.weights.values()  # none where only its possibility is asked for
        message = min(sum(sizes), BUCKET_BYTES + LARGE) / max(1, sum(sizes))  # a large one is sent as it lies there
        joint = 2 * facts.tensors // NORM if self.options.batch_norm == JOINT else 0
        said = Work(shared=sum(sizes), collectives=-(-sum(sizes) // BUCKET_BYTES) + joint)
        return replace(before, shape=shape, message=max(before.message, message), exchanged=before.exchanged + said)

    def apply(self, build: Build) -> None:
        """The ranks of the training are replicas."""
        from fullfield.kernels.joint_norm import Joint, join

        build.replicas = build.ranks
        if self.options.batch_norm == JOINT:
            build.joint = Joint(team=build.ranks)
            join(build.network, build.joint)
