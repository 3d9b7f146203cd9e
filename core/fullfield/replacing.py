"""What must not be replaced, a file of others that stands where one of ours is to be written; nor made: a folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from fullfield.errors import FullfieldError, OutputInvalid


def refuse_other(
    target: Path,
    is_ours: Callable[[BinaryIO], bool] = lambda stream: False,
    *,
    refusal: FullfieldError | None = None,
    added: bool = False,
) -> None:
    """Raises `refusal`, else OutputInvalid, where something is there that is not ours to replace: maybe a radiograph.

    An empty file may be replaced, and one that may only be written. `added`: nothing is replaced, and a device or a
    pipe may take what is added. Likewise where the folder that it names is not there: most often that is mistyped.
    """
    refuse_no_folder(target, refusal)
    refusal = refusal or OutputInvalid(
        "Cannot replace the file that is there.",
        detail="It is none that may be written anew, and stays as it is.",
        hint="Give the name of a new file.",
    )
    try:
        if target.is_dir() or (target.exists() and not target.is_file() and not added):
            raise refusal
        if target.is_file() and target.stat().st_size:
            with target.open("rb") as stream:
                if not is_ours(stream):
                    raise refusal
    except OSError as error:
        if not isinstance(error, PermissionError) or not os.access(target, os.W_OK):
            reason = f"The system says: {error.strerror}."
            raise type(refusal)(refusal.title, detail=reason, hint=refusal.hint) from error


def refuse_no_folder(target: Path, refusal: FullfieldError | None = None) -> None:
    """Raises an error as `refusal` is, else OutputInvalid, where there is no folder for this file."""
    with contextlib.suppress(PermissionError):  # it is there, and the file says what the system says
        if not target.parent.is_dir():
            kind, title = (
                (OutputInvalid, "Cannot write the file.") if refusal is None else (type(refusal), refusal.title)
            )
            raise kind(
                title,
                detail="There is no such folder to write it into.",
                hint="Make the folder first, or name a file in one that is there.",
            )


__all__ = ["refuse_no_folder", "refuse_other"]
