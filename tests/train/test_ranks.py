"""Ranks that train together: what each computes of a step and of an evaluation, and what all decide."""

from __future__ import annotations

import math
from typing import cast

import pytest
import torch
from torch import Tensor

from fullfield.data.loader import Batch, Loader
from fullfield.data.prepared import Prepared
from fullfield.distribution.team import Team
from fullfield.techniques.build import Build
from fullfield.train import evaluate
from fullfield.train import step as steps
from fullfield.train.update import Update
from teams import Member, together
from train.ranks import SIDE, batch, small_network, weights
from training import prepared_phantoms


@pytest.mark.parametrize("in_backward", [False, True])
def test_that_two_ranks_with_their_shares_train_as_one_that_accumulates(in_backward: bool) -> None:
    seeds = [[0, 1], [2, 3], [4, 5]]

    def alone() -> tuple[list[steps.Step], dict[str, Tensor]]:
        build = small_network(micro=1)
        update = Update(build)
        return [take(build, update, batch(pair)) for pair in seeds], weights(build)

    def rank(team: Member) -> tuple[list[steps.Step], dict[str, Tensor]]:
        build = small_network(team, in_backward=in_backward)
        update = Update(build)
        shares = [batch([pair[team.rank]], whole=2) for pair in seeds]
        return [take(build, update, share, team) for share in shares], weights(build)

    found, (first, second) = alone(), together(2, rank)
    assert first[0] == second[0]
    assert [done.loss for done in found[0]] == [done.loss for done in first[0]]
    for one, other in zip(found[0], first[0], strict=True):
        assert other.gradient == pytest.approx(one.gradient, rel=1e-5) and one.gradient > 0 and not other.skipped
    for name, value in found[1].items():
        assert torch.equal(value, first[1][name]) and torch.equal(value, second[1][name])


def take(build: Build, update: Update, share: Batch, team: Team | None = None) -> steps.Step:
    more = {} if team is None else {"team": team}
    return steps.train_step(build, update, share, loss="ms_ssim+l1", l1=False, rate=0.01, **more)


@pytest.mark.parametrize("whole", [3, 1])
def test_that_uneven_shares_are_weighed_by_their_images_and_a_rank_may_have_none(whole: int) -> None:
    seeds = list(range(whole))
    build = small_network(micro=1)
    alone = take(build, Update(build), batch(seeds))

    def rank(team: Member) -> steps.Step:
        own = small_network(team, micro=1)
        return take(own, Update(own), batch(seeds[team.rank :: 2], whole=whole), team)

    first, second = together(2, rank)
    assert first == second
    assert first.loss == pytest.approx(alone.loss, rel=1e-12)


def test_that_a_rank_without_an_image_in_its_first_step_scales_the_loss_as_the_others() -> None:
    def rank(team: Member) -> tuple[steps.Step, float]:
        build = small_network(team)
        build.scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
        done = take(build, Update(build), batch([0][team.rank :], whole=1), team)
        return done, build.scaler.get_scale()

    first, second = together(2, rank)
    assert first == second and not first[0].skipped


@pytest.mark.parametrize("in_backward", [False, True])
def test_that_what_is_not_finite_on_one_rank_skips_the_update_of_all(in_backward: bool) -> None:
    def rank(team: Member) -> tuple[steps.Step, bool, bool]:
        build = small_network(team, in_backward=in_backward)
        before, buffers = weights(build), [buffer.clone() for buffer in build.network.buffers()]
        share = batch([team.rank], whole=2)
        if team.rank == 1:
            share.x_NCHW[0, 0, 5, 5] = math.nan
        done = take(build, Update(build), share, team)
        same = all(torch.equal(value, before[name]) for name, value in weights(build).items())
        return done, same, all(map(torch.equal, build.network.buffers(), buffers))

    for done, same, counted in together(2, rank):
        assert done.skipped and same and counted


def test_that_a_gradient_that_is_not_finite_on_one_rank_skips_the_update_of_all() -> None:
    def rank(team: Member) -> tuple[steps.Step, bool]:
        build = small_network(team)
        if team.rank == 1:
            build.gradients.append(lambda there: cast(Tensor, there[0].grad).fill_(math.inf))
        before = weights(build)
        done = take(build, Update(build), batch([team.rank], whole=2), team)
        return done, all(torch.equal(value, before[name]) for name, value in weights(build).items())

    (first, unchanged), (second, unchanged_too) = together(2, rank)
    assert first.skipped and second.skipped and unchanged and unchanged_too
    assert math.isfinite(first.loss) and first.loss == second.loss


def test_that_parameters_that_all_ranks_spare_are_counted_once() -> None:
    def rank(team: Member) -> steps.Step:
        build = small_network(team, in_backward=True)
        build.gradients.append(lambda there: cast(Tensor, there[0].grad).fill_(math.inf))
        return take(build, Update(build), batch([team.rank], whole=2), team)

    first, second = together(2, rank)
    assert first.spared == second.spared == len(list(small_network().network.parameters()))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), 10, rows=SIDE, columns=SIDE)


@pytest.mark.parametrize("portions", [(1, 1), (1, 1, 1), (1, 1, 1, 1), (3, 1), (1, 3), (1, 2, 1)], ids=str)
@pytest.mark.parametrize("first", [0, 2])
def test_that_ranks_share_an_evaluation_and_find_what_one_finds(
    data: Prepared, portions: tuple[int, ...], first: int
) -> None:
    size = len(portions)
    loader = Loader(data, data.items[:5])
    build = small_network()
    alone = evaluate.of_network(build, loader)

    def rank(team: Member) -> tuple[evaluate.Quality, list[int], int]:
        seen: list[int] = []
        rounds: list[int] = []
        quality = evaluate.of_network(
            small_network(team.portioned(portions)),
            loader,
            each=lambda: rounds.append(0),
            look=lambda place, output, batch: seen.append(place),
            first=first,
        )
        return quality, seen, len(rounds)

    found = together(size, rank)
    assert [quality for quality, _, _ in found] == [alone] * size
    assert sorted(place for _, seen, _ in found for place in seen) == [0, 1, 2, 3, 4]
    assert first in found[0][1], "rank 0, which writes, has the watched one"
    assert {rounds for _, _, rounds in found} == {math.ceil(5 / sum(portions))}
