"""Gradients that processes send to one another in fewer bytes than they have.

`fp16` and `bf16` sum numbers of half the bytes, and lose what those cannot hold. `int8`, `topk` and `powersgd` send
less, and remember what they have left out for the next step, in as many bytes as the weights have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

FP16, BF16, INT8, TOPK, POWERSGD = "fp16", "bf16", "int8", "topk", "powersgd"
HALVED = (FP16, BF16)
OF = {"share": TOPK, "rank": POWERSGD}
Q = 0.0035  # bytes of PowerSGD's Q for each of its columns, by those of weights: at most, of all encoders
OF_RANK = 0.0039  # of the bytes of gradients, what PowerSGD sends for each rank of its matrices: counted, of resnet34
COPIES = 3.0  # the gradient with what was left over, what is sent, and what is left over
UNSAVED = (
    "What gradient_compression left over is of each process, and in no checkpoint: it begins with nothing left over."
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is sent."""

    format: str = option(
        FP16,
        "Numbers of 16 or 8 bits, the largest numbers alone, or matrices of a low rank",
        choices=(FP16, BF16, INT8, TOPK, POWERSGD),
    )
    share: float = option(0.01, "Of all numbers, those that topk sends.", least=0.0001, most=0.2)
    rank: int = option(4, "Columns of powersgd's matrices.", least=1, most=64)


_SCALED = "precision:format=fp16"


class GradientCompression(Technique):
    """See the module."""

    name = "gradient_compression"
    title = "Compressed gradients"
    sentence = "Processes send each other less about every correction, where the network between them is slow."
    source = (
        "Seide et al. 2014, 1-bit SGD; Lin et al. 2018, Deep Gradient Compression; "
        "Stich et al. 2018, Sparsified SGD with Memory; Vogels et al. 2019, PowerSGD"
    )
    stage = Stage.REPLICAS
    effect = Effect.APPROXIMATE
    needs = ("data_parallel",)
    excludes: ClassVar[Mapping[str, str]] = {
        "zero:level=2": "There a gradient goes to its owner alone, tensor by tensor, and not in such a sum.",
        "zero:level=3": "There a gradient goes to its owner alone, tensor by tensor, and not in such a sum.",
        _SCALED: "With fp16 gradients grow and shrink with the scale of the loss, and what one step leaves over would "
        "be added to those of another scale. Use bf16.",
    }
    Options = Options

    @property
    def excluded(self) -> Mapping[str, str]:
        """What 16 bits leave over is forgotten, whatever the scale."""
        forgets = self.options.format in HALVED
        return {other: why for other, why in self.excludes.items() if not (forgets and other == _SCALED)}

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """Of cards, whose time is reckoned with what they say: in half the bytes, and then as matrices of a low rank,
        with which a training lost nothing that could be measured (decision 057)."""
        if site.kind == "cpu" or not 1 < site.ranks <= site.shape.batch:
            return ()
        return tuple(
            Candidate(technique=cls(options), shortens=True)
            for options in (Options(format=BF16), Options(format=POWERSGD, rank=16))
        )

    def refuse(self, site: Site) -> Reason | None:
        """One process; an option of another format; more processes than it saves bytes for."""
        options = self.options
        if site.ranks == 1:
            return Reason(text="There is one process, which sends nothing.", hint="See data_parallel.")
        for name, format_ in OF.items():
            if getattr(options, name) != getattr(Options(), name) and options.format != format_:
                return Reason(text=f"{name} is an option of {format_}.", hint=f"Add format={format_}, or leave it out.")
        # Everybody receives what every other one sends; of a sum of 4 bytes, in two messages, twice its bytes.
        most = {INT8: 8, TOPK: round(1 / options.share)}.get(options.format)
        if most is not None and site.ranks >= most:
            return Reason(
                text=f"With {site.ranks} processes {options.format} sends as many bytes as sums in 32 bits do: each "
                "receives what every other one sends.",
                hint=f"Use {POWERSGD}, {BF16} or {FP16}, or fewer than {most} processes.",
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Beside a bucket of gradients what is made of it; all but those of 16 bits remember what they left over."""
        options, summed = self.options, before.summed
        if summed is None:  # another technique that it needs is missing
            return before
        sent = {FP16: 0.5, BF16: 0.5, INT8: 0.25, TOPK: 2 * options.share, POWERSGD: OF_RANK * options.rank}
        halved = options.format in HALVED
        errors = 0.0 if halved else 1.0 + (Q * options.rank if options.format == POWERSGD else 0.0)
        sums = replace(summed, copies=0.5 if halved else COPIES, sent=sent[options.format])
        return replace(before, beside=before.beside + errors, summed=sums)

    def apply(self, build: Build) -> None:
        """Buckets of gradients are summed by it."""
        import torch

        from fullfield.distribution import compressed

        team, options = build.replicas, self.options
        if options.format in HALVED:
            build.summing = compressed.Cast(team, torch.float16 if options.format == FP16 else torch.bfloat16)
            return
        if options.format == INT8:
            build.summing = compressed.Int8(team)
        elif options.format == TOPK:
            build.summing = compressed.TopK(team, options.share)
        else:
            build.summing = compressed.LowRank(team, options.rank)
        build.unsaved.append(UNSAVED)
