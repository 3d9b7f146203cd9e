"""Adam that remembers its two moments in four bits each, in blocks of 128 values with a scale of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Stage, Technique
from fullfield.techniques.site import Site
from fullfield.techniques.weights import COMPILED_WAITS, by_weights, update_time

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

STATE = 0.267  # bytes by those of fp32 weights, scales and the small tensors that stay fp32 included; measured
UPDATE = 13.3  # bytes that the update of a weight takes for a moment, by its own; measured, without a compiler
TIME = 1.6  # of the plain step at 512 pixels; `fullfield bench time`, a CPU
NOTE = "An optimizer in four bits saves 1.7 times the bytes of the weights, whatever the size of the images."


class Optimizer4bit(Technique):
    """See the module."""

    name = "optimizer_4bit"
    title = "Optimizer in four bits"
    sentence = "Keeps the optimizer's memory of past steps in short numbers: an eighth of its memory."
    source = "Li et al. 2023, Memory Efficient Optimizers with 4-bit States; torchao"
    stage = Stage.OPTIMIZER
    effect = Effect.APPROXIMATE
    brings = True

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

        build.optimizer = low_bit_adam.chosen(4, build.device)
