"""Training pairs ready to be read: one self-contained folder, which may be copied to another machine.

    prepared.json          what the folder holds, without names of files or patients
    <key>.input.npy        uint16 (rows, columns): the network's input, 0…1 times 65,535
    <key>.reference.npy    uint16 of the same shape: the wanted output, likewise

Made by `prepare`; read by the loader, one image at a time. Changed bits would train silently, so an array's hash is
checked when a process reads it first, and again where the file has changed since.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullfield import files
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image.image import InputKind

VERSION = 2
MANIFEST = "prepared.json"
LEVELS = 65_535
PARTS = ("input", "reference")

Unit = NDArray[np.float32]

_checked: dict[Path, tuple[int, int, str]] = {}
"""Of each array that this process has found whole: its file's time and size, and its hash."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One pair. `patient` is a number without meaning; `mm_per_pixel` None where the source had no spacing,
    `modality` empty where it had none (an import).

    `source_sha256`: of the source files' content; `sha256`: of the two arrays' files.
    """

    key: str
    patient: int
    rows: int
    columns: int
    mm_per_pixel: float | None
    modality: str
    source_sha256: tuple[str, ...]
    sha256: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """All pairs of a folder, sorted by key.

    `size`: the longer side, or None for native. `input_kind`: the one kind that all inputs are. `reference`: a
    sentence on where the references come from. `simulated`: the inputs are. `problems`: sentences, without names.
    `reviewed`: how many references an expert approved, adjusted, rejected (those are left out) and has not seen; empty
    where none was reviewed. `mend`: makes a pair that is damaged or missing anew, or raises; None where nothing can.
    """

    folder: Path
    size: int | None
    input_kind: InputKind
    normalisation: dict[str, Any]
    reference: str
    simulated: bool
    items: tuple[Item, ...]
    problems: tuple[str, ...] = ()
    reviewed: dict[str, int] = field(default_factory=dict)
    mend: Callable[[Item], None] | None = field(default=None, compare=False, repr=False)

    @property
    def identity(self) -> str:
        """The hash of all pixels: a training that goes on must find the same."""
        text = "|".join(f"{item.key}{''.join(item.sha256)}" for item in self.items)
        return hashlib.sha256(text.encode()).hexdigest()

    def load(self, item: Item) -> tuple[Unit, Unit]:
        """Input and reference of a pair, float32 (rows, columns) in 0…1. Raises InputUnreadable, and as `mend`."""
        try:
            return self._plane(item, "input"), self._plane(item, "reference")
        except InputUnreadable:
            if self.mend is None:
                raise
        self.mend(item)
        return self._plane(item, "input"), self._plane(item, "reference")

    def _plane(self, item: Item, part: str) -> Unit:
        path = array_path(self.folder, item.key, part)
        try:
            _check(path, item.sha256[PARTS.index(part)])
            stored = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise _damaged(f"The {part} of image {item.key[:8]} is damaged or missing.") from error
        if stored.dtype != np.uint16 or stored.shape != (item.rows, item.columns):
            raise _damaged(f"The {part} of image {item.key[:8]} is not what the list says.")
        return np.asarray(stored.astype(np.float32) / np.float32(LEVELS))


def array_path(folder: Path, key: str, part: str) -> Path:
    """Where an array of a pair lies."""
    return folder / f"{key}.{part}.npy"


def save_plane(folder: Path, key: str, part: str, plane: Unit) -> str:
    """Leave an array (values in 0…1) whole or not at all; its SHA-256."""
    content = encoded(plane)
    files.write_bytes(array_path(folder, key, part), content)
    return hashlib.sha256(content).hexdigest()


def encoded(plane: Unit) -> bytes:
    """The content of the file of an array."""
    stream = io.BytesIO()
    np.save(stream, np.rint(plane * np.float32(LEVELS)).astype(np.uint16), allow_pickle=False)
    return stream.getvalue()


def _check(path: Path, sha256: str) -> None:
    """Raise ValueError where the file is not the one of this hash, and OSError."""
    state = path.stat()
    found = (state.st_mtime_ns, state.st_size, sha256)
    if _checked.get(path) != found:
        if files.sha256(path) != sha256:
            raise ValueError("its content is not what the list says")
        _checked[path] = found


def is_prepared(folder: Path) -> bool:
    """True where `folder` is what `prepare` leaves."""
    return (folder / MANIFEST).is_file()


def save(prepared: Prepared) -> None:
    """Leave the list, the last of the folder's files."""
    values = asdict(replace(prepared, mend=None))
    del values["folder"], values["mend"]
    files.write_text(prepared.folder / MANIFEST, json.dumps({"version": VERSION, **values}, indent=1))


def load(folder: Path, *, arrays: bool = True) -> Prepared:
    """The pairs of a prepared folder. Raises InputUnreadable where it is damaged or of another version.

    `arrays`: refuse also where one is missing, which else is met when it is read.
    """
    try:
        values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if values.pop("version") != VERSION:
            raise _damaged("It was prepared by another version of Fullfield.")
        values["items"] = tuple(_item(fields) for fields in values["items"])
        values["problems"] = tuple(values["problems"])
        values["input_kind"] = InputKind(values["input_kind"])
        prepared = Prepared(folder=folder, **values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged("Its list prepared.json cannot be read.") from error
    for item in prepared.items if arrays else ():
        for part in PARTS:
            if not array_path(folder, item.key, part).is_file():
                raise _damaged(f"The {part} of image {item.key[:8]} is missing.")
    if not prepared.items:
        raise InputRefused(
            "Cannot train on the prepared data.", detail="They hold no pair.", hint="Prepare them again."
        )
    return prepared


def _item(fields: dict[str, Any]) -> Item:
    fields["source_sha256"] = tuple(fields["source_sha256"])
    fields["sha256"] = (str(fields["sha256"][0]), str(fields["sha256"][1]))
    return Item(**fields)


def _damaged(detail: str) -> InputUnreadable:
    return InputUnreadable("Cannot use the prepared training data.", detail=detail, hint="Prepare them again.")
