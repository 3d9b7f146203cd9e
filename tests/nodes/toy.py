"""A training in fp64 that costs next to nothing, for nodes that come and go: the engine's own meeting, checkpoints and
steps, with a narrow network, and sleep in place of the rest. `site/sitecustomize.py` puts it in place of "train"."""

from __future__ import annotations

import time
from pathlib import Path

import torch
from torch import Tensor, nn

import narrow
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data.loader import Batch
from fullfield.distribution import meet
from fullfield.distribution.team import ALONE, Team
from fullfield.model.phantom import phantom
from fullfield.protocol.events import StepDone
from fullfield.protocol.training import Training
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train import checkpoint_file, shared
from fullfield.train import step as steps
from fullfield.train.checkpoint import Store
from fullfield.train.state import Progress, State
from fullfield.train.update import Update

SIDE, IMAGES, SECONDS = 96, 3, 1.2
EPS, RATE = 1.0, 0.01
CPU = torch.device("cpu")


def adam(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """With a large ε: in a network that has learned nothing, 50 steps with a small one make 0.1 of 1e-16."""
    return torch.optim.Adam(parameters, eps=EPS)


def state(techniques: tuple[str, ...], team: Team = ALONE) -> State:
    """Of a narrow network, for one of the team."""
    build = builds.begin(narrow.network(), CPU, ranks=team)
    build.counted = True  # nothing is compiled
    compose.apply(compose.read(techniques if team.size > 1 else ()), build)
    build.optimizer = adam
    return State(build=build, update=Update(build), progress=Progress(), threads=1, data="toy", start="")


def step(now: State, team: Team = ALONE) -> float:
    """One step with all images, of which this rank takes its share; the loss."""
    images = [torch.from_numpy(phantom(SIDE, SIDE, seed=seed))[None].double() for seed in range(IMAGES)]
    build = now.build
    first, last = build.team.own(SIDE)
    own = slice(build.replicas.rank, IMAGES, build.replicas.size)
    x_NCHW = torch.stack(images)[own, :, first:last]
    shapes = ((SIDE, SIDE),) * len(x_NCHW)
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=x_NCHW.sqrt(), shapes=shapes, whole=IMAGES, first=first)
    done = steps.train_step(build, now.update, batch, loss="ms_ssim+l1", l1=True, rate=RATE, team=team)
    assert not done.skipped and not done.spared
    now.progress.step += 1
    return done.loss


def tensors(now: State) -> dict[str, Tensor]:
    return {name: one.detach().clone() for name, one in now.tensors().items()}


def run(spec: Training, context: Context) -> Fields:
    """Step until it is asked to stop, saving each step, on as many ranks as there are now."""
    torch.set_num_threads(1)
    with (
        torch.compiler.set_stance("force_eager"),  # the other one takes half a minute in each process
        meet.met(context.world, "cpu", apart=False) as team,
        Store(context.folder, writes=team.writes) as store,
    ):
        context.accept()
        found = shared.newest(store, team, CPU)
        now = state(spec.techniques, team)
        if found is not None:
            now.restore(found.tensors, found.fields)
        while not team.any(context.stopping()):
            loss = step(now, team)
            left, fields = now.tensors(), now.fields()  # of all ranks
            store.save(now.progress.step, left, fields)
            team.any(False)
            context.emit(StepDone(epoch=1, step=now.progress.step, steps=10**6, loss=loss, seconds=SECONDS))
            time.sleep(SECONDS)
        if team.any(context.is_to_regroup()):
            context.begin_anew()
        return {"steps": now.progress.step}


def saved(path: Path) -> dict[str, Tensor]:
    """The tensors of a checkpoint's file."""
    found = checkpoint_file.parsed(path)
    assert found is not None
    return dict(found.tensors)
