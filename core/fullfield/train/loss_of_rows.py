"""The loss of images whose rows are divided among ranks, in parts that sum to that of whole ones (`train.loss`)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from fullfield.distribution.team import Team
from fullfield.kernels import stored
from fullfield.kernels.shares import Share
from fullfield.model import autocast
from fullfield.train import loss as losses
from fullfield.train.loss import LEAST_SIDE, Images, Structure


def on_true_parts(
    prediction_NCHW: Tensor,
    reference_NCHW: Images,
    shapes: Sequence[tuple[int, int]],
    first: int,
    *,
    team: Team,
    structure: Structure,
    of_whole: Structure,
    l1: bool,
) -> tuple[Tensor, Tensor]:
    """This rank's part of (1 − MS-SSIM, L1) over the true parts of padded images, the mean over the images: the sum
    over the ranks is the whole, and each part has the gradient of the whole at this rank's rows. Without `l1` that one
    is 0.

    Both (n, 1, rows, columns): the rank's rows, from `first` on. `shapes`: of whole images. `structure`
    computes 1 − MS-SSIM of what ranks have rows of, and `of_whole` that of images that each has whole.
    """
    if len(set(shapes)) > 1:
        parts = [slice(place, place + 1) for place in range(len(shapes))]
        each = [
            on_true_parts(
                prediction_NCHW[part],
                reference_NCHW[part],
                shapes[part],
                first,
                team=team,
                structure=structure,
                of_whole=of_whole,
                l1=l1,
            )
            for part in parts
        ]
        return torch.stack([one for one, _ in each]).mean(), torch.stack([other for _, other in each]).mean()
    rows, columns = shapes[0]
    count = min(max(0, rows - first), prediction_NCHW.shape[2])
    mine, wanted = prediction_NCHW[:, :, :count, :columns], reference_NCHW[:, :, :count, :columns]
    if min(rows, columns) < LEAST_SIDE:  # it is mirrored, for which rows of others are needed; and it is small
        whole, reference = (_whole(one, team) for one in (mine, stored.values(wanted)))
        found = losses.ms_ssim_loss(whole, reference, structure=of_whole)
    else:
        with autocast.off(prediction_NCHW.device.type):
            found = structure(losses.full(mine), losses.full(wanted))
    if not team.writes:
        found = found - found.detach()  # one rank tells what all of them know
    if not l1:
        return found, torch.zeros_like(found)
    apart = losses.l1_loss(mine, wanted) * (count / rows) if count else 0.0 * prediction_NCHW.sum()
    return found, apart


def _whole(own_NCHW: Tensor, team: Team) -> Tensor:
    """The images of which each rank has some rows, perhaps none; a gradient goes to this rank's alone."""
    (have,) = team.divided([own_NCHW.shape[2]])
    lo, hi = have[team.rank]
    height = have[-1][1]
    values = own_NCHW.detach()
    others = Share(team, lambda first, last: values[:, :, first - lo : last - lo], have, [(0, height)] * team.size)
    around = [others.rows(*span) for span in ((0, lo), (hi, height)) if span[0] < span[1]]
    parts = [*around[:1], own_NCHW, *around[1:]] if lo else [own_NCHW, *around]
    return torch.cat(parts, dim=2)
