"""Mixed precision: maps and products in a shorter format, weights and optimizer in fp32.

The head, sigmoid and the loss stay in fp32 whatever the format, for MS-SSIM in half precision is worthless. An
evaluation has the format too: in fp32 it could take more memory than the steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import NORM, Work
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

_NEWEST = (8, 0)  # compute capability of the first cards with bf16 and TF32 units (Ampere)
_CPU_BF16_TIME = 1 / 1.73  # measured: a training step at 256², batch 2, of a CPU with AMX
NOTE = "How much faster a card computes with shorter numbers was measured on one alone, which took half the time."


@dataclass(frozen=True, kw_only=True)
class Options:
    """The format of numbers."""

    format: str = option(
        "bf16",
        "bf16 for cards from 2020 on and CPUs with bf16 units; fp16 for older cards; tf32 saves time alone.",
        choices=("fp32", "tf32", "bf16", "fp16"),
    )


class Precision(Technique):
    """See the module."""

    name = "precision"
    title = "Shorter numbers"
    sentence = (
        "Computes with numbers of half the length, which takes about half the memory and is faster on most cards."
    )
    source = "Micikevicius et al. 2018, Mixed Precision Training; Kalamkar et al. 2019, A Study of BFLOAT16"
    stage = Stage.PRECISION
    effect = Effect.APPROXIMATE
    any_network = True
    Options = Options

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """The formats that save memory."""
        return tuple(Candidate(technique=cls(Options(format=name))) for name in ("bf16", "fp16"))

    def effect_on(self, site: Site) -> Effect:
        """fp32 is what the plain training computes in."""
        return Effect.EXACT if self.options.format == "fp32" else Effect.APPROXIMATE

    def refuse(self, site: Site) -> Reason | None:
        """By the units that the device has; on a card and the CPU, which would not send each other the same maps."""
        wanted = self.options.format
        if wanted == "fp32":
            return None
        if site.mixed:
            return Reason(
                text=f"A card and the CPU round to {wanted} at other places than one another.", hint="Leave it out."
            )
        old = min(card.capability for card in site.devices) < _NEWEST
        if site.kind == "cuda":
            if wanted == "fp16" or not old:
                return None
            return Reason(
                text=f"This card has no {wanted} units.",
                hint="Choose precision:format=fp16." if wanted == "bf16" else "Leave it out.",
            )
        if wanted == "tf32":
            return Reason(text="TF32 is a format of NVIDIA's cards, and this is a CPU.", hint="Leave it out.")
        if any(wanted in card.slow for card in site.devices):
            return Reason(
                text=f"This CPU has no {wanted} units: a training would take several times as long as in fp32.",
                hint="Leave it out.",
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The format of the maps; TF32 is stored as fp32 is."""
        wanted = self.options.format
        time = before.time * (_CPU_BF16_TIME if wanted == "bf16" else 1.0)
        notes = before.notes if site.kind == "cpu" or wanted == "fp32" else (*before.notes, NOTE)
        of_owners = before.of_owners + (NORM if wanted == "fp16" else Work())  # before its scale is taken out
        return replace(before, precision=wanted, time=time, notes=notes, of_owners=of_owners)

    def apply(self, build: Build) -> None:
        """Autocast around the forward, or TF32 throughout the step; a scaler of the loss for fp16."""
        import torch

        from fullfield.kernels import full_precision
        from fullfield.model import autocast

        wanted = self.options.format
        if wanted == "tf32":
            build.throughout.append(full_precision.tf32)
            build.structure = full_precision.protected(build.structure)
        elif wanted != "fp32":
            kind = next(build.network.parameters()).device.type  # a trace's is "meta"
            dtype = torch.bfloat16 if wanted == "bf16" else torch.float16
            build.around.append(partial(autocast.on, kind, dtype))
        if wanted == "fp16":
            build.scaler = torch.amp.GradScaler(build.device.type)
