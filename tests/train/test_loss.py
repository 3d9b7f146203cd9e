"""The loss."""

from __future__ import annotations

from typing import cast

import pytest
import pytorch_msssim
import torch
from torch import Tensor

from fullfield.image.image import InputKind
from fullfield.kernels import band_strength
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


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ms_ssim", 0.5),
        ("ms_ssim+l1", 0.84 * 0.5 + 0.16 * 0.25),
        ("ms_ssim+l1+bands", 0.84 * 0.5 + 0.16 * 0.25 + 0.125),
    ],
)
def test_that_an_objective_is_of_what_its_name_says(name: str, wanted: float) -> None:
    bands = torch.tensor(0.125) if "bands" in name else None
    found = loss.combined(torch.tensor(0.5), torch.tensor(0.25), loss=name, bands=bands)
    assert found.item() == pytest.approx(wanted)
    assert loss.has_l1(name) is ("l1" in name)


@pytest.mark.parametrize(("rows", "columns"), [(175, 200), (200, 175), (100, 96)])
def test_that_a_side_that_is_too_short_is_mirrored_at_its_end_and_the_other_stays(rows: int, columns: int) -> None:
    one, other = picture(rows, columns), picture(rows, columns).sqrt()
    below, right = max(0, 176 - rows), max(0, 176 - columns)
    wide = []
    for each in (one, other):
        each = torch.cat([each, each[:, :, -1 - below : -1].flip(2)], dim=2)
        wide.append(torch.cat([each, each[..., -1 - right : -1].flip(3)], dim=3))
    assert min(wide[0].shape[2:]) == 176 and max(wide[0].shape[2:]) == max(176, rows, columns)
    assert loss.ms_ssim_loss(one, other) == loss.ms_ssim_loss(*wide)


@pytest.mark.parametrize(
    ("shapes", "l1"), [([(192, 200)], True), ([(192, 200)], False), ([(192, 200), (180, 192)], False)]
)
def test_that_without_l1_no_difference_is_taken(shapes: list[tuple[int, int]], l1: bool) -> None:
    x = torch.cat([picture(192, 200, seed) for seed in range(len(shapes))])
    structure, difference = loss.on_true_parts(x, x.sqrt(), shapes, l1=l1)
    wanted = [(x - x.sqrt())[n, :, :rows, :columns].abs().mean() for n, (rows, columns) in enumerate(shapes)]
    assert difference.item() == pytest.approx(torch.stack(wanted).mean().item() if l1 else 0.0, rel=1e-6)
    assert structure == loss.on_true_parts(x, x.sqrt(), shapes)[0] and structure > 0


def test_that_numbers_of_64_bits_stay_so_and_others_become_of_32() -> None:
    one = picture(192, 192)
    found = {dtype: loss.full(one.to(dtype)) for dtype in (torch.bfloat16, torch.float16, torch.float32, torch.float64)}
    assert {str(cast(Tensor, value).dtype)[-2:] for value in list(found.values())[:3]} == {"32"}
    assert cast(Tensor, found[torch.float64]).dtype == torch.float64
    assert loss.l1_loss(one.double(), one.double() + 1e-12).item() == pytest.approx(1e-12, rel=1e-3)


def test_that_the_strength_of_bands_is_that_of_the_true_parts_each_by_its_kind() -> None:
    x = torch.cat([picture(192, 200, seed) for seed in range(2)])
    y, shapes, kinds = x.sqrt(), [(150, 200), (192, 120)], [InputKind.RAW, InputKind.PROCESSED]
    wanted = [
        band_strength.difference(x[n : n + 1, :, :rows, :columns], y[n : n + 1, :, :rows, :columns], weaker=weaker)
        for n, ((rows, columns), weaker) in enumerate(zip(shapes, (8.0, 2.0)))
    ]
    assert wanted[0] != wanted[1]
    assert loss.bands(x, y, shapes, kinds).item() == pytest.approx(torch.stack(wanted).mean().item())
    with pytest.raises(ValueError):
        loss.bands(x, y, shapes, kinds[:1])
