"""The rows of every image, and of every map that is made of it, divided among processes: one image over several cards.

Each process computes some rows of every map, and is given the few rows beside them that others have. BatchNorm's
statistics, the loss and the gradients of weights are those of the whole image, so the step is that of one process. All
of them have all weights. With `data_parallel` they are a grid: a few processes share the rows of an image, and others
those of the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fullfield.distribution import share
from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import ONE_PROCESS, PORTIONS, Candidate, Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Several, Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

SHRINKS = 32  # rows of the image by those of the deepest map
LARGEST_SUM = 16
NONE_LEFT = "All processes share the rows of each image, so none is left to take another image."


_OWN_WAY = "It computes the network in a way of its own, which knows whole images alone. Use bands."
_WHOLE = "A part of the network has its gradients, and sums them over all rows, as one. Choose level 1 of zero."


@dataclass(frozen=True, kw_only=True)
class Options:
    """Who has how many of the rows."""

    portions: tuple[str, ...] = option(
        (),
        "How many parts of the rows each process has, such as 3+1 where one card has three times the memory of the "
        "other; all alike where nothing is said",
        choices=PORTIONS,
    )
    processes: int = option(
        0,
        "How many processes share one image, where others have the next image of the batch (data_parallel); 0: all",
        least=0,
        most=LARGEST_SUM,
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
    Options = Options
    excludes: ClassVar[Mapping[str, str]] = {
        "ddp": NONE_LEFT,
        "checkpointing": "Processes that share an image meet at every BatchNorm, and nowhere a second time. Use bands.",
        "momentum": _OWN_WAY,
        "quantization": _OWN_WAY,
        "recompute": _OWN_WAY,
        "compile": "The compiler would have to see what processes tell one another.",
        "zero:level=2": _WHOLE,
        "zero:level=3": _WHOLE,
    }

    @property
    def needed(self) -> tuple[str, ...]:
        """Groups of processes have different images."""
        return (*self.needs, "data_parallel") if self.options.processes else self.needs

    @property
    def excluded(self) -> Mapping[str, str]:
        """Where all share one image, no process is left to take another."""
        return self.excludes if self.options.processes else {"data_parallel": NONE_LEFT, **self.excludes}

    def portions(self, ranks: int) -> tuple[int, ...]:
        """Of each of those that share an image."""
        return tuple(map(int, self.options.portions)) or (1,) * (self.options.processes or ranks)

    @classmethod
    def unasked(cls, several: Several) -> bool:
        """On cards that were named, of which a batch has too few images for all: a CPU would have as many rows."""
        return several.own_cards and several.batch < several.ranks

    @classmethod
    def shared_by(cls, ranks: int) -> str:
        """See Technique."""
        return (
            f"{ranks} processes share the rows of each image (spatial): a batch has fewer images than there are cards."
        )

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        """All alike; of unlike devices by their speed, and by their memory. Grids of processes for several images."""
        most = min(LARGEST_SUM, site.rows // SHRINKS)
        groups = [count for count in range(2, min(site.ranks, most + 1)) if site.ranks % count == 0]
        grids = [cls(Options(processes=count)) for count in groups if site.ranks // count <= site.shape.batch]
        return tuple(Candidate(technique=one) for one in (*cls._of_all(site, most), *grids))

    @classmethod
    def _of_all(cls, site: Site, most: int) -> tuple[Spatial, ...]:
        if not 1 < site.ranks <= most:
            return ()
        speeds, sizes = ([getattr(card, name) for card in site.devices] for name in ("speed", "share_bytes"))
        found = [(1,) * site.ranks]
        for weights in (speeds, sizes) if min(speeds) > 0.0 else ():
            portions = share.in_portions(weights, most)
            found += [portions] if portions not in found and len(set(portions)) > 1 else []
        unlike = [tuple(map(str, portions)) for portions in found[1:]]
        return tuple(cls(Options(portions=portions)) for portions in ((), *unlike))

    def refuse(self, site: Site) -> Reason | None:
        """One process; processes that are left over; portions for others than there are; more of them than the deepest
        map of the lowest image has rows."""
        if site.ranks == 1:
            return ONE_PROCESS
        sharing = self.options.processes or site.ranks
        if sharing == 1 or site.ranks % sharing:
            return Reason(
                text=f"{site.ranks} processes cannot be divided into groups of {sharing} that share an image.",
                hint="Choose a number that divides them, and more than one.",
            )
        portions, most = self.portions(site.ranks), site.rows // SHRINKS
        if len(portions) != sharing:
            return Reason(
                text=f"{sharing} processes share an image, and {len(portions)} portions are named.",
                hint="Name one for each.",
            )
        if site.ranks // sharing > site.shape.batch:
            return Reason(
                text=f"There are more groups of processes ({site.ranks // sharing}) than images in a batch.",
                hint="Choose larger groups, or a larger --batch.",
            )
        if sum(portions) > most:
            return Reason(
                text=f"Images of {site.rows} rows are divided into {most} parts at most, not {sum(portions)}.",
                hint="Choose fewer processes, or smaller portions.",
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Each process has its rows of everything but weights."""
        return replace(before, portions=self.portions(site.ranks))

    def apply(self, build: Build) -> None:
        """The ranks of the training, or each so many of them, share the rows of every image. As nothing else is asked
        for, all maps are kept."""
        from fullfield.bands import kept

        count = self.options.processes or build.ranks.size
        build.team = build.ranks.beside(count).portioned(self.portions(build.ranks.size))
        build.chain = kept.chain(build.network, build.team)
