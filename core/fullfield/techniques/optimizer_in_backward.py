"""Every weight is updated as soon as backward has its gradient, which is let go of at once.

An update that is made cannot be undone. So a loss that is not finite stops the step before backward, and a weight whose
gradient is not finite is left alone, while others may have been updated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Candidate, Effect, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

STARTS = 4  # operations for each tensor of weights, beside the plain update's few for all: counted
NOTE = "The optimizer inside backward saves the gradients of weights: at most as many bytes as the weights have."


class OptimizerInBackward(Technique):
    """See the module."""

    name = "optimizer_in_backward"
    title = "Update inside backward"
    sentence = "Uses each correction as soon as it is known and forgets it, instead of collecting all of them first."
    source = "Lv et al. 2023, Full Parameter Fine-tuning for Large Language Models with Limited Resources (LOMO)"
    stage = Stage.STEP
    effect = Effect.EXACT
    excludes: ClassVar[Mapping[str, str]] = {
        "accumulate": "Each correction is forgotten at once, so those of several images cannot be added up.",
        "precision:format=fp16": "With fp16 a step is made again where its numbers grew too large, and an update that "
        "was made inside backward cannot be undone. Use bf16.",
    }

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """As it is."""
        return (Candidate(technique=cls()),)

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """No gradients of weights stay. On a CPU its time is the plain step's (measured: 0.998); on a card the program
        asks of every gradient whether it is finite, and waits for the answer.
        """
        tensors = site.costs.facts.tensors
        starts = before.update_starts + STARTS * tensors
        return replace(
            before, released=True, waits=before.waits + tensors, update_starts=starts, notes=(*before.notes, NOTE)
        )

    def apply(self, build: Build) -> None:
        """The step makes an optimizer for each parameter, with the optimizer that the build has."""
        build.in_backward = True
