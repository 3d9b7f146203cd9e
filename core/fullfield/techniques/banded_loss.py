"""The loss in bands of rows: 1 − MS-SSIM with its gradient computed in one pass, instead of twenty maps kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build


@dataclass(frozen=True, kw_only=True)
class Options:
    """How high a band is."""

    rows: int = option(0, "Rows of the image that are computed at once; 0: what is fast.", least=0)


class BandedLoss(Technique):
    """1 − MS-SSIM in bands, compiled where a compiler is."""

    name = "banded_loss"
    title = "Loss in bands"
    sentence = (
        "Compares the result with the reference strip by strip: the same number, many times faster, in less memory."
    )
    source = "Wang, Simoncelli, Bovik: Multiscale structural similarity (Asilomar 2003)"
    stage = Stage.LOSS
    effect = Effect.EXACT
    brings = True
    any_network = True
    Options = Options

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """`loss` names the variant: without a compiler the kernel runs operation by operation."""
        return replace(before, loss="banded-eager" if site.compiler else "banded", stored_reference=True)

    def apply(self, build: Build) -> None:
        """Compiles the kernel once for all sizes (minutes the first time, then kept on disk); says where it cannot."""
        from fullfield.kernels import msssim
        from fullfield.kernels.msssim_shares import SharedStructure

        structure, notice = msssim.chosen(build.device, band_rows=self.options.rows, trial=not build.counted)
        build.structure_of_whole = structure
        build.structure = structure if build.team.size == 1 else SharedStructure(of=structure, team=build.team)
        build.stored_reference = True
        if notice:
            build.notices.append(notice)
