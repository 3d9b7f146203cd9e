"""The rows of every image divided among processes: when that is possible, and what it takes of each of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import narrow
from fleets import fleet
from fullfield.bench.stepping import RATE, Stepping, noise
from fullfield.distribution import counting, share
from fullfield.distribution.processes import Processes
from fullfield.distribution.team import Team
from fullfield.hardware import compiler
from fullfield.kernels import stored
from fullfield.memory import allocator
from fullfield.memory.account import Account, Shape
from fullfield.memory.costs import Work
from fullfield.techniques import compose, registry, spatial
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Site
from techniques import measuring
from techniques.stepping import site

SHAPE = Shape(height=256, width=192, encoder="resnet18")
RANKS = 3
SETS = (
    ("spatial", "banded_loss:rows=64", "full_bands:rows=64"),
    ("spatial:portions=2+1+1", "banded_loss:rows=64", "hybrid_bands:rows=64", "optimizer_in_backward"),
    ("spatial:portions=2+1+1", "banded_loss:rows=64"),
)
NARROW = 4  # of so many channels one is left
WITHOUT = "The loss is computed without a compiler."
MARGIN = 0.01  # that every plan adds


def of_ranks(count: int, height: int = 256) -> Site:
    one = site("cpu")
    return replace(one, devices=one.devices[:1] * count, shape=replace(SHAPE, height=height), compiler=WITHOUT)


@pytest.mark.parametrize(
    ("text", "ranks", "height", "why"),
    [
        ("spatial", 1, 256, "There is one process."),
        ("spatial", 9, 256, "8 parts at most, not 9"),
        ("spatial:portions=5+4", 2, 256, "8 parts at most, not 9"),
        ("spatial:portions=3+1", 3, 256, "3 processes share an image, and 2 portions"),
        ("spatial", 8, 256, ""),
    ],
)
def test_that_it_is_refused_where_rows_cannot_be_divided_so(text: str, ranks: int, height: int, why: str) -> None:
    refused = compose.refusals([registry.read(text)], of_ranks(ranks, height))
    assert why in refused[0] if why else not refused


def test_that_it_needs_a_loss_and_a_network_in_bands_and_leaves_no_image_to_replicas() -> None:
    said = compose.conflicts([registry.read(name) for name in ("spatial", "data_parallel")])
    assert any("spatial needs banded_loss." in text for text in said)
    assert any("none is left to take another image" in text for text in said)
    assert not compose.conflicts([registry.read(name) for name in ("spatial", "banded_loss", "full_bands")])


@pytest.mark.parametrize(
    ("weights", "most", "portions"),
    [([8, 4], 16, (2, 1)), ([3, 3, 3], 16, (1, 1, 1)), ([7.5, 3.0], 16, (5, 2)), ([100, 1], 4, (3, 1))],
)
def test_that_portions_stand_to_one_another_as_cards_do(
    weights: list[float], most: int, portions: tuple[int, ...]
) -> None:
    assert share.in_portions(weights, most) == portions


def test_that_it_is_proposed_alike_and_for_unlike_cards_by_speed_and_memory() -> None:
    (cpu,) = of_ranks(1).devices
    cards = [
        replace(cpu, kind="cuda", flops_per_second=speed, free_bytes=size) for speed, size in ((4e12, 8), (1e12, 4))
    ]
    found = spatial.Spatial.candidates(replace(of_ranks(2), devices=tuple(cards)))
    assert [str(one.technique) for one in found] == [
        "spatial",
        "spatial:portions=4+1",
        "spatial:portions=2+1",
    ]
    assert [str(one.technique) for one in spatial.Spatial.candidates(of_ranks(3))] == ["spatial"]
    assert not spatial.Spatial.candidates(of_ranks(1)) and not spatial.Spatial.candidates(of_ranks(9))


@pytest.mark.parametrize(("portions", "height"), [((1, 1, 1, 1), 4288), ((3, 1), 416), ((1,) * 8, 320)])
def test_that_ranks_that_are_taken_for_alike_have_as_many_rows_of_every_map(
    portions: tuple[int, ...], height: int
) -> None:
    def rows(rank: int) -> list[int]:
        team = Team(rank, len(portions)).portioned(portions)
        return [last - first for first, last in (team.own(height >> halved) for halved in range(6))]

    groups = counting.alike(portions, height)
    assert sorted(rank for ranks in groups.values() for rank in ranks) == list(range(len(portions)))
    for first, ranks in groups.items():
        assert all(rows(rank) == rows(first) for rank in ranks)
    assert groups[0] == [0]


def measured(team: Processes) -> list[tuple[int, Work]]:
    """For each set, what a second step takes of this rank, and what that says to the others."""
    compiler.missing = lambda: WITHOUT  # which would take longer than all else
    with narrow.everywhere(NARROW):
        return [_measured(team, texts) for texts in SETS]


def _measured(team: Processes, texts: tuple[str, ...]) -> tuple[int, Work]:
    training = Stepping(texts, encoder=SHAPE.encoder, ranks=team)
    batch = noise(SHAPE, training.build)
    images = sum(one.nbytes for part in (batch.x_NCHW, batch.y_NCHW) for one in stored.tensors(part))
    always = [*training.network.parameters(), *training.network.buffers()]
    kept = allocator.peak(lambda: training.step(batch), training.build.device).kept
    gradients = sum(one.grad.nbytes for one in training.network.parameters() if one.grad is not None)
    training.update.begin(RATE)
    before = replace(team.traffic)
    taken = allocator.peak(lambda: training.step(batch), training.build.device).peak
    return images + sum(one.nbytes for one in always) + kept - gradients + taken, measuring.said(team.traffic, before)


def predicted(texts: tuple[str, ...]) -> Account:
    with narrow.everywhere(NARROW):
        costing = Costing(SHAPE.encoder, "cpu")
        return costing.account(compose.read(texts), replace(of_ranks(RANKS), costs=costing.costs))[1]


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_each_process_takes_and_says_what_was_predicted(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    every = fleet(RANKS, "techniques.test_spatial:measured", tmp_path)
    for place, texts in enumerate(SETS):
        account = predicted(texts)
        for device, work, rank in zip(account.devices, account.works, every, strict=True):
            taken, said = rank[place]
            assert 0.97 * device.peak * (1 + MARGIN) <= taken <= device.peak * (1 + MARGIN), texts
            assert said == measuring.told(work), texts
