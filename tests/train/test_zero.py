"""Ranks of which one alone remembers, sums or keeps what is a tensor's: steps are those of ranks that keep all."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

import narrow
from fullfield.data.loader import Batch
from fullfield.distribution.owners import is_there
from fullfield.distribution.team import ALONE, Team
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train import step as steps
from fullfield.train.state import Progress, State
from fullfield.train.update import Update
from support import without_compiler
from teams import together

SIDE = 96
STEPS = 3  # each goes on from what the one before has left
IMAGES = 3


@pytest.fixture(scope="module")
def given() -> Any:
    torch.set_num_threads(1)
    network = narrow.network()
    x = torch.rand(IMAGES, 1, SIDE, SIDE, dtype=torch.float64)
    return network, x, 0.7 * x + 0.1 * torch.rand_like(x) + 0.1


def adam(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """With a large ε: its first step is else hardly more than the sign of a gradient."""
    return torch.optim.Adam(parameters, eps=1e-3)


@dataclass(frozen=True, kw_only=True)
class Rank:
    """What steps leave on a rank."""

    tensors: dict[str, Tensor]
    done: list[steps.Step]
    between: int
    remembered: int


def begun(given: Any, texts: tuple[str, ...], team: Team = ALONE) -> State:
    build = builds.begin(copy.deepcopy(given[0]), torch.device("cpu"), ranks=team)
    build.counted = True  # nothing is compiled
    compose.apply(compose.read(texts), build)
    if build.optimizer is builds.adam:
        build.optimizer = adam
    return State(build=build, update=Update(build), progress=Progress(), threads=1, data="", start="")


def take(given: Any, state: State, count: int, team: Team = ALONE, number: int = STEPS) -> list[steps.Step]:
    """Steps with the first `count` images, of which this rank has its share in turn."""
    _, x, y = given
    own = slice(team.rank, count, team.size)
    batch = Batch(x_NCHW=x[own], y_NCHW=y[own], shapes=((SIDE, SIDE),) * len(x[own]), whole=count)
    return [
        steps.train_step(state.build, state.update, batch, loss="ms_ssim+l1", l1=True, rate=0.01, team=team)
        for _ in range(number)
    ]


def trained(given: Any, texts: tuple[str, ...], count: int, team: Team = ALONE) -> Rank:
    state = begun(given, texts, team)
    done = take(given, state, count, team)
    state.update.free_gradients()
    between = sum(one.nbytes for one in state.network.parameters() if is_there(one))
    remembered = sum(one.nbytes for one in state.update.tensors().values())
    with steps.opened(state.build.as_result):
        named = state.network.state_dict().items()
        whole = {name: one.detach().clone() for name, one in named if one.is_floating_point()}
    state.update.close()
    return Rank(tensors=whole, done=done, between=between, remembered=remembered)


def apart(one: dict[str, Tensor], other: dict[str, Tensor], before: dict[str, Tensor]) -> float:
    """The largest difference, by how far the tensor moved."""
    moved = max(float((other[name] - before[name]).abs().max()) for name in other)
    assert moved > 1e-3, "where nothing changes everything is equal"
    scale = {name: (other[name] - before[name]).abs().max().clamp(min=1e-3 * moved) for name in other}
    return max(float((one[name] - other[name]).abs().max() / scale[name]) for name in other)


def without(given: Any, ranks: int, count: int, beside: tuple[str, ...], known: Any = {}) -> Rank:  # noqa: B006
    """What ranks make of it that each keep all; for all levels the same."""
    key = ranks, count, beside
    if key not in known:
        known[key] = together(ranks, lambda team: trained(given, ("data_parallel", *beside), count, team))[0]
    return cast(Rank, known[key])


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(
    ("ranks", "count", "beside"),
    [
        (2, 3, ()),
        (3, 2, ()),  # one has no image
        (2, 2, ("checkpointing",)),
        (2, 2, ("hybrid_bands",)),
        (3, 3, ("full_bands:rows=32",)),
        (2, 3, ("optimizer_in_backward",)),
        (3, 2, ("optimizer_in_backward", "hybrid_bands")),
        (2, 3, ("accumulate", "channels_last")),
    ],
    ids=str,
)
def test_that_steps_are_those_of_ranks_that_each_keep_all(
    given: Any, level: int, ranks: int, count: int, beside: tuple[str, ...]
) -> None:
    before, plain = given[0].state_dict(), without(given, ranks, count, beside)
    found = together(ranks, lambda team: trained(given, ("data_parallel", f"zero:level={level}", *beside), count, team))
    for one in found:
        for done, other in zip(one.done, plain.done, strict=True):
            assert done.loss == pytest.approx(other.loss, rel=1e-11) and not done.skipped and not done.spared
            assert done.gradient == pytest.approx(other.gradient, rel=1e-9) and done.gradient > 0
        assert apart(one.tensors, plain.tensors, before) < 1e-11
        assert all(torch.equal(value, found[0].tensors[name]) for name, value in one.tensors.items())
        assert one.remembered == pytest.approx(plain.remembered / ranks, rel=0.05)
        share = 1 / ranks if level == 3 else 1.0
        assert one.between == pytest.approx(plain.between * share, rel=0.05)


@pytest.mark.parametrize(
    ("level", "beside"),
    [
        (2, ("gradient_clipping:norm=0.05",)),
        (1, ("ema:decay=0.5",)),
        (2, ("ema:decay=0.5", "optimizer_in_backward")),
        (3, ("lars",)),
        (2, ("lamb",)),
        (1, ("optimizer_offload",)),
        (3, ("optimizer_offload", "optimizer_in_backward")),
        (3, ("recompute",)),
        (3, ("momentum",)),
        (3, ("offload_activations",)),
    ],
    ids=str,
)
def test_that_what_looks_at_weights_and_gradients_sees_those_of_all(
    given: Any, level: int, beside: tuple[str, ...]
) -> None:
    before, plain = given[0].state_dict(), without(given, 2, 2, beside)
    found = together(2, lambda team: trained(given, ("data_parallel", f"zero:level={level}", *beside), 2, team))
    for one in found:
        assert apart(one.tensors, plain.tensors, before) < 1e-11
        assert [done.gradient for done in one.done] == pytest.approx([done.gradient for done in plain.done], rel=1e-9)


@pytest.mark.parametrize("beside", [(), ("optimizer_in_backward",)], ids=str)
def test_that_ranks_that_share_rows_share_what_the_optimizer_remembers(
    given: Any, beside: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    _, x, y = given
    texts = ("spatial", "banded_loss:rows=48", "hybrid_bands:rows=32,block_rows=16", *beside)

    def rank(team: Team, *more: str) -> tuple[dict[str, Tensor], int]:
        state = begun(given, (*texts, *more), team)
        lo, hi = state.build.team.own(SIDE)
        batch = Batch(x_NCHW=x[:1, :, lo:hi], y_NCHW=y[:1, :, lo:hi], shapes=((SIDE, SIDE),), first=lo)
        for _ in range(2):
            steps.train_step(state.build, state.update, batch, loss="ms_ssim+l1", l1=True, rate=0.01, team=team)
        remembered = sum(one.nbytes for one in state.update.tensors().values())
        return {name: one.clone() for name, one in state.network.state_dict().items()}, remembered

    plain, whole = together(2, rank)[0]
    for found, remembered in together(2, lambda team: rank(team, "zero")):
        assert all(torch.equal(one, plain[name]) for name, one in found.items())
        assert not all(torch.equal(one, given[0].state_dict()[name]) for name, one in found.items())
        assert remembered == pytest.approx(whole / 2, rel=0.05)


def test_that_while_a_part_runs_nobody_has_the_weights_of_another(given: Any) -> None:
    def rank(team: Team) -> tuple[float, float, int]:
        state = begun(given, ("data_parallel", "zero:level=3"), team)
        named, owners = dict(state.network.named_parameters()), state.build.owners
        assert owners is not None
        whole = sum(one.nbytes for one in named.values())
        most, seen = [0.0], [0]

        def look(stage: str) -> None:
            others = [name for name, one in named.items() if is_there(one) and not owners.mine(name)]
            assert all(name.startswith(f"stages.{stage}.") for name in others), (stage, others)
            most[0] = max(most[0], sum(named[name].nbytes for name in others) / whole)
            seen[0] += 1

        for stage, module in state.network.stages.items():
            module.register_forward_pre_hook(lambda *_, stage=stage: look(stage))
            module.register_full_backward_pre_hook(lambda *_, stage=stage: look(stage))
        take(given, state, 2, team, number=1)
        between = sum(one.nbytes for one in named.values() if is_there(one)) / whole
        return between, most[0], seen[0]

    for between, most, seen in together(2, rank):
        assert between == pytest.approx(0.5, rel=0.05) and 0.1 < most < 0.5
        assert seen == 2 * 11


def test_that_weights_go_again_after_a_file_was_written_of_all_of_them(given: Any) -> None:
    def rank(team: Team) -> tuple[int, dict[str, Tensor]]:
        state = begun(given, ("data_parallel", "zero:level=3"), team)
        with steps.opened(state.build.as_result):
            written = {name: one.numpy().copy() for name, one in state.weights().items()}
        take(given, state, 2, team, number=1)
        return sum(map(is_there, state.network.parameters())), written

    (first, whole), (second, _) = together(2, rank)
    assert first + second == len(list(given[0].parameters()))
    assert all((whole[name] == one.numpy()).all() for name, one in given[0].state_dict().items())


def test_that_a_gradient_that_has_overflowed_on_one_rank_makes_the_scale_smaller_on_all(given: Any) -> None:
    def rank(team: Team) -> tuple[bool, float]:
        state = begun(given, ("data_parallel", "zero:level=2"), team)
        state.build.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**20)
        state.build.scaler.scale(torch.zeros(()))  # as before backward
        update, owners = Update(state.build), state.build.owners
        assert owners is not None
        update.begin(0.01)
        for name, one in state.network.named_parameters():
            one.grad = torch.full_like(one, torch.inf if team.rank else 1.0) if owners.mine(name) else None
        norm = update.gradient()
        return bool(torch.isfinite(norm)), state.build.scaler.get_scale()

    assert together(2, rank) == [(False, 2.0**19)] * 2


JOINT = "data_parallel:batch_norm=joint"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_that_a_checkpoint_of_ranks_is_that_of_one_process_and_goes_on_anywhere(given: Any, level: int) -> None:
    alone = begun(given, ())
    take(given, alone, 3, number=2)
    names = alone.tensors().keys()
    take(given, alone, 3, number=2)
    wanted = {name: one.clone() for name, one in alone.tensors().items()}

    def saved(team: Team) -> tuple[dict[str, Tensor], Any]:
        state = begun(given, (JOINT, f"zero:level={level}"), team)
        take(given, state, 3, team, number=2)
        return {name: one.clone() for name, one in state.tensors().items()}, state.fields()

    (tensors, fields), (others, _) = together(2, saved)
    assert tensors.keys() == names > others.keys()

    def gone_on(team: Team, *texts: str) -> dict[str, Tensor]:
        state = begun(given, texts, team)
        state.restore(tensors, fields)
        take(given, state, 3, team, number=2)
        return {name: one.clone() for name, one in state.tensors().items()}

    before = {f"network.{name}": one for name, one in given[0].state_dict().items()}
    for found in (
        gone_on(ALONE),
        together(3, lambda team: gone_on(team, JOINT, f"zero:level={level % 3 + 1}"))[0],
        together(2, lambda team: gone_on(team, JOINT))[0],
    ):
        assert found.keys() == wanted.keys()
        network = {name: one for name, one in found.items() if name in before and one.is_floating_point()}
        assert apart(network, {name: wanted[name] for name in network}, before) < 1e-11
        for name in wanted.keys() - before.keys():
            torch.testing.assert_close(found[name], wanted[name], rtol=1e-8, atol=1e-13)
