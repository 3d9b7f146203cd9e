"""How far a tile's border is felt."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import narrow
from fullfield import files
from fullfield.model import halo, weights
from fullfield.model.card import FULL_HALO, GRID, NetworkSpec
from fullfield.model.network import build
from fullfield.model.phantom import phantom
from training import FakeContext, prepared_phantoms, settings, train, tuned_by_two

tuned = tuned_by_two()

PART = FULL_HALO["resnet18"] + GRID
WHOLE = PART + FULL_HALO["resnet18"]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of an image as this network can see, where the largest sees more; and one phantom, not two."""
    monkeypatch.setattr(halo, "_WHOLE", WHOLE)
    monkeypatch.setattr(halo, "_PART", PART)
    monkeypatch.setattr(halo, "_SEEDS", halo._SEEDS[:1])


def test_that_the_calibrated_halo_is_on_the_grid_and_keeps_the_fault_below_the_tolerance(model_file: Path) -> None:
    network, _ = weights.load(model_file)
    found = halo.calibrate(network)
    assert found % GRID == 0
    assert 64 < found <= FULL_HALO["resnet18"]
    faults = halo.fault_by_distance(network, phantom(WHOLE, WHOLE, seed=99))
    assert faults[found:].max() <= halo.TOLERANCE < faults[64:].max()


def test_that_a_network_that_looks_at_nothing_needs_the_smallest_halo() -> None:
    with narrow.everywhere():
        network = build(NetworkSpec(encoder="resnet18"))
    for parameter in network.parameters():
        torch.nn.init.zeros_(parameter)
    network.train()
    assert halo.calibrate(network, [np.zeros((WHOLE, WHOLE), np.float32)]) == 2 * GRID
    assert network.training


def test_that_a_training_measures_the_halo_of_its_model_and_keeps_it_in_the_card(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=192)
    with narrow.everywhere():
        train(settings(data, calibrate_halo=True, techniques=[], validation=0.3), FakeContext(tmp_path / "run"))
        path = tmp_path / "run" / "model.safetensors"
        network, card = weights.load(path)
        assert card.halo is not None and card.halo == halo.calibrate(network)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["model_sha256"] == files.sha256(path)
