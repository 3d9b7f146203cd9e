"""The mean absolute difference in bands, beside torch's."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from fullfield.kernels import difference
from fullfield.kernels.stored import LEVELS, Stored


@pytest.mark.parametrize("band_pixels", [1 << 20, 500])
def test_that_value_and_gradient_are_those_of_torch(monkeypatch: pytest.MonkeyPatch, band_pixels: int) -> None:
    monkeypatch.setattr(difference, "BAND_PIXELS", band_pixels)
    torch.manual_seed(0)
    x, y = torch.rand(2, 1, 37, 50, requires_grad=True), torch.rand(2, 1, 37, 50)
    y[0, 0, 3] = x.detach()[0, 0, 3]  # where they are equal the gradient is 0
    found, wanted = difference.mean(x, y), functional.l1_loss(x, y)
    assert found.item() == pytest.approx(wanted.item(), rel=1e-6)
    (gradient,), (right,) = torch.autograd.grad(0.16 * found, x), torch.autograd.grad(0.16 * wanted, x)
    assert torch.equal(gradient, right)
    assert gradient[0, 0, 3].abs().max() == 0


def test_that_a_reference_as_it_is_stored_gives_the_same_bits() -> None:
    torch.manual_seed(0)
    x, levels = torch.rand(2, 1, 37, 50), torch.randint(0, LEVELS, (2, 1, 37, 50)).to(torch.uint16)
    reference = Stored(levels, torch.rand(2, LEVELS))
    gradients = []
    for y in (reference, reference.rows(0, 37)):
        one = x.clone().requires_grad_()
        value = difference.mean(one, y)
        value.backward()
        assert one.grad is not None
        gradients.append((value.item(), one.grad))
    assert gradients[0][0] == gradients[1][0]
    assert torch.equal(gradients[0][1], gradients[1][1])


def test_that_a_second_backward_is_an_error_and_not_a_wrong_gradient() -> None:
    x = torch.rand(1, 1, 8, 8, requires_grad=True)
    value = difference.mean(x, torch.rand(1, 1, 8, 8))
    value.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="serves one backward"):
        value.backward()
