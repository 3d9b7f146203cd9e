"""Full bands of an image whose rows are divided among real processes, which talk over gloo."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from fleets import fleet
from fullfield.distribution.processes import Processes
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from techniques import exactness, on_ranks
from techniques.exactness import Found


def updated_inside(team: Processes) -> tuple[dict[str, Tensor], dict[str, int]]:
    """Gradients that hooks take inside backward, as updates there do; and what was sent."""
    network, x, y, _ = on_ranks.case()
    build = builds.begin(network, torch.device("cpu"), team)
    compose.apply(compose.read(["full_bands:rows=16,block_rows=8"]), build)
    taken: dict[str, Tensor] = {}

    def take(name: str, parameter: torch.nn.Parameter) -> None:
        assert parameter.grad is not None
        taken[name], parameter.grad = parameter.grad, None

    for name, parameter in network.named_parameters():
        parameter.register_post_accumulate_grad_hook(lambda one, name=name: take(name, one))
    lo, hi = team.own(x.shape[2])
    on_ranks.squares(team, build.chain(x[:, :, lo:hi]), y[:, :, lo:hi]).backward()
    return taken, vars(team.traffic)


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_processes_have_the_whole_gradient_as_soon_as_backward_has_it(tmp_path: Path) -> None:
    found = fleet(2, "techniques.test_full_bands_on_processes:updated_inside", tmp_path)
    *_, wanted = on_ranks.case()
    for taken, _ in found:
        assert all(torch.equal(taken[name], found[0][0][name]) for name in found[0][0])
        exactness.agree(Found(value=wanted.value, gradients=taken, statistics=wanted.statistics), wanted)
    assert found[0][1]["collectives"] == found[1][1]["collectives"] < 110
