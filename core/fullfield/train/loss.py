"""What training minimises: 1 − MS-SSIM (Wang et al. 2003), and its company.

One function, `ms_ssim_loss`, stands for the loss everywhere, so that a faster one can take its place. It computes in
fp32 outside autocast: in half precision MS-SSIM collapses to 1. Where input and reference do not correlate at all, or
are of opposite polarity, the loss is exactly 1 and has no gradient: see `NO_GRADIENT`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.image.image import InputKind
from fullfield.kernels import band_strength, msssim, plain_loss, stored
from fullfield.kernels import difference as differences
from fullfield.kernels.away import Away
from fullfield.kernels.stored import Stored
from fullfield.model import autocast

Structure = Callable[..., Tensor]
Images = Tensor | Stored

LEAST_SIDE = 176  # five scales of an 11-pixel window need more than 160; a narrower image is mirrored to this
PERCENT = 100.0  # losses are reported as 100·(1 − MS-SSIM)
L1_SHARE = 0.16  # Zhao et al., IEEE TCI 3 (2017)
WEAKER = {InputKind.RAW: 8.0, InputKind.PROCESSED: 2.0}
"""Times: how much a band that is weaker than wanted counts, for what is not shown cannot be seen. A raw image's
reference knows no noise, and a place that is as quiet shows less than an observer finds; a processed one's has its own.
"""
NO_GRADIENT = (
    "MS-SSIM is 0 for whole images, and its gradient with it: the network's output does not correlate with the "
    "reference, as with references of opposite polarity."
)


def ms_ssim_loss(prediction: Tensor, reference: Images, *, structure: Structure = plain_loss.structure) -> Tensor:
    """1 − MS-SSIM, the mean over the batch: a scalar in 0…1 with a gradient. `structure`: what computes it.

    Both (n, 1, rows, columns) in 0…1. A side below `LEAST_SIDE` is mirrored up to it in both, so that no scale is
    left out; sides below half of that plus one cannot be.
    """
    with autocast.off(prediction.device.type):
        return structure(_wide_enough(full(prediction)), _wide_enough(full(reference)))


def l1_loss(prediction: Tensor, reference: Images) -> Tensor:
    """The mean absolute difference."""
    with autocast.off(prediction.device.type):
        return differences.mean(cast(Tensor, full(prediction)), full(reference))


def on_true_parts(
    prediction_NCHW: Tensor | Away,
    reference_NCHW: Images,
    shapes: Sequence[tuple[int, int]],
    *,
    structure: Structure = plain_loss.structure,
    l1: bool = True,
) -> tuple[Tensor, Tensor]:
    """(1 − MS-SSIM, L1) over the true parts of padded images, the mean over the images. Without `l1` that one is 0."""
    if isinstance(prediction_NCHW, Away):
        rows, columns = shapes[0]
        away, other = prediction_NCHW.part((rows, columns)), reference_NCHW[..., :rows, :columns]
        if min(rows, columns) >= LEAST_SIDE:
            with autocast.off(away.token.device.type):
                return cast(msssim.Structure, structure).both(away, other, l1=l1)
        prediction_NCHW = away.whole()
    if len(set(shapes)) == 1:
        rows, columns = shapes[0]
        one, other = prediction_NCHW[..., :rows, :columns], reference_NCHW[..., :rows, :columns]
        found = ms_ssim_loss(one, other, structure=structure)
        return found, l1_loss(one, other) if l1 else torch.zeros_like(found)
    each = [
        on_true_parts(
            prediction_NCHW[place : place + 1], reference_NCHW[place : place + 1], [shape], structure=structure, l1=l1
        )
        for place, shape in enumerate(shapes)
    ]
    return torch.stack([first for first, _ in each]).mean(), torch.stack([second for _, second in each]).mean()


def bands(
    prediction_NCHW: Tensor, reference_NCHW: Images, shapes: Sequence[tuple[int, int]], kinds: Sequence[InputKind]
) -> Tensor:
    """`band_strength.difference` over the true parts of padded images, the mean over the images. `kinds`: of inputs."""
    found = []
    for place, ((rows, columns), kind) in enumerate(zip(shapes, kinds, strict=True)):
        one, other = (images[place : place + 1, :, :rows, :columns] for images in (prediction_NCHW, reference_NCHW))
        found.append(band_strength.difference(cast(Tensor, one), other, weaker=WEAKER[kind]))
    return torch.stack(found).mean()


def combined(structure: Tensor, difference: Tensor, *, loss: str, bands: Tensor | None = None) -> Tensor:
    """The objective of `TrainSpec.loss` from 1 − MS-SSIM, L1 and what `bands` finds."""
    if has_l1(loss):
        mixed = (1.0 - L1_SHARE) * structure + L1_SHARE * difference
        return mixed if bands is None else mixed + bands
    return structure


def has_l1(loss: str) -> bool:
    """Whether L1 is in the objective of `TrainSpec.loss`."""
    return "+l1" in loss


def full(images: Images) -> Images:
    """In fp32 at least."""
    return images if isinstance(images, Stored) or images.dtype == torch.float64 else images.float()


def _wide_enough(images: Images) -> Images:
    rows, columns = images.shape[-2:]
    down, right = max(0, LEAST_SIDE - rows), max(0, LEAST_SIDE - columns)
    return functional.pad(stored.values(images), (0, right, 0, down), mode="reflect") if down or right else images
