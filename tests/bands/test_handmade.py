"""What a part may write over: by counts of references, beside copying always."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.bands import handmade
from fullfield.bench import card

narrowed = narrow.networks()

WAYS = (("recompute",), ("hybrid_bands",), ("full_bands",), ("full_bands:tier=host",))


@pytest.mark.parametrize("way", WAYS)
def test_that_gradients_are_the_same_bits_where_nothing_is_written_over(way: tuple[str, ...]) -> None:
    torch.set_num_threads(1)
    assert card.same_bits(way, encoder="resnet18", device="cpu") is True


def test_that_within_always_copying_every_gradient_is_copied_and_outside_of_it_as_counted() -> None:
    g = torch.zeros(2, 2)
    with handmade.always_copying():
        assert handmade.private(g) is not g
        with handmade.always_copying():
            pass
        assert handmade.private(g) is not g
    other: list[bool] = []

    class Probe(torch.autograd.Function):
        @staticmethod
        def forward(ctx: object, x: Tensor) -> Tensor:
            return x.clone()

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: object, g: Tensor) -> Tensor:
            own = handmade.private(g)
            other.append(own is g)
            return own

    Probe.apply(Probe.apply(torch.zeros(2, requires_grad=True))).sum().backward()
    assert other[-1], "nobody else has the gradient that one part makes for the next"


def test_that_the_environment_can_have_every_gradient_copied() -> None:
    code = "import torch; from fullfield.bands import handmade as h; g = torch.zeros(2); print(h._copying)"
    environment = {**os.environ, "FULLFIELD_COPY_GRADIENTS": "1"}
    reported = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert reported.stdout.strip() == "True"
