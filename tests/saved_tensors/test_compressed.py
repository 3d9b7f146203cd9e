"""Saved tensors in a few bits: unbiased gradients that a seed repeats, and the loss's maps left alone."""

from __future__ import annotations

from contextlib import nullcontext

import torch
from torch import Tensor, nn

from fullfield.saved_tensors import saved
from fullfield.saved_tensors.compressed import LEAST, Compressed


def stage() -> nn.Sequential:
    torch.manual_seed(3)
    layers = (nn.Conv2d(4, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.Conv2d(16, 4, 3))
    return nn.Sequential(*layers).double()


def gradient(module: nn.Sequential, x: Tensor, *, seed: int, bits: int | None) -> Tensor:
    """Of the first convolution. `bits`: None for a plain step."""
    torch.manual_seed(seed)
    module.zero_grad()
    hooks = saved.Saving(module, lambda: Compressed(bits=bits, block=256)).step() if bits else nullcontext()
    with hooks:
        loss = module(x).square().mean()
    loss.backward()
    found = module[0].weight.grad
    assert isinstance(found, Tensor)
    return found.clone()


def test_that_the_mean_of_many_steps_comes_nearer_to_the_plain_gradient() -> None:
    module, x = stage(), torch.rand(2, 4, 48, 48, dtype=torch.float64)
    plain = gradient(module, x, seed=0, bits=None)
    runs = torch.stack([gradient(module, x, seed=seed, bits=4) for seed in range(32)])
    single = torch.stack([(run - plain).norm() for run in runs]).mean()
    assert 0 < single < 0.5 * plain.norm()
    assert (runs.mean(0) - plain).norm() < single / 3  # √32 = 5.7 where errors are independent


def test_that_a_step_repeats_with_torchs_seed_and_only_with_it() -> None:
    module, x = stage(), torch.rand(2, 4, 48, 48, dtype=torch.float64)
    first = gradient(module, x, seed=1, bits=8)
    assert torch.equal(gradient(module, x, seed=1, bits=8), first)
    assert not torch.equal(gradient(module, x, seed=2, bits=8), first)


def test_that_small_tensors_and_maps_of_one_channel_stay_as_they_are() -> None:
    keeper = Compressed(bits=8, block=256)
    assert keeper.wants(torch.empty(1, 16, 32, 32))
    assert not keeper.wants(torch.empty(1, 1, 512, 512))
    assert not keeper.wants(torch.empty(1, 16, 16, 16))
    assert not keeper.wants(torch.empty(LEAST))
