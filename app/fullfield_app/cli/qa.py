"""`fullfield qa`: MTF, noise, evenness and contrast of edges, flat fields and discs, before and after each method."""

from __future__ import annotations

import argparse
import importlib

from fullfield import parts
from fullfield.errors import ExitCode
from fullfield.image.presets import AUTO
from fullfield_app import interrupts
from fullfield_app.cli import beside
from fullfield_app.cli.speak import say

USUAL_DOSE = 2.5

_OBJECTS = {
    "edge": "images of a straight edge, tilted by 1.5 to 3 degrees (IEC 62220-1-1)",
    "flat": "images of a flat field",
    "discs": "images of a contrast-detail phantom",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """What is measured, by which methods, and where the figures go."""
    from fullfield_app.arguments import add_common, device, file, folder, named, natural

    for name, text in _OBJECTS.items():
        parser.add_argument(f"--{name}", nargs="+", type=file, default=[], metavar="FILE", help=text)
    parser.add_argument(
        "--preset",
        nargs="+",
        type=named,
        default=[AUTO],
        metavar="NAME",
        help="presets by name, or all of them: all (default auto)",
    )
    help = "models, .safetensors files or names"
    parser.add_argument("--model", nargs="+", type=named, default=[], metavar="FILE", help=help)
    parser.add_argument("--device", default="auto", metavar="auto|cpu|cuda:0", type=device, help="where models compute")
    parser.add_argument(
        "--dose", type=_dose, default=USUAL_DOSE, metavar="µGY", help=f"of our own plates (default {USUAL_DOSE})"
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of their noise (default 0)")
    parser.add_argument(
        "--save-plates", type=folder, metavar="DIR", help="write the plates as DICOM files, and measure nothing"
    )
    parser.add_argument(
        "--trend",
        type=file,
        metavar="FILE.csv",
        help="append the figures, and say which have left their history; each unit wants a file of its own",
    )
    parser.add_argument("--csv", type=file, metavar="FILE.csv", help="write the curves by frequency")
    parser.add_argument(
        "--transfer", action="store_true", help="write what each model does to signal and noise beside its file"
    )
    parser.add_argument("--json", action="store_true", help="the figures and curves as JSON on standard output")
    add_common(parser, quiet="the figures and errors alone, without what is being measured and where")


def run(values: argparse.Namespace) -> int:
    """Measure in this process, or where its models can be used."""
    if values.save_plates is not None:
        return _save_plates(values)
    code = beside.run(values, may_need=parts.NETWORK if values.model else ())
    if code is not None:
        return code
    with interrupts.exiting_at_once():
        qa = importlib.import_module("fullfield.qa.run")
        what = importlib.import_module("fullfield.qa.objects").What
        models = importlib.import_module("fullfield.enhance.models")
    asked = qa.Asked(
        given=tuple((what(name), path) for name in _OBJECTS for path in getattr(values, name)),
        presets=tuple(values.preset),
        models=tuple(models.find(model) for model in values.model),
        dose=values.dose,
        seed=values.seed,
        device=values.device,
        trend=values.trend,
        csv=values.csv,
        transfer=values.transfer,
    )
    return int(qa.run(asked, json=values.json, quiet=values.quiet))


def _save_plates(values: argparse.Namespace) -> int:
    with interrupts.exiting_at_once():
        plates = importlib.import_module("fullfield.qa.plates")
        for path in plates.save(values.save_plates, dose=values.dose, seed=values.seed):
            say(path.name)
    return int(ExitCode.ALL_DONE)


def _dose(text: str) -> float:
    """Air kerma in µGy that a detector is made for."""
    try:
        dose = float(text)
    except ValueError:
        dose = 0.0
    if not 0.05 <= dose <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no dose from 0.05 to 100 µGy")
    return dose
