"""The network band by band against the network as a whole."""

from __future__ import annotations

import copy
import functools

import pytest
import torch

import narrow
from fullfield.enhance import bands
from fullfield.enhance.backends.pytorch import fold
from fullfield.enhance.portions import Portion, divided
from fullfield.model.card import ENCODERS, NetworkSpec
from fullfield.model.network import Network
from fullfield.model.phantom import phantom
from fullfield.model.seeded import seeded

narrowed = narrow.networks()


@pytest.fixture(scope="module", params=ENCODERS)
def networks(request: pytest.FixtureRequest) -> tuple[Network, Network]:
    """A network with realistic statistics, and the same folded."""
    plain = seeded(NetworkSpec(encoder=request.param), seed=1)
    return plain, fold(copy.deepcopy(plain)).to(memory_format=torch.channels_last)


def in_bands(network: Network, x: torch.Tensor, band: int) -> torch.Tensor:
    height, width = x.shape[2:]
    asked: list[tuple[int, int]] = []

    def rows(low: int, high: int) -> torch.Tensor:
        asked.append((low, high))
        return x[:, :, low:high]

    parts = list(bands.run(network, rows, Portion.whole(height), width, band=band))
    assert [first for first, _ in parts] == [0, *torch.tensor([p.shape[2] for _, p in parts]).cumsum(0)[:-1].tolist()]
    assert all(0 <= low < high <= height for low, high in asked)
    return torch.cat([part for _, part in parts], dim=2)


@functools.cache
def whole(network: Network, shape: tuple[int, int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A phantom, what the network makes of it, and the same in fp64."""
    x = torch.from_numpy(phantom(*shape, seed=2))[None, None]
    with torch.inference_mode():
        return x, network(x), copy.deepcopy(network).double()(x.double())


@pytest.mark.parametrize("shape", [(32, 32), (64, 32), (32, 320), (320, 32), (160, 96)])
@pytest.mark.parametrize("band", [1, 3000, 1 << 20])
def test_that_bands_of_any_height_give_the_whole_networks_output(
    networks: tuple[Network, Network], shape: tuple[int, int], band: int
) -> None:
    plain, folded = networks
    x, wanted, truth = whole(plain, shape)
    with torch.inference_mode():
        got = in_bands(folded, x, band)
    assert got.shape == wanted.shape
    rounding = (wanted - truth).abs().max()  # of the whole network in fp32: of MobileNetV2 1.3e-4
    assert (got - truth).abs().max() < max(1e-4, 1.5 * rounding)


def test_that_bands_and_whole_are_equal_in_double_precision(networks: tuple[Network, Network]) -> None:
    plain = copy.deepcopy(networks[0]).double()
    folded = fold(copy.deepcopy(plain))
    x = torch.rand(1, 1, 160, 96, dtype=torch.float64)
    with torch.inference_mode():
        difference = in_bands(folded, x, 2000) - plain(x)
    assert difference.abs().max() < 1e-11


@pytest.mark.parametrize(("low", "high"), [(30, 36), (30, 33), (29, 31), (36, 50)])
def test_that_rows_beyond_those_that_were_handed_over_are_refused(low: int, high: int) -> None:
    _, own, _ = divided([(0, 32), (32, 48), (48, 64)])
    for border, neighbours in ((own._above, "down"), (own._below, "up")):
        getattr(border, neighbours).put(torch.zeros(1, 1, 1, 8))
    with_neighbours = bands._Map.of(torch.ones(1, 1, 16, 8), own, 1)
    assert with_neighbours.rows(31, 49).sum() == 16 * 8
    with pytest.raises(ValueError, match=f"rows {low} to {high} of a map are wanted"):
        with_neighbours.rows(low, high)
