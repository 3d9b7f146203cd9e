"""The rows of every image, and of every map that is made of it, divided among processes: one image over several cards.

Each process computes some rows of every map, and is given the few rows beside them that others have. BatchNorm's
statistics, the loss and the gradients of weights are those of the whole image, so the step is that of one process. All
of them have all weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

SHRINKS = 32  # rows of the image by those of the deepest map
NUMBERS = tuple(str(number) for number in range(1, 17))


@dataclass(frozen=True, kw_only=True)
class Options:
    """Who has how many of the rows."""

    portions: tuple[str, ...] = option(
        (),
        "How many parts of the rows each process has, such as 3+1 where one card has three times the memory of the "
        "other; all alike where nothing is said",
        choices=NUMBERS,
    )


class Spatial(Technique):
    """See the module."""

    name = "spatial"
    title = "One image shared among processes"
    sentence = (
        "Several processes work on the same image, each on some of its rows, on a card of its own where it can: an "
        "image that fits on no card fits on several."
    )
    source = (
        "Dryden, Maruyama, Benson, Moon, Snir, Van Essen 2019, Improving Strong-Scaling of CNN Training by Exploiting "
        "Finer-Grained Parallelism; Chan, Golub, LeVeque 1983, Algorithms for Computing the Sample Variance"
    )
    stage = Stage.PLACEMENT
    effect = Effect.EXACT
    needs = ("banded_loss",)
    needs_one_of = ("full_bands", "hybrid_bands")
    Options = Options
    excludes: ClassVar[Mapping[str, str]] = {
        "data_parallel": "All processes share the rows of each image, so none is left to take another image.",
    }

    def portions(self, ranks: int) -> tuple[int, ...]:
        """Of each rank."""
        return tuple(map(int, self.options.portions)) or (1,) * ranks

    def refuse(self, site: Site) -> Reason | None:
        """One process; portions for others than there are; more of them than the deepest map has rows."""
        if site.ranks == 1:
            return Reason(
                text="There is one process.", hint="The command line starts several: fullfield train --processes 2."
            )
        portions, most = self.portions(site.ranks), site.shape.height // SHRINKS
        if len(portions) != site.ranks:
            return Reason(
                text=f"There are {site.ranks} processes and {len(portions)} portions.", hint="Name one for each."
            )
        if sum(portions) > most:
            return Reason(
                text=f"Images of {site.shape.height} rows are divided into {most} parts at most, not {sum(portions)}.",
                hint="Choose fewer processes, or smaller portions.",
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Each process has its rows of everything but weights."""
        return replace(before, portions=self.portions(site.ranks))

    def apply(self, build: Build) -> None:
        """The ranks of the training share the rows of every image."""
        build.team = build.ranks.portioned(self.portions(build.ranks.size))
