"""Working in bands throughout: every block is a segment, only maps between blocks exist, and few of them at a time.

    layer1.pool   the stem and layer1's pooling
    layer1 … 4    block by block
    d1 … d3       block by block
    head          d4, d5 and the head as one, with the stem made again from the image

An encoder that does not pool behind its stem begins with the stem's own map, which is small, and kept for d4.

Within a limit, maps wait, and so do the outputs of convolutions from one pass over the bands to the next, as long as
that saves more work than it costs; the others are computed again (`bands.streamed`).

It is one part of the chain: where a gradient may be written over a map, and when a map is freed, shows only where all
of them are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate, PartPlan
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.stages import DEEP, FULL, HALF, HEAD, INPUT, LAYERS, POOL, STAGES, STEM
from fullfield.techniques.base import NO_CARD, SAME_MEMORY, Candidate, Effect, Reason, Stage, Technique, Tier, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.bands.streamed import Streamed
    from fullfield.distribution.team import Team
    from fullfield.model.network import Network
    from fullfield.techniques.build import Build


WHOLE = (*LAYERS[1:], *DEEP[:2])  # whose maps are small
HIGHER = (*LAYERS[2:], *DEEP[1:])  # whose bands have room for more rows where the image is not as wide (decision 093)
ROW = 16 * 4288  # values in a row of the maps of these, of a ResNet-34 at native size
CPU_TIME = 1.15  # of a step of equal FLOPs: measured on a CPU at 256 pixels, 1.11


@dataclass(frozen=True, kw_only=True)
class Options:
    """How finely the work is cut, which maps wait for backward, and where. Of processes that share an image each takes
    fewer rows in a band (`bands.layers.height`)."""

    rows: int = option(192, "Rows of the image in one band: fewer take less memory and more time", least=8, most=4096)
    block_rows: int = option(56, "Rows in one band of the blocks before the last two", least=8, most=4096)
    keep: str = option(
        "fewest",
        "Where there is no limit, which maps wait for the way back: those of all blocks, of all stages, or the fewest",
        choices=("blocks", "stages", "fewest"),
    )
    limit: float = option(
        16.0,
        "The most maps that are there at once, in maps of the image's own size: where there is room, what is computed "
        "is kept, else it is computed again. 0: as many as are kept. Not in the host tier",
        least=0,
        most=1000,
    )
    whole: tuple[str, ...] = option((), "Stages whose blocks are computed whole: less work", choices=WHOLE)
    tier: str = option("device", "Where maps wait", choices=("device", "host"))


class FullBands(Technique):
    """See the module."""

    name = "full_bands"
    title = "Work in bands throughout"
    sentence = (
        "Works through every step in strips of the image, so that no large intermediate image ever exists whole: the "
        "least memory of all, with much more work. The plan says how much."
    )
    source = (
        "Alwani, Chen, Ferdman, Milder 2016, Fused-Layer CNN Accelerators; Chan, Golub, LeVeque 1983, Algorithms for "
        "Computing the Sample Variance; Chen, Xu, Zhang, Guestrin 2016, Training Deep Nets with Sublinear Memory Cost"
    )
    stage = Stage.ACTIVATIONS
    effect = Effect.EXACT
    in_bands = True
    Options = Options
    excludes: ClassVar[Mapping[str, str]] = {
        "checkpointing": "Both decide what is kept of every step of the network. Take the one that saves enough.",
        "momentum": "A momentum network computes its images in reverse, and has no blocks that could run in bands.",
        "quantization": "Bands bring their own convolutions, which know nothing of eight-bit weights.",
        "compile": "The compiler cannot see into the steps that are written by hand here.",
        "compressed_activations": "What waits for the way back is written over during training, so it stays as it is.",
        "offload_activations": "It moves its own maps to the host: choose its tier instead.",
    }

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """With room for more, then for fewer maps; last with its maps in the host tier."""
        less = (
            Options(limit=12.0, block_rows=48),
            Options(limit=10.5, block_rows=40),
            Options(tier="host"),
            Options(rows=32, block_rows=24, tier="host"),
        )
        return (
            Candidate(technique=cls(Options(limit=22.0, whole=LAYERS[3:])), tier=Tier.LAST_RESORT),
            Candidate(technique=cls(), tier=Tier.LAST_RESORT),
            *(Candidate(technique=cls(options), tier=Tier.UTMOST) for options in less),
        )

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """One part in the place of all."""
        same = self.options.tier == "host" and site.kind == "cpu"
        notes = (*before.notes, SAME_MEMORY) if same else before.notes
        away = self._away(before.stored_reference) and not before.portions
        loss = f"{before.loss}-away" if away else before.loss
        parts = (self._plan(away=away),)
        return replace(before, parts=parts, loss=loss, stored_input=True, time=before.time * CPU_TIME, notes=notes)

    def useless(self, site: Site) -> Reason | None:
        """Its host tier, where the device is the CPU."""
        return NO_CARD if self.options.tier == "host" and site.kind == "cpu" else None

    def apply(self, build: Build) -> None:
        """One part in the place of all."""
        from fullfield.model.chain import Chain, Part

        build.away = self._away(build.stored_reference) and build.team.size == 1
        plan = self._plan(away=build.away)
        run = self._streamed(build.network, away=build.away, team=build.team).run
        build.in_bands = build.stored_input = True
        build.chain = Chain([Part(name=plan.name, takes=plan.takes, stages=plan.stages, method=plan.method, run=run)])

    def _away(self, in_bands: bool) -> bool:
        """Whether the prediction lies in the host tier: where the loss takes it `in_bands`."""
        options: Options = self.options
        return options.tier == "host" and in_bands

    def _plan(self, *, away: bool) -> PartPlan:
        options: Options = self.options
        whole = "+".join(options.whole)
        method = (
            f"full_bands:rows={options.rows}:block_rows={options.block_rows}:keep={options.keep}:tier={options.tier}"
        )
        method += f":limit={options.limit:g}:whole={whole}{':away' * away}"
        return PartPlan(name=HEAD, takes=(INPUT,), stages=tuple(STAGES), method=method)

    def _streamed(self, network: Network, *, away: bool, team: Team) -> Streamed:
        from fullfield.bands import graph, layers
        from fullfield.bands.segment import Segment
        from fullfield.bands.streamed import Streamed
        from fullfield.bands.waiting import Piece

        segment = partial(Segment, team=team)
        options: Options = self.options
        host = options.tier == "host"
        limit = None if host else 4 * options.limit or None  # a map of the image's size has 4 bytes per pixel
        block_rows = layers.height(options.block_rows, team)
        half = block_rows // 2  # for the stem, whose map is four times as large
        has_room = limit is not None and team.size == 1
        values = dict.fromkeys(HIGHER, block_rows * ROW) if has_room else {}
        pools = ENCODERS[network.spec.encoder].pools
        first = POOL if pools else STEM
        pieces = [Piece(name=first, segment=segment(graph.stem(network, pool=True), rows=half))]
        for layer in LAYERS:
            rows = layers.WHOLE if layer in options.whole else block_rows
            block, *others = layers.pieces(network, layer, rows=rows, team=team)
            if layer == LAYERS[1]:
                again = Piece(name=block.name, segment=segment(graph.from_image(network), rows=half // 2))
                block = replace(block, shortcut=again)
            pieces += [replace(each, values=values.get(layer, 0)) for each in (block, *others)]
        for name in DEEP:
            rows = layers.WHOLE if name in options.whole else block_rows
            decoded = segment(graph.decode(network, name), rows=rows)
            pieces.append(Piece(name=name, segment=decoded, values=values.get(name, 0)))
        skip = graph.stem(network, pool=False, again=True) if pools else None
        last = graph.decode(network, FULL, of=graph.decode(network, HALF, skip=skip), head=True)
        pieces.append(Piece(name=HEAD, segment=segment(last, rows=layers.height(options.rows, team))))
        keep = {
            "blocks": {piece.name for piece in pieces},
            "stages": set(STAGES),
            "fewest": set(STAGES) - set(DEEP[:2]),
        }
        kept = keep["blocks" if limit else options.keep]
        return Streamed(pieces, keep=kept, host=host, away=away, limit=limit)
