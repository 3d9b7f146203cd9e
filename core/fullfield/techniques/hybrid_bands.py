"""Working in bands where the maps are large, and by hand where they are not: the least memory per FLOP that we know.

The stem, and the last decoder block with the head, are streamed in row bands, so none of their inner maps ever exists
whole. d1 … d4 make the inputs of their convolutions band by band. Residual blocks keep nothing but their input, nested
layers nothing but the layer's; BatchNorm and ReLU are computed again in place.

    layer1.pool   the stem and layer1's pooling, streamed; the stem's own map does not exist
    layer1 … 4    their blocks by hand
    d1 … d3       their inputs in bands
    d4            likewise, with the stem's rows made again from the image
    head          d5 and the head, streamed; `fused`: with d4 before them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.memory.account import MemoryEstimate, PartPlan
from fullfield.model.stages import STAGES
from fullfield.techniques.base import Candidate, Effect, Stage, Technique, Tier, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from torch import Tensor, nn

    from fullfield.model.network import Network
    from fullfield.techniques.build import Build

LAYERS = ("layer1", "layer2", "layer3", "layer4")
POOL = "layer1.pool"
CPU_TIME = 1.15  # of a step of equal FLOPs: measured on a CPU at 512 pixels, 1.11 to 1.19
POOL_STRIDE = 4  # image rows by rows of the map behind the pooling


@dataclass(frozen=True, kw_only=True)
class Options:
    """How finely the work is cut, and how much is computed again."""

    rows: int = option(128, "Rows of the image in one band", least=16, most=4096)
    block_rows: int = option(64, "Rows in one band of the other decoder blocks", least=4, most=4096)
    nested: tuple[str, ...] = option(
        ("layer1", "layer2"), "Layers of which only the output is kept: less memory, more time", choices=LAYERS
    )
    fused: bool = option(False, "Stream the last two decoder blocks as one: less memory, much more time")


class HybridBands(Technique):
    """See the module."""

    name = "hybrid_bands"
    title = "Work in bands"
    sentence = (
        "Works through the largest steps in strips of the image and keeps little of the others: native resolution in "
        "a fraction of the memory, with more work. The plan says how much."
    )
    source = (
        "Chen, Xu, Zhang, Guestrin 2016, Training Deep Nets with Sublinear Memory Cost; Alwani, Chen, Ferdman, Milder "
        "2016, Fused-Layer CNN Accelerators; Chan, Golub, LeVeque 1983, Algorithms for Computing the Sample Variance"
    )
    stage = Stage.ACTIVATIONS
    effect = Effect.EXACT
    in_bands = True
    Options = Options
    excludes: ClassVar[Mapping[str, str]] = {
        "checkpointing": "Both decide what is kept of every step of the network. Take the one that saves enough.",
        "full_bands": "Both cut the same steps into bands. Take the one that saves enough.",
        "momentum": "A momentum network computes its images in reverse, and has no blocks that could run in bands.",
        "quantization": "Bands bring their own convolutions, which know nothing of eight-bit weights.",
        "compile": "The compiler cannot see into the steps that are written by hand here.",
        "compressed_activations": "Hardly anything is kept, and that is written over during training.",
        "offload_activations": "Hardly anything is kept, and that is written over during training.",
    }

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """With more and more layers nested; all of them, and the last blocks fused, is much slower."""
        return (
            Candidate(technique=cls()),
            Candidate(technique=cls(Options(nested=LAYERS[:3]))),
            Candidate(technique=cls(Options(nested=LAYERS, fused=True)), tier=Tier.TIGHT),
        )

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """All parts anew."""
        return replace(before, parts=self._plans(), time=before.time * CPU_TIME)

    def apply(self, build: Build) -> None:
        """All parts anew."""
        from fullfield.model.chain import Chain, Part

        runs = self._runs(build.network)
        build.in_bands = True
        build.chain = Chain(
            [
                Part(name=plan.name, takes=plan.takes, stages=plan.stages, method=plan.method, run=runs[plan.name])
                for plan in self._plans()
            ]
        )

    def _plans(self) -> tuple[PartPlan, ...]:
        options: Options = self.options
        streamed, made = f"bands:rows={options.rows}", f"recomputed:rows={options.block_rows}"
        parts = [PartPlan(name=POOL, takes=("input",), stages=("stem",), method=streamed)]
        for name in LAYERS:
            takes = (POOL,) if name == "layer1" else STAGES[name]
            method = "recomputed:nested" if name in options.nested else "recomputed:blocks"
            parts.append(PartPlan(name=name, takes=takes, stages=(name,), method=method))
        for name in ("d1", "d2", "d3"):
            parts.append(PartPlan(name=name, takes=STAGES[name], stages=(name,), method=made))
        if options.fused:
            stages: tuple[str, ...] = ("stem", "d4", "d5", "head")
            parts.append(PartPlan(name="head", takes=("d3", "input"), stages=stages, method=f"{streamed}:fused"))
        else:
            parts.append(PartPlan(name="d4", takes=("d3", "input"), stages=("stem", "d4"), method=made))
            parts.append(PartPlan(name="head", takes=("d4",), stages=("d5", "head"), method=streamed))
        return tuple(parts)

    def _runs(self, network: Network) -> dict[str, Callable[..., Tensor]]:
        """By the part's name."""
        from fullfield.bands import decoder, graph
        from fullfield.bands.segment import Segment

        options: Options = self.options
        stages: Any = network.stages
        by_hand = partial(decoder.run, rows=options.block_rows)
        runs: dict[str, Callable[..., Tensor]] = {
            POOL: Segment(graph.stem(network, pool=True), rows=max(1, options.rows // POOL_STRIDE)).run
        }
        for name in LAYERS:
            runs[name] = _layer(list(stages[name].blocks), nested=name in options.nested)
        for name in ("d1", "d2", "d3"):
            runs[name] = partial(by_hand, stages[name], keep=decoder.Keep.NOTHING)
        if options.fused:
            below = graph.decode(network, "d4", skip=graph.stem(network, pool=False, again=True))
            last = graph.decode(network, "d5", of=below, head=True)
            runs["head"] = Segment(last, rows=options.rows, overwrite=frozenset({"d3"})).run
        else:
            # The step's memory peaks in d4's backward, so only there it pays to run a convolution once more.
            runs["d4"] = partial(by_hand, stages["d4"], stem=stages["stem"], keep=decoder.Keep.LEAST)
            last = graph.decode(network, "d5", head=True)
            runs["head"] = Segment(last, rows=options.rows, overwrite=frozenset({"d4"})).run
        return runs


def _layer(blocks: list[nn.Module], *, nested: bool) -> Callable[[Tensor], Tensor]:
    from fullfield.bands import residual

    if nested:
        return partial(residual.run, blocks, keep_convolved=False)

    def run(x_NCHW: Tensor) -> Tensor:
        for block in blocks:
            x_NCHW = residual.run([block], x_NCHW, keep_convolved=False)
        return x_NCHW

    return run
