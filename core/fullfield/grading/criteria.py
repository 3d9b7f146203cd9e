"""What a reader is asked about a pair, by part of the body: the shipped sets in `resources/grading`.

A set has the name of the preset for the same part, so that one place knows which words mean which part.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from fullfield import files
from fullfield.image import presets

FOLDER = "grading"
GENERAL = "general"
FALLBACK = "en"
MOST = 10  # criteria of one session: a reader answers each of them for every pair


@dataclass(frozen=True, kw_only=True)
class CriteriaSet:
    """`lines`: the criteria in the order in which they are asked; `source`: where they come from."""

    key: str
    title: str
    source: str
    lines: tuple[str, ...]


def load_all(language: str) -> tuple[CriteriaSet, ...]:
    """The shipped sets in a language ("en", "es"; English where there is none), the general one first."""
    found = sorted(files.resource(FOLDER).glob("*.toml"), key=lambda path: (path.stem != GENERAL, path.stem))
    sets = []
    for path in found:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        lines = tuple(_said(line, language) for line in table["criteria"])
        title, source = (_said(table[key], language) for key in ("title", "source"))
        sets.append(CriteriaSet(key=path.stem, title=title, source=source, lines=lines))
    return tuple(sets)


def fitting(*, body_part: str, species: str, modality: str) -> str:
    """The key of the set that suits an image."""
    return presets.body_part_key(body_part=body_part, species=species, modality=modality)


def _said(texts: dict[str, str], language: str) -> str:
    return texts.get(language, texts[FALLBACK])
