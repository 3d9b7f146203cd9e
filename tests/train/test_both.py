"""A card and the CPU in one training: the steps are those of one process, and both keep the same weights to the bit,
though they round otherwise."""

from __future__ import annotations

import copy
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from fleets import fleet
from fullfield.data.loader import Batch
from fullfield.distribution import meet
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import UsageError
from fullfield.hardware import compiler, devices
from fullfield.protocol.events import Notice
from fullfield.protocol.training import from_json
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.build import Build
from fullfield.train import job
from fullfield.train import step as steps
from fullfield.train.update import Update
from support import without_compiler
from teams import Member, together
from techniques import exactness
from train.ranks import RankContext

HEIGHT, WIDTH, STEPS = 192, 192, 2
SHAPES = ((187, WIDTH), (HEIGHT, 181), (HEIGHT, WIDTH), (170, WIDTH))
BANDS = ("banded_loss:rows=48", "hybrid_bands:rows=32,block_rows=16")
FULL = ("banded_loss", "full_bands:rows=64,limit=20")
CASES: dict[str, tuple[str, ...]] = {
    "hybrid": ("spatial:portions=3+1", *BANDS),
    "full": ("spatial:portions=3+1", *FULL),
    "inside": ("spatial:portions=3+1", *FULL, "optimizer_in_backward"),
    "zero": ("spatial:portions=1+3", *BANDS, "zero"),
    "joint": ("data_parallel:batch_norm=joint,portions=3+1",),
    "owned": ("data_parallel:batch_norm=joint", "zero:level=2"),
    "parts": ("model_parallel:last=layer4",),
}
BY_ADAM = ("hybrid", "inside", "owned")  # of the others the bits are proven below
cards = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
gloo = pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")


def sgd(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """Whose update is the gradient: Adam's first one is hardly more than its sign."""
    return torch.optim.SGD(parameters, lr=1.0)


def stepped(
    texts: tuple[str, ...], team: Team = ALONE, device: str = "cpu", *, adam: bool = False, off: float = 0.0
) -> tuple[dict[str, Tensor], steps.Step]:
    """Weights and statistics after a few steps in fp64. `off`: what a device makes of a gradient and of statistics is
    so much larger, relatively, than on another one."""
    torch.set_num_threads(1)
    network, x, y = exactness.reference("resnet18", len(SHAPES), HEIGHT, WIDTH, by=8)
    build = builds.begin(copy.deepcopy(network).to(device), torch.device(device), ranks=team)
    build.counted = True  # nothing is compiled
    compose.apply(compose.read(texts), build)
    if not adam:
        build.optimizer = sgd
    if off:
        build.gradients.append(lambda there: [one.grad.mul_(1 + off) for one in there if one.grad is not None])
    batch, update = shared(build, x, y), Update(build)
    for _ in range(STEPS):
        done = steps.train_step(build, update, batch, loss="ms_ssim+l1", l1=False, rate=0.01, team=team)
    update.close()
    named = build.network.state_dict()
    kept = {name: value for name, value in named.items() if build.owners is None or build.owners.keeps(name)}
    return {name: value.detach().cpu().clone() for name, value in kept.items()}, done


def shared(build: Build, x: Tensor, y: Tensor) -> Batch:
    first, last = build.team.own(HEIGHT)
    own = build.replicas.images(len(SHAPES))
    x_NCHW, y_NCHW = (images[own, :, first:last] for images in (x, y))
    shapes = tuple(SHAPES[place] for place in own)
    return Batch(x_NCHW=x_NCHW, y_NCHW=y_NCHW, shapes=shapes, whole=len(SHAPES), first=first)


def every(team: Any) -> dict[str, Any]:
    """Each case, some by both optimizers, as one of the processes runs it."""
    compiler.missing = lambda: "The loss is computed without a compiler."
    device = str(team.device)
    return {
        name: [stepped(texts, team, device, adam=adam) for adam in (False, True)[: 1 + (name in BY_ADAM)]]
        for name, texts in CASES.items()
    }


def unlike(team: Any) -> dict[str, Any]:
    """The same of processes that take themselves for unlike."""
    team.alike = False
    return every(team)


def agree(found: list[dict[str, Any]]) -> None:
    first, second = found
    alone = {False: stepped(()), True: stepped(("accumulate",))}
    wanted, whole = alone[False]
    before = exactness.reference("resnet18", len(SHAPES), HEIGHT, WIDTH, by=8)[0].state_dict()
    moved = max(float((wanted[name] - before[name]).abs().max()) for name in wanted)
    assert moved > 1e-3 and 0 < whole.structure < 100, "where nothing changes everything is equal"
    for case in CASES:
        wanted, whole = alone[case == "parts"]
        weights, done = first[case][0]
        assert done.loss == pytest.approx(whole.loss, rel=1e-11) and not done.skipped, case
        for name, value in weights.items():
            change = (wanted[name] - before[name]).abs().max().clamp(min=1e-3 * moved)
            assert float((value - wanted[name]).abs().max() / change) < 1e-11, (case, name)
        for (one, _), (other, _) in zip(first[case], second[case], strict=True):
            both = one.keys() & other.keys()
            assert all(torch.equal(one[name], other[name]) for name in both), case
            assert one.keys() | other.keys() == wanted.keys() and bool(both) == (case != "parts"), case


@pytest.mark.gpu
@cards
def test_that_a_card_and_the_cpu_train_as_one_process_with_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    agree(fleet(2, "train.test_both:every", tmp_path, device="cuda:0,cpu"))


@gloo
@pytest.mark.slow
def test_that_what_unlike_processes_do_is_the_step_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiler(monkeypatch)
    agree(fleet(2, "train.test_both:unlike", tmp_path))


JOINT = "data_parallel:batch_norm=joint"


@pytest.mark.parametrize(
    "texts",
    [
        *(CASES[name] for name in ("hybrid", "zero", "joint")),
        ("data_parallel", "gradient_clipping:norm=0.05", "ema"),
        (JOINT, "lars", "ema"),
        (JOINT, "lamb", "accumulate"),
        (JOINT, "optimizer_offload"),
        (JOINT, "optimizer_in_backward", "gradient_compression:format=powersgd"),
    ],
    ids="+".join,
)
def test_that_ranks_that_round_otherwise_keep_the_same_weights(
    texts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)

    def rank(team: Member) -> dict[str, Tensor]:
        team.alike = False
        return stepped(texts, team, adam=True, off=1e-9 * team.rank)[0]

    one, other = together(2, rank)
    assert all(torch.equal(one[key], other[key]) for key in one)


def test_that_a_card_and_the_cpu_of_several_computers_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meet, "here", lambda world: 2)
    card = replace(devices.choose("cpu"), kind="cuda")
    monkeypatch.setattr(devices, "choose", lambda name, *, rank=0: card)
    context = RankContext(tmp_path, Team(0, 4))
    with pytest.raises(UsageError, match="several computers with a card and the CPU"):
        job.run(from_json({"data": "-", "device": "cuda:0,cpu", "batch": 4}), context)


@pytest.mark.parametrize(("device", "idle"), [("cuda:0,cuda:1,cpu", "cuda:1 and cpu"), ("cuda:0", "")])
def test_that_devices_for_which_there_is_no_process_are_named(
    device: str, idle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = replace(devices.choose("cpu"), kind="cuda")
    monkeypatch.setattr(devices, "choose", lambda name, *, rank=0: card)
    monkeypatch.setattr(job, "train", lambda *given: {})
    context = RankContext(tmp_path, Team())
    job.run(from_json({"data": "-", "device": device}), context)
    said = [event.text for event in context.reported(Notice)]
    assert said == ([f"Fewer processes than devices were asked for: nothing is trained on {idle}."] if idle else [])
