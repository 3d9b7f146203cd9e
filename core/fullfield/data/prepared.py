"""Training pairs ready to be read: one self-contained folder, which may be copied to another machine.

    prepared.json          what the folder holds, without names of files or patients
    <key>.input.npy        uint16 (rows, columns): the network's input, 0…1 times 65,535
    <key>.reference.npy    uint16 of the same shape: the wanted output, likewise
    <key>.processed.npy    the input once more, where a model for raw and processed images learns from both of them

Made by `prepare`; read by the loader, one image at a time. Changed bits would train silently, so an array's hash is
checked when a process reads it first, and again where the file has changed since.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fullfield import array_file, files
from fullfield.checked import Fields
from fullfield.data import kinds
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image.image import InputKind, Pixels

VERSION = 2
MANIFEST = "prepared.json"
LEVELS = 65_535
PARTS = ("input", "reference", "processed")  # of a pair's arrays, in the order of `Item.sha256`

Unit = NDArray[np.float32]

GREYS: Unit = np.arange(LEVELS + 1, dtype=np.float32) / np.float32(LEVELS)
"""What each stored level stands for."""

_checked: dict[Path, tuple[int, int, str]] = {}
"""Of each array that this process has found whole: its file's time and size, and its hash."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One pair. `patient` is a number without meaning; `mm_per_pixel` None where the source had no spacing,
    `modality` empty where it had none (an import).

    `source_sha256`: of the source files' content; `sha256`: of the arrays' files, in the order of `PARTS`. `kinds`: of
    its inputs, that of "input" first. `simulated`: its raw input is. `pixel_size`: see `Image`; (1, 1) also where an
    earlier version did not note it.
    """

    key: str
    patient: int
    rows: int
    columns: int
    mm_per_pixel: float | None
    modality: str
    source_sha256: tuple[str, ...]
    sha256: tuple[str, ...]
    kinds: tuple[InputKind, ...] = ()
    simulated: bool = False
    pixel_size: tuple[float, float] = (1.0, 1.0)

    @property
    def parts(self) -> tuple[str, ...]:
        """Which arrays it has."""
        return PARTS[: len(self.sha256)]


View = tuple[Item, InputKind]
"""A pair with the kind of input that is taken of it."""


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """All pairs of a folder, sorted by key.

    `size`: the longer side, or None for native. `input_kind`: "raw" or "processed", what all inputs are, or "any" for
    both. `reference`: a sentence on where the references come from; `conventional`: the conventional processor made
    them. `simulated`: the raw inputs are. `problems`: sentences, without names. `reviewed`: how many references an
    expert approved, adjusted, rejected (those are left out) and has not seen; empty where none was reviewed. `mend`:
    makes a pair that is damaged or missing anew, or raises; None where nothing can.
    """

    folder: Path
    size: int | None
    input_kind: str
    normalisation: Fields
    reference: str
    simulated: bool
    items: tuple[Item, ...]
    problems: tuple[str, ...] = ()
    reviewed: dict[str, int] = field(default_factory=dict)
    conventional: bool = False
    mend: Callable[[Item], None] | None = field(default=None, compare=False, repr=False)

    @property
    def use_on(self) -> str:
        """What a model that learns from these is for: "raw", "processed" or "both"."""
        return kinds.BOTH if self.input_kind == kinds.ANY else self.input_kind

    @property
    def identity(self) -> str:
        """The hash of all pixels: a training that goes on must find the same."""
        text = "|".join(f"{item.key}{''.join(item.sha256)}" for item in self.items)
        return hashlib.sha256(text.encode()).hexdigest()

    def load(self, item: Item, kind: InputKind | None = None) -> tuple[Unit, Unit]:
        """Input and reference of a pair, float32 (rows, columns) in 0…1; `kind`: which of its inputs, the first where
        none is named. Raises InputUnreadable, and as `mend`."""
        given, wanted = self.levels(item, kind)
        return GREYS[given], GREYS[wanted]

    def levels(self, item: Item, kind: InputKind | None = None) -> tuple[Pixels, Pixels]:
        """Likewise as they are stored: uint16, of which `GREYS` are the values."""
        part = "input" if kind is None or kind is item.kinds[0] else "processed"
        try:
            return self._plane(item, part), self._plane(item, "reference")
        except InputUnreadable:
            if self.mend is None:
                raise
        self.mend(item)
        return self._plane(item, part), self._plane(item, "reference")

    def _plane(self, item: Item, part: str) -> Pixels:
        path = array_path(self.folder, item.key, part)
        try:
            check(path, item.sha256[PARTS.index(part)])
            stored = array_file.load(path)
        except (OSError, ValueError) as error:
            raise _damaged(f"The {part} of image {item.key[:8]} is damaged or missing.") from error
        if stored.dtype != np.uint16 or stored.shape != (item.rows, item.columns):
            raise _damaged(f"The {part} of image {item.key[:8]} is not what the list says.")
        return np.asarray(stored)


def views(items: Sequence[Item]) -> tuple[View, ...]:
    """Every pair with every kind of input that it has."""
    return tuple((item, kind) for item in items for kind in item.kinds)


def is_simulated(view: View) -> bool:
    """Whether this input is a raw one that was simulated."""
    item, kind = view
    return item.simulated and kind is InputKind.RAW


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


def check(path: Path, sha256: str) -> None:
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
    files.write_text(prepared.folder / MANIFEST, text(prepared))


def text(prepared: Prepared) -> str:
    """The content of the list."""
    values = asdict(replace(prepared, mend=None))
    del values["folder"], values["mend"]
    return json.dumps({"version": VERSION, **values}, indent=1)


def load(folder: Path, *, arrays: bool = True) -> Prepared:
    """The pairs of a prepared folder. Raises InputUnreadable where it is damaged or of another version.

    `arrays`: refuse also where one is missing, which else is met when it is read.
    """
    try:
        values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if values.pop("version") != VERSION:
            raise _damaged("It was prepared by another version of Fullfield.")
        values["items"] = tuple(
            item_of(fields, values["input_kind"], simulated=values["simulated"]) for fields in values["items"]
        )
        values["problems"] = tuple(values["problems"])
        prepared = Prepared(folder=folder, **values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged("Its list prepared.json cannot be read.") from error
    for item in prepared.items if arrays else ():
        for part in item.parts:
            if not array_path(folder, item.key, part).is_file():
                raise _damaged(f"The {part} of image {item.key[:8]} is missing.")
    if not prepared.items:
        raise InputRefused(
            "Cannot train on the prepared data.", detail="They hold no pair.", hint="Prepare them again."
        )
    return prepared


def item_of(fields: Fields, kind: str, *, simulated: bool) -> Item:
    """The item of a list or a record. `kind`, `simulated`: of all inputs, where an earlier version did not say it of
    each. Raises KeyError, TypeError and ValueError where it is none."""
    fields["source_sha256"] = tuple(fields["source_sha256"])
    fields["sha256"] = tuple(map(str, fields["sha256"]))
    fields["kinds"] = tuple(map(InputKind, fields.get("kinds") or (kind,)))
    fields["pixel_size"] = tuple(fields.get("pixel_size", (1.0, 1.0)))
    return Item(**{"simulated": simulated, **fields})


def _damaged(detail: str) -> InputUnreadable:
    return InputUnreadable("Cannot use the prepared training data.", detail=detail, hint="Prepare them again.")
