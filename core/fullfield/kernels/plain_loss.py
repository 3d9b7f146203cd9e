"""1 − MS-SSIM as pytorch-msssim computes it: the reference that every other way to compute it is held against."""

from __future__ import annotations

from typing import cast

import pytorch_msssim
from torch import Tensor


def structure(prediction: Tensor, reference: Tensor) -> Tensor:
    """1 − MS-SSIM (Wang et al. 2003), the mean over the batch: a scalar in 0…1 with a gradient.

    Both (N, 1, H, W) in 0…1, fp32 or fp64, every side above 160 pixels.
    """
    return cast(Tensor, 1.0 - pytorch_msssim.ms_ssim(prediction, reference, data_range=1.0, size_average=True))
