"""Activations compressed to 8 or 4 bits between forward and backward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

CPU_TIME = 2.2  # of a step, 8 and 4 bits alike: measured on a CPU by `fullfield bench time`, 2.1 to 2.6
NOTE = "What compressing costs on a card was measured on one alone: 4.7 times the plain step at 2,048 pixels."


@dataclass(frozen=True, kw_only=True)
class Options:
    """How coarsely."""

    bits: int = option(8, "bits of every value: 8 is hardly noticed, 4 takes half as much", choices=(8, 4))
    block: int = option(256, "values that share a scale: fewer are more exact", choices=(64, 128, 256, 512))


class CompressedActivations(Technique):
    """What backward needs of forward is kept in a few bits, block by block, rounded so that its mean stays right."""

    name = "compressed_activations"
    title = "Compressed activations"
    sentence = (
        "Remembers the intermediate images with 8 or 4 bits instead of 32; the training becomes a little noisier."
    )
    source = (
        "Chen et al. 2021, ActNN: Reducing Training Memory Footprint via 2-Bit Activation Compressed Training, ICML; "
        "Liu et al. 2022, GACT: Activation Compressed Training for Generic Network Architectures, ICML"
    )
    stage = Stage.SAVED
    effect = Effect.APPROXIMATE
    excludes: ClassVar[Mapping[str, str]] = {
        "offload_activations": "both take over the same tensors, and only one of them can have them."
    }
    Options = Options

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The same parts; what they save is coded."""
        options: Options = self.options
        block = f"x{options.block}" if options.block != 256 else ""
        coded = replace(before, codec=f"{options.bits}{block}")
        notes = before.notes if site.kind == "cpu" else (*before.notes, NOTE)
        return replace(coded, time=before.time * CPU_TIME, notes=notes)

    def apply(self, build: Build) -> None:
        """Hooks around forward and loss."""
        from fullfield.saved_tensors.compressed import Compressed
        from fullfield.saved_tensors.saved import Saving

        make = partial(Compressed, bits=self.options.bits, block=self.options.block)
        build.around.append(Saving(build.network, make).step)
