"""Full bands of an image whose rows are divided among real processes, which talk over gloo."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from fleets import fleet
from fullfield.distribution.counting import Counting
from fullfield.distribution.processes import Processes
from fullfield.distribution.team import Team
from fullfield.distribution.traffic import Traffic
from fullfield.memory import trace  # noqa: F401 - what torch has no form for without values
from fullfield.model.network import Network
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from techniques import exactness, on_ranks
from techniques.exactness import Found


def step(team: Team, network: Network, x: Tensor, y: Tensor) -> dict[str, Tensor]:
    """Gradients that hooks take inside backward, as updates there do."""
    build = builds.begin(network, x.device, team)
    compose.apply(compose.read(["full_bands:rows=16,block_rows=8"]), build)
    taken: dict[str, Tensor] = {}

    def take(name: str, parameter: torch.nn.Parameter) -> None:
        assert parameter.grad is not None
        taken[name], parameter.grad = parameter.grad, None

    for name, parameter in network.named_parameters():
        parameter.register_post_accumulate_grad_hook(lambda one, name=name: take(name, one))
    lo, hi = team.own(x.shape[2])
    on_ranks.squares(team, build.chain(x[:, :, lo:hi]), y[:, :, lo:hi]).backward()
    return taken


def updated_inside(team: Processes) -> tuple[dict[str, Tensor], Traffic]:
    network, x, y, _ = on_ranks.case()
    return step(team, network, x, y), team.traffic


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_processes_have_the_whole_gradient_in_backward_and_send_what_a_trace_counts(tmp_path: Path) -> None:
    found = fleet(2, "techniques.test_full_bands_on_processes:updated_inside", tmp_path)
    network, x, y, wanted = on_ranks.case()
    for rank, (taken, traffic) in enumerate(found):
        assert all(torch.equal(taken[name], found[0][0][name]) for name in found[0][0])
        exactness.agree(Found(value=wanted.value, gradients=taken, statistics=wanted.statistics), wanted)
        with torch.device("meta"):
            counting = Counting(rank, (1, 1), x.shape[2])
            step(counting, copy.deepcopy(network).to("meta"), x.to("meta"), y.to("meta"))
        assert counting.traffic == traffic
        assert traffic.collectives < 110 and traffic.messages < 160
