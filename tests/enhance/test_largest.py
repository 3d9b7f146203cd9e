"""What is promised of the largest radiograph's memory, on the network that users train (resnet34)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from fullfield.model import seeded
from fullfield.model.card import NetworkSpec

PROMISED = 3 << 30  # bytes of the whole process for 4288 × 4288 pixels: `fullfield bench tiles` prints it
ROWS, COLUMNS = 1024, 1536

_CODE = """
import json, sys
from pathlib import Path
from fullfield import system
from fullfield.bench.tiles import enhance_phantom
model, said, peaks = Path(sys.argv[1]), [], []
for rows, columns in ((64, 64), (int(sys.argv[2]), int(sys.argv[3]))):
    shape = enhance_phantom(model, rows=rows, columns=columns, notice=said.append).shape
    peaks.append(system.peak_memory())
print(json.dumps([list(shape), peaks, said]))
"""


def test_that_a_pixel_of_an_image_that_is_enhanced_whole_takes_what_leaves_the_largest_below_three_gibibytes(
    tmp_path: Path,
) -> None:
    """Libraries and weights are there after a small image; what comes on top of them grows with the image's pixels."""
    model = tmp_path / "resnet34.safetensors"
    seeded.make(model, NetworkSpec(encoder="resnet34"), seed=0)
    command = [sys.executable, "-c", _CODE, str(model), str(ROWS), str(COLUMNS)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    shape, (begun, peak), said = json.loads(result.stdout.splitlines()[-1])
    assert shape == [ROWS, COLUMNS]
    assert "the whole image at once" in said[-1]
    assert begun + (peak - begun) / (ROWS * COLUMNS) * 4288**2 <= PROMISED
