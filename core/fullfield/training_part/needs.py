"""What is installed: packages by name, with the versions and hashes of the lock that this program was tested with.

Of torch and torchvision any version from the least that works up to the tested one is taken: their builds for a CPU or
an older CUDA lie in other indexes, with hashes of their own, and a clinic's mirror may not have the newest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from fullfield import files, parts, system
from fullfield.errors import MissingPart

LOCK = "requirements-train.txt"
ENGINE = (
    "filelock",
    "numpy",
    "opencv-python-headless",
    "pillow",
    "platformdirs",
    "psutil",
    "pydicom",
    "pylibjpeg",
    "pylibjpeg-openjpeg",
    "pylibjpeg-rle",
    "python-gdcm",
    "safetensors",
    "tifffile",
)
"""What the engine itself needs, in a worker: the light part without the window's packages."""

BUILDS = ("torch", "torchvision")  # packages of which there are several builds
LEAST = {"torch": "2.10"}
_FREE = re.compile(r"(nvidia|cuda|triton)\b")  # torch itself says which of them it needs
_PINNED = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.!+-]+)\s*(?:;\s*(?P<marker>[^\\\n]+?))?\s*(?:\\|\n|$)")


def names() -> tuple[str, ...]:
    """What pip is asked for; what these need comes with them."""
    return (*ENGINE, *parts.PACKAGES.values())


def lock() -> str:
    """The text of the lock: among the shipped files, or in a checkout's packaging. Raises FullfieldError."""
    source = system.source_folder()
    beside = source.parent / "packaging" / LOCK if source is not None else None
    return (beside if beside is not None and beside.exists() else files.resource(LOCK)).read_text(encoding="utf-8")


def constraints(text: str) -> str:
    """The lines of pip's constraints that the lock `text` gives."""
    return "".join(f"{line}\n" for block in _blocks(text) if (line := _constraint(block)))


def check(wheels: Iterable[Path], text: str) -> None:
    """Raise MissingPart where a wheel of a version that the lock `text` names has none of the hashes that it gives."""
    known = {
        (_plain(found["name"]), found["version"]): set(re.findall(r"sha256:([0-9a-f]{64})", block))
        for block in _blocks(text)
        if (found := _PINNED.match(block)) is not None
    }
    for path in wheels:
        name, version = [*path.name.split("-"), ""][:2]
        hashes = known.get((_plain(name), version))
        if hashes and files.sha256(path) not in hashes:
            raise MissingPart(
                "Cannot install the training part.",
                detail=f"{_plain(name)} {version} is not the file that this version was tested with: it was damaged on "
                "its way, or exchanged.",
                hint="Try again; if it happens again, ask who runs the package index or made the folder.",
            )


def _constraint(block: str) -> str:
    found = _PINNED.match(block)
    if found is None or _FREE.match(_plain(found["name"])):
        return ""
    name, version = _plain(found["name"]), found["version"]
    least = f">={LEAST[name]}," if name in LEAST else ""
    bound = f"{least}<={version}" if name in BUILDS else f"=={version}"
    return f"{name}{bound}" + (f" ; {found['marker']}" if found["marker"] else "")


def _blocks(text: str) -> list[str]:
    """A package each, with its hashes."""
    return re.split(r"\n(?=\S)", text.strip())


def _plain(name: str) -> str:
    """A name as all its spellings are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
