"""Momentum residual blocks in the encoder: blocks that can be run backwards, so that their maps need not be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, cast

from fullfield.memory.account import MemoryEstimate
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.spec import representable
from fullfield.model.stages import LAYERS
from fullfield.techniques.base import Effect, Reason, Stage, Technique, option
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

METHOD = "momentum"


@dataclass(frozen=True, kw_only=True)
class Options:
    """The new function's only number."""

    gamma: float = option(0.9, "how much of its movement a block hands on to the next", least=0.01, most=0.99)


class Momentum(Technique):
    """See the module. The network becomes another function: its weights mean nothing to a plain one, nor the reverse.

    The saving is what the middle of the encoder keeps, less 20 bytes per value: about a tenth of a plain step.
    """

    name = "momentum"
    title = "MomentumNet"
    sentence = "Changes the network's encoder so that it can be computed backwards; its models are of their own kind."
    source = "Sander, Ablin, Blondel, Peyré 2021, Momentum Residual Neural Networks, ICML; momentumnet"
    stage = Stage.MODEL
    effect = Effect.MODEL
    Options = Options
    excludes: ClassVar[Mapping[str, str]] = {
        "compressed_activations": "It finds its images backwards from the last one, which has to be exact.",
        "data_parallel:batch_norm=joint": "It computes its images in reverse, and would gather their statistics anew.",
    }

    def refuse(self, site: Site) -> Reason | None:
        """An encoder whose blocks change the form of the map."""
        if ENCODERS[site.shape.encoder].even:
            return None
        return Reason(
            text=f"The blocks of {site.shape.encoder} change the form of their images and cannot be run backwards.",
            hint="Take a residual network for the encoder.",
        )

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """The encoder's layers keep one map and its velocity."""
        note = "MomentumNet saves little here: it keeps 20 bytes for each value of a layer, and layers are short."
        return replace(before.run(METHOD, *LAYERS), notes=(*before.notes, note))

    def apply(self, build: Build) -> None:
        """Evaluation and model files follow: the network itself computes, and names, the new function."""
        from fullfield.model.network import Layer
        from fullfield.recomputation import momentum

        gamma = representable(self.options.gamma)
        build.network.spec = replace(build.network.spec, momentum=gamma)
        for name in LAYERS:
            layer = cast(Layer, build.network.stages[name])
            layer.momentum = gamma
            part = replace(build.chain.part(name), run=momentum.run(layer), method=METHOD)
            build.chain = build.chain.replaced(name, part)
