"""`python -m fullfield.train.resident TECHNIQUE…`: what a training's process holds beside its tensors, as JSON.

It does once, on images of `SIDE` pixels, what a training does, so that all libraries are loaded; then it lets go of
every tensor. `begin`: bytes that were resident before there was a network; `whole`: that are in the end. The compiler
is loaded, and compiles nothing: that takes ten seconds on a core, and a minute of them where its kernel is not on the
disk yet. What a compilation leaves is `COMPILED_BYTES`. See `fullfield.plan.libraries`, which runs it.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence

from fullfield import interpreter

with interpreter.uncollected():
    import torch

    from fullfield.data.loader import Batch
    from fullfield.hardware import devices
    from fullfield.image.image import InputKind
    from fullfield.kernels import msssim
    from fullfield.memory.account import Shape
    from fullfield.model import network as networks
    from fullfield.model.card import NetworkSpec
    from fullfield.model.phantom import phantom
    from fullfield.techniques import build as builds
    from fullfield.techniques import compose, here
    from fullfield.techniques.costing import Costing
    from fullfield.train import baselines, evaluate, job  # the job brings all that a training imports
    from fullfield.train.step import train_step
    from fullfield.train.update import Update

SIDE, ENCODER = 256, "resnet18"
IMPORTED = job
COMPILER = "torch._inductor.compile_fx"
COMPILED_BYTES = 50 * 2**20
"""Of the loss's kernel, its graphs and its code: measured were 24 MiB where it was on the disk, else 50."""


def measure(techniques: Sequence[str]) -> dict[str, int]:
    """Bytes by name, see above."""
    devices.compute_with(1)
    _plan(techniques)
    devices.free_cached()
    begin = devices.used_bytes()
    compiled = _train(techniques)
    devices.free_cached()
    return {"begin": begin, "whole": devices.used_bytes() + compiled}


def _plan(techniques: Sequence[str]) -> None:
    """A training tells its plan first, and measures what simple methods reach."""
    costing = Costing(ENCODER, "none")
    site = here.site(devices.choose(devices.CPU), Shape(height=SIDE, width=SIDE, encoder=ENCODER), costing.costs)
    costing.account(compose.read(techniques), site)
    plane = phantom(SIDE, SIDE, seed=0)
    evaluate.of_pair(baselines.processed(plane, InputKind.RAW), plane)


def _train(techniques: Sequence[str]) -> int:
    """One step, which makes what the optimizer remembers too. Returned are the bytes that compiling would leave."""
    build = builds.begin(networks.build(NetworkSpec(encoder=ENCODER)).train(), torch.device(devices.CPU))
    build.counted = True
    compose.apply(compose.read(techniques), build)
    compiles = isinstance(build.structure, msssim.Structure) and build.structure.variant == msssim.COMPILED
    if compiles:
        importlib.import_module(COMPILER)
        build.structure = msssim.Structure(variant=msssim.UNCOMPILED)
    update = Update(build)
    x_NCHW = torch.from_numpy(phantom(SIDE, SIDE, seed=0))[None, None]
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=x_NCHW**1.5, shapes=((SIDE, SIDE),))
    train_step(build, update, batch, loss="ms_ssim", l1=False, rate=0.0)
    return COMPILED_BYTES if compiles else 0


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1:])) + "\n")
    interpreter.leave(0)
