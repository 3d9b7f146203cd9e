"""The ways to say no to an input, in one voice.

Damaged: the file cannot be trusted or decoded. Refused: it is sound, and no radiograph that this program works on.
Neither text ever carries a path or a patient's value; numbers, tags and class names may appear.
"""

from __future__ import annotations

from pathlib import Path

from fullfield.errors import InputRefused, InputUnreadable

COPY_AGAIN = "Export or copy it again from where it came from."
ACCEPTED = (
    "Fullfield works on single-frame grey radiographs: the classes CR, DX, MG and IO, Secondary Capture of these, "
    "and PNG, TIFF, JPEG or WebP files."
)


def damaged(detail: str, *, hint: str = COPY_AGAIN) -> InputUnreadable:
    """The file is cut short, contradicts itself or cannot be decoded."""
    return InputUnreadable("Cannot read this file.", detail=detail, hint=hint)


def changed() -> InputUnreadable:
    """The file is no longer the one that was hashed."""
    return damaged("It changed while it was being read.", hint="Try again when it is copied completely.")


def refused(what: str, *, detail: str = "", hint: str = ACCEPTED) -> InputRefused:
    """The file is something else: `what` completes the sentence "it is …"."""
    return InputRefused(f"Cannot use this file: it is {what}.", detail=detail, hint=hint)


def no_file(path: Path) -> InputRefused:
    """What is there is a pipe, a device, a folder that cannot be listed, or one that only a link leads to."""
    if path.is_symlink() and path.is_dir():
        return refused("a link to a folder", hint="Name the folder that it leads to as an input of its own.")
    return refused("no ordinary file", hint="Choose files, folders or ZIP archives.")
