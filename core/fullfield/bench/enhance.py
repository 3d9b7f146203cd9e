"""What enhancing costs over OpenCV's CLAHE: array to array, and from DICOM to DICOM (`batches`).

Array to array: the conventional processor, the map network, its guards, on one raw phantom of 4096×4096 pixels; all
methods in turn in one process, OpenCV on one thread, medians of CPU time: the machine is shared, so ratios travel and
milliseconds do not. Memory that is freed is kept, as in a batch. The map network's weights are random, which costs the
same. Its input's range is found once beforehand and told apart: the conventional processor finds the same field.
"""

from __future__ import annotations

import json as jsons
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2

from fullfield import heap, standard_output
from fullfield.bench import batches
from fullfield.checked import Fields
from fullfield.enhance import network, tiles
from fullfield.enhance.network import NetworkEnhancer
from fullfield.image import guards, multiscale, normalise, phantom, presets
from fullfield.image.image import Enhanced, Image
from fullfield.image.phantom import PhantomKind
from fullfield.model import seeded
from fullfield.model.families.gain_map import GainMap
from fullfield.model.spec import NetworkSpec
from fullfield.units import format_bytes

SIZE = 4096
GOAL = 1.4
"""How many times CLAHE's time the map network may take."""
_CLIP, _TILES = 2.0, (8, 8)
_YARDSTICK = "clahe"
TITLES = {
    _YARDSTICK: "OpenCV CLAHE (2.0, 8×8)",
    "map": "Map network, its range known",
    "range": "Finding its range",
    "guards": "Guards of its result",
    "conventional": "Fullfield, preset general-raw",
}


def bench(*, json: bool, repeat: int = 5) -> int:
    """`fullfield bench enhance`: measure and write to standard output. The exit code is 0."""
    heap.keep_freed_memory()
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with tempfile.TemporaryDirectory(prefix="fullfield-bench-") as folder:
            figures = run(Path(folder), repeat=repeat)
            figures["batches"] = batches.run(Path(folder), repeat=1, size=SIZE)
    finally:
        cv2.setNumThreads(threads)
    standard_output.write((jsons.dumps(figures) if json else _text(figures)) + "\n")
    return 0


def run(folder: Path, *, repeat: int, size: int = SIZE) -> Fields:
    """The figures as plain values: of each method milliseconds and the ratio."""
    image = phantom.raw(PhantomKind.CHEST, longer=size, seed=1)
    model = folder / "map.safetensors"
    seeded.make(model, NetworkSpec(family=GainMap.name), seed=0)
    enhancer = network.open_model(model, device="cpu", notice=lambda text: None)
    methods = _methods(image, enhancer)
    taken: dict[str, list[float]] = {name: [] for name in methods}
    for turn in range(repeat + 1):
        for name, method in methods.items():
            start = time.process_time()
            method()
            if turn:  # the first one touches memory that the others find
                taken[name].append(time.process_time() - start)
    medians = {name: statistics.median(seconds) for name, seconds in taken.items()}
    rows = [
        {"name": name, "milliseconds": 1e3 * seconds, "ratio": seconds / medians[_YARDSTICK]}
        for name, seconds in medians.items()
    ]
    return {"kind": "enhance", "size": size, "runs": repeat, "goal": GOAL, "rows": rows}


def _methods(image: Image, enhancer: NetworkEnhancer) -> dict[str, Callable[[], object]]:
    equalise = cv2.createCLAHE(_CLIP, _TILES)
    preset = presets.load("general-raw")
    table = normalise.input_table(image, enhancer.normalisation)
    rows, columns = (tiles.padded(side) for side in image.pixels.shape)
    whole = tiles.by_core(rows, columns, core=max(rows, columns), halo=0)
    pixels, declared = network.enhance_in(whole, enhancer.backends, image, table)
    bits = normalise.output_bits(image)
    made = Enhanced(pixels=pixels, bits=bits, recipe=enhancer.recipe, seen=table, declared=declared)
    return {
        _YARDSTICK: lambda: equalise.apply(image.pixels),
        "map": lambda: network.enhance_in(whole, enhancer.backends, image, table),
        "range": lambda: normalise.input_table(image, enhancer.normalisation),
        "guards": lambda: guards.found(image, made),
        "conventional": lambda: multiscale.enhance(image, preset),
    }


def _text(figures: Fields) -> str:
    size = figures["size"]
    lines = [f"{size}×{size}, array to array, CPU time, medians of {figures['runs']} alternating runs"]
    lines += [f"{'':34}{'ms':>8}{'× CLAHE':>10}"]
    lines += [f"{TITLES[row['name']]:34}{row['milliseconds']:>8.0f}{row['ratio']:>10.2f}" for row in figures["rows"]]
    lines += [f"goal for the map network: {figures['goal']:g}", ""]
    lines += [f"{batches.COUNT} files of {size}×{size}, DICOM to DICOM, all processes, one run after a first one"]
    lines += [f"{'':34}{'CPU s':>8}{'× script':>10}{'sum of RSS':>13}"]
    for row in figures["batches"]:
        held = format_bytes(row["together_bytes"])
        lines.append(f"{batches.TITLES[row['name']]:34}{row['cpu_seconds']:>8.1f}{row['ratio']:>10.2f}{held:>13}")
    return "\n".join([*lines, f"goals: {batches.GOAL:g} times, {format_bytes(batches.GOAL_BYTES)}"])
