"""This user's own presets: TOML files in one folder, found by name, written whole or not at all."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from fullfield import files
from fullfield.errors import UsageError
from fullfield.image.preset import Preset
from fullfield.image.preset_file import parse, to_toml

SUFFIX = ".toml"
FIRST_VERSION = "1.0.0"
RESERVED = frozenset({"auto", "image", "pairs"})
"""Words that mean something else wherever a preset is named: on the command line, in a training's `reference`."""

_LONGEST = 60


def folder() -> Path:
    """Where this user's presets lie: the data folder, or `FULLFIELD_PRESETS` where set. It may not exist yet."""
    return files.user_folder("presets")


def paths() -> dict[str, Path]:
    """All of them: the file of each name."""
    return {path.name.removesuffix(SUFFIX): path for path in sorted(folder().glob(f"*{SUFFIX}"))}


def slug(title: str) -> str:
    """The name of a preset with this title: small letters, digits and hyphens; "" where the title has none of them."""
    return re.sub(r"[\W_]+", "-", title.lower())[:_LONGEST].strip("-")


def save(
    values: Preset, *, title: str, body_parts: tuple[str, ...], species: str = "", taken: frozenset[str]
) -> Preset:
    """Write a preset with the values of `values` under `title`, for the same kind of input; returns it.

    `body_parts`: those for which it is chosen by itself, of `species` (Patient Species Description; empty: human).

    One of this user's that has the name already is replaced by its next version. `taken`: names that it may not have.
    Raises UsageError for a title that gives no name, or one of those or of `RESERVED`, CannotWrite.
    """
    name = slug(title)
    if fault := _fault(name, taken):
        raise UsageError("Cannot save the preset.", detail=fault, hint="Choose another name.")
    preset = replace(
        values,
        name=name,
        title=title.strip(),
        version=_next_version(name),
        source=f"adjusted by this site, from the preset {values.name}",
        body_parts=body_parts,
        species=(species.lower() or "human",) if body_parts else (),
    )
    try:
        folder().mkdir(parents=True, exist_ok=True)
        files.write_text(folder() / f"{name}{SUFFIX}", to_toml(preset))
    except OSError as error:
        raise files.cannot_write(error) from error
    return preset


def _fault(name: str, taken: frozenset[str]) -> str:
    """What is wrong with a name; empty where nothing is."""
    if not name:
        return "The name has no letter in it."
    if name in RESERVED:
        return "This word means something else where a preset is chosen."
    return "A preset that ships with Fullfield has this name." if name in taken else ""


def _next_version(name: str) -> str:
    path = paths().get(name)
    if path is None:
        return FIRST_VERSION
    try:
        head, _, last = parse(path.read_text(encoding="utf-8-sig"), origin=path.name).version.rpartition(".")
        return f"{head}.{int(last) + 1}" if head else str(int(last) + 1)
    except (OSError, UnicodeDecodeError, UsageError, ValueError):
        return FIRST_VERSION


__all__ = ["RESERVED", "SUFFIX", "folder", "paths", "save", "slug"]
