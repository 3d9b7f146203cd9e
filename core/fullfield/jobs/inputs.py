"""What the user named, as a list of input files: files, folders, ZIP archives, a DICOMDIR, `@list.txt`.

Nothing is read here but names: whether a file is a radiograph is decided when its turn comes.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from fullfield.dicom.members import check_directory
from fullfield.errors import InputUnreadable

PASSED_OVER = frozenset({".ds_store", "thumbs.db", "desktop.ini", "dicomdir"})
MOST_MEMBERS = 100_000


@dataclass(frozen=True, kw_only=True)
class InputFile:
    """One input. `relative`: its path below what the user named, with `/`: the output mirrors it.

    `archive`: the ZIP that holds it; then `source` is the member's name in that archive, not a path.
    """

    source: str
    relative: str
    archive: str = ""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The inputs in a stable order, and how many files of a system's own were passed over."""

    items: tuple[InputFile, ...]
    passed_over: int = 0


def discover(paths: Iterable[str | Path], *, recursive: bool = True, exclude: Path | None = None) -> Found:
    """All inputs below `paths`; files inside `exclude` (the output folder) are not read again.

    Raises InputUnreadable when a path that the user named is not there.
    """
    items: dict[tuple[str, str], InputFile] = {}
    passed_over = 0
    for path in _named(paths):
        for item in _below(path, recursive=recursive, exclude=exclude.resolve() if exclude else None):
            if item is None:
                passed_over += 1
            else:
                items.setdefault((item.archive, item.source), item)
    return Found(items=tuple(items.values()), passed_over=passed_over)


def _named(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in paths:
        text = str(path)
        if text.startswith("@") and not Path(text).exists():
            yield from _listed(Path(text[1:]))
        else:
            yield _existing(Path(text))


def _listed(path: Path) -> Iterator[Path]:
    try:
        lines = _existing(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputUnreadable(
            "Cannot read the list of inputs.", detail="It is not a text file in UTF-8.", hint="One path per line."
        ) from error
    for line in lines:
        if line.strip() and not line.startswith("#"):
            yield _existing(path.parent / line.strip())


def _existing(path: Path) -> Path:
    if not os.path.lexists(path):
        raise InputUnreadable(
            f"Cannot find the input {path.name!r}.",
            detail="There is no such file or folder.",
            hint="Check the spelling, and that the drive is connected.",
        )
    return path


def _below(path: Path, *, recursive: bool, exclude: Path | None) -> Iterator[InputFile | None]:
    if path.name.upper() == "DICOMDIR" and path.is_file():
        path, recursive = path.parent, True  # the index of a medium: all that lies beside it
    if not path.is_dir():
        yield from _file(path, Path(path.name))
        return
    closed: list[str] = []  # folders that cannot be listed: each is told, as an input that cannot be read
    for folder, folders, names in os.walk(path, onerror=lambda error: closed.append(error.filename)):
        here = Path(folder)
        folders[:] = sorted(
            name for name in folders if recursive and not name.startswith(".") and (here / name).resolve() != exclude
        )
        for name in sorted(names):
            if name.startswith(".") or name.lower() in PASSED_OVER:
                yield None
            else:
                yield from _file(here / name, (here / name).relative_to(path))
    for folder in closed:
        yield InputFile(source=folder, relative=os.path.relpath(folder, path).replace(os.sep, "/"))


def _file(path: Path, relative: Path) -> Iterator[InputFile]:
    if path.suffix.lower() == ".zip" and path.is_file() and zipfile.is_zipfile(path):
        yield from _members(path, relative)
    else:
        yield InputFile(source=str(path.absolute()), relative=relative.as_posix())


def _members(archive: Path, relative: Path) -> Iterator[InputFile]:
    try:
        check_directory(archive)
        with zipfile.ZipFile(archive) as opened:
            names = sorted(info.filename for info in opened.infolist() if not info.is_dir())
    except (InputUnreadable, zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = []
    if not names or len(names) > MOST_MEMBERS:  # empty, damaged or a bomb: one item that says so when its turn comes
        yield InputFile(source=str(archive.absolute()), relative=relative.as_posix())
    for name in names:
        clean = _clean(name)
        last = clean.rpartition("/")[2]
        if clean and not last.startswith(".") and last.lower() not in PASSED_OVER:
            below = PurePosixPath(relative.with_suffix("").as_posix()) / clean
            yield InputFile(source=name, relative=below.as_posix(), archive=str(archive.absolute()))


def _clean(name: str) -> str:
    """A member's name as a relative path that leads nowhere else."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join("".join(sign if sign.isprintable() and sign not in ':*?"<>|' else "_" for sign in p) for p in parts)
