"""`fullfield models`: what this user has, and which is taken for which body part; the other words change that."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from fullfield.enhance import models
from fullfield.enhance.models import Model, Shelf
from fullfield.errors import ExitCode, UsageError
from fullfield.image.method import MODEL_SUFFIX
from fullfield.image.values import PRESET, SHIPPED
from fullfield_app.cli.speak import say, tell, typed


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to do, with which model, for which body part."""
    from fullfield_app.arguments import add_common

    parser.add_argument(
        "what",
        nargs="?",
        choices=tuple(_DEEDS),
        default="list",
        help="list (default); use MODEL for --part; back: to what was used for --part before; keep MODEL, a file",
    )
    parser.add_argument("model", nargs="?", default="", metavar="MODEL", help=f"its name; use: also {PRESET}")
    parser.add_argument("--part", default="", metavar="PART", help="of the body, as the list has it")
    parser.add_argument("--name", default="", metavar="NAME", help="what a kept model is called (default: as its file)")
    add_common(parser)


def run(values: argparse.Namespace) -> int:
    """List, or change and list."""
    deed, taken = _DEEDS[values.what]
    for name, shown in _SHOWN.items():
        if getattr(values, name) and name not in taken:
            words = " and ".join(word for word, (_, names) in _DEEDS.items() if name in names)
            raise UsageError(f"{shown} does not go with {values.what!r}.", hint=f"It goes with: {words}.")
    deed(values)
    if not values.quiet or values.what == "list":
        tell(*lines(models.listed()))
    return int(ExitCode.ALL_DONE)


def lines(shelf: Shelf) -> list[str]:
    """The models with their hashes, then what "auto" takes in the window for each body part."""
    reported = [line for model in shelf.models for line in _of_model(model)] or ["No model yet."]
    reported.append("")
    width = max(map(len, shelf.body_parts), default=0) + 2
    for part in shelf.body_parts:
        now, before = shelf.defaults.get(part, PRESET), shelf.before.get(part)
        now += "   (its file has been changed: a preset is used)" if part in shelf.changed else ""
        reported.append(f"{part:{width}}{now}" + ("" if before is None else f"   (before: {before or PRESET})"))
    return reported


def _of_model(model: Model) -> list[str]:
    reported = [model.name, f"  SHA-256 {models.sha256(model)}"]
    if model.weakness:
        reported.append(f"  {model.weakness}")
    if model.comparison is not None:
        reported.append(f"  {model.comparison.verdict}")
    if model.shows:
        shows = "; ".join(f"{title}: {times:.2f}" for title, times in model.shows.items())
        reported.append(f"  signals seen, by how well presets show them: {shows}")
    if model.left:
        reported.append(f"  left to the preset: {'; '.join(model.left)}")
    return reported


def _use(values: argparse.Namespace) -> None:
    shelf, part = models.listed(), _part(values)
    names = [model.name for model in shelf.models]
    if values.model == SHIPPED:
        models.find(SHIPPED)  # says it where none ships
    if values.model != PRESET and values.model not in names:
        raise UsageError(
            f"Cannot find the model {values.model!r}." if values.model else "Say which model to use.",
            hint=f"Choose one of: {', '.join([*names, PRESET])}.",
        )
    for model in shelf.models:
        if model.name == values.model == PRESET:  # kept before this name was reserved
            keep = f"fullfield models keep {typed(model.path)} --name NAME"
            say(f"{PRESET!r} means the preset of a body part. To use your model of this name, keep it as NAME: {keep}")
    models.set_default(part, "" if values.model == PRESET else values.model)


def _back(values: argparse.Namespace) -> None:
    models.go_back(_part(values))


def _keep(values: argparse.Namespace) -> None:
    if not values.model:
        raise UsageError("Say which model file to keep.", hint="A run leaves its own as model.safetensors.")
    path = Path(values.model)
    asked = values.name or path.stem
    name = models.keep(path, asked)
    if name != asked.removesuffix(MODEL_SUFFIX):
        say(f"Kept as {name}.")


def _part(values: argparse.Namespace) -> str:
    parts = models.body_parts()
    if values.part not in parts:
        raise UsageError(
            f"There is no body part {values.part!r}." if values.part else "Say for which body part.",
            hint=f"Choose one with --part: {', '.join(parts)}.",
        )
    return str(values.part)


_SHOWN = {"model": "MODEL", "part": "--part", "name": "--name"}
_DEEDS: dict[str, tuple[Callable[[argparse.Namespace], None], tuple[str, ...]]] = {  # each with what it takes
    "list": (lambda values: models.require_choices(), ()),
    "use": (_use, ("model", "part")),
    "back": (_back, ("part",)),
    "keep": (_keep, ("model", "name")),
}
