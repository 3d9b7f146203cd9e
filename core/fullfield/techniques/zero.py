"""What is the same on all processes of a training is kept by one of them: ZeRO.

Every tensor of weights has one owner, so that owners have as many bytes as one another. By level, an owner alone

    1   remembers what the optimizer does, and updates the weights, which the others get after it
    2   has their gradient too: it is summed on the owner inside backward, tensor by tensor, and the others let it go
    3   keeps the weights too: the others have those of a part of the network while it runs, forward and backward

Whole tensors have owners, where the paper cuts them into equal pieces: so a checkpoint is the file of one process, and
optimizers that look at whole layers compute what they always do. Together with an optimizer in the host tier it is
ZeRO-Offload. What is saved does not depend on the images: three times the bytes of the weights at most, beside what one
process has (two of Adam, one of gradients), and the weights themselves.

`full_bands` is one part of the network: at level 3 all weights are there while a step runs, and go one by one as
backward has their gradients.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fullfield.distribution.owners import balanced
from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Work
from fullfield.memory.kept import Owned, brought
from fullfield.techniques.base import ONE_PROCESS, Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

STATE, GRADIENTS, WEIGHTS = 1, 2, 3


@dataclass(frozen=True, kw_only=True)
class Options:
    """The paper's stages."""

    level: int = option(
        STATE,
        "What a process keeps of its own weights alone: 1 the optimizer's memory, 2 gradients too, 3 weights too",
        choices=(STATE, GRADIENTS, WEIGHTS),
    )


class Zero(Technique):
    """See the module."""

    name = "zero"
    title = "Optimizer shared among processes"
    sentence = "Each process remembers, and updates, only its part of the network, where all would do the same."
    source = (
        "Rajbhandari, Rasley, Ruwase, He 2020, ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, "
        "§ 5, § 7"
    )
    stage = Stage.REPLICAS
    effect = Effect.EXACT
    needs_one_of = ("data_parallel", "spatial")
    Options = Options

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """Every level, where there is anybody to share with."""
        if site.ranks == 1:
            return ()
        return tuple(Candidate(technique=cls(Options(level=level))) for level in (STATE, GRADIENTS, WEIGHTS))

    def refuse(self, site: Site) -> Reason | None:
        """One process."""
        if site.ranks == 1:
            return Reason(text="There is one process, which keeps everything.", hint=ONE_PROCESS.hint)
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """What each process owns. From level 2 on gradients go to their owner, one by one.

        What goes from one to all, or from all to one, counts as half of what all sum (`distribution.traffic`): weights
        after an update, gradients to their owners, and weights once more.
        """
        facts, level = site.costs.facts, self.options.level
        owner = balanced(facts.parameters, site.ranks)
        names: list[list[str]] = [[] for _ in range(site.ranks)]
        order: dict[str, list[tuple[int, int]]] = {stage: [] for stage in facts.weights}
        for name in reversed([*facts.parameters]):
            names[owner[name]].append(name)
            order[facts.stage(name)].append((facts.parameters[name], owner[name]))
        sizes = facts.parameters.values()
        summed = Work(shared=sum(sizes) // 2, collectives=len(sizes))
        once = brought(facts.parameters, owner)
        by_part = [
            brought({name: size for name, size in facts.parameters.items() if facts.stage(name) in part.stages}, owner)
            for part in before.parts
        ]
        again = {
            STATE: Work(),
            GRADIENTS: summed,
            WEIGHTS: sum([*by_part, *by_part[:-1]], summed),  # the last one's stay from forward to backward
        }
        return replace(
            before,
            owned=Owned(
                by_rank=tuple(map(facts.by_stage, names)),
                gradients=level >= GRADIENTS,
                weights=level >= WEIGHTS,
                order=order,
            ),
            summed=None if level >= GRADIENTS else before.summed,
            exchanged=before.exchanged + again[level] + (once if level < WEIGHTS else Work()),
            again=before.again + again[level],
        )

    def apply(self, build: Build) -> None:
        """The owners; at level 3 also the parts, which get their weights before they run."""
        from fullfield.distribution.gathered import Gathered
        from fullfield.distribution.owners import Owners
        from fullfield.model.chain import Chain

        named = dict(build.network.named_parameters())
        whole = self.options.level < WEIGHTS
        build.owners = Owners(
            ranks=build.ranks,
            by_name=balanced({name: one.nbytes for name, one in named.items()}, build.ranks.size),
            gradients=self.options.level >= GRADIENTS,
            weights=frozenset() if whole else frozenset(named),
        )
        if whole:
            return
        parts = build.chain.parts
        names = {parameter: name for name, parameter in named.items()}
        used = [
            [names[one] for stage in part.stages for one in build.network.stages[stage].parameters()] for part in parts
        ]
        gathered = build.gathered = Gathered(build.owners, named, used)
        build.chain = Chain([replace(part, run=gathered.around(place, part.run)) for place, part in enumerate(parts)])
        build.as_result.append(gathered.whole)
