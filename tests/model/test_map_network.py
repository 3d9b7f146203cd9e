"""The map network in torch: OpenCV's pyramids, and what its form can and cannot make of an image."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import torch
from torch import Tensor

from fullfield.enhance.map_network import MapNetwork
from fullfield.image.preset_tone import SPAN
from fullfield.model import map_form, map_network, weights
from fullfield.model.map_form import CELL, COARSE, KNOTS
from fullfield.model.map_pyramid import down, padded, pyramid, up
from fullfield.model.network import build
from fullfield.model.spec import named
from fullfield.model.stages import HEAD


@pytest.mark.parametrize("shape", [(8, 10), (7, 9), (2, 3), (5, 1), (1, 1)])
def test_that_pyramids_are_those_of_opencv_to_the_borders(shape: tuple[int, int]) -> None:
    plane = np.random.default_rng(0).random(shape)
    half = cv2.pyrDown(plane)
    assert np.abs(down(torch.from_numpy(plane)[None, None])[0, 0].numpy() - half).max() < 1e-12
    wide = up(torch.from_numpy(half)[None, None], shape)[0, 0].numpy()
    assert np.abs(wide - cv2.pyrUp(half, dstsize=shape[::-1])).max() < 1e-12


def rebuilt(x: Tensor, maps: Tensor) -> Tensor:
    """z_0, the output's logit."""
    return torch.logit(map_network.Rebuild()(x, maps))


def tissue(*, structure: float) -> Tensor:
    """A body of 512 × 512 pixels with noise, and, as much as is said, coarse structure; its base has 256 pixels."""
    random = np.random.default_rng(1)
    body = np.linspace(0.3, 0.7, 512)[None] * np.linspace(0.8, 1.0, 512)[:, None]
    coarse = cv2.GaussianBlur(random.standard_normal((512, 512)), (0, 0), 30)
    plane = body + 0.01 * random.standard_normal((512, 512)) + structure * coarse / coarse.std()
    return torch.from_numpy(np.clip(plane, 0, 1))[None, None]


@pytest.mark.parametrize("sigma", [5, 9, 15])
def test_that_no_soft_spot_in_what_the_network_says_is_drawn_into_flat_tissue(sigma: int) -> None:
    x = tissue(structure=0.0)
    cells = 256 // CELL
    grid = (np.arange(cells) + 0.5) * CELL - 128
    spot = torch.from_numpy(np.exp(-(grid[:, None] ** 2 + grid[None] ** 2) / (2 * sigma**2)))
    maps = torch.zeros(1, 1 + COARSE + 2 + KNOTS, cells, cells, dtype=torch.float64)
    for amplitude in (-1.0, 1.0):
        added = (rebuilt(x, maps + amplitude * spot) - rebuilt(x, maps))[0, 0].numpy()
        place = (np.arange(512) + 0.5) / 2 - 128
        drawn = np.exp(-(place[:, None] ** 2 + place[None] ** 2) / (2 * sigma**2))
        away = drawn - drawn.mean()  # a tone that changes everywhere is no spot
        assert abs((added * away).sum() / (drawn * away).sum()) < 0.1
        assert np.abs(added).max() > 1e-3  # it is there, in the image's own noise


def test_that_the_gains_show_more_of_what_is_there() -> None:
    x, maps = tissue(structure=0.05), torch.zeros(1, 1 + COARSE + 2 + KNOTS, 64, 64, dtype=torch.float64)
    more = maps.clone()
    more[:, : 1 + COARSE] = 1.0
    bands = (pyramid(rebuilt(x, one)).bands for one in (maps, more))
    for before, after in zip(*bands, strict=True):
        assert after.std() > 1.8 * before.std()


def test_that_the_tone_rises_whatever_the_network_says_and_flat_images_stay_flat() -> None:
    random = torch.Generator().manual_seed(0)
    knots = 8 * torch.randn(1, 1 + KNOTS, 4, 4, generator=random, dtype=torch.float64)
    x = torch.linspace(0, 1, 100, dtype=torch.float64)[None, None, None]
    assert (map_network.curve(x, knots).diff() > 0).all()
    flat = torch.full((1, 1, 400, 352), 0.3, dtype=torch.float64)
    maps = torch.randn(1, 1 + COARSE + 2 + KNOTS, 56, 48, generator=random, dtype=torch.float64)
    maps[:, 1 + COARSE] = 0  # but for the light
    assert np.ptp(map_network.Rebuild()(flat, maps).numpy()) < 1e-12


def test_that_one_set_of_weights_serves_any_size_and_every_weight_is_trained() -> None:
    torch.manual_seed(0)
    network = build(named("map")).double()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.05)
    for rows, columns in ((97, 121), (321, 700), (1300, 200)):
        made = network(torch.rand(1, 1, rows, columns, dtype=torch.float64))
        assert made.shape == (1, 1, rows, columns) and ((made > 0) & (made < 1)).all()
    (made * torch.rand_like(made)).mean().backward()
    assert all(one.grad is not None and one.grad.abs().max() > 0 for one in network.parameters())
    assert not list(network.stages[HEAD].parameters())


def test_that_the_base_has_161_to_320_pixels_on_its_longer_side() -> None:
    for side in range(161, 17_000, 7):
        assert 160 < map_form.sides(side, map_form.fine(side))[-1] <= map_form.BASE


def test_that_an_untrained_network_shows_its_input_as_a_picture_with_more_detail() -> None:
    x = tissue(structure=0.05)
    made = torch.logit(build(named("map")).double()(x))
    base = cv2.GaussianBlur(made[0, 0].detach().numpy(), (0, 0), 60) - cv2.GaussianBlur(
        SPAN * (x[0, 0].numpy() - 0.5), (0, 0), 60
    )
    assert np.abs(base).max() < 0.2
    for before, after in zip(pyramid(SPAN * x).bands, pyramid(made.detach()).bands, strict=True):
        assert 1.1 < after.std() / before.std() < 1.6


def test_that_noise_lies_near_what_is_quiet_and_structure_above_it() -> None:
    random = np.random.default_rng(0)
    plane = np.full((320, 320), 0.5) + 0.002 * random.standard_normal((320, 320))
    plane[160:] += 0.3 + 0.006 * random.standard_normal((160, 320))  # brighter, and three times as noisy
    plane[40:80, 40:80] += 0.02 * random.standard_normal((40, 40))
    seen = pyramid(torch.from_numpy(plane)[None, None])
    energies = seen.energies()
    above = seen.above_quiet(energies)[0, 0].numpy()
    assert np.median(above[:18]) < 0.05 and np.median(above[62:]) < 0.05
    assert above[12:18, 12:18].min() > 5 * np.median(above)
    assert np.ptp(energies[0, 0].numpy()[[5, 70], 60]) > 0.3  # it is the same noise to nobody who knows no brightness


def test_that_a_file_of_before_gives_the_maps_that_it_gave() -> None:
    torch.manual_seed(0)
    network = build(named("map"))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    before = {name: one for name, one in network.state_dict().items() if "quiet" not in name and "beside" not in name}
    x = tissue(structure=0.05).float()
    reported = network(x)
    weights.fill(network, before)
    again = network(x)
    assert not torch.allclose(reported, again, atol=1e-3)
    numbers = MapNetwork({name.removeprefix("stages.maps."): one.numpy() for name, one in before.items()})
    seen = pyramid(x)
    base = padded(seen.base, map_form.GRID)[0, 0].numpy()
    maps = network.stages["maps"](x)[0].detach().numpy()
    assert np.abs(numbers(base, seen.energies()[0].numpy()) - maps).max() < 1e-5 * np.abs(maps).max()
