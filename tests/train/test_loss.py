"""The loss."""

from __future__ import annotations

import pytest
import pytorch_msssim
import torch
from torch import Tensor

from fullfield.model.phantom import phantom
from fullfield.train import loss


def picture(rows: int, columns: int, seed: int = 0) -> Tensor:
    return torch.from_numpy(phantom(rows, columns, seed=seed))[None, None]


def test_that_the_loss_is_1_minus_pytorch_msssim() -> None:
    one, other = picture(200, 240), picture(200, 240).sqrt()
    wanted = 1 - pytorch_msssim.ms_ssim(one, other, data_range=1.0)
    assert loss.ms_ssim_loss(one, other) == wanted
    assert loss.ms_ssim_loss(one, one).item() == pytest.approx(0, abs=1e-6)


def test_that_autocast_does_not_reach_the_loss() -> None:
    one, other = picture(192, 192), picture(192, 192).sqrt()
    plain = loss.ms_ssim_loss(one, other)
    with torch.autocast("cpu", torch.bfloat16):
        assert loss.ms_ssim_loss(one.bfloat16(), other.bfloat16()).dtype == torch.float32
        assert loss.ms_ssim_loss(one, other) == plain


def test_that_padding_takes_no_part() -> None:
    one, other = picture(192, 224), picture(192, 224).sqrt()
    spoiled = one.clone()
    spoiled[..., 180:, :] = 0.5
    spoiled[..., :, 200:] = 0.9
    found = loss.on_true_parts(spoiled, other, [(180, 200)])
    assert found == loss.on_true_parts(one, other, [(180, 200)])
    assert found[0] == loss.ms_ssim_loss(one[..., :180, :200], other[..., :180, :200])


def test_that_a_batch_of_different_shapes_is_the_mean_of_its_images() -> None:
    x = torch.cat([picture(192, 192, 1), picture(192, 192, 2)])
    y = x.sqrt()
    shapes = [(192, 180), (176, 192)]
    both = loss.on_true_parts(x, y, shapes)
    each = [loss.on_true_parts(x[n : n + 1], y[n : n + 1], [shape]) for n, shape in enumerate(shapes)]
    for part in range(2):
        assert both[part].item() == pytest.approx((each[0][part] + each[1][part]).item() / 2, rel=1e-6)


def test_that_a_narrow_image_is_measured_at_all_scales() -> None:
    one, other = picture(125, 256).requires_grad_(), picture(125, 256).sqrt()
    found = loss.ms_ssim_loss(one, other)
    found.backward()
    assert 0 < found.item() < 1
    assert one.grad is not None
    assert one.grad.abs().sum() > 0


def test_that_an_inverted_reference_gives_1_and_no_gradient() -> None:
    one = picture(192, 192).requires_grad_()
    found = loss.ms_ssim_loss(one, 1 - one.detach())
    found.backward()
    assert found.item() == 1.0
    assert one.grad is not None
    assert one.grad.abs().max() == 0.0


def test_that_the_mixed_loss_has_its_shares() -> None:
    mixed = loss.combined(torch.tensor(0.5), torch.tensor(0.25), loss="ms_ssim+l1")
    assert mixed.item() == pytest.approx(0.84 * 0.5 + 0.16 * 0.25)
    assert loss.combined(torch.tensor(0.5), torch.tensor(0.25), loss="ms_ssim").item() == 0.5
