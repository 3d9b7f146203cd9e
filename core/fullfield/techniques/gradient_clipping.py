"""Gradients whose norm, over all weights together, is above a bound are scaled down to it.

The norm is that of the whole batch's gradient in the loss's own scale (`torch.nn.utils.clip_grad_norm_`), so it is the
same with and without accumulation and a scaler. A norm that is not finite leaves gradients that are not, and the step
is skipped as it is without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import NORM
from fullfield.techniques.base import Effect, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from torch import nn

    from fullfield.techniques.build import Build

STARTS = 8  # operations for all tensors together; counted


@dataclass(frozen=True, kw_only=True)
class Options:
    """The bound."""

    norm: float = option(1.0, "the largest norm of all gradients together that is left as it is", least=0.01)


class GradientClipping(Technique):
    """See the module."""

    name = "gradient_clipping"
    title = "Clipped gradients"
    sentence = "Shortens a correction that is too large, so that a single unusual image cannot undo what was learned."
    source = (
        "Pascanu, Mikolov, Bengio 2013, On the difficulty of training recurrent neural networks, Algorithm 1; "
        "torch.nn.utils.clip_grad_norm_"
    )
    stage = Stage.STEP
    effect = Effect.MODEL
    excludes: ClassVar[Mapping[str, str]] = {
        "optimizer_in_backward": "The norm of all corrections is known only when the last one is, "
        "and by then the others have been used."
    }
    Options = Options

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Gradients are scaled where they lie."""
        return replace(before, update_starts=before.update_starts + STARTS, of_owners=before.of_owners + NORM)

    def apply(self, build: Build) -> None:
        """The step clips before it takes the norm that it tells."""
        build.gradients.append(partial(_clip, build, self.options.norm))


def _clip(build: Build, norm: float, parameters: Sequence[nn.Parameter]) -> None:
    from torch.nn.utils import clip_grads_with_norm_

    clip_grads_with_norm_(parameters, norm, build.norm(parameters))
