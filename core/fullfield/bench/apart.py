"""The step of several processes that normalise their own images each, made by one of them: for `bench.exact_ranks`.

The plain network is run on the images of each process alone, from the same weights and statistics. Gradients are
weighed by images. BatchNorm's running statistics are to be those of all images: a mean is that of means, a variance
that of variances and of the squares by which means are apart. None of it uses what trainings use for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from fullfield.kernels import plain_loss
from fullfield.model.network import Network


def step(
    network: Network, x_NCHW: Tensor, y_NCHW: Tensor, groups: Sequence[Sequence[int]]
) -> tuple[float, dict[str, Tensor]]:
    """1 − MS-SSIM of all images, and the gradients by parameter; the statistics of `network` are those after the step.
    `groups`: the places of the images of each process, of which each has one at least."""
    norms = [one for one in network.modules() if isinstance(one, nn.BatchNorm2d)]
    loss = 0.0
    found: list[tuple[float, list[tuple[Tensor, Tensor]]]] = []
    network.zero_grad()
    before = [(_statistics(one), one.momentum) for one in norms]
    for norm in norms:
        norm.momentum = 1.0  # then the running statistics are those of these images alone
    for places in groups:
        share = len(places) / len(x_NCHW)
        part = share * plain_loss.structure(network(x_NCHW[places]), y_NCHW[places])
        torch.autograd.backward([part])
        loss += part.item()
        found.append((share, [_statistics(one) for one in norms]))
    for place, (norm, ((mean, variance), momentum)) in enumerate(zip(norms, before, strict=True)):
        norm.momentum = momentum
        its = [(share, *each[place]) for share, each in found]
        mean_of_all = torch.stack([share * one for share, one, _ in its]).sum(0)
        spread = torch.stack([share * (one + (own - mean_of_all).square()) for share, own, one in its]).sum(0)
        norm.running_mean = torch.lerp(mean, mean_of_all, momentum or 0.0)
        norm.running_var = torch.lerp(variance, spread, momentum or 0.0)
        if norm.num_batches_tracked is not None:
            norm.num_batches_tracked -= len(groups) - 1  # of each process it is one
    return loss, {name: one.grad for name, one in network.named_parameters() if one.grad is not None}


def _statistics(norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor]:
    assert norm.running_mean is not None and norm.running_var is not None
    return norm.running_mean.clone(), norm.running_var.clone()
