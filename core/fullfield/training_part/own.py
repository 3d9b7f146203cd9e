"""The engine and its command line as a wheel, made of the files that run here: its workers have the same version."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from fullfield import __version__, system
from fullfield.errors import MissingPart

NAME = "fullfield_engine"
COMMAND_LINE = "fullfield_app"
_LEFT_OUT = frozenset({"__pycache__", "gui"})  # of the command line: no window is opened there


def wheel(to: Path) -> Path | None:
    """The wheel in the folder `to`; None in a checkout, whose workers import its own source.

    Raises MissingPart where this program has been frozen without its source, OSError.
    """
    if system.source_folder() is not None:
        return None
    package = Path(__file__).parents[1]
    if not (package / "jobs" / "worker.py").exists():
        raise MissingPart(
            "Cannot install the training part.",
            detail="This edition of Fullfield does not carry what its workers are made of.",
            hint="Install Fullfield with pip, and train with that.",
        )
    to.mkdir(parents=True, exist_ok=True)
    packages = [package, *filter(Path.is_dir, [package.parent / COMMAND_LINE])]
    return write(packages, to / f"{NAME}-{__version__}-py3-none-any.whl")


def write(packages: Sequence[Path], target: Path) -> Path:
    """The files of `packages` as the wheel `target` (PEP 427), without a list of what it needs: the caller knows it."""
    about = f"{NAME}-{__version__}.dist-info"
    rows = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, content: bytes) -> None:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(content)}\n")
            archive.writestr(name, content)

        for path in sorted(path for package in packages for path in package.rglob("*")):
            package = next(package for package in packages if path.is_relative_to(package))
            inside = path.relative_to(package.parent)
            if path.is_file() and not _LEFT_OUT & set(inside.parts):
                add(inside.as_posix(), path.read_bytes())
        add(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {__version__}\n".encode())
        add(f"{about}/WHEEL", b"Wheel-Version: 1.0\nGenerator: fullfield\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "".join(rows) + f"{about}/RECORD,,\n")
    return target
