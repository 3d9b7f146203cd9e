"""Ranks that share the rows of every image, all of them or in groups: whole steps and evaluations are those of one
process."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.data.prepared import Prepared
from fullfield.distribution.team import ALONE, Team
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.techniques.build import Build
from fullfield.train import evaluate
from fullfield.train import step as steps
from fullfield.train.build import Loader
from fullfield.train.update import Update
from support import without_compiler
from teams import together
from techniques import exactness
from training import prepared_phantoms

HEIGHT, WIDTH = 192, 192
BANDS = ("banded_loss:rows=48", "hybrid_bands:rows=32,block_rows=16")
FULL = ("banded_loss", "full_bands:rows=64,limit=20")
KEPT = ("banded_loss:rows=48",)
UNEVEN = ("spatial:processes=2,portions=2+1", "data_parallel:batch_norm=joint,portions=2+1+1+1")
GRID = ("spatial:processes=2", "data_parallel:batch_norm=joint")


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiler(monkeypatch)


@pytest.fixture(scope="module")
def given() -> Any:
    torch.set_num_threads(1)
    return exactness.reference("resnet18", 3, HEIGHT, WIDTH, by=8)


def sgd(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    """Whose update is the gradient: Adam's first one is hardly more than its sign."""
    return torch.optim.SGD(parameters, lr=1.0)


def applied(given: Any, texts: Sequence[str], team: Team) -> Build:
    build = builds.begin(copy.deepcopy(given[0]), torch.device("cpu"), ranks=team)
    build.counted = True  # nothing is compiled
    compose.apply(compose.read(texts), build)
    build.optimizer = sgd
    return build


def stepped(
    given: Any, texts: Sequence[str], shapes: Sequence[tuple[int, int]], *, l1: bool = False, team: Team = ALONE
) -> tuple[dict[str, Tensor], steps.Step]:
    """What a step with images of these true shapes makes of weights and statistics."""
    _, x, y = given
    build = applied(given, texts, team)
    first, last = build.team.own(HEIGHT)
    own = build.replicas.images(len(shapes))
    x_NCHW, y_NCHW = (images[own, :, first:last] for images in (x, y))
    true = tuple(shapes[place] for place in own)
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=y_NCHW, shapes=true, whole=len(shapes), first=first)
    done = steps.train_step(build, Update(build), batch, loss="ms_ssim+l1", l1=l1, rate=0.1, team=team)
    return {name: value.detach().clone() for name, value in build.network.state_dict().items()}, done


@pytest.mark.parametrize(
    ("ranks", "shapes", "texts", "l1"),
    [
        (2, [(HEIGHT, WIDTH)] * 2, ("spatial", *BANDS), False),
        (3, [(181, WIDTH), (192, 177)], ("spatial", *FULL), False),
        (2, [(187, WIDTH)], ("spatial:portions=3+1", *BANDS), False),
        # It is mirrored for the loss, and the last rank has none of its rows.
        (3, [(101, 150)], ("spatial:portions=1+2+1", *FULL), False),
        (2, [(170, WIDTH)], ("spatial", *FULL, "optimizer_in_backward"), True),
        (2, [(192, WIDTH), (181, WIDTH)], ("spatial", *BANDS, "accumulate"), False),
        (4, [(181, WIDTH), (187, 177)], (*GRID, *BANDS, "zero"), False),
        (2, [(192, 177), (187, WIDTH)], ("spatial:portions=2+1", *KEPT), False),
        (2, [(187, WIDTH), (101, 150)], ("spatial", *KEPT, "offload_activations", "channels_last"), True),
        (4, [(181, WIDTH), (187, 177)], (*GRID, *KEPT, "optimizer_in_backward"), True),
        # Of three images the first group has two, and of each image its first rank has two thirds of the rows.
        (4, [(187, WIDTH), (192, 177), (181, WIDTH)], (*UNEVEN, *BANDS, "zero"), False),
        (4, [(170, WIDTH), (187, 177), (192, WIDTH)], (*UNEVEN, *KEPT, "optimizer_in_backward"), True),
        # A group has no image.
        (4, [(170, WIDTH)], ("spatial:processes=2,portions=2+1", GRID[1], *BANDS, "optimizer_in_backward"), True),
    ],
    ids=str,
)
def test_that_the_step_is_that_of_one_process(
    given: Any, ranks: int, shapes: list[tuple[int, int]], texts: tuple[str, ...], l1: bool
) -> None:
    before = given[0].state_dict()
    wanted, whole = stepped(given, [text for text in texts if text in ("accumulate",)], shapes, l1=l1)
    moved = max(float((wanted[name] - before[name]).abs().max()) for name in wanted)
    assert moved > 1e-3 and 0 < whole.structure < 100, "where nothing changes everything is equal"
    found = together(ranks, lambda team: stepped(given, texts, shapes, l1=l1, team=team))
    for weights, done in found:
        assert done.loss == pytest.approx(whole.loss, rel=1e-12)
        assert done.structure == pytest.approx(whole.structure, rel=1e-12) and not done.skipped and not done.spared
        assert done.gradient == pytest.approx(whole.gradient, rel=1e-10)
        for name, value in weights.items():
            change = (wanted[name] - before[name]).abs().max().clamp(min=1e-3 * moved)
            assert float((value - wanted[name]).abs().max() / change) < 1e-11, name
            assert torch.equal(value, found[0][0][name]), name


def test_that_ranks_find_together_what_one_finds_of_the_images_held_back(given: Any, tmp_path: Any) -> None:
    data: Prepared = prepared_phantoms(tmp_path / "data", 3, rows=181, columns=HEIGHT)
    loader = Loader(data, data.items)
    network = copy.deepcopy(given[0]).float()
    alone = evaluate.of_network(applied((network,), (), ALONE), loader)

    def rank(team: Team) -> tuple[evaluate.Quality, list[int]]:
        seen: list[int] = []
        build = applied((network,), ("spatial", *BANDS), team)
        found = evaluate.of_network(build, loader, look=lambda place, output, batch: seen.append(place))
        return found, seen

    (first, seen), (second, nothing) = together(2, rank)
    assert first == second and (seen, nothing) == ([0, 1, 2], [])
    assert first.loss == pytest.approx(alone.loss, rel=1e-5) and 0 < first.loss < 100
