"""Bands of images whose rows are divided among ranks: the plain network's step, the same on each of them."""

from __future__ import annotations

import copy

import pytest
import torch

from fullfield.distribution.counting import Counting
from fullfield.distribution.team import Team
from fullfield.interpreter import uncollected
from fullfield.kernels import msssim, plain_loss, rows
from fullfield.kernels.msssim_shares import SharedStructure
from fullfield.memory import trace
from fullfield.memory.tracker import Tracker
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from teams import outcome, together
from techniques import exactness, on_ranks
from techniques.on_ranks import Case


@pytest.fixture(scope="module")
def small() -> Case:
    return on_ranks.case()


@pytest.mark.parametrize(
    ("portions", "text"),
    [
        ((1, 1), "full_bands:rows=32,block_rows=32"),
        ((1, 1), "full_bands:rows=64,limit=28,whole=layer4+d1"),
        ((1, 1, 1), "full_bands:rows=64,limit=0.5"),
        ((1, 1, 1), "full_bands:rows=64,tier=host,keep=stages"),
        ((3, 1), "full_bands:rows=32,block_rows=32"),
        ((1, 1), "hybrid_bands:rows=32,block_rows=32"),
        ((1, 1, 1), "hybrid_bands:rows=32,block_rows=16,nested=layer1+layer3"),
        ((1, 1, 1), "hybrid_bands:rows=64,nested=stem+layer1+layer2+layer3+layer4+d1+d2"),
        ((1, 1), "hybrid_bands:rows=32,fused=true"),
        ((1, 3), "hybrid_bands:rows=32,block_rows=16"),
    ],
)
def test_that_ranks_together_make_the_step_of_the_plain_network(
    small: Case, portions: tuple[int, ...], text: str
) -> None:
    *given, wanted = small
    found = together(len(portions), lambda team: on_ranks.step(team.portioned(portions), *given, text))
    for one in found:
        exactness.agree(one, wanted, statistic=exactness.GRADIENT)
        assert on_ranks.equal(one, found[0])


@pytest.mark.parametrize(
    ("encoder", "batch", "portions", "text"),
    [
        ("resnet18", 1, (1, 1, 1), "full_bands:rows=96,block_rows=96,limit=100"),
        ("resnet18", 1, (1,) * 5, "hybrid_bands:rows=32,block_rows=16,nested=layer2+layer3"),
        ("resnet34", 2, (3, 1), "full_bands:rows=96,tier=host,keep=stages"),
        ("resnet34", 2, (1,) * 4, "hybrid_bands:rows=96,block_rows=48"),
    ],
)
def test_that_with_the_loss_of_a_true_part_it_is_that_step_too(
    encoder: str, batch: int, portions: tuple[int, ...], text: str
) -> None:
    torch.set_num_threads(1)
    network, x, y = exactness.reference(encoder, batch, 192, 192, by=4 * batch)

    def rank(team: Team) -> exactness.Found:
        return on_ranks.step(team.portioned(portions), network, x, y, text, objective=on_ranks.structure, true=161)

    found = together(len(portions), rank)
    wanted = on_ranks.plain(
        network, x, y, lambda prediction, y: plain_loss.structure(prediction[:, :, :161], y[:, :, :161])
    )
    assert 0 < wanted.value < 1, "where MS-SSIM is 0 there is no gradient, and nothing to compare"
    for one in found:
        exactness.agree(one, wanted, statistic=exactness.GRADIENT)
        assert on_ranks.equal(one, found[0])


def test_that_frozen_stages_get_no_gradient_and_the_others_the_same(small: Case) -> None:
    network, x, y, _ = (copy.deepcopy(small[0]), *small[1:])
    for name in ("stem", "layer1", "d3"):
        network.stages[name].requires_grad_(False)
    wanted = on_ranks.plain(network, x, y, lambda prediction, y: (prediction - y).square().mean())
    for one in together(2, lambda team: on_ranks.step(team, network, x, y, "full_bands:rows=64")):
        exactness.agree(one, wanted, statistic=exactness.GRADIENT)


def test_that_more_ranks_than_rows_of_the_deepest_map_are_refused(small: Case) -> None:
    *given, _ = small
    for one in together(5, lambda team: outcome(lambda: on_ranks.step(team, *given, "full_bands:rows=64"))):
        assert "a map of 4 rows cannot be divided among 5 ranks" in str(one)


def traced(team: Team, text: str, side: int) -> int:
    """Bytes of a rank at the peak, beside weights and images."""
    mode, network = trace.network_without_values("resnet18")
    with mode, rows.sampling(), uncollected():
        build = builds.begin(network, torch.device("cpu"), team)
        build.counted = True
        compose.apply(compose.read([text, "banded_loss"]), build)
        lo, hi = team.own(side)
        x, y = torch.empty(1, 1, hi - lo, side), torch.empty(1, 1, hi - lo, side)
        with Tracker() as tracker:
            build.structure(build.chain(x), y).backward()
        return max(event.live for event in tracker.events)


def test_that_a_trace_of_a_rank_takes_less_the_more_ranks_there_are() -> None:
    teams = [Team(), Counting(1, (1,) * 2, 2048), Counting(1, (1,) * 4, 2048)]
    found = [traced(team, "full_bands", 2048) for team in teams]
    assert found[1] < 0.8 * found[0] and found[2] < 0.8 * found[1]
    one, other = teams[1:]
    assert isinstance(one, Counting) and isinstance(other, Counting)
    assert 1.9 * one.traffic.sent < other.traffic.sent < 2.1 * one.traffic.sent  # rows above too, not below alone
    assert one.traffic.collectives == other.traffic.collectives


def test_that_the_loss_in_bands_is_divided_as_the_network_is() -> None:
    for team in (Team(), Counting(0, (1,) * 2, 192)):
        network = exactness.reference("resnet18", 1, 32, 32)[0]
        build = builds.begin(network, torch.device("cpu"), team)
        build.counted = True
        compose.apply(compose.read(["banded_loss:rows=32"]), build)
        assert isinstance(build.structure, SharedStructure if team.size > 1 else msssim.Structure)
