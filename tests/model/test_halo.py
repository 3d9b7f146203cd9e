"""How far a tile's border is felt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from fullfield.model import halo, weights
from fullfield.model.card import FULL_HALO, GRID, NetworkSpec
from fullfield.model.network import build
from fullfield.model.phantom import phantom


@pytest.mark.slow
def test_that_the_calibrated_halo_is_on_the_grid_and_keeps_the_fault_below_the_tolerance(model_file: Path) -> None:
    network, _ = weights.load(model_file)
    found = halo.calibrate(network)
    assert found % GRID == 0
    assert 64 < found <= FULL_HALO["resnet18"]
    faults = halo.fault_by_distance(network, phantom(1088, 1088, seed=99))
    assert faults[found:].max() <= halo.TOLERANCE < faults[64:].max()


def test_that_a_network_that_looks_at_nothing_needs_the_smallest_halo() -> None:
    network = build(NetworkSpec(encoder="resnet18"))
    for parameter in network.parameters():
        torch.nn.init.zeros_(parameter)
    network.train()
    assert halo.calibrate(network, [np.zeros((1088, 1088), np.float32)]) == 2 * GRID
    assert network.training
