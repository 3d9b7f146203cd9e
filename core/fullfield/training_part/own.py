"""The engine as a wheel, made of the files that run here: its worker is so of the very same version."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

from fullfield import __version__, system
from fullfield.errors import MissingPart

NAME = "fullfield_engine"
_LEFT_OUT = frozenset({"__pycache__"})


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
    return write(package, to / f"{NAME}-{__version__}-py3-none-any.whl")


def write(package: Path, target: Path) -> Path:
    """The files of `package` as the wheel `target` (PEP 427), without a list of what it needs: the caller knows it."""
    about = f"{NAME}-{__version__}.dist-info"
    rows = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, content: bytes) -> None:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(content)}\n")
            archive.writestr(name, content)

        for path in sorted(package.rglob("*")):
            inside = path.relative_to(package)
            if path.is_file() and not _LEFT_OUT & set(inside.parts):
                add(f"{package.name}/{inside.as_posix()}", path.read_bytes())
        add(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {__version__}\n".encode())
        add(f"{about}/WHEEL", b"Wheel-Version: 1.0\nGenerator: fullfield\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "".join(rows) + f"{about}/RECORD,,\n")
    return target
