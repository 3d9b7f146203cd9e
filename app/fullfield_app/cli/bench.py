"""`fullfield bench NAME`: each of the field's questions is one function `run(arguments) -> Table`, and a line here."""

from __future__ import annotations

import argparse
import importlib

from fullfield.errors import UsageError

BENCHES = {
    "conventional": ("fullfield.bench.conventional", "the conventional processor beside OpenCV, SimpleITK and skimage"),
    "tiles": ("fullfield.bench.enhancing", "tiles beside the whole image, and the memory of the largest radiograph"),
    "loss": ("fullfield.bench.loss", "1 - MS-SSIM in bands beside pytorch-msssim: speed, memory, equality"),
    "exact": ("fullfield.bench.exact", "gradients of exact techniques beside the plain ones, in fp64, also in pairs"),
    "memory": ("fullfield.bench.memory", "what a step is predicted to take beside what it takes"),
    "first-window": ("fullfield_app.gui.first_paint", "seconds from the command to the first painted window"),
}

QUICK = ("exact", "memory")  # benches that can measure a part of their sets alone


def add_options(parser: argparse.ArgumentParser) -> None:
    """The name of a bench; the rest is its own."""
    from fullfield_app.arguments import positive

    listed = "; ".join(f"{name}: {text}" for name, (_, text) in BENCHES.items())
    parser.add_argument("name", choices=tuple(BENCHES), help=listed)
    parser.add_argument("--json", action="store_true", help="the figures as JSON on standard output")
    parser.add_argument("--quick", action="store_true", help="exact, memory: a part of the sets, in minutes")
    parser.add_argument("--repeat", type=positive, default=5, metavar="N", help="alternating runs (default 5)")


def run(values: argparse.Namespace) -> int:
    """Measure and print."""
    module = importlib.import_module(BENCHES[values.name][0])
    if values.name in QUICK:
        return int(module.bench(json=values.json, quick=values.quick))
    if values.quick:
        raise UsageError(f"The bench {values.name} has no --quick.", hint=f"It goes with {' and '.join(QUICK)}.")
    return int(module.bench(repeat=values.repeat, json=values.json))
