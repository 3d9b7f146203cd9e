"""The images of every batch divided among processes, each with all weights: the step is that of the whole batch.

BatchNorm takes its statistics from the images of each process by itself (`own`), as
torch.nn.parallel.DistributedDataParallel does: of one image each, the step is the mean of steps of single images, and
not the step of the whole batch. Or from those of all together (`joint`): then it is exactly that step. Its running
statistics, which a model is used with, are those of all images in both.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.distribution import share
from fullfield.distribution.buckets import Summed
from fullfield.distribution.team import Team
from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import ONE_PROCESS, PORTIONS, Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Several, Site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fullfield.techniques.build import Build

OWN, JOINT = "own", "joint"


@dataclass(frozen=True, kw_only=True)
class Options:
    """Whose images are normalised together, and who has how many."""

    batch_norm: str = option(
        OWN,
        "Batch normalisation by the images of each process alone, or by those of all: as one process with all of them",
        choices=(OWN, JOINT),
    )
    portions: tuple[str, ...] = option(
        (),
        "How many images of a batch each process takes by those of the others, such as 3+1 where one card is three "
        "times as fast as the other; all alike where nothing is said. A group that shares the rows of an image takes "
        "what its processes take together",
        choices=PORTIONS,
    )


class DataParallel(Technique):
    """See the module."""

    name = "data_parallel"
    title = "Images shared among processes"
    sentence = "Several processes learn together: each takes some images of a batch, on a card of its own where it can."
    source = "Li et al. 2020, PyTorch Distributed; Goyal et al. 2017, Accurate, Large Minibatch SGD, § 3"
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
        """With joint statistics, which are exact, where there are several images: in turn, and of unlike devices by
        their speed and by their memory, for groups that share the rows of an image, too."""
        if site.ranks == 1 or site.shape.batch == 1:
            return ()
        speeds, sizes = ([getattr(card, name) for card in site.devices] for name in ("speed", "share_bytes"))
        known = (speeds, sizes) if min(speeds) > 0.0 else ()
        found = [(), *(cls._unlike(weights, group, site) for group in range(1, site.ranks) for weights in known)]
        return tuple(Candidate(technique=cls(Options(batch_norm=JOINT, portions=one))) for one in dict.fromkeys(found))

    @staticmethod
    def _unlike(weights: list[float], group: int, site: Site) -> tuple[str, ...]:
        """Portions of all ranks where each so many share an image, as the least of them can; none where they are alike
        or there are too few images."""
        most = min(len(PORTIONS), site.shape.batch)
        if site.ranks % group or site.ranks // group > most:
            return ()
        together = [min(weights[rank] for rank in each) for each in share.beside(site.ranks, group)]
        portions = share.in_portions(together, most)
        if len(set(portions)) == 1:
            return ()
        return tuple(str(portion) for portion in portions for _ in range(group))

    @classmethod
    def unasked(cls, several: Several) -> bool:
        """Where nothing else is meant."""
        return True

    def least_batch(self, ranks: int) -> int:
        """See Technique: who has the smallest portion is given its first image behind some of the others."""
        portions = tuple(map(int, self.options.portions))
        each = (share.dealt(batch, portions) for batch in itertools.count(ranks))
        return next(len(dealt) for dealt in each if len({*dealt}) == ranks) if len(portions) == ranks else ranks

    @classmethod
    def shared_by(cls, ranks: int) -> str:
        """See Technique."""
        return f"{ranks} processes share the images of every batch (data_parallel)."

    def refuse(self, site: Site) -> Reason | None:
        """One process; portions for others than there are."""
        if site.ranks == 1:
            return ONE_PROCESS
        named = self.options.portions
        if named and len(named) != site.ranks:
            return Reason(
                text=f"{site.ranks} processes share the images, and {len(named)} portions are named.",
                hint="Name one for each.",
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """A share of the images; beside the gradients lie messages of them."""
        facts, joint = site.costs.facts, self.options.batch_norm == JOINT
        group, batch = max(1, len(before.portions)), before.shape.batch
        replicas, portions = site.ranks // group, self._portions(group)
        counts = Team(0, replicas).portioned(portions or (1,) * replicas).counts(batch)
        return replace(
            before,
            shape=replace(before.shape, batch=max(counts)),
            images=tuple(counts) if len(set(counts)) > 1 else (),
            summed=Summed(gradients=facts.backward(), after=joint),
            joint=replicas if joint else 0,
            exchanged=before.exchanged + facts.statistics,
        )

    def _portions(self, group: int) -> tuple[int, ...]:
        """Of the replicas, each so many processes that share an image; none where all are alike."""
        named = tuple(map(int, self.options.portions))
        return tuple(sum(named[rank] for rank in each) for each in share.beside(len(named), group))

    def apply(self, build: Build) -> None:
        """The ranks of the training are replicas, or groups of them that share the rows of an image."""
        from fullfield.distribution.joint import Joint
        from fullfield.kernels.joint_norm import join

        build.replicas = build.ranks.across(build.team.size)
        if portions := self._portions(build.team.size):
            build.replicas = build.replicas.portioned(portions)
        if self.options.batch_norm == JOINT:
            build.joint = Joint(team=build.replicas, images=(1,) * build.replicas.size)
            join(build.network, build.joint)
