"""What a network shall make of a scene: the conventional operator on the clean latent, of the field that is known.

Per cell it is the best of several candidates: presets for the part and in general, at several strengths and latitudes.
What selects among them needs no reference and is stated here; it is never used to judge a network. The candidates are
compared on the latent with and without the noise of a usual dose, so that a cell of much noise takes less.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.data import reference
from fullfield.data.prepared import Unit
from fullfield.data.scenes.detector import QUANTA, Counted
from fullfield.data.scenes.latent import PARTS, Latent
from fullfield.image import collimation, presets, tone
from fullfield.image.collimation import Field
from fullfield.image.image import HighValues, Image, InputKind, Pixels, Relationship
from fullfield.image.multiscale import Work
from fullfield.image.phantoms.shapes import Plane
from fullfield.image.preset import Preset

LATITUDE = 12.0
"""E-folds that the 16 bits of a latent image span; what is denser is metal, lead or a blade."""

_TOP = (1 << 16) - 1
_BELOW = 0.02  # of the range, below the open beam
_PENUMBRA = 900  # of the longer side, SDs
_CELLS = 24  # along the longer side, of the choice
_USUAL = 2.5  # µGy, of the noise that candidates are compared at
_BANDS = ((0.7, 1.4), (1.4, 2.8), (2.8, 5.6))  # pixels, SDs of the bands that contrast is measured in
_MOST = np.log(2.0)  # a gain of contrast beyond this counts no more
_NOISE, _CLIPPED = 1.0, 6.0  # weights: of noise that grows more than contrast does, and of the share that clips
_BLACK, _WHITE = 0.015, 0.985


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A preset at some strength (`reference.strengthened`), its latitude evened by `even` times what it evens, its
    sigmoid `slope` times as steep."""

    name: str
    strength: float = 1.0
    even: float = 1.0
    slope: float = 1.0


GENERAL = Candidate(name="general-raw")
PART = ""
"""The name that stands for the preset of the scene's own part."""

CANDIDATES = (
    GENERAL,
    Candidate(name="general-raw", strength=1.5),
    Candidate(name="general-raw", strength=1.5, slope=0.5),
    Candidate(name=PART),
    Candidate(name=PART, strength=1.5),
    Candidate(name=PART, strength=1.5, slope=0.5),
    Candidate(name=PART, even=1.25),
)
"""Weaker ones are out: at 0.6 of the strength or of the evening, half of the signals of `bench detect` lost a tenth."""


def image(latent: Latent, counted: Counted) -> Image:
    """The clean latent with its markers as a raw logarithmic image of 16 bits, as if there were no blades."""
    return _stored(counted.attenuation, latent.spacing_mm)


def field(clean: Image, latent: Latent, counted: Counted) -> Field:
    """The field of `clean`, as it is known: what `collimation.find` would have to find."""
    curve = tone.curve(clean)
    step = max(1, -(-max(clean.pixels.shape) // collimation.THUMBNAIL))
    air, opened, marks = (_cells(mask, step) for mask in (latent.air, counted.opened, counted.marks))
    direct = (air > 0.99) & (opened > 0.99) & (marks == 0)
    anatomy = (opened > 0.99) & (air < 0.5) & (marks == 0)
    anatomy = anatomy if anatomy.any() else np.ones_like(anatomy)
    thumbnail = curve(collimation.reduce(clean.pixels, step))
    rows, columns = (np.flatnonzero(counted.opened.any(axis=axis)) for axis in (1, 0))
    return Field(
        thumbnail=thumbnail,
        step=step,
        image=anatomy | direct,
        direct=direct,
        anatomy=anatomy,
        dark=direct,
        floor=float(np.percentile(thumbnail[direct], 90)) if direct.any() else None,
        box=(int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1),
    )


def made(
    latent: Latent,
    counted: Counted,
    *,
    seed: int,
    candidates: tuple[Candidate, ...] = CANDIDATES,
) -> Unit:
    """The wanted output, 0…1, bone bright. What blades cover is white, as nothing is painted over; they cast no shadow
    on the rest. `seed`: of the noise that candidates are compared at."""
    result = _best(latent, counted, seed, candidates)
    if not counted.opened.all():
        edge = max(max(result.shape) / _PENUMBRA, 0.4)
        open_share = cv2.GaussianBlur(counted.opened.astype(np.float32), (0, 0), edge)
        result = open_share * result + (1 - open_share)
    return result


def _best(latent: Latent, counted: Counted, seed: int, candidates: tuple[Candidate, ...]) -> Unit:
    clean = image(latent, counted)
    known = field(clean, latent, counted)
    chosen = {_preset(candidate, latent).sha256(): _preset(candidate, latent) for candidate in candidates}
    outputs = [_enhanced(clean, preset, known) for preset in chosen.values()]
    if len(outputs) == 1:
        return _unit(outputs[0])
    noisy = _noisy(latent, counted, seed)
    scores = []
    plain = _plain(clean, known)
    grain = _plain(noisy, known, like=clean) - plain
    for output, preset in zip(outputs, chosen.values(), strict=True):
        noise = _unit(_enhanced(noisy, preset, known)) - _unit(output)
        scores.append(_score(_unit(output), plain, noise, grain))
    return _blended(outputs, scores)


def _preset(candidate: Candidate, latent: Latent) -> Preset:
    part = PARTS[latent.part]
    own = presets.choose(body_part=part.words, species=part.species, kind=InputKind.RAW, modality=part.modality)
    general = part.modality != "MG" and candidate.name != PART  # no general preset is meant for a mammogram
    strong = reference.strengthened(presets.load(candidate.name) if general else own, candidate.strength)
    gains = tuple(float(np.clip(1 - (1 - gain) * candidate.even, 0.1, 1.5)) for gain in strong.latitude_gains)
    residual = float(np.clip(1 - (1 - strong.latitude_residual) * candidate.even, 0.1, 1.5))
    slope = max(strong.gradation_slope * candidate.slope, 0.1)
    return replace(strong, latitude_gains=gains, latitude_residual=residual, gradation_slope=slope)


def _enhanced(clean: Image, preset: Preset, known: Field) -> Pixels:
    """As integers: those of all candidates are in memory at once."""
    scale = tone.measure(clean, preset, tone.curve(clean), known)
    return Work(clean, preset, known, scale).run(_TOP)


def _unit(pixels: Pixels) -> Unit:
    return pixels.astype(np.float32) / np.float32(_TOP)


def _stored(attenuation: Plane, spacing_mm: float) -> Image:
    stored = np.rint(np.float32(_TOP) * (np.float32(_BELOW) + attenuation / np.float32(LATITUDE)))
    return Image(
        pixels=np.clip(stored, 0, _TOP).astype(np.uint16),
        bits=16,
        high=HighValues.DARK,
        kind=InputKind.RAW,
        relationship=Relationship.LOGARITHMIC,
        spacing_mm=(spacing_mm, spacing_mm),
    )


def _noisy(latent: Latent, counted: Counted, seed: int) -> Image:
    """The clean latent with the noise of a usual dose, and no scatter."""
    random = np.random.default_rng([seed, 0x7A46])
    middle = float(np.median(latent.attenuation[latent.anatomy]))
    quanta = np.float32(QUANTA * _USUAL * latent.spacing_mm**2 * np.exp(middle)) * np.exp(-counted.attenuation)
    quanta += np.sqrt(quanta) * random.standard_normal(quanta.shape, dtype=np.float32)
    open_beam = np.float32(QUANTA * _USUAL * latent.spacing_mm**2 * np.exp(middle))
    return _stored(-np.log(np.maximum(quanta, 1) / open_beam), latent.spacing_mm)


def _plain(shown: Image, known: Field, *, like: Image | None = None) -> Unit:
    """The straight window of the field: what candidates are compared with."""
    scale = tone.measure(like or shown, presets.load(GENERAL.name), tone.curve(like or shown), known)
    return scale.apply(shown.pixels)


def _score(output: Unit, plain: Unit, noise: Unit, grain: Unit) -> Plane:
    """How good each cell is: contrast gained, to a limit; less what noise gained beyond that, and what clips."""
    gained, grown = [], []
    for fine, coarse in _BANDS:
        after, before, loud, quiet = (_energy(plane, fine, coarse) for plane in (output, plain, noise, grain))
        gained.append(0.5 * np.log((after + 1e-9) / (before + 1e-9)))
        grown.append(0.5 * np.log((loud + 1e-9) / (quiet + 1e-9)))
    contrast, graininess = np.mean(gained, axis=0), np.mean(grown, axis=0)
    clipped = _reduced(((output < _BLACK) | (output > _WHITE)).astype(np.float32))
    score: Plane = np.minimum(contrast, _MOST) - _NOISE * np.maximum(graininess - contrast, 0) - _CLIPPED * clipped
    return score


def _blended(outputs: list[Pixels], scores: list[Plane]) -> Unit:
    """Of each cell the best, with smooth borders between cells."""
    best = np.argmax([cv2.GaussianBlur(score, (0, 0), 1.0) for score in scores], axis=0)
    shape = outputs[0].shape
    total, weights = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for place, output in enumerate(outputs):
        share = cv2.GaussianBlur((best == place).astype(np.float32), (0, 0), 1.0)
        weight = cv2.resize(share, shape[::-1], interpolation=cv2.INTER_LINEAR)
        total += weight * _unit(output)
        weights += weight
    return np.asarray(np.clip(total / np.maximum(weights, 1e-6), 0, 1), np.float32)


def _energy(plane: Plane, fine: float, coarse: float) -> Plane:
    band = cv2.GaussianBlur(plane, (0, 0), fine) - cv2.GaussianBlur(plane, (0, 0), coarse)
    return _reduced(band * band)


def _reduced(plane: Plane) -> Plane:
    rows, columns = plane.shape
    step = max(rows, columns) / _CELLS
    size = (max(1, round(columns / step)), max(1, round(rows / step)))
    result: Plane = cv2.resize(plane, size, interpolation=cv2.INTER_AREA)
    return result


def _cells(mask: NDArray[np.bool_], step: int) -> Plane:
    return collimation.reduce(mask.astype(np.uint16) * np.uint16(1000), step) / np.float32(1000)


__all__ = ["CANDIDATES", "GENERAL", "LATITUDE", "PART", "Candidate", "field", "image", "made"]
