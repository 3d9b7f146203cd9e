"""A medium by its DICOMDIR: the files that this index lists, as they lie on the disk. It is read in the child."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from fullfield.errors import FullfieldError, InputUnreadable


def files(dicomdir: Path) -> tuple[Path, ...]:
    """What the index lists, in its order and spelled as on the disk, also files that are not there.

    Raises InputUnreadable where it cannot be read, leads out of its folder, or lists nothing that is there.
    """
    from fullfield.dicom import read  # brings numpy, which the list of a batch's files does without

    folder = dicomdir.parent
    names = cache(_names)

    def spelled(parts: Sequence[str]) -> Path:
        path = folder
        for part in parts:  # a medium says IM0001, and a system that mounts or copies it im0001
            path /= names(path).get(part) or names(path).get(part.upper(), part)
        return path

    try:
        found = tuple(map(spelled, read.listed(dicomdir)))
    except FullfieldError as error:
        raise _unreadable(error.detail or error.title) from error
    root = os.path.realpath(folder)
    if not all(Path(os.path.realpath(path)).is_relative_to(root) for path in found):
        raise _unreadable("It lists a file outside of its folder.")
    if not any(path.is_file() for path in found):
        raise _unreadable("None of the files that it lists is there.")
    return found


def _names(folder: Path) -> dict[str, str]:
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:  # that its files are not there is told of each of them
        return {}
    return {name.upper(): name for name in names} | {name: name for name in names}


def _unreadable(detail: str) -> InputUnreadable:
    return InputUnreadable(
        "Cannot use the DICOMDIR of the medium.", detail=detail, hint="All files beside it are opened instead."
    )


__all__ = ["files"]
