"""The model that ships with the program, where one does: every user has it, and nobody can delete it. No torch.

    resources/weights/shipped.safetensors   the model, at most `LARGEST_BYTES`
    resources/weights/shipped.json          its `Facts`, which a test holds against it

Its guards' limits are in `resources/guards.json`, by its SHA-256. `packaging/scene_model.py` makes it and puts it
there. Images of which it shows less than the preset that is meant for them, or that it was not tried on, it leaves to
that preset.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from fullfield import checked, files
from fullfield.errors import ModelError
from fullfield.image import presets
from fullfield.image.method import SHIPPED
from fullfield.model.card import SUFFIX
from fullfield.model.tried import Tried

LARGEST_BYTES = 5_000_000
FACTS = f"{SHIPPED}.json"
INSTEAD = "Use a preset, which needs no model, or train a model with `fullfield train`."


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is told of the file: its SHA-256, the licence of what it has learned from, the command that made it, and
    how it did on the images that each preset is meant for (`presets.meant`). `worse`: the presets whose results were
    better to read, by somebody who looked at both."""

    sha256: str
    data_licence: str
    made_by: str
    tried: dict[str, Tried] = field(default_factory=dict)
    worse: tuple[str, ...] = ()

    @property
    def left_to_presets(self) -> tuple[str, ...]:
        """The presets whose images it is not for: also those that it was not tried on, but for the general one's, of
        which nothing is known. None where it was not tried at all."""
        if not self.tried:
            return self.worse
        good = {name for name, tried in self.tried.items() if not tried.behind} | set(presets.GENERAL.values())
        return tuple(name for name in presets.names() if name not in good - set(self.worse))


def folder() -> Path:
    """Where it lies: a folder of the program, or `FULLFIELD_WEIGHTS` where that is set."""
    return files.user_folder("weights", files.resource("weights"))


def file_of(models: Path, name: str) -> Path:
    """The file of a model by its name: the shipped one, or one in this user's folder `models`. It may not be there."""
    return (folder() if name == SHIPPED else models) / f"{name}{SUFFIX}"


def read_facts(path: Path) -> Facts:
    """Raises OSError, ValueError where they are not there or damaged."""
    return checked.make(Facts, checked.parse(path.read_bytes()))


def facts_of(sha256: str) -> Facts | None:
    """What is told of a model, or of a copy, by the SHA-256 of its file; None of one that is not the shipped one."""
    try:
        facts = read_facts(folder() / FACTS)
    except (OSError, ValueError):
        return None
    return facts if facts.sha256 == sha256 else None


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
