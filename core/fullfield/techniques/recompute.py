"""Recomputing what is cheap: BatchNorm, ReLU, upsampling and concatenation run again in backward, convolutions do not.

Every part keeps the maps that it takes and what its convolutions gave; all else is made again from those, in place
where a map has served its purpose. The head belongs to the last decoder block, whose output is never kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.memory.account import MemoryEstimate, PartPlan
from fullfield.memory.costs import Key
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.stages import DECODERS, FULL, HEAD, LAYERS, STAGES, STEM
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.model.network import Network
    from fullfield.techniques.build import Build

METHOD = "recomputed"
CPU_TIME = 1.15  # of a step of equal FLOPs: measured on a CPU at 512 pixels, 1.13 to 1.22
ROWS = 64  # of a decoder block's output; a band's inputs are then a few MiB


class Recompute(Technique):
    """See the module."""

    name = "recompute"
    title = "Recompute the cheap steps"
    sentence = (
        "Keeps only what is expensive to compute and makes the rest again when it is needed: about half the memory, "
        "hardly slower on a processor, up to three times as slow on a card."
    )
    source = (
        "Chen, Xu, Zhang, Guestrin 2016, Training Deep Nets with Sublinear Memory Cost; Rota Bulò, Porzi, Kontschieder "
        "2018, In-Place Activated BatchNorm for Memory-Optimized Training of DNNs"
    )
    stage = Stage.ACTIVATIONS
    effect = Effect.EXACT
    excludes: ClassVar[Mapping[str, str]] = {
        "data_parallel:batch_norm=joint": "It finds the statistics of one process's images alone.",
        "checkpointing": "Both decide what is kept of every step of the network. Take the one that saves enough.",
        "hybrid_bands": "Working in bands recomputes the cheap steps already.",
        "full_bands": "Working in bands recomputes the cheap steps already.",
        "momentum": "A momentum network gets its images back by computing in reverse and has nothing to recompute.",
        "quantization": "Recomputing brings its own convolutions, which know nothing of eight-bit weights.",
        "compile": "The compiler cannot see into the steps that are written by hand here.",
        "compressed_activations": "What is kept here is written over during training and must not be packed.",
        "offload_activations": "What is kept here is written over during training and must stay on the device.",
    }

    def refuse(self, site: Site) -> Reason | None:
        """An encoder of other blocks than those that are written by hand here."""
        if ENCODERS[site.shape.encoder].basic:
            return None
        return Reason(
            text=f"It is written for the blocks of ResNet-34 and ResNet-18; {site.shape.encoder} has others.",
            hint="Take checkpointing or hybrid_bands.",
        )

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """As it is."""
        return (Candidate(technique=cls()),)

    @classmethod
    def running(cls, key: Key) -> Recompute | None:
        """It has no options."""
        return cls() if key.method == METHOD else None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """All parts anew."""
        return replace(before, parts=_plans(), time=before.time * CPU_TIME)

    def apply(self, build: Build) -> None:
        """All parts anew."""
        from fullfield.model.chain import Chain, Part

        build.chain = Chain(
            [
                Part(name=plan.name, takes=plan.takes, stages=plan.stages, method=plan.method, run=run)
                for plan, run in zip(_plans(), _runs(build.network), strict=True)
            ]
        )


def _plans() -> tuple[PartPlan, ...]:
    names = [name for name in STAGES if name not in (FULL, HEAD)]
    parts = [PartPlan(name=name, takes=STAGES[name], stages=(name,), method=METHOD) for name in names]
    return (*parts, PartPlan(name=HEAD, takes=STAGES[FULL], stages=(FULL, HEAD), method=METHOD))


def _runs(network: Network) -> list[Callable[..., Any]]:
    """In the order of the plans."""
    from fullfield.bands import decoder, recomputed, residual

    stages: Any = network.stages
    runs: list[Callable[..., Any]] = [partial(recomputed.stem, stages[STEM])]
    for name in LAYERS:
        layer = stages[name]
        runs.append(partial(residual.run, list(layer.blocks), pool=layer.pool, keep_convolved=True))
    for name in DECODERS[:-1]:
        runs.append(partial(decoder.run, stages[name], rows=ROWS, keep=decoder.Keep.CONVOLVED))
    runs.append(partial(decoder.run, stages[FULL], rows=ROWS, keep=decoder.Keep.CONVOLVED, head=stages[HEAD]))
    return runs
