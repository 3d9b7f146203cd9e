"""The learning rate follows the size of the batch, and rises to it gradually.

Goyal et al. 2017: where a batch has k times the images for which the rate η was chosen, the rate is k·η (section 2.1,
the linear scaling rule), to which it rises from η by the same amount in every step of the first epochs (section 2.2,
gradual warm-up, five of them). By the other rule it is √k·η, as You et al. 2020 scale LAMB's.

It multiplies the schedule's rate, whose own warm-up (`TrainSpec.warm_up`) rises from nothing and comes on top of it. It
is a function of the step alone, so a resumed training needs nothing of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from fullfield.memory.account import MemoryEstimate
from fullfield.techniques.base import Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

LINEAR, ROOT = "linear", "root"


@dataclass(frozen=True, kw_only=True)
class Options:
    """The rule, what it counts from, and how long the rate rises."""

    rule: str = option(
        LINEAR, "by the number of images for LARS, by its square root for Adam and LAMB", choices=(LINEAR, ROOT)
    )
    reference: int = option(1, "images of a batch for which the learning rate was chosen", least=1, most=4096)
    warm_up: float = option(5.0, "epochs over which the rate rises to its new value", least=0.0, most=1000.0)


class RateScaling(Technique):
    """See the module."""

    name = "rate_scaling"
    title = "Learning rate for the batch"
    sentence = (
        "Raises the learning rate with the number of images that are learned from at once, and does so gradually."
    )
    source = (
        "Goyal et al. 2017, Accurate, Large Minibatch SGD: Training ImageNet in 1 Hour, § 2.1, § 2.2; "
        "You et al. 2020, Large Batch Optimization for Deep Learning"
    )
    stage = Stage.STEP
    effect = Effect.MODEL
    Options = Options

    def refuse(self, site: Site) -> Reason | None:
        """A batch for which the rate was chosen."""
        if site.shape.batch != self.options.reference:
            return None
        return Reason(
            text="The learning rate was chosen for batches of this size: there is nothing to scale.",
            hint="Choose a larger batch, another reference, or leave it out.",
        )

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """A number changes, and no tensor."""
        return before

    def apply(self, build: Build) -> None:
        """The loop asks it for the rate of every step."""
        build.rates.append(partial(_scaled, self.options))


def _scaled(options: Options, rate: float, epochs: float, images: int) -> float:
    times = images / options.reference
    times = times if options.rule == LINEAR else math.sqrt(times)
    first = min(1.0, times)
    risen = min(1.0, epochs / options.warm_up) if options.warm_up else 1.0
    return rate * (first + (times - first) * risen)
