"""`fullfield bench tiles`: do tiles equal the whole image, what does the largest radiograph take, how fast is it.

On a model of seeded weights with realistic BatchNorm statistics, made for the occasion: no trained one is needed.
"""

from __future__ import annotations

import json as jsons
import subprocess
import sys
import tempfile
from pathlib import Path

from fullfield import standard_output, system
from fullfield.checked import Fields
from fullfield.units import format_bytes

SHAPES = ((1024, 256), (1000, 256), (2048, 512), (1999, 512))
TOO_NEAR = 64
LARGEST = 4288
LIMIT = 1e-3


def bench(*, json: bool, repeat: int = 5) -> int:
    """Measure and write to standard output; the exit code is 1 when a promise is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        figures = run(Path(folder), repeat=repeat)
    standard_output.write((jsons.dumps(figures) if json else _text(figures)) + "\n")
    kept = all(row["fault"] <= LIMIT < row["too_near"] for row in figures["tiles"])
    return 0 if kept and figures["largest"]["peak_bytes"] <= 3 << 30 else 1


def run(folder: Path, *, repeat: int = 3) -> Fields:
    """The figures as plain values. The largest image runs in a process of its own, for its peak memory."""
    from fullfield.bench import tiles
    from fullfield.model import seeded, weights
    from fullfield.model.card import NetworkSpec

    model = folder / "seeded.safetensors"
    seeded.make(model, NetworkSpec(encoder="resnet34"), seed=0, calibrated=True)
    halo = weights.load(model).card.halo or 0
    rows = []
    for size, core in SHAPES:
        faults = tiles.run(model, size=size, core=core, halos=(TOO_NEAR, halo))
        rows.append({"size": size, "core": core, "fault": faults[halo], "too_near": faults[TOO_NEAR]})
    speed = tiles.speed(model, repeats=repeat)
    reported = subprocess.run(
        [sys.executable, "-P", "-c", _LARGEST, str(model), str(LARGEST)], capture_output=True, text=True, check=True
    )
    return {
        "halo": halo,
        "tiles": rows,
        "faster_than_eager": speed.ratio,
        "fault_of_the_faster": speed.bands_fault,
        "largest": jsons.loads(reported.stdout.splitlines()[-1]),
    }


def measure_largest(model: Path, side: int) -> Fields:
    """Enhance `side`×`side` on the CPU in this process: its peak memory, seconds, and the way that was chosen."""
    import time

    from fullfield.bench.tiles import enhance_phantom

    ways: list[str] = []
    start = time.perf_counter()
    enhance_phantom(model, rows=side, columns=side, notice=ways.append)
    return {"seconds": time.perf_counter() - start, "peak_bytes": system.peak_memory(), "way": " ".join(ways)}


_LARGEST = """
import json, sys
from pathlib import Path
from fullfield.bench.enhancing import measure_largest
print(json.dumps(measure_largest(Path(sys.argv[1]), int(sys.argv[2]))))
"""


def _text(figures: Fields) -> str:
    largest = figures["largest"]
    lines = [
        f"halo of this model, calibrated: {figures['halo']} px",
        "",
        "size  core  tiles - whole  with a halo of 64",
    ]
    lines += [f"{r['size']:>4}  {r['core']:>4}  {r['fault']:>13.1e}  {r['too_near']:>17.1e}" for r in figures["tiles"]]
    lines += [
        "",
        f"faster than eager, one thread, 1024 px: {figures['faster_than_eager']:.2f} times"
        f" (largest difference {figures['fault_of_the_faster']:.1e})",
        f"{LARGEST} x {LARGEST} on the CPU: {format_bytes(largest['peak_bytes'])} at the peak of the whole process,"
        f" {largest['seconds']:.0f} s",
        largest["way"],
    ]
    return "\n".join(lines)
