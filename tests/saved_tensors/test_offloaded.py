"""Saved tensors in the host tier: each storage once, and given back as backward goes."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from fullfield.host_tier.host import ledger
from fullfield.saved_tensors import saved
from fullfield.saved_tensors.offloaded import Offloaded


def stage() -> nn.Sequential:
    torch.manual_seed(3)
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.Conv2d(8, 8, 1))


@pytest.mark.parametrize("ahead", [0, 1, 4])
def test_that_host_memory_holds_each_storage_once_and_is_empty_after_backward(ahead: int) -> None:
    module = stage()
    before = ledger.live
    with saved.Saving(module, lambda: Offloaded(smallest=4 * 8 * 32 * 32, ahead=ahead)).step():
        loss = module(torch.rand(1, 3, 32, 32)).sum()
    # The convolved map for BatchNorm, and the ReLU's for itself and the next convolution; the image is too small.
    assert ledger.live - before == 2 * 4 * 8 * 32 * 32
    loss.backward()
    assert ledger.live == before


@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_that_gradients_are_bit_identical(dtype: torch.dtype, channels_last: bool) -> None:
    form = torch.channels_last if channels_last else torch.contiguous_format
    module = stage().to(dtype).to(memory_format=form)  # type: ignore[call-overload]
    x = torch.rand(2, 3, 24, 40, dtype=dtype).to(memory_format=form)

    def gradients(*, kept: bool) -> list[torch.Tensor]:
        module.zero_grad()
        with saved.Saving(module, lambda: Offloaded(smallest=0 if kept else 2**40, ahead=1)).step():
            loss = module(x).square().mean()
        loss.backward()
        return [parameter.grad.clone() for parameter in module.parameters() if parameter.grad is not None]

    assert all(map(torch.equal, gradients(kept=True), gradients(kept=False)))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("ahead", [0, 1, 4])
def test_that_copies_beside_the_computation_change_nothing_on_a_card(ahead: int) -> None:
    module = nn.Sequential(*(part for _ in range(6) for part in (nn.Conv2d(16, 16, 3, padding=1), nn.ReLU())))
    module = module.cuda()
    x = torch.rand(1, 16, 512, 512, device="cuda")

    def gradients(*, kept: bool) -> list[torch.Tensor]:
        module.zero_grad()
        with saved.Saving(module, lambda: Offloaded(smallest=0 if kept else 2**40, ahead=ahead)).step():
            loss = module(x).square().mean()
        loss.backward()
        return [parameter.grad.clone() for parameter in module.parameters() if parameter.grad is not None]

    with torch.backends.cudnn.flags(deterministic=True, benchmark=False):
        plain = gradients(kept=False)
        for _ in range(3):
            assert all(map(torch.equal, gradients(kept=True), plain))
