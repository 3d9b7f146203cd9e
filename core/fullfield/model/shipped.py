"""The model that ships with the program, where one does: every user has it, and nobody can delete it. No torch.

    resources/weights/shipped.safetensors   the model, at most `LARGEST_BYTES`
    resources/weights/shipped.json          its `Facts`, which a test holds against it

Its guards' limits are in `resources/guards.json`, by its SHA-256. `packaging/scene_model.py` makes it and puts it
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fullfield import checked, files
from fullfield.errors import ModelError
from fullfield.image.method import SHIPPED
from fullfield.model.card import SUFFIX

LARGEST_BYTES = 5_000_000
FACTS = f"{SHIPPED}.json"
INSTEAD = "Use a preset, which needs no model, or train a model with `fullfield train`."


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is told of the file: its SHA-256, the licence of what it has learned from, and the command that made it."""

    sha256: str
    data_licence: str
    made_by: str


def folder() -> Path:
    """Where it lies: a folder of the program, or `FULLFIELD_WEIGHTS` where that is set."""
    return files.user_folder("weights", files.resource("weights"))


def file_of(models: Path, name: str) -> Path:
    """The file of a model by its name: the shipped one, or one in this user's folder `models`. It may not be there."""
    return (folder() if name == SHIPPED else models) / f"{name}{SUFFIX}"


def read_facts(path: Path) -> Facts:
    """Raises OSError, ValueError where they are not there or damaged."""
    return checked.make(Facts, checked.parse(path.read_bytes()))


def none_here() -> ModelError:
    """What is said where it is asked for by name and none ships."""
    return ModelError(
        "Cannot use the shipped model.",
        detail="No trained model ships with this installation of Fullfield.",
        hint=INSTEAD,
    )


def undeletable() -> ModelError:
    """What is said where it is to be deleted."""
    return ModelError(
        "Cannot delete the shipped model.",
        detail="It is a part of the program.",
        hint="Where you do not want it, choose a preset or another model.",
    )
