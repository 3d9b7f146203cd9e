"""What each input's result should be called: the input's relative path with a suffix. Never a DICOM value.

Where it then goes is decided when its content is known (see `fullfield.enhance.results`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from fullfield.enhance.results import numbered
from fullfield.image.values import SUFFIXES
from fullfield.inputs.files import InputFile

MARK = "_enhanced"
LONGEST = 180  # bytes of a name, below every file system's 255 with room for the mark and a temporary's name
RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))})


def outputs(items: Sequence[InputFile], suffix: str, *, out: Path | None = None) -> list[str]:
    """The relative output path of each item, with `/`, all different on every file system; in the folder `out` none is
    one of the inputs, which may lie there.

    Two inputs that would share a name (`a.dcm` and `a.png`, or names that differ in case only) get `-2`, `-3`… in the
    order of their relative paths, so that the same inputs always give the same names.
    """
    names = [""] * len(items)
    taken: set[str] = set()
    following: dict[str, int] = {}  # by the name without a number: those before it are taken
    originals = {_identity(Path(item.archive or item.source)) for item in items} - {None} if out is not None else set()
    order = sorted(range(len(items)), key=lambda place: (items[place].relative, items[place].archive, place))
    for place in order:
        folder, stem = _parts(items[place].relative)
        asked = folder / f"{stem}{MARK}{suffix}"
        count = following.get(_key(str(asked)), 1)
        while True:
            name = str(numbered(asked, count))
            key = _key(name)
            if key not in taken and (out is None or _identity(inside(out, name)) not in originals):
                break
            count += 1
        taken.add(key)
        following[_key(str(asked))] = count + 1
        names[place] = name
    return names


def written(asked: str, number: int) -> str:
    """The path that a result has got for which `asked` was asked; `number`: see `ItemDone`."""
    return str(numbered(PurePosixPath(asked), number)) if number else asked


def inside(folder: Path, relative: str) -> Path:
    """`relative` below `folder`."""
    return folder.joinpath(*PurePosixPath(relative).parts)


def _key(name: str) -> str:
    """The same for two names that are one on some file system."""
    return unicodedata.normalize("NFC", name).casefold()


def _identity(path: Path) -> tuple[int, int] | None:
    """What a file is, under whatever name; None of one that is not there, or whose name this system cannot write."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _parts(relative: str) -> tuple[PurePosixPath, str]:
    path = PurePosixPath(relative)
    stem = path.stem if path.suffix.lower() in SUFFIXES else path.name
    cut = stem.encode("utf-8", "surrogateescape")[:LONGEST].decode("utf-8", "ignore")
    clean = "".join(sign if sign.isprintable() and sign not in '\\/:*?"<>|' else "_" for sign in cut).strip(". ") or "_"
    return path.parent, f"_{clean}" if clean.casefold() in RESERVED else clean
