"""What a checkpoint's file and an entry of their list hold, and the errors of reading them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, TypeGuard

from torch import Tensor

from fullfield.checked import Fields
from fullfield.errors import ModelError
from fullfield.model.tensor_file import Stored

VERSION = 1


class Entry(TypedDict):
    """What the index says of a checkpoint: its `file`, the `sha256` of that, its `step`, the `best` model's file."""

    file: str
    sha256: str
    step: int
    best: str


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """What was found: `tensors` by name, each read when it is asked for; `fields`, plain values; and sentences on what
    was passed over."""

    tensors: Mapping[str, Tensor]
    fields: Fields
    notices: tuple[str, ...] = ()


def is_entry(entry: object) -> TypeGuard[Entry]:
    """True where `entry` is what a list of checkpoints holds."""
    kinds = {"file": str, "sha256": str, "step": int, "best": str}
    return isinstance(entry, dict) and all(isinstance(entry.get(name), kind) for name, kind in kinds.items())


def parsed(path: Path) -> Checkpoint | None:
    """The checkpoint in a file, its tensors not yet read; None where it is none. Raises ModelError for another
    version's, OSError."""
    try:
        tensors = Stored(path)
        fields = json.loads(tensors.metadata["state"])
        if not isinstance(fields, dict):
            return None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    if fields.pop("version", 0) != VERSION:
        raise cannot_go_on(
            "Its checkpoints were made by another version of Fullfield.", "Go on with the version that made them."
        )
    return Checkpoint(tensors=tensors, fields=fields)


def cannot_go_on(detail: str, hint: str) -> ModelError:
    """The refusal to go on, and why."""
    return ModelError("Cannot go on with this training.", detail=detail, hint=hint)


def unreadable(what: str, error: OSError) -> ModelError:
    """The same where the system refuses to read, which is no damage: a disk or a share may give it again."""
    said = f"The system says: {error.strerror or type(error).__name__}."
    return cannot_go_on(
        " ".join((what, said)),
        "Check the disk, the network and your permissions, then go on with the training (--resume): "
        "nothing was removed.",
    )
