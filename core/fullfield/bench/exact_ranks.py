"""What several processes make together beside one of them alone, in fp64: the rows of `bench exact` with `ranks`.

Two steps, with a plain correction after each: compared are the gradients of the second one as they reach the optimizer,
its loss, and the statistics after it. So weights that did not get to all processes are seen, too. Each process looks at
what it has; every parameter must be somewhere. Of what divides the optimizer itself the weights are compared in the
place of gradients, after both steps of Adam, which change each.

With several images in a pipeline the step to come close to is that of `accumulate`; where processes normalise their own
images, that of `bench.apart`; else the plain one.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn

from fullfield import interpreter
from fullfield.bench import apart, lively, on_ranks
from fullfield.bench.stepping import share
from fullfield.checked import Fields, make
from fullfield.distribution import pieces
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import FullfieldError, UsageError
from fullfield.hardware import devices
from fullfield.hardware.devices import Device
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.protocol.events import ExactnessMeasured
from fullfield.techniques import build as builds
from fullfield.techniques import compose, costing, here
from fullfield.techniques.base import Effect, Technique
from fullfield.techniques.site import Site
from fullfield.train.loss import PERCENT
from fullfield.train.step import train_step
from fullfield.train.update import Update

RANKS = (2, 3)
SHAPE = Shape(height=192, width=224)
STEPS, RATE = 2, 1e-3
_JOINT, _HYBRID, _FULL = "data_parallel:batch_norm=joint", "banded_loss hybrid_bands", "banded_loss full_bands"
ONE, MORE = False, True
"""Images of a step: one, or one more than there are processes."""
OWN, TORCHS = "data_parallel", ("ddp", "fsdp", f"{_JOINT} zero_optimizer")
OURS = (
    (f"{_HYBRID} spatial", ONE),
    (f"{_FULL} spatial", ONE),
    ("model_parallel", ONE),
    (_JOINT, MORE),
    *((f"{_JOINT} zero:level={level}", MORE) for level in (1, 2, 3)),
    (OWN, MORE),
)
QUICK = (*OURS, *((text, MORE) for text in TORCHS))
ROWS = (
    *QUICK,
    ("banded_loss spatial", ONE),
    ("banded_loss spatial offload_activations", ONE),
    (f"{_HYBRID} spatial zero:level=1", ONE),
    (f"{_FULL} spatial optimizer_in_backward", ONE),
    ("model_parallel:cut=balanced checkpointing", ONE),
    (f"{_JOINT} checkpointing zero:level=3", MORE),
    (f"{_JOINT} optimizer_in_backward", MORE),
    ("model_parallel", MORE),
    ("model_parallel:schedule=gpipe", MORE),
)
"""Techniques and images of a row."""


OF_IMAGES = (OWN, "ddp", "fsdp")
given = cache(lively.given)


class Like(Enum):
    """What a row is to be: the plain step, that of images one after another, of those of each process, or the plain
    one with Adam."""

    PLAIN, ACCUMULATED, APART, ADAM = range(4)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the second step leaves on one process. `values`: gradients, or weights."""

    loss: float
    values: dict[str, Tensor]
    statistics: dict[str, Tensor]


def measurements(*, quick: bool) -> Iterator[ExactnessMeasured]:
    """Every row; `quick`: the fewer ones, on two processes. Raises FullfieldError where the processes fail."""
    for ranks in RANKS[:1] if quick else RANKS:
        yield from ask([(text, ranks + 1 if more else 1) for text, more in (QUICK if quick else ROWS)], ranks)


def ask(
    cases: list[tuple[str, int]], ranks: int, shape: Shape = SHAPE, device: str = devices.CPU
) -> list[ExactnessMeasured]:
    """Rows of techniques with their number of images. `device`: as of a training; a card may be shared by all."""
    question: Fields = {"cases": cases, "shape": asdict(shape), "device": device, "threads": 1}
    answer = on_ranks.ask("fullfield.bench.exact_ranks", ranks, question)
    return [make(ExactnessMeasured, one) for one in answer["rows"]]


def measure(question: Fields, device: Device, team: Team) -> Fields:
    """All cases, as one process makes its part of them."""
    shape, known = make(Shape, question["shape"]), dict[tuple[int, Like], Found]()
    rows = [_row(text.split(), replace(shape, batch=batch), device, team, known) for text, batch in question["cases"]]
    return {"rows": [asdict(row) for row in rows]}


def _row(
    texts: list[str], shape: Shape, device: Device, team: Team, known: dict[tuple[int, Like], Found]
) -> ExactnessMeasured:
    site = here.site(device, shape, Costs(Facts(weights={}, buffers=0)), team.size)
    techniques = compose.read(texts)
    refused = compose.refusals(techniques, site)
    if refused:
        raise UsageError("Cannot measure these techniques.", detail=" ".join(refused))
    like = _like(techniques, site)
    if (shape.batch, like) not in known:
        known[shape.batch, like] = _alone(like, shape, device.name, team.size)
    wanted, adam = known[shape.batch, like], like is Like.ADAM
    planned = costing.kept(shape.encoder, device.name).with_plans(techniques, site)
    found = run(planned, shape, device.name, team, adam=adam)
    there = team.agree([float(name in found.values) for name in wanted.values])
    before = _weights(given(shape)[0]) if adam else {}
    same = any(torch.equal(one, wanted.values[name].cpu()) for name, one in before.items())
    if not all(there) or same or not wanted.loss < 100.0:
        raise FullfieldError("Nothing can be compared.", detail=f"Gradients are missing with {' '.join(texts)}.")
    every = on_ranks.every(
        team,
        [
            lively.worst(found.values, {name: wanted.values[name] for name in found.values}),
            lively.worst(found.statistics, {name: wanted.statistics[name] for name in found.statistics}),
        ],
    )
    values, statistics = (max(column) for column in zip(*every, strict=True))
    return ExactnessMeasured(
        techniques=list(map(str, techniques)),
        height=shape.height,
        width=shape.width,
        batch=shape.batch,
        worst_relative_difference=values,
        loss_difference=abs(found.loss - wanted.loss) / wanted.loss,
        statistics_difference=statistics,
        ranks=team.size,
    )


def _like(techniques: Sequence[Technique], site: Site) -> Like:
    names = {one.name for one in techniques}
    if "zero_optimizer" in names:
        return Like.ADAM
    if compose.effect(techniques, site) is Effect.EXACT:
        return Like.PLAIN
    return Like.ACCUMULATED if names.isdisjoint(OF_IMAGES) else Like.APART


def _alone(like: Like, shape: Shape, device: str, ranks: int) -> Found:
    """What one process leaves."""
    if like is not Like.APART:
        techniques = compose.read(("accumulate",) if like is Like.ACCUMULATED else ())
        return run(techniques, shape, device, adam=like is Like.ADAM)
    whole, *images = given(shape)
    network = copy.deepcopy(whole).to(device)
    x_NCHW, y_NCHW = (one.to(device) for one in images)
    groups = [Team(rank, ranks).images(shape.batch) for rank in range(ranks)]
    optimizer = torch.optim.SGD(network.parameters(), lr=RATE)
    for _ in range(STEPS):
        loss, gradients = apart.step(network, x_NCHW, y_NCHW, groups)
        optimizer.step()
    return Found(loss=PERCENT * loss, values=gradients, statistics=dict(network.named_buffers()))


def run(
    techniques: tuple[Technique, ...], shape: Shape, device: str, team: Team = ALONE, *, adam: bool = False
) -> Found:
    """Two steps, and what the second one leaves on this rank; `adam`: the weights, by the build's own optimizer."""
    network, x_NCHW, y_NCHW = given(shape)
    build = builds.begin(copy.deepcopy(network).to(device), torch.device(device), ranks=team)
    compose.apply(techniques, build)
    names = {parameter: name for name, parameter in build.network.named_parameters()}
    gradients: dict[str, Tensor] = {}
    if not adam:
        build.optimizer = _catching(names, gradients)
    update = Update(build)
    batch = share(x_NCHW, y_NCHW, build)
    for _ in range(STEPS):
        gradients.clear()
        step = train_step(build, update, batch, loss="ms_ssim", l1=False, rate=RATE, team=team)
    update.close()
    owners = build.owners
    its = {
        name: one
        for name, one in build.network.named_buffers()
        if owners is None or name not in owners.by_name or owners.mine(name)
    }
    return Found(loss=step.loss, values=_weights(build.network) if adam else gradients, statistics=its)


def _weights(network: nn.Module) -> dict[str, Tensor]:
    return {name: one.detach() for name, one in network.named_parameters()}


def _catching(
    names: Mapping[nn.Parameter, str], gradients: dict[str, Tensor]
) -> Callable[[builds.Parameters], torch.optim.Optimizer]:
    """Plain corrections, whose gradients are kept."""

    def make_one(parameters: builds.Parameters) -> torch.optim.Optimizer:
        optimizer = torch.optim.SGD(parameters, lr=RATE)

        def catch(*_: Any) -> None:
            gradients.update({names[one]: pieces.whole(one.grad).clone() for one in parameters if one.grad is not None})

        optimizer.register_step_pre_hook(catch)
        return optimizer

    return make_one


if __name__ == "__main__":
    interpreter.leave(on_ranks.answer(measure, sys.argv[1:]))
