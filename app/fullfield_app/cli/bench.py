"""`fullfield bench NAME`: each of the field's questions is a function `bench(json=…, …) -> exit code`, and a line here.

A line names the options that its bench takes, of those that all benches share; one that is not given is not passed, so
its default is the function's own.
"""

from __future__ import annotations

import argparse
import importlib
import math
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fullfield import parts
from fullfield.plan import encoders
from fullfield.plan.spec import LARGEST, SMALLEST
from fullfield.units import parse_bytes
from fullfield_app import interrupts
from fullfield_app.cli import beside


@dataclass(frozen=True, kw_only=True)
class Bench:
    """`module`: it has the function. `text`: what is measured. `options`: names of `_options`. `needs`: packages of the
    training part that it cannot do without; with some of its options it needs more, see `run`. `place`: the one of
    `_places` that may be given without a name.
    """

    module: str
    text: str
    options: tuple[str, ...] = ("repeat",)
    needs: tuple[str, ...] = ()
    place: str = ""


_PLOTTED = (*parts.NETWORK, *parts.REPORTS)
_SETTING = ("out", "encoder", "device", "threads", "only")
_SEVERAL = ("devices", "link")
BENCHES = {
    "single": Bench(
        module="fullfield.bench.single",
        needs=_PLOTTED,
        text="the paper's tables: memory, time and losses of trainings with every technique",
        options=("quick", *_SETTING, "data", "images", "size", "epochs", "batch", "weights"),
    ),
    "devices": Bench(
        module="fullfield.bench.devices",
        needs=_PLOTTED,
        text="the paper's tables of several devices: every process's memory, time and losses of each way to share",
        options=("quick", *_SETTING, "processes", "data", "images", "size", "epochs", "batch", "weights"),
    ),
    "size": Bench(
        module="fullfield.bench.size",
        needs=_PLOTTED,
        text="the largest image that each technique trains at a least throughput",
        options=("quick", *_SETTING, "repeat", "budget", "batch", "least", "largest"),
    ),
    "throughput": Bench(
        module="fullfield.bench.throughput",
        needs=_PLOTTED,
        text="the most images per second of each technique over batch sizes, and of several devices",
        options=("quick", *_SETTING, "repeat", "budget", "size", *_SEVERAL),
    ),
    "cost": Bench(
        module="fullfield.bench.cost",
        needs=_PLOTTED,
        text="cost beside latency and memory, by plan, batch size and devices, at a price per hour",
        options=("quick", *_SETTING, "repeat", "budget", "size", "price", "currency", *_SEVERAL),
    ),
    "exact": Bench(
        module="fullfield.bench.exact",
        needs=parts.NETWORK,
        text="gradients of exact techniques beside the plain ones, in fp64, also in pairs and of processes together",
        options=("quick",),
    ),
    "memory": Bench(
        module="fullfield.bench.memory",
        needs=parts.NETWORK,
        text="what a step is predicted to take beside what it takes",
        options=("quick",),
    ),
    "process": Bench(
        module="fullfield.bench.process",
        needs=parts.NETWORK,
        text="what the process of a whole training holds at its highest, beside what its plan says",
        options=("quick", "encoder", "threads", "batch"),
    ),
    "native": Bench(
        module="fullfield.bench.native",
        needs=parts.NETWORK,
        text="a step at native sizes within a budget, and what its process grows by",
        options=("quick",),
    ),
    "time": Bench(
        module="fullfield.bench.time",
        needs=parts.NETWORK,
        text="how much longer steps with techniques take, beside what plans say",
        options=("quick", "repeat"),
    ),
    "card": Bench(
        module="fullfield.bench.card",
        needs=parts.NETWORK,
        text="a card beside what plans say of it: memory, times, exactness of the bands",
        options=("quick", "out", "encoder", "device", "threads", "repeat", "size"),
    ),
    "loss": Bench(
        module="fullfield.bench.loss",
        needs=parts.NETWORK,
        text="1 - MS-SSIM in bands beside pytorch-msssim: speed, memory, equality",
    ),
    "enhance": Bench(
        module="fullfield.bench.enhance",
        needs=parts.NETWORK,
        text="the map network and the conventional processor beside OpenCV's CLAHE, array to array and in batches",
    ),
    "conventional": Bench(
        module="fullfield.bench.conventional",
        text="the conventional processor beside OpenCV, SimpleITK and skimage",
    ),
    "phantoms": Bench(
        module="fullfield.bench.phantoms",
        text="the conventional processor, and a model, on phantoms whose truth is known: air, anatomy, contrast, noise",
        options=("seed", "model"),
    ),
    "detect": Bench(
        module="fullfield.bench.detect",
        text="whether signals are seen (d′ on an 8-bit display): the source, CLAHE, presets and a model",
        options=("quick", "everywhere", "seed", "model", "tried"),
    ),
    "guards": Bench(
        module="fullfield.bench.guards",
        text="which faults the guards of results notice, made on purpose at native size, and how often they err",
        options=("quick", "seed", "model", "limits"),
        place="folder",
    ),
    "quality": Bench(
        module="fullfield.bench.quality",
        text="what the conventional processor does to contrast and noise, by density; losses of all methods by size",
        options=("sizes", "model", "count", "seed", "sheet"),
        place="folder",
    ),
    "again": Bench(
        module="fullfield.bench.again",
        text="how little the conventional processor changes what was processed already",
        options=("preset",),
        place="folder",
    ),
    "tiles": Bench(
        module="fullfield.bench.enhancing",
        needs=parts.NETWORK,
        text="tiles beside the whole image, and the memory of the largest radiograph",
    ),
    "first-window": Bench(
        module="fullfield_app.gui.first_paint",
        text="seconds from the command to the first painted window",
    ),
    "window": Bench(
        module="fullfield_app.gui.bench.window",
        text="how long the window's thread is busy per turn while it has much to show",
        options=("quick",),
    ),
    "drop": Bench(
        module="fullfield_app.gui.bench.drop",
        text="seconds from a dropped radiograph to its pixels on the screen",
    ),
    "preview": Bench(
        module="fullfield_app.gui.bench.preview",
        text="milliseconds from moving a slider to the painted preview of what is in sight",
    ),
    "drag": Bench(
        module="fullfield_app.gui.drag_rate",
        text="frames a second while the window is dragged on 4288×4288 pixels",
        options=(),
    ),
}


_PLACES: dict[str, dict[str, Any]] = {
    "folder": {
        "help": "its images, and those below it (default: the phantoms)",
        "type": Path,
        "nargs": "?",
        "metavar": "FOLDER",
    },
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """A parser for each bench, with its own options."""
    known = _options()
    benches = parser.add_subparsers(dest="name", required=True, metavar="NAME", title="benches")
    for name, bench in BENCHES.items():
        own = benches.add_parser(name, help=bench.text, description=f"Measures {bench.text}.")
        own.add_argument("--json", action="store_true", help="the figures as JSON on standard output")
        for option in bench.options:
            own.add_argument(f"--{option}", **known[option])
        if bench.place:
            own.add_argument(bench.place, **_PLACES[bench.place])


def run(values: argparse.Namespace) -> int:
    """Measure and print."""
    bench = BENCHES[values.name]
    needs = (*bench.needs, *(parts.NETWORK if hasattr(values, "sizes") else ()))
    code = beside.run(values, *needs, may_need=parts.NETWORK if hasattr(values, "model") else ())
    if code is not None:
        return code
    given = {name: getattr(values, name) for name in bench.options if hasattr(values, name)}
    if bench.place and (place := getattr(values, bench.place)) is not None:
        given[bench.place] = place
    if "model" in given:
        from fullfield.enhance import models

        given["model"] = models.find(str(given["model"]))
    with interrupts.exiting_at_once():
        module = importlib.import_module(bench.module)
    interrupts.handle(signal.default_int_handler)  # however it is ended, a training of it is ended too
    return int(module.bench(json=values.json, **given))


def _options() -> dict[str, dict[str, Any]]:
    """Every option that a bench can take, as argparse wants it."""
    from fullfield_app.arguments import device, file, folder, named, natural, positive

    def option(help: str, **more: Any) -> dict[str, Any]:
        return {"help": help, "default": argparse.SUPPRESS, **more}

    return {
        "quick": {"help": "a small part, and soon done", "action": "store_true"},
        "everywhere": {"help": "discs on every part of the body, raw and processed", "action": "store_true"},
        "repeat": option("runs of each, of which the median counts (default 5; quick: fewer)", type=positive)
        | {"metavar": "N"},
        "seed": option("what phantoms or scenes are drawn from (default 0)", type=natural, metavar="N"),
        "model": option("a model beside the presets, a .safetensors file or its name", type=file, metavar="FILE"),
        "limits": option("write the limits of these methods to this file first", type=file, metavar="FILE"),
        "tried": option("write how the model did beside each preset to this file", type=file, metavar="FILE"),
        "preset": option("with which all images are enhanced (default auto: by their headers)", type=named)
        | {"metavar": "NAME"},
        "sizes": option("longer sides, or native, at which methods are held against what is wanted", nargs="+")
        | {"type": _size, "metavar": "N"},
        "count": option("scenes of --sizes, where no folder is named (default 14)", type=positive, metavar="N"),
        "sheet": option("a PNG of the results at the last size, whole and at 100 percent", type=file, metavar="FILE"),
        "out": option("folder of the results; the same one goes on (default: in this user's runs)", type=folder)
        | {"metavar": "DIR"},
        "processes": option("that train together (default 2)", type=positive, metavar="N"),
        "data": option("train on these images, as `fullfield train` does (default: phantoms)", type=folder)
        | {"metavar": "DIR"},
        "images": option("how many phantoms (default 60)", type=positive, metavar="N"),
        "size": option("side of the images in pixels (default 512)", type=_side, metavar="N"),
        "epochs": option("epochs of each training (default 50)", type=positive, metavar="N"),
        "batch": option("images of a step, of each process that takes its own (default 1)", type=positive, metavar="N"),
        "weights": option("first weights: auto, imagenet, none, or a file (default auto)", metavar="FILE"),
        "encoder": option(f"{', '.join(encoders.names())} (default resnet34)", choices=encoders.names()),
        "device": option("auto, cpu or cuda:0 (default auto)", type=device, metavar="NAME"),
        "threads": option("CPU threads (default: all cores but one)", type=natural, metavar="N"),
        "only": option("measure these rows alone; their names are those of the table", nargs="+", metavar="ROW"),
        "budget": option("memory that a step may take, such as 8GiB (default: what is free)", type=_amount)
        | {"metavar": "AMOUNT"},
        "devices": option("numbers of devices, simulated where they are not here (default 1 2 4 8)", nargs="+")
        | {"type": positive, "metavar": "N"},
        "link": option("what connects them: PCIe, 10GbE, 1GbE or BYTES/s[,SECONDS] (default: by device)")
        | {"metavar": "LINK"},
        "least": option("images per second that must be kept", type=_above_zero, metavar="NUMBER"),
        "largest": option("side in pixels at which the search ends", type=positive, metavar="N"),
        "price": option("of an hour of this machine (default 1)", type=_above_zero, metavar="NUMBER"),
        "currency": option("its name, for tables and plots (default EUR)", metavar="TEXT"),
    }


def _size(text: str) -> str:
    """Pixels that an image can be judged at, or its own."""
    if text != "native" and not (text.isdecimal() and 192 <= int(text) <= 8192):
        raise argparse.ArgumentTypeError(f"{text!r} is neither native nor a whole number from 192 to 8192")
    return text


def _side(text: str) -> int:
    """Pixels that a training is possible at."""
    if not text.isdecimal() or not SMALLEST <= int(text) <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {SMALLEST} to {LARGEST}")
    return int(text)


def _amount(text: str) -> str:
    """An amount of memory, as it is written."""
    if not parse_bytes(text):
        raise argparse.ArgumentTypeError("it is no memory at all; leave it out for what is free")
    return text


def _above_zero(text: str) -> float:
    """A number above 0, and a finite one."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number
