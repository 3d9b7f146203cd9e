"""What is installed: packages by name, with the versions and hashes of the lock that this program was tested with.

Of torch and torchvision any version from the least that works up to the tested one is taken: their builds for a CPU or
an older CUDA lie in other indexes, with hashes of their own, and a clinic's mirror may not have the newest.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from fullfield import files, system
from fullfield.errors import MissingPart

LOCK = "requirements-train.txt"
LEFT_OUT = frozenset(
    (
        "pyside6-essentials",
        "shiboken6",
        "pyqtgraph",
        "hatchling",
        "editables",
        "pathspec",
        "pluggy",
        "trove-classifiers",
    )
)
"""What the lock has for the window and for building, which a worker needs not."""

BUILDS = ("torch", "torchvision")  # packages of which there are several builds
LEAST = {"torch": "2.10"}
_FREE = re.compile(r"(?!nvidia-ml-py)(nvidia|cuda|triton)\b")  # torch itself says which of them it needs
_PINNED = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.!+-]+)\s*(?:;\s*(?P<marker>[^\\\n]+?))?\s*(?:\\|\n|$)")


def lock() -> str:
    """The text of the lock: in a checkout's packaging, else among the shipped files. Raises FullfieldError."""
    source = system.source_folder()
    beside = source.parent / "packaging" / LOCK if source is not None else None
    return (beside if beside is not None and beside.exists() else files.resource(LOCK)).read_text(encoding="utf-8")


def pinned(text: str, kept: Path | None = None) -> list[str]:
    """What pip is asked for besides `BUILDS`: packages in the very version of the lock `text`, and all that they need.

    The path of a wheel where that lies in the folder `kept`: so it is not fetched again.
    """
    there = {_wheel(path): str(path) for path in kept.glob("*.whl")} if kept is not None else {}
    return [
        there.get((name, version), f"{name}=={version}{marker}")
        for name, version, marker in _lines(text)
        if name not in LEFT_OUT and name not in BUILDS
    ]


def constraints(text: str) -> str:
    """The lines of pip's constraints for `BUILDS` and what they need."""
    lines = []
    for name, version, marker in _lines(text):
        least = f">={LEAST[name]}," if name in LEAST else ""
        lines.append(f"{name}{least}<={version}{marker}" if name in BUILDS else f"{name}=={version}{marker}")
    return "".join(f"{line}\n" for line in lines)


def of_builds(folder: Path) -> list[Path]:
    """The wheels in `folder` of `BUILDS` and of what only their builds need."""
    return sorted(path for path in folder.glob("*.whl") if (name := _wheel(path)[0]) in BUILDS or _FREE.match(name))


def check(wheels: Iterable[Path], text: str) -> None:
    """Raise MissingPart where a wheel has none of the hashes that the lock `text` gives for it, or is not whole.

    That is for its name; of packages that have other builds, for the version that the lock names.
    """
    known: dict[str, set[str]] = {}
    for block in _blocks(text):
        if (found := _PINNED.match(block)) is not None:
            key = _hashed(_plain(found["name"]), found["version"])
            known.setdefault(key, set()).update(re.findall(r"sha256:([0-9a-f]{64})", block))
    for path in wheels:
        name, version = [*path.name.split("-"), ""][:2]
        hashes = known.get(_hashed(_plain(name), version))
        if not hashes and not zipfile.is_zipfile(path):  # of its own index, and what it should be is not known here
            raise MissingPart(
                "Cannot install the training part.",
                detail=f"{_plain(name)} {version} is not whole: it was damaged on its way.",
                hint="Copy it again from where it came, or have it fetched anew.",
            )
        if hashes and files.sha256(path) not in hashes:
            raise MissingPart(
                "Cannot install the training part.",
                detail=f"{_plain(name)} {version} is not the file that this version was tested with: it was damaged on "
                "its way, or exchanged.",
                hint="Try again; if it happens again, ask who runs the package index or made the folder.",
            )


def _hashed(name: str, version: str) -> str:
    return f"{name}-{version}" if name in BUILDS or _FREE.match(name) else name


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Name, version and marker of each package whose version the lock decides, and of `BUILDS`."""
    for found in map(_PINNED.match, _blocks(text)):
        if found is not None and not _FREE.match(name := _plain(found["name"])):
            yield name, found["version"], f" ; {found['marker']}" if found["marker"] else ""


def _wheel(path: Path) -> tuple[str, str]:
    """Name and version of a wheel, without the label of a build of its own (as in 2.15.0+cpu)."""
    name, version = [*path.name.split("-"), ""][:2]
    return _plain(name), version.partition("+")[0]


def _blocks(text: str) -> list[str]:
    """A package each, with its hashes."""
    return re.split(r"\n(?=\S)", text.strip())


def _plain(name: str) -> str:
    """A name as all its spellings are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
