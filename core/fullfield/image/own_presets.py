"""This user's own presets: TOML files in one folder, found by name, written whole or not at all."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from fullfield import files
from fullfield.errors import UsageError
from fullfield.image.preset import ADJUSTED, Preset
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
    """All of them: the file of each name that can be written in a line."""
    found = {path.name.removesuffix(SUFFIX): path for path in sorted(folder().glob(f"*{SUFFIX}"))}
    return {name: path for name, path in found.items() if name and name.isprintable()}


def slug(title: str) -> str:
    """The name of a preset with this title: small letters, digits and hyphens; "" where the title has none of them."""
    return re.sub(r"[\W_]+", "-", title.lower())[:_LONGEST].strip("-")


def save(
    values: Preset, *, title: str, body_parts: tuple[str, ...], species: tuple[str, ...] = (), taken: frozenset[str]
) -> Preset:
    """Write a preset with the values of `values` under `title`, for the same kind of input; returns it.

    `body_parts`: those for which it is chosen by itself, of `species` (empty: human).

    One of this user's with this title, for the same kind of input, is replaced by its next version; no other file is
    ever written over. `taken`: names that it may not have. Raises UsageError for a title that gives no name, or one of
    those or of `RESERVED`, or that cannot be shown, CannotWrite.
    """
    title = " ".join(title.split())
    if fault := _fault(title, taken):
        raise UsageError("Cannot save the preset.", detail=fault, hint="Choose another name.")
    name, before = _place(values, title, taken)
    preset = replace(
        values,
        name=name,
        title=title,
        version=FIRST_VERSION if before is None else _next(before.version),
        source=f"adjusted by this site, from the preset {values.name}",
        body_parts=tuple(map(_one_line, body_parts)),
        species=tuple(map(_one_line, species or ("human",))) if body_parts else (),
    )
    text = to_toml(preset)
    parse(text, origin=name)  # nothing is written that cannot be read again
    with files.in_own_folder("presets"):
        files.write_text(folder() / f"{name}{SUFFIX}", text)
    return preset


def _one_line(text: str) -> str:
    """What a header says, without signs that cannot be shown, with plain spaces."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _fault(title: str, taken: frozenset[str]) -> str:
    """What is wrong with a title; empty where nothing is."""
    name = slug(title)
    if not title.isprintable():
        return "The name has a sign that cannot be shown."
    if not name:
        return "The name has no letter in it."
    if name in RESERVED:
        return "This word means something else where a preset is chosen."
    return "A preset that ships with Fullfield has this name." if name in taken else ""


def _place(values: Preset, title: str, taken: frozenset[str]) -> tuple[str, Preset | None]:
    """The name to save under: that of the preset whose next version this is, which comes with it, or a free one."""
    base = slug(title)
    numbered = [base, *(f"{base}-{number}" for number in range(2, len(paths()) + 3))]
    for name in (values.name.removesuffix(ADJUSTED), *numbered):
        before = None if name in taken else _known(name)
        if before is not None and (before.title.casefold(), before.kinds) == (title.casefold(), values.kinds):
            return name, before
    free = (name for name in numbered if name not in taken and not (folder() / f"{name}{SUFFIX}").exists())
    return next(free), None


def _known(name: str) -> Preset | None:
    """This user's preset of that name; None where there is none that can be read."""
    path = paths().get(name)
    try:
        return None if path is None else parse(path.read_text(encoding="utf-8-sig"), origin=path.name)
    except (OSError, UnicodeDecodeError, UsageError):
        return None


def _next(version: str) -> str:
    head, _, last = version.rpartition(".")
    try:
        return f"{head}.{int(last) + 1}" if head else str(int(last) + 1)
    except ValueError:
        return FIRST_VERSION


__all__ = ["RESERVED", "SUFFIX", "folder", "paths", "save", "slug"]
