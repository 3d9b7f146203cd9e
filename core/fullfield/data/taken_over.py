"""The pairs that a member of an ensemble has to learn: those of a member that has begun before it, which it takes over.

What the member's folder notes of its pairs (`prepare.NOTE`) is then that member's note, marked as such.
"""

from __future__ import annotations

import json
from pathlib import Path

from fullfield import checked, files
from fullfield.data.prepare import NOTE
from fullfield.data.prepared import Prepared
from fullfield.errors import InputRefused

_MARK = "taken_over"


def take_over(run: Path, other: Path) -> None:
    """Let the training in `run`, which has learned nothing yet, learn the pairs of that in `other`, and no others.
    Raises CannotWrite."""
    values = {"identity": "", **_noted(other), _MARK: True}
    try:
        folder = files.private_folder(run)
    except OSError as error:
        raise files.cannot_write(error) from error
    files.write_text(folder / NOTE, json.dumps(values))


def is_bound(run: Path) -> bool:
    """Whether a training has taken over its pairs."""
    return _noted(run).get(_MARK) is True


def refuse_others(run: Path, found: Prepared) -> None:
    """Raise InputRefused where a training that has taken over its pairs finds others."""
    if is_bound(run) and _noted(run).get("identity") not in ("", found.identity):  # "": noted before it was kept
        raise InputRefused(
            "Cannot train a further member of this ensemble.",
            detail="The images, or what is learned from them, are not those of the members before it any more.",
            hint="Put them back as they were, presets and reviews too, or train a new ensemble in another folder.",
        )


def _noted(run: Path) -> checked.Fields:
    try:
        values = checked.parse((run / NOTE).read_bytes())
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}
