"""Segments in bands against plain autograd, in fp64, where no rounding hides a mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.bands import graph
from fullfield.bands.nodes import Node
from fullfield.bands.segment import Segment
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.network import build as network_of
from techniques import exactness

SHAPES = {  # channels and divisor of the image's side
    "input": (1, 1),
    "stem": (64, 2),
    "layer1.pool": (64, 4),
    "layer1": (64, 4),
    "layer2.0": (128, 8),
    "layer2": (128, 8),
    "layer3": (256, 16),
    "layer4": (512, 32),
    "d1": (256, 16),
    "d2": (128, 8),
    "d3": (64, 4),
    "d4": (32, 2),
}


AGAIN = "d4, d5 and head"  # with the stem computed again from the image


def _decode(network: Network, name: str, *maps: Tensor) -> Tensor:
    return cast(Tensor, network.stages[name](*maps))


def _fused(network: Network) -> Node:
    again = graph.stem(network, pool=False, again=True)
    return graph.decode(network, "d5", of=graph.decode(network, "d4", skip=again), head=True)


def _plain_fused(network: Network, x: Tensor, d3: Tensor) -> Tensor:
    stem: Any = network.stages["stem"]
    stages = network.stages
    return cast(Tensor, stages["head"](stages["d5"](stages["d4"](d3, stem(x)))))


KINDS: dict[str, tuple[Callable[[Network], Node], Callable[..., Tensor], tuple[str, ...]]] = {
    "stem": (lambda n: graph.stem(n, pool=False), lambda n, x: n.stages["stem"](x), ("input",)),
    "stem and pool": (
        lambda n: graph.stem(n, pool=True),
        lambda n, x: n.stages["layer1"].pool(n.stages["stem"](x)),
        ("input",),
    ),
    "first block": (
        lambda n: graph.residual(n, "layer1", 0),
        lambda n, x: n.stages["layer1"].blocks[0](x),
        ("layer1.pool",),
    ),
    "block with a convolution beside": (
        lambda n: graph.residual(n, "layer2", 0),
        lambda n, x: n.stages["layer2"].blocks[0](x),
        ("layer1",),
    ),
    "last block": (
        lambda n: graph.residual(n, "layer2", 1),
        lambda n, x: n.stages["layer2"].blocks[1](x),
        ("layer2.0",),
    ),
    "d3": (lambda n: graph.decode(n, "d3"), lambda n, *m: _decode(n, "d3", *m), ("d2", "layer1")),
    "d4": (lambda n: graph.decode(n, "d4"), lambda n, *m: _decode(n, "d4", *m), ("d3", "stem")),
    "d5": (lambda n: graph.decode(n, "d5"), lambda n, *m: _decode(n, "d5", *m), ("d4",)),
    "d5 and head": (
        lambda n: graph.decode(n, "d5", head=True),
        lambda n, *m: n.stages["head"](_decode(n, "d5", *m)),
        ("d4",),
    ),
    AGAIN: (_fused, lambda n, d3, x: _plain_fused(n, x, d3), ("d3", "input")),
}


@pytest.fixture(scope="module")
def network() -> Network:
    torch.set_num_threads(1)
    torch.manual_seed(3)
    made = network_of(NetworkSpec(encoder="resnet18")).double().train()
    narrow.liven(made)
    return made


def _maps(names: tuple[str, ...], *, batch: int, side: int) -> list[Tensor]:
    torch.manual_seed(5)
    return [
        torch.randn(
            batch, SHAPES[name][0], side // SHAPES[name][1], side // SHAPES[name][1], dtype=torch.float64
        ).requires_grad_(name != "input")
        for name in names
    ]


def _step(network: Network, run: Callable[..., Tensor], maps: list[Tensor]) -> exactness.Found:
    """One forward and backward, and the network as it was; the gradients of maps are among those that are found."""
    network.zero_grad(set_to_none=True)
    before = [buffer.clone() for buffer in network.buffers()]
    leaves = [one.detach().clone().requires_grad_(one.requires_grad) for one in maps]
    # Not the leaves themselves: the map that a segment may write over is one that another part made.
    output = run(*(one * 1 if one.requires_grad else one for one in leaves))
    torch.manual_seed(6)
    (output * torch.randn_like(output)).sum().backward()
    found = exactness.found(network, output.sum())
    found.gradients.update({f"map {number}": one.grad for number, one in enumerate(leaves) if one.grad is not None})
    for buffer, old in zip(network.buffers(), before, strict=True):
        buffer.copy_(old)
    return found


def _compare(network: Network, kind: str, *, batch: int, side: int, **options: Any) -> None:
    make, plain, names = KINDS[kind]
    segment = Segment(make(network), **options)
    assert segment.inputs == names
    maps = _maps(names, batch=batch, side=side)
    mine = _step(network, segment.run, maps)
    wanted = _step(network, lambda *m: plain(network, *m), maps)
    if kind == AGAIN:  # another segment has updated them
        again = {name: value for name, value in wanted.statistics.items() if name.startswith("stages.stem.")}
        mine = replace(mine, statistics={**mine.statistics, **again})
    exactness.agree(mine, wanted)


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("batch", [1, 2])
def test_that_a_segment_in_bands_has_the_values_gradients_and_statistics_of_plain_autograd(
    network: Network, kind: str, batch: int
) -> None:
    _compare(network, kind, batch=batch, side=32, rows=3)


@pytest.mark.parametrize("kind", ["stem and pool", "block with a convolution beside", "d3", AGAIN])
def test_that_bands_of_fewer_rows_than_the_halo_change_nothing(network: Network, kind: str) -> None:
    _compare(network, kind, batch=1, side=32, rows=1)


@pytest.mark.parametrize("kind", list(KINDS))
def test_that_a_segment_of_one_band_needs_no_barrier_and_changes_nothing(network: Network, kind: str) -> None:
    _compare(network, kind, batch=1, side=32, rows=10**6)


@pytest.mark.parametrize("rows", [3, 10**6])
@pytest.mark.parametrize("kind", ["stem and pool", "block with a convolution beside", "d3"])
def test_that_fixed_statistics_are_used_and_left_alone(network: Network, kind: str, rows: int) -> None:
    network.eval()
    try:
        _compare(network, kind, batch=1, side=32, rows=rows)
    finally:
        network.train()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("kind", ["last block", "block with a convolution beside", "d3", "d4", AGAIN])
def test_that_gradients_written_over_the_maps_are_the_same(network: Network, kind: str, rows: int) -> None:
    _compare(network, kind, batch=2, side=32, rows=rows, overwrite=frozenset(KINDS[kind][2]) - {"input"})
