"""The measurements of tiling, at sizes that are quick."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from fullfield.bench import tiles
from fullfield.model import seeded
from fullfield.model.card import NetworkSpec


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    path = tmp_path_factory.mktemp("model") / "seeded.safetensors"
    seeded.make(path, NetworkSpec(encoder="resnet18"), seed=3)
    return path


def test_that_a_wider_halo_leaves_a_smaller_fault(model_file: Path) -> None:
    faults = tiles.run(model_file, size=320, core=160, halos=(32, 128, 320))
    assert faults[32] > faults[128] > faults[320]
    assert faults[320] < 1e-5


def test_that_the_ways_of_computing_agree_and_their_ratio_is_told(model_file: Path) -> None:
    speed = tiles.speed(model_file, size=128, repeats=1)
    assert speed.ratio == speed.eager / speed.bands > 0
    assert max(speed.folded_fault, speed.bands_fault) < 1e-4


def test_that_memory_over_an_image_is_measured(model_file: Path) -> None:
    growth, peak = tiles.growth(model_file, rows=256, columns=256)
    assert 0 <= growth < peak


def test_that_a_phantom_goes_the_way_of_any_image(model_file: Path) -> None:
    said: list[str] = []
    pixels = tiles.enhance_phantom(model_file, rows=50, columns=70, notice=said.append)
    assert pixels.shape == (50, 70)
    assert "the whole image at once" in said[-1]
