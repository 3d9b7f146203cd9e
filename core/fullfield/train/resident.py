"""`python -m fullfield.train.resident TECHNIQUE…`: what a training's process holds beside its tensors, as JSON.

It does once, on images of `SIDE` pixels, what a training does, so that all libraries are loaded and all kernels are
compiled; then it lets go of every tensor. `begin`: bytes that were resident before there was a network; `whole`: that
are in the end. See `fullfield.plan.libraries`, which runs it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import torch

from fullfield.data.loader import Batch
from fullfield.hardware import devices
from fullfield.image.image import InputKind
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


def measure(techniques: Sequence[str]) -> dict[str, int]:
    """Bytes by name, see above."""
    devices.compute_with(1)
    _plan(techniques)
    devices.free_cached()
    begin = devices.used_bytes()
    _train(techniques)
    devices.free_cached()
    return {"begin": begin, "whole": devices.used_bytes()}


def _plan(techniques: Sequence[str]) -> None:
    """A training tells its plan first, and measures what simple methods reach."""
    costing = Costing(ENCODER, "none")
    site = here.site(devices.choose(devices.CPU), Shape(height=SIDE, width=SIDE, encoder=ENCODER), costing.costs)
    costing.account(compose.read(techniques), site)
    plane = phantom(SIDE, SIDE, seed=0)
    evaluate.of_pair(baselines.processed(plane, InputKind.RAW), plane)


def _train(techniques: Sequence[str]) -> None:
    """Two steps: the first one compiles, and makes what the optimizer remembers."""
    build = builds.begin(networks.build(NetworkSpec(encoder=ENCODER)).train(), torch.device(devices.CPU))
    compose.apply(compose.read(techniques), build)
    update = Update(build)
    x_NCHW = torch.from_numpy(phantom(SIDE, SIDE, seed=0))[None, None]
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=x_NCHW**1.5, shapes=((SIDE, SIDE),))
    for _ in range(2):
        train_step(build, update, batch, loss="ms_ssim", l1=False, rate=0.0)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1:])) + "\n")
