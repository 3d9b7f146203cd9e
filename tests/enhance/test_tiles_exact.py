"""The figures that are promised of tiles, memory and speed, on the network that users train (resnet34)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from fullfield.bench import tiles as measure
from fullfield.enhance.backends.pytorch import TorchBackend
from fullfield.hardware import devices
from fullfield.model import seeded, weights
from fullfield.model.card import NetworkSpec

pytestmark = pytest.mark.slow
PROMISED = 1e-3


@pytest.fixture(scope="module")
def resnet34(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seeded weights with realistic statistics and a calibrated halo."""
    path = tmp_path_factory.mktemp("model") / "resnet34.safetensors"
    seeded.make(path, NetworkSpec(encoder="resnet34"), seed=0, calibrated=True)
    return path


@pytest.mark.parametrize(("rows", "columns", "core"), [(701, 333, 192), (1001, 768, 512)])
def test_that_tiles_equal_the_plain_network_on_the_whole_image_and_with_a_halo_of_64_do_not(
    resnet34: Path, rows: int, columns: int, core: int
) -> None:
    network, card = weights.load(resnet34)
    assert card.halo is not None
    pixels = np.rint(measure.phantom(rows, columns, seed=8) * 65535).astype(np.uint16)
    values = (pixels / 65535).astype(np.float32)
    padded = np.pad(values, ((0, -rows % 32), (0, -columns % 32)), mode="edge")
    with torch.inference_mode():
        whole = network(torch.from_numpy(padded)[None, None])[0, 0, :rows, :columns].numpy()
    backend = TorchBackend(network, devices.choose("cpu"))
    torch.set_num_threads(1)
    in_whole = measure.output(backend, pixels, core=max(rows, columns), halo=0)
    in_tiles = measure.output(backend, pixels, core=core, halo=card.halo)
    too_near = measure.output(backend, pixels, core=core, halo=64)
    assert np.abs(in_tiles - in_whole).max() <= PROMISED
    assert np.abs(in_tiles - whole).max() <= PROMISED
    assert np.abs(too_near - in_whole).max() > PROMISED


def test_that_the_largest_radiograph_is_enhanced_whole_below_three_gibibytes(resnet34: Path) -> None:
    code = """
import json, sys
from pathlib import Path
from fullfield import system
from fullfield.bench.tiles import enhance_phantom
said = []
pixels = enhance_phantom(Path(sys.argv[1]), rows=4288, columns=4288, notice=said.append)
print(json.dumps([list(pixels.shape), system.peak_memory(), said]))
"""
    result = subprocess.run(
        [sys.executable, "-c", code, str(resnet34)], capture_output=True, text=True, check=True, timeout=600
    )
    shape, peak, said = json.loads(result.stdout.splitlines()[-1])
    assert shape == [4288, 4288]
    assert peak <= 3 << 30
    assert "the whole image at once" in said[-1]


def test_that_the_way_that_is_used_gives_eagers_result(resnet34: Path) -> None:
    speed = measure.speed(resnet34, size=512, repeats=1)
    assert speed.folded_fault < 1e-4
    assert speed.bands_fault < 1e-4
