"""What the user named, as a list of input files: files, folders, ZIP archives, a DICOMDIR, `@list.txt`.

Nothing is read here, unless it is asked for, but names, the index of a medium, and of what lies in a folder or an
archive the first bytes: a file of a system or a viewer is passed over and counted. Whether any other is a radiograph is
decided when its turn comes, and so it is with a file that the user named itself.

A DICOMDIR stands for the files that it lists: what else lies on a CD is a viewer and its papers. A folder with one at
its top is such a medium too, but images may have been copied into it since: there, what says that it is DICOM is taken
as well, and the rest is passed over and counted. An index that cannot be used is told, and everything is taken.
"""

from __future__ import annotations

import contextlib
import functools
import os
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from fullfield import files
from fullfield.dicom import companions, formats, medium
from fullfield.dicom.members import check_directory, head_of
from fullfield.errors import FullfieldError, InputUnreadable, OutputInvalid

PASSED_OVER = frozenset({".ds_store", "thumbs.db", "desktop.ini", "dicomdir"})
MOST_MEMBERS = 100_000


@dataclass(frozen=True, kw_only=True)
class InputFile:
    """One input. `relative`: its path below what the user named, with `/`: the output mirrors it.

    `archive`: the ZIP that holds it; then `source` is the member's name in that archive, not a path. `mark`: what tells
    another content in its place without reading it: size in bytes and time of change, of a member its checksum; "": not
    known. `sha256`: of its content, where `discover` was asked to read it.
    """

    source: str
    relative: str
    archive: str = ""
    mark: str = field(default="", compare=False)
    sha256: str = field(default="", compare=False)

    @property
    def place(self) -> tuple[str, str]:
        """Where it lies: its archive ("": none), and its path or its name in there."""
        return self.archive, self.source


@dataclass(frozen=True, kw_only=True)
class Found:
    """The inputs in a stable order, and how many files of a system or a viewer of a medium were passed over.

    `errors`: what is wrong with the indices of media, which costs no input, and with what was named where that is not
    raised.
    """

    items: tuple[InputFile, ...]
    passed_over: int = 0
    errors: tuple[FullfieldError, ...] = ()


def exchanged() -> InputUnreadable:
    """What is said of an input that is another one than was opened."""
    return InputUnreadable(
        "Cannot read the image again.",
        detail="Its file has changed since it was opened.",
        hint="Remove it from the list, and open it again.",
    )


def discover(
    paths: Iterable[str | Path],
    *,
    recursive: bool = True,
    exclude: Path | None = None,
    listed: Collection[tuple[str, str]] = (),
    strict: bool = True,
) -> Found:
    """All inputs below `paths`, each once however often it is named; files inside `exclude` (the output folder) are not
    read again. `listed`: places of which the content of a file is read, for its size and time may be another's.

    Raises InputUnreadable when a path that the user named is not there, which without `strict` is one of the `errors`
    and costs no other; OutputInvalid where it is `exclude` itself. What a list names is an input that says so itself
    where it is not there: of thousands one may be gone.
    """
    items: dict[tuple[str, str], InputFile] = {}
    real = functools.lru_cache(maxsize=1)(os.path.realpath)  # an archive's members come one after the other
    passed_over = 0
    errors: list[FullfieldError] = []
    for path in _named(paths, strict=strict):
        if isinstance(path, InputUnreadable):
            if strict:
                raise path
            errors.append(path)
            continue
        for item in _below(path, recursive=recursive, exclude=_real(exclude) if exclude else None):
            match item:
                case None:
                    passed_over += 1
                case FullfieldError():
                    errors.append(item)
                case InputFile():
                    items.setdefault(_key(item, real), item)
    found = tuple(_read(item) if item.place in listed and not item.archive else item for item in items.values())
    return Found(items=found, passed_over=passed_over, errors=tuple(errors))


def _read(item: InputFile) -> InputFile:
    """With its content's hash, where it is an ordinary file and can be read."""
    path = Path(item.source)
    with contextlib.suppress(OSError):
        if path.is_file():
            return replace(item, sha256=files.sha256(path))
    return item


def _real(path: Path) -> Path:
    """`Path.resolve` raises RuntimeError in Python 3.11 where a link leads to itself."""
    return Path(os.path.realpath(path))


def _key(item: InputFile, real: Callable[[str], str]) -> tuple[str, str]:
    """What is the same for all names of one input, links among them."""
    return real(item.archive or item.source), item.source if item.archive else ""


def _named(paths: Iterable[str | Path], *, strict: bool) -> Iterator[Path | InputUnreadable]:
    for path in paths:
        text = str(path)
        if text.startswith("@") and not os.path.lexists(text):
            yield from _listed(Path(text[1:]), strict=strict)
        else:
            yield _existing(Path(text))


def _listed(path: Path, *, strict: bool) -> Iterator[Path | InputUnreadable]:
    there = _existing(path)
    if isinstance(there, InputUnreadable):
        yield there
        return
    try:
        lines = there.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError):
        yield InputUnreadable(
            "Cannot read the list of inputs.", detail="It is not a text file in UTF-8.", hint="One path per line."
        )
        return
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            whole = path.parent / line  # a name may begin or end in a blank
            named = whole if os.path.lexists(whole) else path.parent / line.strip()
            yield named if strict else _existing(named)


def _existing(path: Path) -> Path | InputUnreadable:
    if os.path.lexists(path):
        return path
    return InputUnreadable(
        f"Cannot find the input {path.name!r}.",
        detail="There is no such file or folder.",
        hint="Check the spelling, and that the drive is connected.",
    )


def _below(path: Path, *, recursive: bool, exclude: Path | None) -> Iterator[InputFile | FullfieldError | None]:
    """The inputs of one path; None for a file or a folder that is passed over. Raises OutputInvalid."""
    index = _index(path)
    listed: tuple[Path, ...] = ()
    if index is not None:
        try:
            listed = medium.files(index)
        except FullfieldError as error:
            yield error
    if index == path:
        for file in listed:
            yield from _file(file, file.relative_to(path.parent))
        if listed:
            return
        path, recursive = path.parent, True
    if not os.path.isdir(path):  # noqa: PTH112 - as in _is_file
        yield from _file(path, Path(path.name))
        return
    root = _real(path)
    if root == exclude:
        raise OutputInvalid(
            "Cannot use the output folder.",
            detail="It is the input folder itself, where results would be taken for inputs.",
            hint="Name another folder; a new one inside the input folder will do.",
        )
    of_medium = frozenset(listed)
    closed: list[str] = []  # folders that cannot be listed: each is told, as an input that cannot be read
    for folder, folders, names in os.walk(path, onerror=lambda error: closed.append(error.filename)):
        here = Path(folder)
        below = sorted(name for name in folders if recursive and _real(here / name) != exclude)
        folders[:] = [name for name in below if not name.startswith(".")]
        yield from [None] * (len(below) - len(folders))
        for name in folders:
            if (here / name).is_symlink():  # walked by no one: it may lead round in a circle
                leads_back = _real(here / name).is_relative_to(root)
                yield None if leads_back else _of(here / name, (here / name).relative_to(path))
        for name in sorted(names):
            if name.startswith(".") or name.lower() in PASSED_OVER or not _belongs(here / name, of_medium):
                yield None
            else:
                yield from _file(here / name, (here / name).relative_to(path))
    for folder in closed:
        yield InputFile(source=folder, relative=os.path.relpath(folder, path).replace(os.sep, "/"))
    for file in listed:
        if not os.path.lexists(file) and (recursive or file.parent == path):
            yield from _file(file, file.relative_to(path))  # it fails in its turn, and so is told


def _index(path: Path) -> Path | None:
    """The DICOMDIR that a path is, also under another name, or that lies at the top of a folder."""
    if _is_file(path) and (path.name.upper() == "DICOMDIR" or formats.is_index(_head(path) or b"")):
        return path
    return next((path / name for name in ("DICOMDIR", "dicomdir") if _is_file(path / name)), None)


def _belongs(file: Path, of_medium: frozenset[Path]) -> bool:
    """Whether a file of a folder is an input: on a medium what is listed or DICOM, elsewhere what may be an image."""
    if file in of_medium:
        return True
    head = _head(file)
    if head is None:
        return not of_medium or _is_file(file)
    return not companions.is_one(head, file.name) and (not of_medium or formats.is_dicom(head))


def _head(file: Path) -> bytes | None:
    """The first bytes; None of what is no ordinary file or cannot be read, which is told in its turn."""
    if not _is_file(file):
        return None
    try:
        with file.open("rb") as stream:
            return stream.read(formats.HEAD_BYTES)
    except OSError:
        return None


def _is_file(path: Path) -> bool:
    """Whether it is an ordinary file; what cannot be looked at is none, and costs itself alone when its turn comes."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises where a link leads into a closed folder


def _file(path: Path, relative: Path) -> Iterator[InputFile | None]:
    if path.suffix.lower() == ".zip" and _is_file(path) and zipfile.is_zipfile(path):
        yield from _members(path, relative)
    else:
        yield _of(path, relative)


def _of(path: Path, relative: Path) -> InputFile:
    try:
        now = path.stat()
    except OSError:
        mark = ""
    else:
        mark = f"{now.st_size} {now.st_mtime_ns}"
    return InputFile(source=str(path.absolute()), relative=relative.as_posix(), mark=mark)


def _members(archive: Path, relative: Path) -> Iterator[InputFile | None]:
    try:
        check_directory(archive)
        with zipfile.ZipFile(archive) as opened:
            names = sorted(info.filename for info in opened.infolist() if not info.is_dir())
            if 0 < len(names) <= MOST_MEMBERS:
                yield from (_member(opened, name, archive, relative) for name in names)
                return
    except (InputUnreadable, zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        pass
    # empty, damaged or a bomb: one item that says so when its turn comes
    yield _of(archive, relative)


def _member(opened: zipfile.ZipFile, name: str, archive: Path, relative: Path) -> InputFile | None:
    clean = _clean(name)
    last = clean.rpartition("/")[2]
    if not last or last.startswith(".") or last.lower() in PASSED_OVER:
        return None
    info = opened.getinfo(name)
    head = head_of(opened, info)
    if head is not None and companions.is_one(head, last):
        return None
    below = PurePosixPath(relative.with_suffix("").as_posix()) / clean
    mark = f"{info.file_size} {info.CRC}"
    return InputFile(source=name, relative=below.as_posix(), archive=str(archive.absolute()), mark=mark)


def _clean(name: str) -> str:
    """A member's name as a relative path that leads nowhere else."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join("".join(sign if sign.isprintable() and sign not in ':*?"<>|' else "_" for sign in p) for p in parts)
