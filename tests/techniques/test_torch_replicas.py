"""PyTorch's own wrappers: they train as ours do, and leave the checkpoint of one process. They need real processes."""

from __future__ import annotations

import copy
import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

import narrow
from fleets import fleet
from fullfield.bench.stepping import Stepping, noise
from fullfield.data.loader import Batch
from fullfield.distribution import pieces
from fullfield.distribution.buckets import Summed
from fullfield.distribution.team import Team
from fullfield.memory import trace
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.memory.costs import AGREED, Costs, Facts, Work
from fullfield.model.chain import INPUT, OUTPUT, Chain, Part
from fullfield.techniques import build as builds
from fullfield.techniques import compose, registry
from fullfield.train import step as steps
from fullfield.train.state import Progress, State
from fullfield.train.update import PREFIX, Update
from techniques import exactness
from techniques.test_data_parallel import of_ranks
from train.ranks import small_network

RANKS, SIDE = 2, 96
WHOLE = (3, 1)
"""Images of two steps: of the first, ranks have two and one, and of the second one has none."""
CASES = (
    ("ddp",),
    ("ddp", "hybrid_bands"),
    ("data_parallel", "zero_optimizer"),
    ("fsdp",),
)
OURS = ("data_parallel",)
DIVIDED = {"zero_optimizer", "fsdp"}
WRAPPED = (("ddp",), ("data_parallel", "zero_optimizer"), ("fsdp",))
ENCODER, NARROW = "resnet18", 8


@dataclass(frozen=True)
class Like:
    """What a case is compared with. `ours`: the techniques that do the same. `stages`: of a network that has them all;
    else the small one is enough. `adam`: without it SGD, for a difference of gradients is hardly seen in Adam's first
    updates."""

    ours: tuple[str, ...]
    stages: bool
    adam: bool


def like(texts: tuple[str, ...]) -> Like:
    beside = tuple(text for text in texts if text == "hybrid_bands")
    return Like((*OURS, *beside), bool(beside) or "fsdp" in texts, not DIVIDED.isdisjoint(texts))


def begun(team: Team, given: Any, texts: tuple[str, ...], same: Like) -> State:
    if same.stages:
        build = builds.begin(copy.deepcopy(given[0]), torch.device("cpu"), ranks=team)
    else:
        build = small_network(ranks=team)
        build.network.double()
        build.chain = Chain([Part(name=OUTPUT, takes=(INPUT,), stages=(OUTPUT,), run=build.network)])
    if not same.adam:
        build.optimizer = lambda parameters: torch.optim.SGD(parameters, lr=1.0, momentum=0.9)
    compose.apply(compose.read(texts), build)
    return State(build=build, update=Update(build), progress=Progress(), threads=1, data="", start="")


def go(one: State, team: Team, given: Any, whole: int) -> None:
    _, x, y = given
    own = slice(team.rank, whole, team.size)
    images = Batch(x_NCHW=x[own], y_NCHW=y[own], shapes=((SIDE, SIDE),) * len(x[own]), whole=whole)
    done = steps.train_step(one.build, one.update, images, loss="ms_ssim+l1", l1=True, rate=0.01, team=team)
    assert done.gradient > 0 and not done.skipped


def off(found: dict[str, Tensor], wanted: dict[str, Tensor]) -> float:
    """The largest difference, by the largest value of its tensor."""
    assert found.keys() == wanted.keys(), found.keys() ^ wanted.keys()
    pairs = [(found[name].double(), wanted[name].double()) for name in wanted]
    return max(float((one - two).abs().max() / two.abs().max().clamp(min=1e-3)) for one, two in pairs)


def values(one: State) -> dict[str, Tensor]:
    """What the network computes with; how many batches it has seen a stand-in counts, too."""
    named = {name: pieces.whole(value).clone() for name, value in one.network.state_dict().items()}
    return {name: value for name, value in named.items() if value.is_floating_point()}


def evaluated(one: State, team: Team, given: Any) -> bool:
    """Whether rank 0 predicts alone, in which others have no part, what the network of its weights does."""
    _, x, _ = given
    weights = one.weights()
    one.network.eval()
    with steps.opened(one.build.as_result), torch.no_grad():
        made = one.build.chain(x[:1]) if team.writes else None
    one.network.train()
    plain = copy.deepcopy(given[0]).eval()
    if made is None:
        return True
    plain.load_state_dict(weights)
    return torch.equal(made, plain(x[:1]))


def compared(team: Team) -> dict[tuple[str, ...], dict[str, Any]]:
    """Of each case, after the steps: how far it is from ours, what a rank remembers, and whether it goes on."""
    given = exactness.reference("resnet18", max(WHOLE), SIDE, SIDE)
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for same, cases in groupby(CASES, key=like):
        wanted = begun(team, given, same.ours, same)
        before = values(wanted)
        for whole in WHOLE:
            go(wanted, team, given, whole)
        file = {name: value.clone() for name, value in wanted.tensors().items()}
        then, fields = values(wanted), wanted.fields()
        go(wanted, team, given, 1)
        for texts in cases:
            one = begun(team, given, texts, same)
            for whole in WHOLE:
                go(one, team, given, whole)
            remembered, left = map(pieces.own, one.update.tensors().values()), one.tensors()
            mine = values(one)
            left["generator.cpu"] = file["generator.cpu"]  # of random numbers of the network that was made later
            found[texts] = {
                "moved": off(then, before),
                "off": off(left, file) if team.writes else off(mine, then),
                "values": mine if "hybrid_bands" not in texts else {},
                "evaluated": evaluated(one, team, given) if "fsdp" in texts else None,
                "remembered": sum(value.nbytes for value in remembered),
                "of": sum(value.nbytes for name, value in file.items() if name.startswith(PREFIX)),
            }
            other = begun(team, given, texts, same)
            other.restore(file, fields)
            go(other, team, given, 1)
            found[texts]["goes on"] = off(values(other), values(wanted))
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_they_train_as_ours_do_and_leave_and_take_the_checkpoint_of_one_process(tmp_path: Path) -> None:
    every = fleet(RANKS, "techniques.test_torch_replicas:compared", tmp_path)
    for texts in CASES:
        first, second = (found[texts] for found in every)
        assert first["moved"] > 1e-3, "where nothing changes everything is equal"
        assert max(one[key] for one in (first, second) for key in ("off", "goes on")) < 1e-11, texts
        assert all(torch.equal(value, second["values"][name]) for name, value in first["values"].items())
        assert first["evaluated"] in (True, None), texts
        shares = [one["remembered"] / one["of"] for one in (first, second)]
        divided = not DIVIDED.isdisjoint(texts)
        assert sum(shares) == pytest.approx(1.0 if divided else RANKS, rel=1e-4)  # each counts its steps
        assert max(shares) < (0.7 if divided else 1.01)


class Seen(TorchDispatchMode):
    """Whatever is given to torch's process groups inside, by whom ever: `bytes` by operation, and how many there are.
    Of what has a whole and a piece the whole counts."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: Counter[str] = Counter()
        self.messages = 0

    def __torch_dispatch__(self, operation: Any, types: Any, given: Any = (), named: Any = None) -> Any:
        room, _, name = operation._schema.name.partition("::")
        if room == "c10d":
            self.bytes[name] += max(one.nbytes for one in tree_leaves(given) if isinstance(one, Tensor))
            self.messages += 1
        return operation(*given, **(named or {}))


def said(team: Team) -> list[tuple[Work, Work]]:
    """Of a third step of each: what goes through torch's process group, and what is counted."""
    found = []
    with narrow.everywhere(NARROW):
        for texts in WRAPPED:
            training = Stepping(texts, encoder=ENCODER, ranks=team)
            images = noise(shape_of(team.size), training.build)
            for _ in range(2):  # the first decides the order of ddp's buckets
                training.step(images)
            before = replace(team.traffic)
            with Seen() as seen:
                training.step(images)
            once = {"broadcast_", "_allgather_base_", "_reduce_scatter_base_"}
            assert seen.bytes.keys() <= {"allreduce_", *once}
            shared = sum(size // 2 if name in once else size for name, size in seen.bytes.items())
            counted = team.traffic.shared - before.shared, team.traffic.collectives - before.collectives
            found.append(
                (Work(shared=shared, collectives=seen.messages), Work(shared=counted[0], collectives=counted[1]))
            )
    return found


def shape_of(ranks: int) -> Shape:
    return Shape(height=192, width=192, batch=ranks, encoder=ENCODER)


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
@pytest.mark.parametrize("ranks", [2, 3])
def test_that_what_they_send_is_counted_and_predicted(ranks: int, tmp_path: Path) -> None:
    """To the byte, also where no number of channels is divided by that of processes."""
    every = fleet(ranks, "techniques.test_torch_replicas:said", tmp_path)
    facts = trace.facts(narrow.network(ENCODER, by=NARROW).float())
    here = replace(of_ranks(ranks, {}), shape=shape_of(ranks), costs=Costs(facts))
    for place, texts in enumerate(WRAPPED):
        estimate = compose.predict(compose.read(texts), here)
        sums = estimate.summed or Summed(gradients=())
        predicted = estimate.exchanged + Work(shared=sums.bytes, collectives=sums.messages)
        for seen, counted in (rank[place] for rank in every):
            assert seen == counted == predicted + AGREED, texts
            assert predicted.shared > 0.9 * sum(facts.weights.values())


@pytest.mark.parametrize("name", ["ddp", "zero_optimizer", "fsdp"])
def test_that_one_process_has_no_use_for_them(name: str) -> None:
    technique = registry.read(name)
    reason = technique.refuse(of_ranks(1, {"a": 1}))
    assert reason is not None and "--processes" in reason.hint
    assert technique.refuse(of_ranks(2, {"a": 1})) is None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("ddp", "optimizer_in_backward"),
        ("ddp", "data_parallel"),
        ("ddp", "accumulate"),
        ("ddp", "momentum"),
        ("zero_optimizer", "optimizer_in_backward"),
        ("zero_optimizer", "optimizer_8bit"),
        ("fsdp", "accumulate"),
        ("fsdp", "channels_last"),
        ("fsdp", "checkpointing"),
        ("fsdp", "full_bands"),
        ("fsdp", "ema"),
        ("fsdp", "data_parallel"),
    ],
)
def test_that_what_would_silently_be_wrong_is_refused(name: str, other: str) -> None:
    assert compose.exclusions([registry.read(name), registry.read(other)])


def test_that_their_memory_is_predicted() -> None:
    facts = Facts(weights={"a": 1 << 20}, buffers=0, parameters={"stages.a.x": 1 << 20}, lengths={"stages.a.x": 8})
    here = replace(of_ranks(4, {}), costs=Costs(facts))
    before = MemoryEstimate(shape=here.shape)
    assert registry.read("ddp").predict(before, here).beside == 1.0
    assert registry.read("zero_optimizer").predict(before, here).state == before.state / 4
    owned = registry.read("fsdp").predict(before, here).owned
    assert owned is not None and owned.weights and owned.gradients
    assert [sum(each.values()) for each in owned.by_rank] == [sum(facts.weights.values()) // 4] * 4
    uneven = registry.read("fsdp").predict(before, replace(here, devices=here.devices[:3])).owned
    assert uneven is not None and uneven.by_rank == ({"a": 3 * (1 << 17)},) * 3, "of eight rows three, one of nothing"
