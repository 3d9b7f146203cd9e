"""Adam that remembers its two moments in eight bits each, in blocks of 256 values with a scale of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Stage, Technique
from fullfield.techniques.site import Site
from fullfield.techniques.weights import COMPILED_WAITS, by_weights, update_time

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

STATE = 0.51  # bytes by those of fp32 weights, scales and the small tensors that stay fp32 included; measured
UPDATE = 13.3  # bytes that the update of a weight takes for a moment, by its own; measured, without a compiler
TIME = 3.0  # of the plain step at 512 pixels; `fullfield bench time`, a CPU
NOTE = "An optimizer in eight bits saves 1.5 times the bytes of the weights, whatever the size of the images."


class Optimizer8bit(Technique):
    """See the module."""

    name = "optimizer_8bit"
    title = "Optimizer in eight bits"
    sentence = "Keeps the optimizer's memory of past steps in short numbers: a quarter of its memory."
    source = "Dettmers et al. 2022, 8-bit Optimizers via Block-wise Quantization; torchao"
    stage = Stage.OPTIMIZER
    effect = Effect.APPROXIMATE
    brings = True
    excludes: ClassVar[Mapping[str, str]] = {"optimizer_4bit": "Both say how the optimizer remembers. Choose one."}

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The moments, and what the update of the largest weight takes for a moment."""
        update = UPDATE * by_weights(site.costs.facts.largest, site)
        time = before.time + update_time(TIME, site)
        waits = before.waits + COMPILED_WAITS * site.costs.facts.tensors
        before = replace(before, update=update, waits=waits, time=time)
        return replace(before, state=STATE, host_state=0.0, notes=(*before.notes, NOTE))

    def apply(self, build: Build) -> None:
        """torchao's Adam."""
        from fullfield.optim import low_bit_adam

        build.optimizer = low_bit_adam.chosen(8, build.device)
