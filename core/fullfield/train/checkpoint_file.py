"""What a checkpoint's file and an entry of their list hold, and the errors of reading them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from safetensors import SafetensorError
from safetensors import torch as safetensors
from torch import Tensor

from fullfield.errors import ModelError

VERSION = 1

Entry = dict[str, Any]
"""What the index says of a checkpoint: its `file`, the `sha256` of that, its `step`, and the `best` model's file."""


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """What was loaded: `tensors` by name, `fields` as plain values, and sentences on what was passed over."""

    tensors: dict[str, Tensor]
    fields: dict[str, Any]
    notices: tuple[str, ...] = ()


def is_entry(entry: object) -> bool:
    """True where `entry` is what a list of checkpoints holds."""
    kinds = {"file": str, "sha256": str, "step": int, "best": str}
    return isinstance(entry, dict) and all(isinstance(entry.get(name), kind) for name, kind in kinds.items())


def parsed(content: bytes) -> Checkpoint | None:
    """The checkpoint in the content of a file; None where that is none. Raises ModelError for another version's."""
    try:
        length = int.from_bytes(content[:8], "little")
        fields = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["state"])
        if not isinstance(fields, dict):
            return None
        if fields.pop("version", 0) != VERSION:
            raise cannot_go_on(
                "Its checkpoints were made by another version of Fullfield.", "Go on with the version that made them."
            )
        return Checkpoint(tensors=safetensors.load(content), fields=fields)
    except (ValueError, KeyError, TypeError, RecursionError, SafetensorError):
        return None


def cannot_go_on(detail: str, hint: str) -> ModelError:
    """The refusal to go on, and why."""
    return ModelError("Cannot go on with this training.", detail=detail, hint=hint)


def unreadable(what: str, error: OSError) -> ModelError:
    """The same where the system refuses to read, which is no damage: a disk or a share may give it again."""
    return cannot_go_on(
        f"{what} The system says: {error.strerror or type(error).__name__}.",
        "Check the disk, the network and your permissions, then go on with the training (--resume): "
        "nothing was removed.",
    )
