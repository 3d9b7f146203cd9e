"""A folder of radiographs as a cached index: what each file is, and which could not be read.

Every file is decoded once, in the decoder's child; a second look at an unchanged folder reads only names, sizes and
times. The index lies in this user's private cache, and even there identifiers are hashes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Protocol

from fullfield import files
from fullfield.checked import Fields
from fullfield.data import patients
from fullfield.dicom import companions
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import InputKind

VERSION = 5
NO_IMAGES = companions.SUFFIXES | {".zip"}  # by name alone: a second look reads no content
SYSTEM_FILES = companions.NAMES | {"thumbs.db", "desktop.ini", "dicomdir"}


class Reader(Protocol):
    """What decodes a file: `fullfield.dicom.read.Decoder`."""

    def decode(self, source: Path) -> Decoded: ...


@dataclass(frozen=True, kw_only=True)
class Source:
    """One readable radiograph of the folder. `enhanced`: it says that this program made it.

    `relative`: its path below the folder, with `/`. `patient`, `uid`, `predecessors`, `exposure`: hashes, equal where
    the patient, the SOP Instance UID, and study, body part, view and laterality are equal; empty where unknown.
    `acquired`: "event" or "time", and a hash, equal where the exposure is one (see `Header`).
    """

    relative: str
    sha256: str
    kind: InputKind
    rows: int
    columns: int
    source_format: str
    intent: str = ""
    enhanced: bool = False
    patient: str = field(default="", repr=False)
    uid: str = field(default="", repr=False)
    predecessors: tuple[str, ...] = field(default=(), repr=False)
    exposure: str = field(default="", repr=False)
    acquired: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something about the data that their owner should know. `text` names no file; `relative` does, for the screen.

    `number`: the file's place in the folder's sorted list, from 1; with the short `sha256` it names the file in saved
    texts.
    """

    kind: str
    text: str
    number: int = 0
    sha256: str = ""
    relative: str = field(default="", repr=False)

    def sentence(self) -> str:
        """The problem as a saved event may tell it."""
        content = f" ({self.sha256[:8]})" if self.sha256 else ""
        return f"File {self.number}{content}: {self.text}" if self.number else self.text


@dataclass(frozen=True, kw_only=True)
class Index:
    """The radiographs of a folder in sorted order, and the files that are none."""

    sources: tuple[Source, ...]
    problems: tuple[Problem, ...] = ()
    numbers: dict[str, int] = field(default_factory=dict, repr=False)
    folder: Path = field(default=Path(), repr=False)

    def path(self, source: Source) -> Path:
        """Where a source lies."""
        return self.folder / source.relative

    def problem(self, kind: str, text: str, source: Source) -> Problem:
        """A problem with one of the sources."""
        number = self.numbers.get(source.relative, 0)
        return Problem(kind=kind, text=text, number=number, sha256=source.sha256, relative=source.relative)


def build(
    folder: Path,
    reader: Reader,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Index:
    """Index `folder` and all folders below it, reading only what changed since the last time.

    `progress(done, total)` is called after each file and may raise to stop. Raises InputUnreadable where the folder is
    missing.
    """
    if not folder.is_dir():
        raise InputUnreadable(
            "Cannot read the training data.",
            detail="There is no such folder.",
            hint="Choose the folder that holds the radiographs.",
        )
    names = listed(folder)
    store = _store(folder)
    known, fresh = _remembered(store), {}
    for done, relative in enumerate(names, 1):
        path = folder / relative
        stamp = _stamp(path)
        entry = known.get(relative)
        if entry is None or entry["stamp"] != stamp:
            entry = {"stamp": stamp, **_read(path, relative, reader)}
        fresh[relative] = entry
        progress(done, len(names))
    readable = {relative: entry for relative, entry in fresh.items() if "source" in entry}  # the others are tried again
    if readable != known:
        files.write_text(store, json.dumps({"version": VERSION, "files": readable}))
    return replace(_index(fresh, names), folder=folder)


def _index(entries: Fields, names: list[str]) -> Index:
    numbers = {relative: number for number, relative in enumerate(names, 1)}
    sources, problems = [], []
    for relative in names:
        entry = entries[relative]
        if "source" in entry:
            values = dict(entry["source"])
            values["kind"] = InputKind(values["kind"])
            values["predecessors"] = tuple(values["predecessors"])
            sources.append(Source(relative=relative, **values))
        else:
            text = "cannot be used: " + entry["problem"]
            problems.append(Problem(kind="unreadable", text=text, number=numbers[relative], relative=relative))
    return Index(sources=tuple(sources), problems=tuple(problems), numbers=numbers)


def listed(folder: Path) -> list[str]:
    """The files that may be images, by name alone: their paths below the folder, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in _walk(folder) if not _is_passed_over(path))


def _is_passed_over(path: Path) -> bool:
    return path.suffix.lower() in NO_IMAGES or path.name.startswith(".") or path.name.lower() in SYSTEM_FILES


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(here) / name for name in sorted(names))


def _read(path: Path, relative: str, reader: Reader) -> Fields:
    try:
        image = reader.decode(path)
    except (InputRefused, InputUnreadable) as error:
        return {"problem": error.detail or error.title}
    values = asdict(_source(image, relative))
    del values["relative"]
    return {"source": values}


def _source(decoded: Decoded, relative: str) -> Source:
    header, (rows, columns) = decoded.header, decoded.image.pixels.shape
    return Source(
        relative=relative,
        sha256=header.sha256,
        kind=decoded.image.kind,
        rows=rows,
        columns=columns,
        source_format=header.source_format,
        intent=header.presentation_intent.upper(),
        enhanced=decoded.image.enhanced,
        patient=_hash(header.patient.id or header.study_instance_uid or "name " + patients.of_name(relative)),
        uid=_hash(header.sop_instance_uid),
        predecessors=tuple(_hash(uid) for uid in header.source_sop_instance_uids),
        exposure=_exposure(header),
        acquired=_acquired(header),
    )


def _exposure(header: Header) -> str:
    if not header.study_instance_uid:
        return ""
    parts = (header.study_instance_uid, header.body_part, header.view_position, header.laterality)
    return _hash("|".join(parts))


def _acquired(header: Header) -> str:
    kind, _, value = header.acquired.partition(" ")
    return f"{kind} {_hash(value)}" if value else ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20] if text else ""


def _stamp(path: Path) -> list[int]:
    try:
        state = path.stat()
    except OSError:  # gone since it was listed: reading says so
        return [-1, -1]
    return [state.st_size, state.st_mtime_ns]


def _store(folder: Path) -> Path:
    name = hashlib.sha256(os.path.realpath(folder).encode()).hexdigest()[:20]
    return files.private_folder(files.cache_folder() / "index") / f"{name}.json"


def _remembered(store: Path) -> Fields:
    try:
        values = json.loads(store.read_text(encoding="utf-8"))
        return dict(values["files"]) if values["version"] == VERSION else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
