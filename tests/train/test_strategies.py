"""A training that is saved on some ranks and resumed on others, by another strategy, stays what it was."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

import narrow
from fullfield.data.loader import Batch
from fullfield.distribution.owners import is_there
from fullfield.distribution.team import Team
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train import step as steps
from fullfield.train.state import Progress, State
from fullfield.train.update import Update
from teams import together

SIDE = 128
BANDS = ("banded_loss", "hybrid_bands:rows=32,block_rows=16")
FULL = ("banded_loss", "full_bands:rows=32")
JOINT = "data_parallel:batch_norm=joint"
LEGS: list[tuple[int, tuple[str, ...]]] = [
    (4, ("spatial", *BANDS)),
    (1, ()),
    (2, (JOINT, "zero:level=3")),
    (4, ("model_parallel:last=stem+layer3+d2",)),
    (2, ("spatial:portions=3+1", "zero", *FULL)),
    (1, FULL),
    (4, ("spatial:processes=2", JOINT, *BANDS)),  # two of them without an image
    (2, ("model_parallel:last=layer4,schedule=gpipe", "checkpointing")),
    (2, (JOINT, "zero:level=2", "optimizer_in_backward")),
]


@dataclass(frozen=True, kw_only=True)
class Given:
    """The network before the first step, and the only image."""

    network: Any
    x: Tensor
    y: Tensor


Saved = tuple[dict[str, Tensor], dict[str, Any]]


def adam(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """With a large ε: its first step is else hardly more than the sign of a gradient."""
    return torch.optim.Adam(parameters, eps=1e-3)


def gone_on(given: Given, texts: tuple[str, ...], saved: Saved | None, team: Team) -> Saved:
    """What a step makes of what was saved, on rank 0 all of it."""
    build = builds.begin(copy.deepcopy(given.network), torch.device("cpu"), ranks=team)
    build.counted = True  # nothing is compiled
    compose.apply(compose.read(texts), build)
    build.optimizer = adam
    state = State(build=build, update=Update(build), progress=Progress(), threads=1, data="", start="")
    if saved is not None:
        state.restore(*saved)
    first, last = build.team.own(SIDE)
    images = slice(build.replicas.rank, 1, build.replicas.size)
    x_NCHW, y_NCHW = (one[images, :, first:last] for one in (given.x, given.y))
    shapes = ((SIDE, SIDE),) * len(x_NCHW)
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=y_NCHW, shapes=shapes, whole=1, first=first)
    done = steps.train_step(build, state.update, batch, loss="ms_ssim+l1", l1=True, rate=0.01, team=team)
    assert done.loss < 100.0 and not done.skipped and not done.spared
    left = {name: one.detach().clone() for name, one in state.tensors().items() if is_there(one)}
    state.update.close()
    return left, copy.deepcopy(state.fields())


def test_that_a_training_goes_on_by_any_strategy_on_any_number_of_ranks_as_if_it_had_been_alone() -> None:
    torch.set_num_threads(1)
    network = narrow.network()
    x = torch.rand(1, 1, SIDE, SIDE, dtype=torch.float64)
    given = Given(network=network, x=x, y=0.7 * x + 0.1 * torch.rand_like(x) + 0.1)
    alone: Saved | None = None
    shared: Saved | None = None
    before = {f"network.{name}": one for name, one in network.state_dict().items()}
    for ranks, texts in LEGS:
        alone = together(1, lambda team, saved=alone: gone_on(given, (), saved, team))[0]
        shared = together(ranks, lambda team, texts=texts, saved=shared: gone_on(given, texts, saved, team))[0]
        assert shared[0].keys() == alone[0].keys()
        for name, wanted in alone[0].items():
            if wanted.is_floating_point():
                moved = float((wanted - before.get(name, torch.zeros_like(wanted))).abs().max())
                assert moved > 0, "where nothing changes everything is equal"
                assert float((shared[0][name] - wanted).abs().max()) <= 1e-11 * max(moved, 1e-3), (texts, name)
            else:
                assert torch.equal(shared[0][name], wanted), (texts, name)
