"""How far the finest bands of a prediction are from those of its reference: in strength, and in themselves.

MS-SSIM over whole images hardly sees the finest bands, and a network that is judged by it alone leaves them weak.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.kernels import stored
from fullfield.kernels.stored import Stored
from fullfield.model import autocast
from fullfield.model.map_pyramid import down, up

BANDS = 3
STRENGTH, ALIKE = 0.12, 0.04  # shares of the two in the objective
_CELLS, _LEAST, _MOST = 16, 8, 32  # cells along a band's rows, and their sides in pixels
_FLOOR = 2e-6  # of mean squares: what lies below is no structure
_FAINT = 1e-4  # of mean magnitudes


def difference(prediction: Tensor, reference: Tensor | Stored, *, weaker: float = 1.0) -> Tensor:
    """0 where all bands are equal; both (n, 1, rows, columns) in 0…1, of one size.

    Of each band the mean over cells of (ln of the ratio of their root mean squares)², `weaker` times as much where the
    prediction has less, and the mean absolute difference by the reference's mean magnitude.
    """
    with autocast.off(prediction.device.type):
        x, y = (stored.values(one) for one in (prediction, reference))
        x, y = (one if one.dtype == torch.float64 else one.float() for one in (x, y))
        found = x.new_zeros(())
        for _ in range(BANDS):
            lower, other = down(x), down(y)
            mine, wanted = x - up(lower, x.shape[2:]), y - up(other, y.shape[2:])
            side = max(_LEAST, min(_MOST, mine.shape[3] // _CELLS))
            side = min(side, *mine.shape[2:])
            mean_squares = (functional.avg_pool2d(band.square(), side) + _FLOOR for band in (mine, wanted))
            ratio = 0.5 * (next(mean_squares).log() - next(mean_squares).log())
            apart = functional.l1_loss(mine, wanted) / wanted.abs().mean().clamp_min(_FAINT)
            strength = ratio.square().mean() + (weaker - 1) * ratio.clamp(max=0).square().mean()
            found = found + (STRENGTH * strength + ALIKE * apart) / BANDS
            x, y = lower, other
        return found
