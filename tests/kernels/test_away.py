"""The loss of a prediction that lies outside of the device, beside the same loss of a tensor: the same bits."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.kernels import msssim
from fullfield.kernels.away import Away
from fullfield.kernels.msssim import Structure
from fullfield.kernels.stored import LEVELS, Stored
from fullfield.train import loss as losses

HEIGHT, WIDTH = 192, 224


class Place:
    """Rows of a tensor that stands for memory elsewhere. `most`: of them that were asked for at once."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor, self.most = tensor, 0

    def rows(self, first: int, last: int) -> Tensor:
        self.most = max(self.most, last - first)
        return self.tensor[:, :, first:last].clone()

    def write(self, first: int, last: int, values: Tensor) -> None:
        self.most = max(self.most, last - first)
        self.tensor[:, :, first:last] = values


def pair(*, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Stored]:
    torch.manual_seed(5)
    y = torch.rand(1, 1, HEIGHT, WIDTH, dtype=dtype)
    x = 0.8 * y + 0.1 * torch.rand_like(y)
    return x, Stored((y * (LEVELS - 1)).round().to(torch.uint16), torch.linspace(0, 1, LEVELS, dtype=dtype)[None])


def away(x: Tensor) -> tuple[Away, Tensor, Place]:
    """`x` elsewhere, its token, and its gradient, which holds what nobody has written yet."""
    token, gradient = torch.zeros((), requires_grad=True), Place(torch.full_like(x, torch.nan))
    made = Away(token=token * 1, values=Place(x), gradient=gradient, shape=x.shape, dtype=x.dtype, true=(HEIGHT, WIDTH))
    return made, token, gradient


@pytest.mark.parametrize("true", [(192, 224), (185, 200), (177, 223)])
@pytest.mark.parametrize("band_rows", [0, 7, 48])
@pytest.mark.parametrize("share", [(1.0, 0.0), (0.84, 0.16), (0.0, 1.0)], ids=["ms_ssim", "both", "l1"])
def test_that_values_and_gradient_are_those_of_a_tensor(
    true: tuple[int, int], band_rows: int, share: tuple[float, float]
) -> None:
    (x, y), structure = pair(), Structure(variant=msssim.UNCOMPILED, band_rows=band_rows)
    prediction, token, gradient = away(x)
    whole = x.clone().requires_grad_()
    found, wanted = (
        losses.on_true_parts(one, y, [true], structure=structure, l1=share[1] > 0) for one in (prediction, whole)
    )
    assert found[0].item() == wanted[0].item()
    assert found[1].item() == pytest.approx(wanted[1].item(), rel=1e-6)
    for one in (found, wanted):
        driving = [weight * value for weight, value in zip(share, one, strict=True) if weight]
        torch.autograd.backward([sum(driving, torch.zeros(()))])
    assert token.grad is not None
    assert whole.grad is not None
    assert torch.equal(gradient.tensor, whole.grad)
    assert gradient.most < HEIGHT or not band_rows  # else this size is one band


def test_that_a_narrow_image_is_mirrored_as_a_tensor_is() -> None:
    (x, y), structure = pair(), Structure(variant=msssim.UNCOMPILED)
    prediction, _, gradient = away(x)
    whole = x.clone().requires_grad_()
    for one in (prediction, whole):
        found, _ = losses.on_true_parts(one, y, [(165, 224)], structure=structure, l1=False)
        found.backward()
    assert whole.grad is not None
    assert torch.equal(gradient.tensor, whole.grad)


def test_that_a_second_backward_is_an_error_and_not_a_wrong_gradient() -> None:
    x, y = pair()
    value = Structure(variant=msssim.UNCOMPILED)(away(x)[0], y)
    value.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="serves one backward"):
        value.backward()
