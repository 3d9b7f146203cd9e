"""Each process runs some parts of the network, on one image of a batch after another: a pipeline.

A map goes from the process that makes it straight to those that take it, its gradient the same way back; so a skip
passes through no process that does not need it. BatchNorm sees images one by one, as with accumulation of single
images, whose gradients, weights and statistics these are, bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.distribution import schedule
from fullfield.distribution.schedule import GPIPE, ONE_F_ONE_B
from fullfield.errors import UsageError
from fullfield.memory import account, cuts
from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Costs
from fullfield.model.stages import LAYERS, STAGES, STEM
from fullfield.techniques.base import ONE_PROCESS, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

HALVES, BALANCED = "encoder_decoder", "balanced"
ENCODER = (STEM, *LAYERS)
_BANDS = "Work in bands takes rows of several stages at once, and runs some stages a second time in another part."
_ONE_WAY = "Both say how several processes share the work. Choose one."


@dataclass(frozen=True, kw_only=True)
class Options:
    """Who has which parts, and in which order images go through them. `ModelParallel.with_plan` finds `last`."""

    cut: str = option(
        HALVES,
        "The encoder on the first half of the processes and the decoder on the others, or so that the fullest process "
        "is least full",
        choices=(HALVES, BALANCED),
    )
    schedule: str = option(
        ONE_F_ONE_B,
        "1f1b: an image's backward as soon as it can be, with few images in memory; gpipe: all forwards first",
        choices=(ONE_F_ONE_B, GPIPE),
    )
    last: tuple[str, ...] = option(
        (),
        "The last stage of each process but the last one, such as layer2+layer4; none: by the cut",
        choices=(*STAGES,),
    )


class ModelParallel(Technique):
    """See the module."""

    name = "model_parallel"
    title = "Parts of the network on several processes"
    sentence = "Each process has some parts of the network, and the images of a batch pass through them one by one."
    source = (
        "Huang et al. 2019, GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism; Narayanan "
        "et al. 2021, Memory-Efficient Pipeline-Parallel DNN Training (1F1B)"
    )
    stage = Stage.PIPELINE
    effect = Effect.EXACT
    foresees = True
    alone = ("accumulate",)  # an image at a time
    excludes: ClassVar[Mapping[str, str]] = {
        "data_parallel": _ONE_WAY,
        "spatial": _ONE_WAY,
        "zero": "Each process has the weights of its own parts alone already.",
        "accumulate": "Images pass one by one already.",
        "optimizer_in_backward": "Each correction is forgotten at once, so those of several images cannot be added up.",
        "hybrid_bands": _BANDS,
        "full_bands": _BANDS,
        "momentum": "A momentum network goes back through all of its parts at once, from its end to its beginning.",
        "quantization": "Ranges are found by the process that has a part, and the 8-bit model needs all of them.",
        "compressed_activations": "A map that its maker has packed is packed once more by the process that takes it.",
        "ema": "The average is of all weights, and each process has those of its own parts alone.",
    }
    Options = Options

    def __init__(self, options: Any = None, reported: tuple[str, ...] = ()) -> None:
        """`reported`: sentences on the pipeline, which its plan has found."""
        super().__init__(options)
        self._reported = reported

    def effect_on(self, site: Site) -> Effect:
        """Of several images in a batch BatchNorm sees each by itself."""
        return Effect.EXACT if site.shape.batch == 1 else Effect.MODEL

    @property
    def needs_plan(self) -> bool:
        """Always: where it cuts, and how long processes wait, follows from what all parts take."""
        return True

    def refuse(self, site: Site) -> Reason | None:
        """One process, more than there are parts, or stages that divide the network among others."""
        options: Options = self.options
        ranks, places = site.ranks, [list(STAGES).index(name) for name in options.last]
        if ranks == 1:
            return ONE_PROCESS
        if ranks > len(STAGES):
            return Reason(
                text=f"The network has {len(STAGES)} parts, too few for {ranks} processes.",
                hint=f"Choose from 2 to {len(STAGES)} processes.",
            )
        if options.last and (len(places) != ranks - 1 or places != sorted({*places} - {len(STAGES) - 1})):
            return Reason(
                text=f"{'+'.join(options.last)} does not divide the network among {ranks} processes.",
                hint=f"Name {ranks - 1} stages in the order of the network, and not its end, or none.",
            )
        return None

    def with_plan(self, before: MemoryEstimate, site: Site) -> ModelParallel:
        """With the last stages of each process, and what is to be said. Raises UsageError where one would have no part,
        such as where the last two stages are run as one."""
        options: Options = self.options
        micro = self.predict(before, site)
        ends = options.last or _ends(micro, site.costs, site.ranks, options.cut)
        planned = ModelParallel(replace(options, last=ends))
        estimate = planned.predict(before, site)
        if not all(estimate.placed):
            raise UsageError(
                f"Cannot divide the network among {site.ranks} processes.",
                detail=f"Cut behind {' and '.join(ends)}, one of them has nothing to run.",
                hint="Choose other stages for last, or leave it out.",
            )
        works = account.account(estimate, site.costs, ranks=site.ranks).works
        return ModelParallel(planned.options, reported=(_reported([work.flops for work in works], site.shape.batch),))

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Single images; each rank's parts where they have been planned."""
        options: Options = self.options
        batch = site.shape.batch
        found = replace(
            before,
            shape=replace(before.shape, batch=1),
            waiting=batch - 1,
            schedule=options.schedule,
            notes=(*before.notes, *self._reported),
        )
        if not options.last:
            return found
        ranks = schedule.ranks_of(before.parts, self._stages)
        placed = tuple(
            tuple(part.name for part, its in zip(before.parts, ranks, strict=True) if its == rank)
            for rank in range(site.ranks)
        )
        return found.divided(placed, site.costs.facts.weights)

    def apply(self, build: Build) -> None:
        """The chain is divided, and so are the weights: by what the first rank has found, for all of them."""
        from fullfield.distribution.owners import Owners
        from fullfield.model.placed import Placed

        names = list(STAGES)
        places = build.ranks.agree([float(names.index(last)) * build.ranks.writes for last in self.options.last])
        stages = _divided([names[int(place)] for place in places])
        placed = Placed(build.chain, build.ranks, build.device, stages=stages, order=self.options.schedule)
        by_name = {
            f"stages.{stage}.{name}": rank
            for stage, rank in placed.by_stage.items()
            for name in build.network.stages[stage].state_dict()
        }
        build.placed = placed
        build.owners = Owners(ranks=build.ranks, by_name=by_name, gradients=True, weights=frozenset(by_name))
        for name, parameter in build.network.named_parameters():
            if not build.owners.mine(name):
                parameter.data.untyped_storage().resize_(0)
        build.notices += self._reported

    @property
    def _stages(self) -> list[tuple[str, ...]]:
        return _divided(self.options.last)


def _ends(micro: MemoryEstimate, costs: Costs, ranks: int, cut: str) -> tuple[str, ...]:
    """The last stage of each rank but the last one. Raises UsageError where there are fewer parts than ranks."""
    encoder = sum(part.stages[0] in ENCODER for part in micro.parts)
    groups = [(len(micro.parts), ranks)]
    if cut == HALVES:
        groups = [(encoder, ranks // 2), (len(micro.parts) - encoder, ranks - ranks // 2)]
    try:
        counts = cuts.balanced(micro, costs, groups)
    except ValueError as error:
        raise UsageError(
            f"Cannot divide the network among {ranks} processes.", detail=f"{error}.", hint="Choose fewer processes."
        ) from error
    return tuple(micro.parts[end - 1].stages[-1] for end in accumulate(counts[:-1]))


def _reported(work: Sequence[int], count: int) -> str:
    """What is said before a training. `work`: FLOPs of each rank."""
    ranks = len(work)
    shares = ", ".join(f"{one / sum(work):.0%}" for one in work)
    text = f"{ranks} processes have parts of the network with these shares of its work: {shares}. "
    if count == 1:
        return text + "With one image in a batch they take turns: only one of them computes at a time."
    waits = schedule.bubble(ranks, count)
    return text + f"With {count} images in a batch each waits for others {waits:.0%} of the time, at least."


def _divided(last: Sequence[str]) -> list[tuple[str, ...]]:
    """The stages of each rank, of which these are the last ones but for the last rank."""
    names = list(STAGES)
    ends = [0, *(names.index(one) + 1 for one in last), len(names)]
    return [tuple(names[first:end]) for first, end in pairwise(ends)]
