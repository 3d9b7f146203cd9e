"""The models that this user has: `.safetensors` files in one folder, found by name. Imports no torch."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model.card import SUFFIX, Card

NONE_SHIPS = (
    "No trained model ships with this version of Fullfield: train one with `fullfield train`, or use a preset, "
    "which needs no model."
)


@dataclass(frozen=True, kw_only=True)
class Known:
    """A model in the folder: its `name` (the file's, without the suffix), where it is, and its card (not verified)."""

    name: str
    path: Path
    card: Card


def folder() -> Path:
    """Where this user's models lie: the data folder, or `FULLFIELD_MODELS` where that is set. It may not exist yet."""
    chosen = os.environ.get("FULLFIELD_MODELS")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("fullfield", False)) / "models"


def known() -> tuple[Known, ...]:
    """All models of this user, by name. Files that are none of ours are passed over."""
    found = []
    for path in sorted(folder().glob(f"*{SUFFIX}")):
        try:
            found.append(Known(name=path.name.removesuffix(SUFFIX), path=path, card=cards.read(path)))
        except ModelError:
            continue  # said where somebody chooses it
    return tuple(found)


def resolve(choice: str) -> Path:
    """The file of a model: `choice` is a path, or a name in this user's folder with or without the suffix.

    Raises ModelError naming the nearest model, or that none ships.
    """
    path = Path(choice)
    if path.is_file():
        return path
    name = choice.removesuffix(SUFFIX)
    names = [model.name for model in known()]
    if Path(name).name == name and (folder() / f"{name}{SUFFIX}").is_file():
        return folder() / f"{name}{SUFFIX}"
    near = difflib.get_close_matches(path.name.removesuffix(SUFFIX), names, n=1)
    raise ModelError(
        f"Cannot find the model {path.name.removesuffix(SUFFIX)!r}.",
        detail="There is no such file, and no model of this name in the models folder.",
        hint=f"Did you mean {near[0]!r}?" if near else f"Your models: {', '.join(names)}." if names else NONE_SHIPS,
    )
