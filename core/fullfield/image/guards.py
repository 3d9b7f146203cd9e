"""Guards of a result: figures of what was drawn and what was hidden in it, the limits of those, and a map of both.

Of a method that says what it did (`Enhanced.declared`: a map network) the picture is known, and so are its gains:

    unlike    by how much a pixel differs at most from what the gains make of the image, of white
    dip       the worst cell's missing energy by what is usual around, where its gain is less than half of that around
    low       how many times more all levels that are seen in a place show further around, beyond one and a half
    step      the gain of the next level by that of this one, where at that its structure would be seen
    turned    1 where a gain is below 0, the tone falls, or a number of either is none

Of others gains are found, as far as there are any:

    drawn     the mean, over a level's cells, of what no gain explains by what one explains around
    spot      the same of the worst cell: a line, a seam, an edge
    hidden    as dip
    turned    the share of the source's energy whose gain is below 0, where it is seen
    soft      as step

What has a level stands for the finest levels one by one, of which two are the image's native ones, and once for the
worst of the others (`APART`). Limits belong to a method, for a conventional preset has gains that follow the amplitude
and a map network has none, or to one model: they are data, made by `fullfield bench guards`. The greatest figure by its
limit is what counts.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from fullfield import checked, files
from fullfield.errors import ModelError
from fullfield.image import guard_declared, guard_levels, normalise, tone
from fullfield.image.guard_levels import APART, Level
from fullfield.image.image import Enhanced, HighValues, Image
from fullfield.image.marks import MARKED, Marks
from fullfield.image.pyramid import Plane

PRESET, MAP, DRAWN = "preset", "map", "unet"  # methods
FILE = "guards.json"
OWN = ".guards.json"  # in place of the suffix of a model's file, which it lies beside: limits of its own
MARGIN, TAIL = 1.2, 0.1  # a limit lies beyond what sound results have: further where those have a long tail
LEAST = {
    "unlike": guard_declared.ROUNDING,
    "dip": 2e-3,
    "low": 0.05,
    "step": 0.3,
    "turned": 2e-3,
    "drawn": 1e-3,
    "spot": 1e-2,
    "hidden": 2e-2,
    "soft": 0.3,
}
"""Figures below these are alike."""

Figures = dict[str, float]

_SAYS = {
    "unlike": "in one place it is not what the model itself makes of the image",
    "dip": "in one place the structure of the image is missing",
    "low": "in one place the structure of the image is missing",
    "step": "fine structure of the image has been softened",
    "drawn": "it shows texture that the image does not have",
    "spot": "in one place it shows what the image does not have",
    "hidden": "in one place the structure of the image is missing",
    "turned": "what is bright and what is dark is not as in the image",
    "soft": "fine structure of the image has been softened",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """What was found in one result. An image too small to be looked at has no figures."""

    figures: Figures
    marks: Marks


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The largest figures of sound results of a method: one in a hundred of those has any that is beyond. A figure that
    is no number is beyond all."""

    of: Mapping[str, float]

    def beyond(self, found: Figures) -> float:
        """The greatest figure by its limit; above 1 the result is doubtful."""
        return max((self._times(name, found) for name in self.of), default=0.0)

    def objections(self, found: Figures) -> tuple[str, ...]:
        """What speaks against a result, as parts of a sentence, the worst first; none where nothing does."""
        worst = sorted(self.of, key=lambda name: -self._times(name, found))
        said = [_SAYS[name.split()[0]] for name in worst if not found.get(name, 0.0) <= self.of[name]]
        return tuple(dict.fromkeys(said))

    def _times(self, name: str, found: Figures) -> float:
        value = found.get(name, 0.0)
        return math.inf if math.isnan(value) else value / self.of[name]


def found(image: Image, enhanced: Enhanced) -> Found:
    """The figures of a result; it says itself how its method saw the image (`Enhanced.seen`)."""
    if enhanced.declared is not None:
        held = guard_declared.held(image, enhanced)
        return Found(figures=held.figures, marks=held.marks)
    table, seen = enhanced.seen, image.pixels
    assert table is not None
    shares = np.minimum(tone.VALUES / np.float32((1 << enhanced.bits) - 1), 1)
    shown = guard_levels.logit(1 - shares if image.beam is HighValues.BRIGHT else shares)

    def hole(low: int, high: int) -> Plane:
        mask = normalise.is_padding(image, seen[low:high])
        assert mask is not None
        return mask.astype(np.float32)

    levels = guard_levels.levels(
        lambda low, high: np.asarray(cv2.LUT(seen[low:high], table), np.float32),
        lambda low, high: np.asarray(cv2.LUT(enhanced.pixels[low:high], shown), np.float32),
        (seen.shape[0], seen.shape[1]),
        None if image.padding is None else hole,
    )
    return Found(figures=figures(levels), marks=marks(levels))


def figures(levels: Sequence[Level]) -> Figures:
    """See the module."""
    made: Figures = {}
    for number, level in enumerate(levels):
        where = str(number) if number < APART else "coarse"
        inner = (slice(1, -1), slice(1, -1)) if min(level.drawn.shape) > 4 else (slice(None), slice(None))
        looked = level.looked[inner]
        drawn = (level.drawn / (level.own + level.faint))[inner] * looked
        hidden = (level.taken / (level.usual + level.faint_around))[inner] * looked
        for name, value in (
            ("drawn", float(drawn.sum() / max(float(looked.sum()), 1.0))),
            ("spot", float(drawn.max())),
            ("hidden", float(hidden.max())),
            ("turned", level.turned if level.is_seen(level.gain) else 0.0),
        ):
            made[f"{name} {where}"] = max(value, made.get(f"{name} {where}", 0.0))
    for number, (level, below) in enumerate(pairwise(levels[:3])):
        if level.is_seen(below.gain):
            made[f"soft {number}"] = max(below.gain, 1e-3) / max(level.gain, 1e-3)
    return made


def marks(levels: Sequence[Level]) -> Marks:
    """Of each cell the worst of all levels."""
    if not levels:
        return np.zeros((2, 1, 1), np.uint8)
    shape = levels[0].drawn.shape
    made = np.zeros((2, *shape), np.float32)
    for number, level in enumerate(levels):
        several = 1 << max(number - 1, 0)
        for place, energy in enumerate((level.drawn, level.taken)):
            share = np.sqrt(energy * level.looked) * level.slope
            wide = cv2.resize(share, None, fx=several, fy=several, interpolation=cv2.INTER_LINEAR)
            rows, columns = min(shape[0], wide.shape[0]), min(shape[1], wide.shape[1])
            into = made[place, :rows, :columns]
            np.maximum(into, wide[:rows, :columns], out=into)
    return np.asarray(np.clip(np.rint(made * (255 / MARKED)), 0, 255), np.uint8)


def limits_of(sound: Sequence[Figures], *, share: float = 0.99) -> Limits:
    """Limits that this share of sound results keeps in all their figures together: of each figure the same quantile,
    and a margin, for others will be somewhat beyond."""
    names = sorted(set().union(*sound))
    values = np.array([[max(one.get(name, 0.0), LEAST[name.split()[0]]) for name in names] for one in sound])
    for quantile in np.linspace(share, 1, 101):
        limits = np.quantile(values, quantile, axis=0)
        if float((values <= limits).all(axis=1).mean()) >= share:
            break
    limits = MARGIN * limits * (limits / np.median(values, axis=0)) ** TAIL
    return Limits(of={name: float(limit) for name, limit in zip(names, limits, strict=True)})


def read_limits(method: str, model: Path | None = None, sha256: str = "") -> Limits:
    """Those of a model: beside its file, where there are any, or those that the program brings by the SHA-256 of its
    file; for figures that these lack, its kind's. A network that draws imitates a preset, and has a preset's until it
    is given its own. Raises ModelError where those beside it are damaged."""
    brought, beside = files.resource(FILE), None if model is None else model.with_suffix(OWN)
    own = limits_in(brought, sha256) if beside is None or not beside.exists() else _beside(beside, method)
    return Limits(of={**_kinds(brought, method).of, **(own.of if own is not None else {})})


def _beside(path: Path, method: str) -> Limits:
    try:
        return _kinds(path, method)
    except (OSError, ValueError, OverflowError) as error:
        raise ModelError(
            "Cannot use the limits that were measured of this model.",
            detail=f"Its limits in {path.name} cannot be read."
            if isinstance(error, OSError)
            else f"Its limits in {path.name} are damaged.",
            hint="Delete that file: the usual limits hold then, until you measure its own again (fullfield bench "
            "guards).",
        ) from error


def _kinds(path: Path, method: str) -> Limits:
    found = limits_in(path, method, PRESET)
    if found is None:
        raise ValueError(f"{path.name}: wanted limits of the method {method}")
    return found


def limits_in(path: Path, *names: str) -> Limits | None:
    """Those of the first of these names that a file has; None where it has none of them. Raises ValueError."""
    values = checked.parse(path.read_bytes())
    found = next((values[name] for name in names if name in values), None) if isinstance(values, dict) else values
    if found is None:
        return None
    if not _are_limits(found):
        raise ValueError(f"{path.name}: wanted a positive number of each figure")
    return Limits(of={str(key): float(one) for key, one in found.items()})


def keep_limits(path: Path, sha256: str, limits: Limits | None, *, instead: str) -> None:
    """Give a model its own in a file of many, or none, in place of those of the model `instead`."""
    values = {name: one for name, one in checked.parse(path.read_bytes()).items() if name not in (sha256, instead)}
    _write(path, values if limits is None else {**values, sha256: _rounded(limits)})


def write_limits(path: Path, limits: Mapping[str, Limits]) -> None:
    """Of several methods; what else lies in the file stays, such as a model's own."""
    before = checked.parse(path.read_bytes()) if path.exists() else {}
    _write(path, {**before, **{name: _rounded(one) for name, one in limits.items()}})


def is_ours(content: bytes) -> bool:
    """Whether a file of this content has limits of our figures, and nothing else."""
    try:
        values = checked.parse(content)
    except ValueError:
        return False
    return isinstance(values, dict) and all(
        _are_limits(limits) and all(name.split(" ")[0] in _SAYS for name in limits) for limits in values.values()
    )


def _are_limits(values: object) -> bool:
    return isinstance(values, dict) and all(isinstance(one, int | float) and one > 0 for one in values.values())


def _rounded(limits: Limits) -> dict[str, float]:
    return {key: float(f"{number:.4g}") for key, number in limits.of.items()}


def _write(path: Path, values: Mapping[str, object]) -> None:
    files.write_text(path, json.dumps(values, indent=1) + "\n")


__all__ = [
    "DRAWN",
    "FILE",
    "MAP",
    "OWN",
    "PRESET",
    "Figures",
    "Found",
    "Limits",
    "figures",
    "found",
    "is_ours",
    "keep_limits",
    "limits_in",
    "limits_of",
    "read_limits",
    "write_limits",
]
