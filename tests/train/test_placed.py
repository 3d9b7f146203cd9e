"""Ranks that have parts of the network: what one process does that takes an image at a time, bit for bit."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch, Loader
from fullfield.data.prepared import Prepared
from fullfield.distribution.owners import Owners, is_there
from fullfield.distribution.team import ALONE, Team
from fullfield.model.chain import INPUT, OUTPUT, Chain, Part
from fullfield.model.network import Network
from fullfield.model.placed import Placed
from fullfield.protocol.events import StepDone
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.build import Build
from fullfield.train import evaluate, profiled
from fullfield.train import step as steps
from fullfield.train.state import Progress, State
from fullfield.train.update import Update
from teams import Member, together
from techniques import exactness
from train import ranks as small
from train.ranks import RankContext, loop
from training import prepared_phantoms

SIDE, IMAGES, STEPS = 96, 3, 2
TWO, THREE = "model_parallel:last=layer4", "model_parallel:last=layer2+d2"


@pytest.fixture(scope="module")
def given() -> Any:
    torch.set_num_threads(1)
    return exactness.reference("resnet18", IMAGES, SIDE, SIDE, by=8)


def sgd(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """With something to remember."""
    return torch.optim.SGD(parameters, lr=1.0, momentum=0.9)


@dataclass
class Training:
    """Of the network of `given` with techniques, as one of a team."""

    state: State
    images: Batch
    team: Team

    def go(self, first: int, last: int) -> list[steps.Step]:
        """Steps of a schedule of STEPS."""
        rates = [
            steps.learning_rate(step, STEPS, largest=1.0, schedule="cosine", warm_up=0.0) for step in range(first, last)
        ]
        take = partial(steps.train_step, self.state.build, self.state.update, self.images, team=self.team)
        return [take(loss="ms_ssim+l1", l1=True, rate=rate) for rate in rates]

    def tensors(self) -> dict[str, Tensor]:
        """All of them, on rank 0, as they are now."""
        return {name: value.detach().clone() for name, value in self.state.tensors().items() if is_there(value)}


def training(given: Any, texts: tuple[str, ...], team: Team = ALONE) -> Training:
    network, x, y = given
    build = builds.begin(copy.deepcopy(network), torch.device("cpu"), ranks=team)
    compose.apply(compose.read(texts), build)
    build.optimizer = sgd
    state = State(build=build, update=Update(build), progress=Progress(), threads=1, data="", start="")
    return Training(state, Batch(x_NCHW=x, y_NCHW=y, shapes=((SIDE, SIDE),) * IMAGES, whole=IMAGES), team)


def trained(
    given: Any, texts: tuple[str, ...], team: Team = ALONE, count: int = STEPS
) -> tuple[list[steps.Step], dict[str, Tensor]]:
    one = training(given, texts, team)
    return one.go(0, count), one.tensors()


@pytest.fixture(scope="module")
def alone(given: Any) -> tuple[list[steps.Step], dict[str, Tensor]]:
    return trained(given, ("accumulate",))


@pytest.mark.parametrize("schedule", ["1f1b", "gpipe"])
@pytest.mark.parametrize(("ranks", "text"), [(2, TWO), (3, THREE)])
def test_that_ranks_with_parts_train_as_one_that_takes_an_image_at_a_time(
    given: Any, alone: tuple[list[steps.Step], dict[str, Tensor]], schedule: str, ranks: int, text: str
) -> None:
    found = together(ranks, lambda team: trained(given, (f"{text},schedule={schedule}",), team))
    assert [one.loss for one in found[0][0]] == [one.loss for one in alone[0]] and alone[0][0].loss < 100.0
    assert all(done == found[0][0] for done, _ in found), "all ranks have found the same"
    for one, other in zip(found[0][0], alone[0], strict=True):
        assert one.gradient == pytest.approx(other.gradient, rel=1e-12) and other.gradient > 0 and not one.skipped
    before = given[0].state_dict()
    assert found[0][1].keys() == alone[1].keys() and any(name.startswith("optimizer.") for name in alone[1])
    for name, value in alone[1].items():
        assert torch.equal(found[0][1][name], value), name
    moved = [name for name in before if not torch.equal(before[name], alone[1][f"network.{name}"])]
    assert len(moved) == len(before), "where nothing changes everything is equal"


@pytest.mark.parametrize(
    ("beside", "bound"),
    [
        ("checkpointing", 0.0),
        ("gradient_clipping:norm=0.1", 1e-12),
        ("checkpointing:by=periodic", 0.0),
        ("recompute", 1e-12),
        ("channels_last", 0.0),
        ("offload_activations", 0.0),
    ],
)
def test_that_parts_are_run_as_other_techniques_say(given: Any, beside: str, bound: float) -> None:
    wanted = trained(given, ("accumulate", beside), count=1)[1]
    found = together(2, lambda team: trained(given, (TWO, beside), team, count=1)[1])[0]
    for name, value in wanted.items():
        assert float((found[name] - value).abs().max()) <= bound * float(value.abs().max()), name


class Counting:
    """Of a rank: bytes that it is sent."""

    def __init__(self, team: Member) -> None:
        self.bytes, self._receive = 0, team.receive
        vars(team)["receive"] = self._took

    def _took(self, room: Tensor, peer: int) -> None:
        self._receive(room, peer)
        self.bytes += room.nbytes


def test_that_a_rank_is_sent_the_maps_that_it_takes_and_no_others(given: Any) -> None:
    network: Network = given[0]

    def size(name: str, shrinks: int) -> int:
        return IMAGES * network.channels(name) * (SIDE // shrinks) ** 2 * 8

    def rank(team: Member) -> tuple[int, int]:
        one = training(given, (THREE,), team)
        one.go(0, 1)  # in which forms are told
        counted, before = Counting(team), team.traffic.sent
        one.go(1, 2)
        return counted.bytes, team.traffic.sent - before

    skips = size("stem", 2) + size("layer1", 4)  # to d4 and d3, on the last rank
    down, up = size("layer2", 8), size("d2", 8)
    found = together(3, rank)
    assert [taken for taken, _ in found] == [skips + down, down + up, skips + up]
    assert [sent for _, sent in found] == [skips + down, up + down, skips + up]


def test_that_each_rank_has_the_weights_of_its_parts_alone(given: Any) -> None:
    def rank(team: Member) -> tuple[set[str], int]:
        one = training(given, (TWO,), team)
        one.go(0, 1)
        own = {name for name, value in one.state.network.named_parameters() if is_there(value)}
        return own, len(one.state.update.tensors())

    (first, others), (second, rest) = together(2, rank)
    assert {name.split(".")[1] for name in first} == {"stem", "layer1", "layer2", "layer3", "layer4"}
    assert first.isdisjoint(second) and first | second == {name for name, _ in given[0].named_parameters()}
    assert (others, rest) == (len(first), len(second))


@pytest.mark.parametrize(("before", "after"), [(2, 1), (1, 2)])
def test_that_any_number_of_ranks_goes_on_with_what_any_other_has_saved(
    given: Any, alone: tuple[list[steps.Step], dict[str, Tensor]], before: int, after: int
) -> None:
    def begun(team: Team) -> tuple[dict[str, Tensor], dict[str, Any]]:
        one = training(given, (TWO,) if team.size > 1 else ("accumulate",), team)
        one.go(0, 1)
        return one.tensors(), one.state.fields()

    def ended(team: Team) -> dict[str, Tensor]:
        one = training(given, (TWO,) if team.size > 1 else ("accumulate",), team)
        one.state.restore(*saved)
        one.go(1, 2)
        return one.tensors()

    saved = together(before, begun)[0]
    assert not torch.equal(saved[0]["network.stages.head.conv.weight"], alone[1]["network.stages.head.conv.weight"])
    found = together(after, ended)[0]
    for name, value in alone[1].items():
        assert torch.equal(found[name], value), name


# a small network of two parts


def placed(team: Team, **changes: Any) -> Build:
    """Of two parts on two ranks; the same network as `small.small_network` makes."""
    build = small.small_network(**changes)
    layers: Any = build.network
    head = Part(name=OUTPUT, takes=("maps",), stages=("head",), run=layers[3])
    chain = Chain([Part(name="maps", takes=(INPUT,), stages=("stem",), run=layers[:3]), head])
    by_name = {name: int(name.startswith("3.")) for name in build.network.state_dict()}
    build.chain, build.ranks = chain, team
    build.placed = Placed(chain, team, build.device, stages=[("stem",), ("head",)], order="1f1b")
    build.owners = Owners(ranks=team, by_name=by_name, gradients=True, weights=frozenset(by_name))
    return build


def take(build: Build, images: Batch, team: Team = ALONE) -> steps.Step:
    return steps.train_step(build, Update(build), images, loss="ms_ssim+l1", l1=False, rate=0.01, team=team)


def test_that_an_image_that_is_no_number_skips_the_update_of_all() -> None:
    def rank(team: Member) -> tuple[steps.Step, bool]:
        build = placed(team)
        before = [value.clone() for value in build.network.state_dict().values()]
        images = small.batch([0, 1])
        images.x_NCHW[1, 0, 5, 5] = math.nan
        return take(build, images, team), all(map(torch.equal, build.network.state_dict().values(), before))

    for done, same in together(2, rank):
        assert done.skipped and same


def test_that_gradients_that_overflow_on_one_rank_make_the_scale_of_all_smaller() -> None:
    begins, largest = 2.0**24, 65504.0  # of fp16

    def short(gradient: Tensor) -> Tensor:
        return torch.where(gradient.abs() > largest, math.inf, gradient)

    def took(build: Build, team: Team) -> tuple[steps.Step, float, dict[str, Tensor]]:
        scaler = build.scaler = torch.amp.GradScaler("cpu", init_scale=begins)
        dict(build.network.named_parameters())["3.weight"].register_hook(short)
        return take(build, small.batch([0, 1]), team), scaler.get_scale(), small.weights(build)

    done, scale, wanted = took(small.small_network(micro=1), ALONE)
    assert 1.0 < scale < begins and not done.skipped
    first, second = together(2, lambda team: took(placed(team), team))
    assert first[0] == second[0] and first[0].loss == done.loss
    assert first[1] == second[1] == scale
    for name, value in wanted.items():
        assert torch.equal((second if name.startswith("3.") else first)[2][name], value)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), 8, rows=small.SIDE, columns=small.SIDE)


def test_that_an_image_passes_through_all_ranks_in_an_evaluation_and_the_first_one_measures(data: Prepared) -> None:
    loader = Loader(data, data.items[:3])
    seen: list[tuple[int, int, Tensor]] = []

    def look(rank: int) -> evaluate.Look:
        return lambda place, output, batch: seen.append((rank, place, torch.from_numpy(output.copy())))

    wanted = evaluate.of_network(small.small_network(), loader, look=look(-1))
    expected, seen[:] = list(seen), []
    found = together(2, lambda team: evaluate.of_network(placed(team), loader, look=look(team.rank), first=1))
    assert found == [wanted] * 2 and wanted.loss < 100.0
    assert [(rank, place) for rank, place, _ in seen] == [(0, place) for place in range(3)] and len(expected) == 3
    for one, other in zip(seen, expected, strict=True):
        assert torch.equal(one[2], other[2])


@pytest.mark.parametrize("asked", [0, 1])
def test_that_a_stop_asked_of_one_rank_stops_all_after_the_same_step(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: int
) -> None:
    monkeypatch.setattr(profiled, "LARGEST", 0)  # the allocator's records are of a process, and ranks are threads here

    def rank(team: Member) -> tuple[RankContext, Progress]:
        stop = (StepDone, 2) if team.rank == asked else None
        context = RankContext(tmp_path / str(team.rank), team, stop_after=stop)
        return loop(data, context, team, placed(team))

    (first, one), (_, other) = together(2, rank)
    assert one.step == other.step == 2
    assert len(list((first.folder / "checkpoints").glob("step-*"))) == 1
    assert not any(path.is_file() for path in (tmp_path / "1").rglob("*"))


def test_that_a_rank_without_a_part_is_named() -> None:
    layers = cast(Any, small.small_network().network)
    chain = Chain([Part(name=OUTPUT, takes=(INPUT,), stages=("stem", "head"), run=layers)])
    with pytest.raises(ValueError, match=r"\[1\] have no part"):
        Placed(chain, Team(0, 2), torch.device("cpu"), stages=[("stem",), ("head",)], order="1f1b")
