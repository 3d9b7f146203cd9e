"""What must not be replaced: a file of others that stands where one of ours is to be written."""

from __future__ import annotations

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
    pipe may take what is added.
    """
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


__all__ = ["refuse_other"]
