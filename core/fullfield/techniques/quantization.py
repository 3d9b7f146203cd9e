"""Training for an int8 model: every convolution computes with what int8 would leave of its input and its weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from fullfield.memory.account import MemoryEstimate
from fullfield.model.stages import STRIDES
from fullfield.techniques.base import Effect, Stage, Technique
from fullfield.techniques.site import Site

if TYPE_CHECKING:
    from fullfield.techniques.build import Build

METHOD = "quantized"
CPU_TIME = 1.5  # of a step of equal FLOPs: measured on a CPU by `fullfield bench time` at 512 pixels
_SHORT = "rounding to 8 bits inside of 16-bit arithmetic does not train; in the paper it never finished."


class Quantization(Technique):
    """See the module. It saves no memory in training, on the contrary: the int8 model is what it is for."""

    name = "quantization"
    title = "Quantization-aware training"
    sentence = (
        "Trains a network that still works when it is later computed with small whole numbers; it saves no memory."
    )
    source = (
        "Jacob et al. 2018, Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only "
        "Inference, CVPR; torchao, PyTorch 2 export quantization-aware training"
    )
    stage = Stage.MODEL
    effect = Effect.APPROXIMATE
    brings = True
    meta_traceable = False
    excludes: ClassVar[Mapping[str, str]] = {
        "momentum": "both replace the encoder's layers.",
        "checkpointing": "every step of the network is rounded as it was exported, and none is left to be run twice.",
        "precision:format=bf16": _SHORT,
        "precision:format=fp16": _SHORT,
    }

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        """Every stage by itself, with rounded convolutions."""
        note = "Training for int8 takes more memory than plain training: the rounding keeps maps of its own."
        return replace(before.run(METHOD), time=before.time * CPU_TIME, notes=(*before.notes, note))

    def apply(self, build: Build) -> None:
        """Export and prepare every stage. The int8 model is made of these parts, also where others wrap them later."""
        from fullfield.quantize import int8
        from fullfield.quantize.quantized import Quantized

        for part in build.chain.parts:
            takes = [(build.network.channels(name), STRIDES[name]) for name in part.takes]
            run = Quantized(build.network.stages[part.name], takes)
            build.chain = build.chain.replaced(part.name, replace(part, run=run, method=METHOD))
            build.ranges[part.name] = run.ranges
        build.int8 = partial(int8.convert, build.chain.parts)
