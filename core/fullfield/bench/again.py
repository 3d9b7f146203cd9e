"""What the conventional processor does to images that were processed: how many it tells, how little it changes them.

Sources that were processed strongly shall change little. Of a clinic's images nobody knows how they were processed, but
of our own results we do: each image is enhanced, and its result twice more, once where its file says who made it, once
without a word, where the processor has to tell it by measure (`image.shaping.share`). And each source is processed as
others do, more and more strongly, and enhanced after that.
"""

from __future__ import annotations

import json as jsons
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield import standard_output
from fullfield.bench import quality
from fullfield.bench.speak import say
from fullfield.errors import InputRefused
from fullfield.image import multiscale, presets, window
from fullfield.image.image import Image, InputKind
from fullfield.image.pyramid import Plane

LARGEST_CHANGE = 0.2
"""Of the first enhancement's, at the median, on results whose file says who made them."""
STRENGTHS = (2.0, 4.0, 8.0)
"""Clip limits of OpenCV's CLAHE, 8×8 tiles, on 8 bits (of 16 it makes more bins than a tile has pixels)."""
_REPORTED = 0.7  # of a preset's work: a source that is left with less is taken for processed


@dataclass(frozen=True, kw_only=True)
class Row:
    """One image. `left`, `left_again`: how much of the preset's work the source and its result are given, 0 … 1.

    `known`, `unknown`: how much the result is changed when it is enhanced again, over how much the source was (RMS on
    the output's range), where its file says who made it and where nobody does. `elsewhere`: what is left, and the
    change alike, of the source after CLAHE of each of `STRENGTHS`. `reason`: why there are no figures.
    """

    name: str
    left: float = 1.0
    left_again: float = 1.0
    known: float = 0.0
    unknown: float = 0.0
    elsewhere: tuple[tuple[float, float], ...] = ()
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """All images; those that could not be measured stand in it with the reason."""

    rows: tuple[Row, ...]

    @property
    def measured(self) -> tuple[Row, ...]:
        """The rows with figures."""
        return tuple(row for row in self.rows if not row.reason)

    @property
    def kept(self) -> bool:
        """Whether the aim is reached."""
        return bool(self.measured) and float(np.median([row.known for row in self.measured])) <= LARGEST_CHANGE

    def text(self) -> str:
        """The table for people."""
        width = max([len(row.name) for row in self.rows] + [10])
        lines = [
            "Results enhanced again: their change over the source's first, and the work that is left to the preset",
            f"{'':{width}}  {'named':>6}{'mute':>6}{'left: source':>14}{'result':>8}",
        ]
        for row in self.rows:
            figures = f"{row.known:6.2f}{row.unknown:6.2f}{row.left:14.2f}{row.left_again:8.2f}"
            lines.append(f"{row.name:{width}}  {row.reason or figures}")
        if self.measured:
            known, unknown = ([getattr(row, key) for row in self.measured] for key in ("known", "unknown"))
            lines += [
                "",
                "named: the file says that Fullfield made it; mute: nobody does, and it is told by measure",
                f"{len(known)} images; change again, median: named {np.median(known):.2f}"
                f" (aim: at most {LARGEST_CHANGE}), mute {np.median(unknown):.2f}",
                f"told by measure: {_reported(row.left_again for row in self.measured)} of the results,"
                f" {_reported(row.left for row in self.measured)} of the sources",
                *self._elsewhere(),
            ]
        return "\n".join(lines)

    def _elsewhere(self) -> Iterator[str]:
        for number, strength in enumerate(STRENGTHS):
            found = [row.elsewhere[number] for row in self.measured if row.elsewhere]
            if found:
                change = np.median([change for _, change in found])
                reported = _reported(left for left, _ in found)
                yield f"sources after CLAHE, clip limit {strength:g}: told {reported}; change, median {change:.2f}"

    def json(self) -> str:
        """The table for programs."""
        return jsons.dumps({"kind": "again", "kept": self.kept, "rows": [asdict(row) for row in self.rows]})


def bench(*, json: bool, folder: Path | None = None, preset: str = presets.AUTO) -> int:
    """`fullfield bench again [FOLDER]`: the table on standard output; the exit code is 1 where the aim is missed.

    `preset`: with which all are enhanced, "auto" by their headers. Raises UsageError where there is no such preset, the
    folder holds no file, or nothing in it could be measured.
    """
    table = Table(rows=tuple(_rows(folder, preset)))
    if not table.measured:
        raise quality.nothing_measured([row.reason for row in table.rows])
    standard_output.write((table.json() if json else table.text()) + "\n")
    return 0 if table.kept else 1


def measure(
    image: Image, *, preset: str = presets.AUTO, body_part: str = "", species: str = "", modality: str = ""
) -> Row:
    """An image, by the presets that are chosen for it and for its result. Raises InputRefused, UsageError."""
    enhance = partial(_enhance, choice=preset, body_part=body_part, species=species, modality=modality)
    result, left = enhance(image)
    source = np.take(window.source(image), image.pixels)
    first = _change(source, result)
    mute, left_again = enhance(result)
    named, _ = enhance(replace(result, enhanced=True))
    shown = _fraction(result)
    elsewhere = []
    for strength in STRENGTHS:
        other = _alone(image, _equalised(source, strength), bits=8)
        made, left_other = enhance(other)
        elsewhere.append((left_other, _change(_fraction(other), made) / first))
    return Row(
        name="",
        left=left,
        left_again=left_again,
        known=_change(shown, named) / first,
        unknown=_change(shown, mute) / first,
        elsewhere=tuple(elsewhere),
    )


def _rows(folder: Path | None, preset: str) -> Iterator[Row]:
    for name, image, subject in quality.images(folder):
        if isinstance(image, str):
            yield Row(name=name, reason=image)
            continue
        say(name)
        try:
            yield replace(measure(image, preset=preset, **subject), name=name)
        except InputRefused as error:
            yield Row(name=name, reason=error.title)


def _enhance(image: Image, *, choice: str, body_part: str, species: str, modality: str) -> tuple[Image, float]:
    """The result as an image of its own, of which nobody says who made it, and the work that was left to the preset."""
    preset = presets.fitting(choice, body_part=body_part, species=species, kind=image.kind, modality=modality)
    made = multiscale.enhance(image, preset)
    return _alone(image, made.pixels, bits=made.bits), made.recipe.left


def _equalised(source: Plane, clip_limit: float) -> NDArray[np.uint16]:
    cv2.setNumThreads(1)
    clahe = cv2.createCLAHE(clipLimit=clip_limit, tileGridSize=(8, 8))
    return np.asarray(clahe.apply(np.rint(source * 255).astype(np.uint8))).astype(np.uint16)


def _alone(image: Image, pixels: NDArray[np.uint16], *, bits: int) -> Image:
    """Processed pixels as an image of which nobody says who made them."""
    return replace(image, pixels=pixels, bits=bits, kind=InputKind.PROCESSED, voi=(), padding=None)


def _fraction(image: Image) -> Plane:
    return image.pixels.astype(np.float32) / np.float32(image.top)


def _change(shown: Plane, result: Image) -> float:
    """The RMS between an image as it is shown and its result; more than 0."""
    return max(float(np.sqrt(np.mean(np.square(_fraction(result) - shown, dtype=np.float64)))), 1.0 / (1 << 16))


def _reported(left: Iterator[float]) -> str:
    """How many are taken for processed."""
    found = [value < _REPORTED for value in left]
    return f"{sum(found)} ({100 * sum(found) / len(found):.0f} %)"


__all__ = ["LARGEST_CHANGE", "Row", "Table", "bench", "measure"]
