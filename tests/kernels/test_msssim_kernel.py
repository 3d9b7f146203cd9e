"""The band kernel, beside pytorch-msssim's own maps and autograd."""

from __future__ import annotations

from functools import partial

import pytest
import torch
from pytorch_msssim.ssim import _ssim
from torch import Tensor

from fullfield.hardware import compiler, devices
from fullfield.kernels import msssim_kernel
from fullfield.memory import allocator


def pair(height: int = 37, width: int = 53) -> tuple[Tensor, Tensor]:
    torch.manual_seed(3)
    y = torch.rand(height, width, dtype=torch.float64)
    return 0.8 * y + 0.1 * torch.rand_like(y), y


def by_autograd(x: Tensor, y: Tensor, luminance: bool) -> tuple[Tensor, Tensor]:
    x = x.clone().requires_grad_()
    window = torch.tensor(msssim_kernel.WINDOW).view(1, 1, 1, -1)
    ssim, cs = _ssim(x[None, None], y[None, None], data_range=1.0, win=window)
    total = (ssim if luminance else cs).sum() * (x.shape[0] - 10) * (x.shape[1] - 10)
    (gradient,) = torch.autograd.grad(total, x)
    return total.detach(), gradient


def apart(one: Tensor, other: Tensor) -> float:
    return ((one - other).norm() / other.norm()).item()


@pytest.mark.parametrize("luminance", [False, True])
def test_that_sum_and_gradient_are_those_of_autograd(luminance: bool) -> None:
    x, y = pair()
    found, wanted = msssim_kernel.uncompiled(x, y, luminance), by_autograd(x, y, luminance)
    assert apart(found[0], wanted[0]) < 1e-14
    assert apart(found[1], wanted[1]) < 1e-13


def test_that_the_kernel_leaves_its_images_alone() -> None:
    x, y = pair()
    before = x.clone(), y.clone()
    msssim_kernel.uncompiled(x, y, True)
    assert torch.equal(x, before[0])
    assert torch.equal(y, before[1])


@pytest.mark.slow
@pytest.mark.skipif(bool(compiler.missing()), reason="no compiler here")
def test_that_the_compiled_kernel_computes_the_same_at_any_size_in_the_memory_that_a_trace_counts() -> None:
    assert msssim_kernel.fault(torch.device("cpu")) == ""
    for height, width in ((74, 300), (128, 128)):
        x, y = (image.float() for image in pair(height, width))
        slanted = y.t().contiguous().t()
        once = torch._dynamo.config.patch(error_on_recompile=True)  # a step compiles it no second time
        with torch.no_grad(), devices.computing_alike(devices.CPU), once:
            found, wanted = msssim_kernel.compiled(x, slanted, False), msssim_kernel.uncompiled(x, y, False)
            taken = allocator.peak(partial(msssim_kernel.compiled, x, y, False), x.device).peak
        assert apart(found[0], wanted[0]) < 1e-5
        assert apart(found[1], wanted[1]) < 1e-4
        assert 0.8 * msssim_kernel.WORKSPACE < taken / x.nbytes - 1 <= msssim_kernel.WORKSPACE


@pytest.mark.parametrize(
    ("raised", "wanted"),
    [
        (RuntimeError("InductorError: MemoryError: std::bad_alloc"), "The compiler ran out of memory."),
        (MemoryError(), "The compiler ran out of memory."),
        (RuntimeError("No such tool in /opt/someone/tools.\nmore"), "The compiler says: No such tool in <path>."),
    ],
)
def test_that_a_compiler_that_fails_is_told_in_a_sentence_without_a_path(
    monkeypatch: pytest.MonkeyPatch, raised: Exception, wanted: str
) -> None:
    def fail(*maps: Tensor) -> None:
        raise raised

    monkeypatch.setattr(msssim_kernel, "compiled", fail)
    assert msssim_kernel.fault(torch.device("cpu")) == wanted
