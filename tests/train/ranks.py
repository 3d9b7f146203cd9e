"""What tests of ranks share: a small network whose weights are no chance, shares of a batch, a loop of one rank."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from fullfield.data import prepared
from fullfield.data.loader import Batch
from fullfield.data.prepared import Prepared
from fullfield.distribution.team import ALONE, Team
from fullfield.model.chain import Chain
from fullfield.model.network import Network
from fullfield.model.phantom import phantom
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.commands import Command
from fullfield.techniques.build import Build
from fullfield.train import build as builds
from fullfield.train.checkpoint import Store
from fullfield.train.loop import Loop
from fullfield.train.run import Run
from fullfield.train.samples import Samples
from fullfield.train.state import Progress, State
from fullfield.train.update import Update
from training import FakeContext

SIDE = 192


def small_network(team: Team = ALONE, **changes: Any) -> Build:
    """Without random numbers, which ranks that are threads would share. `team`: replicas of it."""
    network = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 1, 3, padding=1))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.linspace(-0.3, 0.5, parameter.numel()).reshape(parameter.shape))
    return Build(
        network=cast(Network, network),
        device=torch.device("cpu"),
        chain=cast(Chain, network),
        **{"ranks": team, "replicas": team, **changes},
    )


def batch(seeds: Sequence[int], *, whole: int = 0) -> Batch:
    if not seeds:
        return Batch(x_NCHW=torch.empty(0, 1, 0, 0), y_NCHW=torch.empty(0, 1, 0, 0), shapes=(), whole=whole)
    x = torch.stack([torch.from_numpy(phantom(SIDE, SIDE, seed=seed))[None] for seed in seeds])
    return Batch(x_NCHW=x, y_NCHW=x.sqrt(), shapes=((SIDE, SIDE),) * len(seeds), whole=whole)


def weights(build: Build) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in build.network.named_parameters()}


class RankContext(FakeContext):
    """Of one rank, with commands that wait."""

    def __init__(self, folder: Path, team: Team, **more: Any) -> None:
        super().__init__(folder, **more)
        self.rank, self.world, self.worlds = team.rank, team.size, (team.size,)
        self.waiting: list[Command] = []

    def commands(self) -> list[Command]:
        """See Context."""
        waiting, self.waiting = self.waiting, []
        return waiting


def loop(
    data: Prepared, context: RankContext, team: Team, build: Build, **changes: Any
) -> tuple[RankContext, Progress]:
    """A training of one epoch, as one rank does it."""
    given: dict[str, Any] = {"batch": 2, "validation": 0.3, "l1_steps": 0, **changes}
    spec = TrainSpec(data="-", size=SIDE, epochs=1, **given)
    parts = builds.parts(spec, data)
    state = State(build=build, update=Update(build), progress=Progress(), threads=1, data=data.identity, start="")
    with Store(context.folder, writes=team.writes) as store:
        run = Run(
            spec=spec,
            prepared=data,
            parts=parts,
            state=state,
            store=store,
            samples=Samples(context.folder, image=0, images=prepared.views(parts.validation)),
            context=context,
            held=(),
            team=team,
        )
        Loop(run).run()
    return context, state.progress
