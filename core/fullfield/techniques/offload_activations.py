"""Activations moved to the host's memory between forward and backward."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import NO_CARD, SAME_MEMORY, Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

CPU_TIME = 1.15  # of a step: measured on a CPU by `fullfield bench time`, 1.12 to 1.23; a card's follows from bytes


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is moved, and how eagerly."""

    smallest: float = option(1.0, "MiB of a tensor; smaller ones stay on the card", least=0)
    ahead: int = option(1, "tensors on their way at once: more is faster and takes as many more", least=0, most=8)


class OffloadActivations(Technique):
    """What backward needs of forward waits in the computer's memory."""

    name = "offload_activations"
    title = "Activations in the computer's memory"
    sentence = (
        "Moves the intermediate images to the computer's own memory until they are needed again; results stay equal."
    )
    source = (
        "Rhu et al. 2016, vDNN: Virtualized Deep Neural Networks for Scalable, Memory-Efficient Neural Network Design"
    )
    stage = Stage.SAVED
    effect = Effect.EXACT
    Options = Options

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """As it is."""
        return (Candidate(technique=cls()),)

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The same parts; what they save lies in the host tier."""
        options: Options = self.options
        standard = Options()
        details = "" if options == standard else f":{options.smallest:g}+{options.ahead}"
        notes = before.notes if site.kind == "cuda" else (*before.notes, SAME_MEMORY)
        return replace(before, codec=f"offload{details}", time=before.time * CPU_TIME, notes=notes)

    def useless(self, site: Site) -> Reason | None:
        """Where the device is the CPU, its memory is the computer's."""
        return None if site.kind == "cuda" else NO_CARD

    def apply(self, build: Build) -> None:
        """Hooks around forward and loss, which know the parts."""
        from fullfield.model.chain import Chain
        from fullfield.saved_tensors.offloaded import Offloaded
        from fullfield.saved_tensors.saved import Saving

        smallest = round(self.options.smallest * 2**20)
        saving = Saving(build.network, partial(Offloaded, smallest=smallest, ahead=self.options.ahead))
        build.around.append(saving.step)
        build.chain = Chain([replace(part, run=saving.apart(part.run)) for part in build.chain.parts])
        build.structure = saving.apart(build.structure)
