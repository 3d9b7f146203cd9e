"""Working in bands where the maps are large, and by hand where they are not: the least memory per FLOP that we know.

The stem, and the last decoder block with the head, are streamed in row bands, so none of their inner maps ever exists
whole. d1 … d4 make the inputs of their convolutions band by band. Residual blocks keep nothing but their input, nested
layers nothing but the layer's; BatchNorm and ReLU are computed again in place. With the stem nested, layer1 is computed
again from the image; of d1 and d2 nested nothing is kept, and d1 … d3 are one part.

    layer1.pool   the stem and layer1's pooling, streamed; the stem's own map does not exist
    layer1 … 4    their blocks by hand
    d1 … d3       their inputs in bands
    d4            likewise, with the stem's rows made again from the image
    head          d5 and the head, streamed; `fused`: with d4 before them

Blocks that are not basic ones are segments of a single band (`bands.layers`). An encoder that does not pool behind its
stem keeps the stem's map, which is small, for d4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.memory.account import MemoryEstimate, PartPlan
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.stages import DEEP, FULL, HALF, HEAD, INPUT, LAYERS, POOL, STAGES, STEM, STRIDES
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique, Tier, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from torch import Tensor

    from fullfield.distribution.team import Team
    from fullfield.kernels.away import Away
    from fullfield.model.network import Network
    from fullfield.techniques.build import Build

CPU_TIME = 1.15  # of a step of equal FLOPs: measured on a CPU at 512 pixels, 1.11 to 1.19
DEEPER = 4  # times as many rows have bands of d1 to d3: the step's memory peaks in d4


@dataclass(frozen=True, kw_only=True)
class Options:
    """How finely the work is cut, and how much is computed again. The decoder blocks before that of `block_rows` have
    `DEEPER` times as many; of processes that share an image each takes fewer rows in a band (`bands.layers.height`)."""

    rows: int = option(192, "Rows of the image in one band", least=16, most=4096)
    block_rows: int = option(64, "Rows in one band of the decoder block before the last", least=4, most=4096)
    nested: tuple[str, ...] = option(
        LAYERS[:2],
        "Layers of which only the output is kept, and a stem and decoder blocks of which nothing is: less memory, "
        "more time",
        choices=(STEM, *LAYERS, *DEEP[:-1]),
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
        """With more and more nested."""
        wide, stem = 256, (STEM,) if ENCODERS[site.shape.encoder].pools else ()
        return (
            Candidate(technique=cls()),
            Candidate(technique=cls(Options(nested=(*stem, *LAYERS[:3]), rows=wide))),
            Candidate(technique=cls(Options(nested=(*stem, *LAYERS, *DEEP[:-1]), rows=wide)), tier=Tier.TIGHT),
        )

    def refuse(self, site: Site) -> Reason | None:
        """The stem nested, where its map is another block's."""
        options: Options = self.options
        if STEM not in options.nested or ENCODERS[site.shape.encoder].pools:
            return None
        return Reason(text="This network's stem makes a map that a decoder block needs.", hint="Nest layers alone.")

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """All parts anew."""
        parts = self._plans(before.shape.encoder)
        return replace(before, parts=parts, stored_input=True, time=before.time * CPU_TIME)

    def apply(self, build: Build) -> None:
        """All parts anew."""
        from fullfield.model.chain import Chain, Part

        runs = self._runs(build.network, build.team)
        build.in_bands = build.stored_input = True
        build.chain = Chain(
            [
                Part(name=plan.name, takes=plan.takes, stages=plan.stages, method=plan.method, run=runs[plan.name])
                for plan in self._plans(build.network.spec.encoder)
            ]
        )

    def _plans(self, encoder: str) -> tuple[PartPlan, ...]:
        options: Options = self.options
        pools = ENCODERS[encoder].pools
        skip, again = (INPUT, (STEM,)) if pools else (STEM, ())
        streamed, made = f"bands:rows={options.rows}", f"recomputed:rows={options.block_rows}"
        parts = []
        if pools and STEM in options.nested:
            first, kept = (STEM, LAYERS[0]), "nested" if LAYERS[0] in options.nested else "blocks"
            parts.append(PartPlan(name=LAYERS[0], takes=(INPUT,), stages=first, method=f"{streamed}:{kept}"))
        else:
            parts.append(PartPlan(name=POOL if pools else STEM, takes=(INPUT,), stages=(STEM,), method=streamed))
        for name in LAYERS[len(parts[0].stages) - 1 :]:
            takes = (parts[0].name,) if name == LAYERS[0] else STAGES[name]
            method = "recomputed:nested" if name in options.nested else "recomputed:blocks"
            parts.append(PartPlan(name=name, takes=takes, stages=(name,), method=method))
        if dropped := [name for name in DEEP if name in options.nested]:
            parts.append(PartPlan(name=DEEP[-1], takes=LAYERS[::-1], stages=DEEP, method=f"{made}:{'+'.join(dropped)}"))
        else:
            for name in DEEP:
                parts.append(PartPlan(name=name, takes=STAGES[name], stages=(name,), method=made))
        if options.fused:
            stages = (*again, HALF, FULL, HEAD)
            parts.append(PartPlan(name=HEAD, takes=(DEEP[-1], skip), stages=stages, method=f"{streamed}:fused"))
        else:
            parts.append(PartPlan(name=HALF, takes=(DEEP[-1], skip), stages=(*again, HALF), method=made))
            parts.append(PartPlan(name=HEAD, takes=(HALF,), stages=(FULL, HEAD), method=streamed))
        return tuple(parts)

    def _runs(self, network: Network, team: Team) -> dict[str, Callable[..., Tensor | Away]]:
        """By the part's name."""
        from fullfield.bands import graph, layers
        from fullfield.bands.segment import Segment
        from fullfield.bands.streamed import Streamed
        from fullfield.bands.waiting import Piece

        options: Options = self.options
        rows, block_rows = (layers.height(each, team) for each in (options.rows, options.block_rows))
        pools = ENCODERS[network.spec.encoder].pools
        segment = partial(Segment, team=team)
        first, stride = (POOL, STRIDES[LAYERS[0]]) if pools else (STEM, STRIDES[STEM])
        begin = segment(graph.stem(network, pool=True), rows=max(1, rows // stride))
        runs: dict[str, Callable[..., Tensor | Away]]
        if pools and STEM in options.nested:
            blocks = layers.pieces(network, LAYERS[0], rows=rows, team=team)
            keep = {each.name for each in blocks} if LAYERS[0] not in options.nested else set()
            runs = {LAYERS[0]: Streamed([Piece(name=first, segment=begin), *blocks], keep=keep).run}
        else:
            runs = {first: begin.run}
        for name in LAYERS:
            if name not in runs:
                nested = name in options.nested
                runs[name] = _layer(network, name, nested=nested, rows=block_rows, team=team)
        if any(name in options.nested for name in DEEP):
            deep = [
                Piece(name=name, segment=segment(graph.decode(network, name), rows=DEEPER * block_rows))
                for name in DEEP
            ]
            keep = {*DEEP} - {*options.nested}
            runs[DEEP[-1]] = Streamed(deep, inputs=LAYERS[::-1], keep=keep).run
        else:
            for name in DEEP:
                runs[name] = _decoder(network, name, rows=DEEPER * block_rows, team=team)
        if options.fused:
            skip = graph.stem(network, pool=False, again=True) if pools else None
            last = graph.decode(network, FULL, of=graph.decode(network, HALF, skip=skip), head=True)
            runs[HEAD] = segment(last, rows=rows, overwrite=frozenset({DEEP[-1]})).run
        else:
            runs[HALF] = _decoder(network, HALF, rows=block_rows, team=team)
            last = graph.decode(network, FULL, head=True)
            runs[HEAD] = segment(last, rows=rows, overwrite=frozenset({HALF})).run
        return runs


def _layer(network: Network, name: str, *, nested: bool, rows: int, team: Team) -> Callable[..., Tensor | Away]:
    from fullfield.bands import layers, residual

    if not ENCODERS[network.spec.encoder].basic:
        rows = rows if team.size > 1 else layers.WHOLE
        return layers.streamed(network, name, nested=nested, rows=rows, team=team).run
    made: Any = network.stages[name]
    if nested:
        return partial(residual.run, list(made.blocks), keep_convolved=False, team=team)

    def run(x_NCHW: Tensor) -> Tensor:
        for block in made.blocks:
            x_NCHW = residual.run([block], x_NCHW, keep_convolved=False, team=team)
        return x_NCHW

    return run


def _decoder(network: Network, name: str, *, rows: int, team: Team) -> Callable[..., Tensor]:
    from fullfield.bands import decoder

    stages: Any = network.stages
    last = name == HALF
    image = last and ENCODERS[network.spec.encoder].pools  # in the place of the stem's map
    # The step's memory peaks in this block's backward, so only there it pays to run a convolution once more.
    keep = decoder.Keep.LEAST if last else decoder.Keep.NOTHING
    return partial(decoder.run, stages[name], rows=rows, keep=keep, stem=stages[STEM] if image else None, team=team)
