"""What all trainings of these tests have in common."""

from __future__ import annotations

import functools
from collections.abc import Generator

import pytest

from fullfield.kernels import msssim_kernel
from training import tuned_by_two

tuned = tuned_by_two()


@pytest.fixture(scope="module", autouse=True)
def loss_as_it_is_written() -> Generator[None]:
    """The loss's kernel is one function, compiled or not (tests/kernels), and compiling it takes a process longer than
    a training of a few steps. The trainings of tests/flows that are marked compile it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(msssim_kernel, "_compiled", functools.cache(lambda: msssim_kernel.uncompiled))
        yield
