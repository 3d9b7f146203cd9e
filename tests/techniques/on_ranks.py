"""A step of which each rank has some rows of the images: for proofs that together they make the plain network's."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import Tensor

from fullfield.distribution.team import Team
from fullfield.kernels import msssim
from fullfield.kernels.msssim import Structure
from fullfield.kernels.msssim_shares import SharedStructure
from fullfield.model.network import Network
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from techniques import exactness
from techniques.exactness import Found

Case = tuple[Network, Tensor, Tensor, Found]
Objective = Callable[[Team, Tensor, Tensor], Tensor]


def case() -> Case:
    """An image of 128 rows: of the four of the deepest layer, three ranks have one or two."""
    torch.set_num_threads(1)
    network, x, y = exactness.reference("resnet18", 1, 128, 64, by=8)
    wanted = plain(network, x, y, lambda prediction, y: (prediction - y).square().mean())
    return network, x, y, wanted


def squares(team: Team, prediction: Tensor, wanted: Tensor) -> Tensor:
    """This rank's part of a mean over all pixels."""
    (have,) = team.divided([prediction.shape[2]])
    return (prediction - wanted).square().sum() / (prediction[:, :, :1].numel() * have[-1][1])


def structure(team: Team, prediction: Tensor, wanted: Tensor) -> Tensor:
    """1 − MS-SSIM; rank 0 tells it for all."""
    of = Structure(variant=msssim.UNCOMPILED, band_rows=64)
    found = SharedStructure(of=of, team=team)(prediction, wanted)
    return found if team.writes else found - found.detach()


def step(
    team: Team,
    network: Network,
    x: Tensor,
    y: Tensor,
    *texts: str,
    objective: Objective = squares,
    true: int = 0,
) -> Found:
    """A rank's, of its own copy of `network`. `true`: the rows from the top that the objective looks at."""
    lo, hi = team.own(x.shape[2])
    build = builds.begin(copy.deepcopy(network), torch.device("cpu"), team)
    compose.apply(compose.read(texts), build)
    count = max(0, min(hi, true or hi) - lo)
    value = objective(team, build.chain(x[:, :, lo:hi])[:, :, :count], y[:, :, lo : lo + count])
    value.backward()
    (whole,) = team.sum([value.detach().clone()])
    return exactness.found(build.network, whole)


def plain(network: Network, x: Tensor, y: Tensor, objective: Callable[[Tensor, Tensor], Tensor]) -> Found:
    """The plain network's."""
    return exactness.gradients(exactness.built(network), x, y, objective)


def equal(one: Found, other: Found) -> bool:
    """Bit for bit."""
    pairs = [(one.gradients, other.gradients), (one.statistics, other.statistics)]
    same = all(a.keys() == b.keys() and all(torch.equal(a[key], b[key]) for key in a) for a, b in pairs)
    return same and torch.equal(one.value, other.value)
