"""`fullfield bench NAME`: each of the field's questions is one function `run(arguments) -> Table`, and a line here."""

from __future__ import annotations

import argparse
import importlib

BENCHES = {
    "conventional": ("fullfield.bench.conventional", "the conventional processor beside OpenCV, SimpleITK and skimage"),
    "tiles": ("fullfield.bench.enhancing", "tiles beside the whole image, and the memory of the largest radiograph"),
    "loss": ("fullfield.bench.loss", "1 - MS-SSIM in bands beside pytorch-msssim: speed, memory, equality"),
    "first-window": ("fullfield_app.gui.first_paint", "seconds from the command to the first painted window"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The name of a bench; the rest is its own."""
    from fullfield_app.arguments import positive

    listed = "; ".join(f"{name}: {text}" for name, (_, text) in BENCHES.items())
    parser.add_argument("name", choices=tuple(BENCHES), help=listed)
    parser.add_argument("--json", action="store_true", help="the figures as JSON on standard output")
    parser.add_argument("--repeat", type=positive, default=5, metavar="N", help="alternating runs (default 5)")


def run(values: argparse.Namespace) -> int:
    """Measure and print."""
    module = importlib.import_module(BENCHES[values.name][0])
    return int(module.bench(repeat=values.repeat, json=values.json))
