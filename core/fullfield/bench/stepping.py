"""A training of nothing but steps: a seeded network, techniques, an optimizer, and noise to train on."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import torch
from torch import Tensor

from fullfield import heap
from fullfield.data.loader import Batch
from fullfield.distribution.team import ALONE, Team
from fullfield.hardware import devices
from fullfield.kernels.stored import LEVELS, Stored
from fullfield.memory.account import Shape
from fullfield.model import network as networks
from fullfield.model.card import NetworkSpec
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.build import Build
from fullfield.train.step import Phase, Step, train_step
from fullfield.train.update import Update

RATE = 1e-5


class Stepping:
    """Makes optimizer steps of the training's own kind, driven by 1 − MS-SSIM alone."""

    def __init__(
        self, techniques: Sequence[str], *, encoder: str = "resnet34", device: str = "cpu", ranks: Team = ALONE
    ) -> None:
        """`ranks`: all that make the steps together; this is one of them."""
        torch.manual_seed(0)
        self.network = networks.build(NetworkSpec(encoder=encoder)).to(device).train()
        self.build = builds.begin(self.network, torch.device(device), ranks=ranks)
        compose.apply(compose.read(techniques), self.build)
        self.update = Update(self.build)

    def step(self, batch: Batch, phase: Phase = contextlib.nullcontext) -> Step:
        """One step, as a training computes it. `phase`: see `train_step`."""
        build = self.build
        if build.in_bands and build.device.type == devices.CPU:
            heap.give_back_at_once(batch.x_NCHW.numel())
        with devices.computing_alike(build.device.type):
            return train_step(
                build, self.update, batch, loss="ms_ssim", l1=False, rate=RATE, phase=phase, team=build.ranks
            )


def noise(shape: Shape, build: Build) -> Batch:
    """Images of noise, and the same with noise of their own to come close to, as a training would give them to it: of
    several ranks, this one's share of the images or of their rows."""
    first, last = build.team.own(shape.height)
    count = len(build.replicas.images(shape.batch))
    x_NCHW = torch.rand(count, 1, last - first, shape.width)
    return _batch(x_NCHW, 0.8 * x_NCHW + 0.1 * torch.rand_like(x_NCHW), build, whole=shape)


def share(x_NCHW: Tensor, y_NCHW: Tensor, build: Build) -> Batch:
    """Of images and references that all ranks have, what a training would give to this one."""
    count, _, height, width = x_NCHW.shape
    images, rows = build.replicas.images(count), slice(*build.team.own(height))
    whole = Shape(height=height, width=width, batch=count)
    return _batch(x_NCHW[images, :, rows].contiguous(), y_NCHW[images, :, rows].contiguous(), build, whole=whole)


def _batch(x_NCHW: Tensor, y_NCHW: Tensor, build: Build, *, whole: Shape) -> Batch:
    return Batch(
        x_NCHW=as_stored(x_NCHW) if build.stored_input else x_NCHW,
        y_NCHW=as_stored(y_NCHW) if build.stored_reference else y_NCHW,
        shapes=((whole.height, whole.width),) * len(x_NCHW),
        whole=whole.batch,
        first=build.team.own(whole.height)[0],
    )


def as_stored(images: Tensor) -> Stored:
    """Images in 0…1 in 16 bits, with a table for each."""
    levels = images.mul(LEVELS - 1).round_().to(torch.uint16)
    return Stored(levels, torch.linspace(0, 1, LEVELS, dtype=images.dtype, device=images.device).repeat(len(images), 1))
