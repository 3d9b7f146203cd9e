"""The virtual environment of an installation: made where there is none, and mended where it is not whole."""

from __future__ import annotations

import csv
import re
import shutil
import sys
import venv
from pathlib import Path

WINDOWS = sys.platform == "win32"


def program(folder: Path, name: str = "fullfield") -> Path:
    """Where a program of the environment in `folder` lies, the window's or another."""
    return folder / (f"Scripts/{name}.exe" if WINDOWS else f"bin/{name}")


def prepare(folder: Path) -> Path:
    """Make `folder` ready for pip; returns its Python. An environment whose Python is gone, as after an upgrade of the
    system, is made anew, and an empty one of another version than runs here; of one that is there, pip installs again
    what an installation cut short has left unwhole."""
    python = program(folder, "python")
    packages = list(folder.glob(f"{'Lib' if WINDOWS else 'lib/python*'}/site-packages/*.dist-info"))
    if not python.exists() or (not packages and _is_of_another(folder)):
        # Without pip inside: a bare Debian has no ensurepip. The pip that is there installs from outside.
        venv.create(folder, with_pip=False, symlinks=not WINDOWS, clear=(folder / "pyvenv.cfg").exists())
    for information in packages:
        if information.exists() and not _is_whole(information):
            shutil.rmtree(information)  # pip would go by it, and call the package installed
    return python


def _is_of_another(folder: Path) -> bool:
    """Whether it is an environment of another version of Python than the one that runs here."""
    settings = folder / "pyvenv.cfg"
    text = settings.read_text(encoding="utf-8", errors="replace") if settings.exists() else ""
    named = re.search(r"^version\w* *= *(\d+)\.(\d+)", text, re.MULTILINE)
    return named is not None and tuple(map(int, named.groups())) != sys.version_info[:2]


def _is_whole(information: Path) -> bool:
    """Whether the list of a package's files reaches its end, where it names itself, and all are there."""
    try:
        with (information / "RECORD").open(encoding="utf-8", newline="") as stream:
            sizes = {name: int(size) if size else None for name, _, size in csv.reader(stream)}
        return f"{information.name}/RECORD" in sizes and all(
            _is_there(information.parent / name, size) for name, size in sizes.items()
        )
    except (OSError, ValueError, csv.Error):  # none, or what a power cut has left of it
        return False


def _is_there(path: Path, size: int | None) -> bool:
    """A file, as long as it was; what Python compiled may be gone or other."""
    return path.suffix == ".pyc" or (path.is_file() and size in (None, path.stat().st_size))
