"""1 − MS-SSIM in bands, beside pytorch-msssim."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.bench import loss as bench
from fullfield.hardware import compiler
from fullfield.kernels import msssim, msssim_kernel, plain_loss, rows
from fullfield.kernels.msssim import Structure
from fullfield.kernels.stored import LEVELS, Stored
from fullfield.train import loss as losses


def pair(batch: int, height: int, width: int) -> tuple[Tensor, Tensor]:
    torch.manual_seed(5)
    y = torch.rand(batch, 1, height, width, dtype=torch.float64)
    return (0.8 * y + 0.1 * torch.rand_like(y)).requires_grad_(), y


def in_bands(band_rows: int = 48) -> Structure:
    return Structure(variant=msssim.UNCOMPILED, band_rows=band_rows)


def agree(x: Tensor, y: Tensor, structure: Structure) -> None:
    found, wanted = structure(x, y), plain_loss.structure(x, y)
    assert abs(found.item() - wanted.item()) <= 1e-14
    assert found.dtype == wanted.dtype
    (gradient,), (right,) = torch.autograd.grad(found, x), torch.autograd.grad(wanted, x)
    assert (gradient - right).norm() <= 1e-12 * right.norm()


@pytest.mark.parametrize("band_rows", [0, 7, 10_000])
@pytest.mark.parametrize("shape", [(2, 176, 192), (1, 177, 191), (1, 161, 230)])
def test_that_value_and_gradient_are_those_of_pytorch_msssim(shape: tuple[int, int, int], band_rows: int) -> None:
    agree(*pair(*shape), in_bands(band_rows))


def test_that_the_true_part_of_a_padded_image_is_taken_as_it_lies() -> None:
    x, y = pair(2, 192, 224)
    agree(x[..., :185, :200], y[..., :185, :200], in_bands())


def test_that_an_image_without_structure_in_common_has_no_gradient_and_its_neighbour_keeps_its_own() -> None:
    x, y = pair(2, 176, 176)
    opposite = torch.cat([1 - y[:1], y[1:]])
    agree(x, opposite, in_bands())
    (gradient,) = torch.autograd.grad(in_bands()(x, opposite), x)
    assert gradient[0].abs().max() == 0
    assert gradient[1].abs().max() > 0


def test_that_one_inverted_image_gives_exactly_1_and_no_gradient() -> None:
    _, y = pair(1, 176, 176)
    x = (1 - y).requires_grad_()
    value = in_bands()(x, y)
    value.backward()
    assert value.item() == 1.0
    assert x.grad is not None and x.grad.abs().max() == 0


def test_that_a_narrow_image_is_mirrored_by_the_loss_as_before() -> None:
    x, y = pair(1, 125, 200)
    found, wanted = (losses.ms_ssim_loss(x, y, structure=each) for each in (in_bands(), plain_loss.structure))
    assert abs(found.item() - wanted.item()) <= 1e-14
    (gradient,), (right,) = torch.autograd.grad(found, x), torch.autograd.grad(wanted, x)
    assert (gradient - right).norm() <= 1e-12 * right.norm()


def test_that_fp32_is_as_near_to_fp64_as_pytorch_msssim_is() -> None:
    x, y = pair(1, 192, 192)
    (right,) = torch.autograd.grad(plain_loss.structure(x, y), x)
    single, other = x.detach().float().requires_grad_(), y.float()
    found, plain = (
        torch.autograd.grad(each(single, other), single)[0].double() for each in (in_bands(), plain_loss.structure)
    )
    assert (found - right).norm() <= 2 * (plain - right).norm()


def test_that_the_incoming_gradient_is_multiplied_in() -> None:
    x, y = pair(1, 176, 176)
    (once,) = torch.autograd.grad(in_bands()(x, y), x)
    (tripled,) = torch.autograd.grad(3 * in_bands()(x, y), x)
    assert torch.allclose(tripled, 3 * once, rtol=1e-13, atol=0)


def test_that_a_second_backward_is_refused() -> None:
    x, y = pair(1, 176, 176)
    value = in_bands()(x, y)
    value.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="one backward"):
        value.backward()


def test_that_what_it_cannot_do_is_refused() -> None:
    x, y = pair(1, 176, 176)
    with pytest.raises(ValueError, match="at least 161"):
        in_bands()(x[..., :160, :], y[..., :160, :])
    with pytest.raises(ValueError, match="equal"):
        in_bands()(x, y[..., 1:])
    with pytest.raises(ValueError, match="reference"):
        in_bands()(x, y.clone().requires_grad_())


@pytest.mark.parametrize("variant", [msssim.COMPILED, msssim.UNCOMPILED])
def test_that_a_trace_computes_nothing_and_gives_a_gradient(variant: str) -> None:
    with torch.device("meta"), rows.sampling():
        x, y = torch.empty(1, 1, 4288, 4288, requires_grad=True), torch.empty(1, 1, 4288, 4288)
        (gradient,) = torch.autograd.grad(Structure(variant=variant)(x, y), x)
    assert gradient.shape == x.shape


def test_that_it_takes_two_and_a_half_maps_where_pytorch_msssim_takes_forty() -> None:
    x, y = pair(1, 768, 768)
    assert bench.maps(in_bands(16), x.detach(), y) <= 2.5
    assert bench.maps(plain_loss.structure, x.detach(), y) > 20


def test_that_without_a_compiler_the_uncompiled_form_is_chosen_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiler, "missing", lambda: "There is no compiler.")
    structure, notice = msssim.chosen(torch.device("cpu"), band_rows=32)
    assert structure == Structure(variant=msssim.UNCOMPILED, band_rows=32)
    assert "There is no compiler." in notice


def test_that_a_compiler_that_fails_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("cannot write\nmore lines")

    monkeypatch.setattr(compiler, "missing", lambda: "")
    monkeypatch.setattr(msssim_kernel, "_compiled", lambda: fails)
    structure, notice = msssim.chosen(torch.device("cpu"))
    assert structure.variant == msssim.UNCOMPILED
    assert notice.endswith("cannot write.")


@pytest.mark.parametrize("band_rows", [0, 7, 48])
@pytest.mark.parametrize("shape", [(2, 176, 192), (1, 177, 191), (1, 185, 230)])
def test_that_a_reference_as_it_is_stored_gives_the_same_bits(shape: tuple[int, int, int], band_rows: int) -> None:
    x, y = (each.detach() for each in pair(*shape))
    reference = Stored((y * 65_535).round().to(torch.uint16), torch.rand(len(y), LEVELS, dtype=torch.float64))
    values, gradients = [], []
    for each in (reference, reference.rows(0, shape[1])):
        one = x.clone().requires_grad_()
        value = in_bands(band_rows)(one, each)
        values.append(value.item())
        gradients.append(torch.autograd.grad(value, one)[0])
    assert values[0] == values[1]
    assert torch.equal(*gradients)
