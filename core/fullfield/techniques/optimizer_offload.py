"""Adam's two moments in the host's memory; the update fetches and returns them in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import NO_CARD, SAME_MEMORY, Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site
from fullfield.techniques.weights import by_weights

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

NOTE = "Moving the optimizer to the host saves twice the bytes of the weights, whatever the size of the images."
SENT = 4.0  # by the bytes of the weights: two moments, there and back
STARTS, WAITS = 8, 4  # operations for each piece, and how many of them are copies that are waited for: counted


@dataclass(frozen=True, kw_only=True)
class Options:
    """How it is moved."""

    chunk: int = option(4, "MiB of each moment that are on the device at once.", least=1, most=1024)


class OptimizerOffload(Technique):
    """See the module."""

    name = "optimizer_offload"
    title = "Optimizer in the computer's memory"
    sentence = "Keeps the optimizer's memory of past steps outside the card and fetches it piece by piece."
    source = "Ren et al. 2021, ZeRO-Offload: Democratizing Billion-Scale Model Training"
    stage = Stage.OPTIMIZER
    effect = Effect.EXACT
    excludes: ClassVar[Mapping[str, str]] = {
        "optimizer_8bit": "Both say where and how the optimizer remembers. Choose one.",
        "optimizer_4bit": "Both say where and how the optimizer remembers. Choose one.",
    }
    Options = Options

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """As it is."""
        return (Candidate(technique=cls()),)

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Two moments on the host; of each a piece on the device while it is updated. On a CPU that takes no time that
        could be measured (0.98 of the plain step at 320 pixels).
        """
        chunk = self.options.chunk << 20
        facts = site.costs.facts
        pieces = facts.tensors + sum(facts.weights.values()) // chunk
        return replace(
            before,
            state=0.0,
            host_state=2.0,
            update=2.0 * by_weights(min(chunk, site.costs.facts.largest), site),
            sent=SENT,
            waits=before.waits + WAITS * pieces,
            update_starts=before.update_starts + STARTS * pieces,
            notes=(*before.notes, NOTE if site.kind == "cuda" else SAME_MEMORY),
        )

    def useless(self, site: Site) -> Reason | None:
        """Where the device is the CPU, its memory is the computer's."""
        return None if site.kind == "cuda" else NO_CARD

    def apply(self, build: Build) -> None:
        """Another Adam."""
        from fullfield.optim.host_adam import HostAdam

        build.optimizer = partial(HostAdam, chunk_bytes=self.options.chunk << 20)
