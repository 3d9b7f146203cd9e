"""What an expert has said of references: approved, adjusted, or rejected. Kept by the content of the image.

The verdicts lie in this user's data folder, not beside the images, and name no file: the same image in another folder
has the same verdict. A training leaves rejected images out and makes adjusted references as the expert wanted them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

import filelock

from fullfield import files
from fullfield.checked import Fields
from fullfield.errors import CannotWrite, InputUnreadable

VERSION = 1
NAME = "reviews.json"
PLAIN = 1.0
LEAST, MOST = 0.0, 2.0  # of `strength`


class Judgement(StrEnum):
    """What the expert said."""

    APPROVED = "approved"
    ADJUSTED = "adjusted"
    REJECTED = "rejected"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """`preset`, `strength`: what makes the reference that was seen; `made_by`: the same in words, with its version."""

    judgement: Judgement
    preset: str = ""
    strength: float = PLAIN
    made_by: str = ""


Verdicts = Mapping[str, Verdict]
"""By the SHA-256 of the image's file."""


def load() -> dict[str, Verdict]:
    """All verdicts of this user; none where nothing has been reviewed yet. Raises InputUnreadable where the file is
    damaged or of a newer version: what was rejected would be learned from, and the next verdict replace them all."""
    try:
        values = json.loads(_path().read_text(encoding="utf-8"))
        if values["version"] != VERSION:
            raise ValueError("of another version")
        return {key: _verdict(fields) for key, fields in values["verdicts"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputUnreadable(
            "Cannot tell which references were approved, adjusted or rejected.",
            detail="The file reviews.json in your folder of Fullfield's data is damaged, or of a newer version.",
            hint="Use that version, restore the file from a copy, or delete it and review again.",
        ) from error


def give(sha256: str, verdict: Verdict | None) -> dict[str, Verdict]:
    """Keep a verdict (None: take it back); all verdicts as they are then. Raises CannotWrite, and as
    `load`: the file is left as it is."""
    path = _path()
    try:
        files.private_folder(path.parent)
        with filelock.FileLock(path.with_suffix(".lock"), timeout=10):  # two windows keep each other's verdicts
            verdicts = {key: value for key, value in load().items() if key != sha256}
            if verdict is not None:
                verdicts[sha256] = verdict
            content = {"version": VERSION, "verdicts": {key: asdict(value) for key, value in verdicts.items()}}
            with files.in_own_folder("reviews"), files.atomic_write(path, private=True) as stream:
                stream.write(json.dumps(content, indent=1).encode())
    except filelock.Timeout as error:
        raise CannotWrite(
            "Cannot keep the verdict.", detail="Another window is writing its own.", hint="Give it again."
        ) from error
    except OSError as error:
        raise files.cannot_write(files.OwnFolder("reviews", error)) from error
    return verdicts


def _verdict(fields: Fields) -> Verdict:
    strength = min(max(float(fields["strength"]), LEAST), MOST)
    judgement = Judgement(fields["judgement"])
    return Verdict(judgement=judgement, preset=str(fields["preset"]), strength=strength, made_by=str(fields["made_by"]))


def _path() -> Path:
    return files.user_folder("reviews") / NAME
