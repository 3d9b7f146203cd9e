"""A batch in several small forwards, whose gradients add up to one update.

BatchNorm then takes its statistics from each small forward by itself: with one image each, the step is the mean of
steps of single images, and not the step of the whole batch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build


@dataclass(frozen=True, kw_only=True)
class Options:
    """How the batch is divided."""

    images: int = option(1, "Images that are in memory at once.", least=1)


class Accumulate(Technique):
    """See the module."""

    name = "accumulate"
    title = "A few images at a time"
    sentence = "Learns from a whole batch while only a few of its images are in memory at once."
    source = "Huang et al. 2019, GPipe, § 2.2"
    stage = Stage.STEP
    effect = Effect.MODEL
    Options = Options

    def refuse(self, site: Site) -> Reason | None:
        """A batch that is not divided."""
        if site.shape.batch == 1:
            return Reason(
                text="A batch of one image cannot be divided.", hint="Choose a larger batch, or leave it out."
            )
        if self.options.images >= site.shape.batch:
            return Reason(
                text=f"A batch of {site.shape.batch} images is not divided by {self.options.images} at a time.",
                hint=f"Choose from 1 to {site.shape.batch - 1} images.",
            )
        return None

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The forward of so many images; the others wait (`MemoryEstimate.last`)."""
        batch = before.shape.batch
        images = min(self.options.images, batch)
        return replace(before, shape=replace(before.shape, batch=images), waiting=batch - images)

    def apply(self, build: Build) -> None:
        """The step divides its batch."""
        build.micro = self.options.images
