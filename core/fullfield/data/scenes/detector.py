"""From a latent scene to what a detector counts: beam and blades, markers, scatter, blur, quanta, faults of the plate.

Doses are air kerma at the detector behind the anatomy's median, in µGy: an Exposure Index is 100 times that (IEC
62494-1). A µGy of the beam RQA5 has 30,174 quanta/mm² (IEC 62220-1-1), of which a detector counts some 60 %. Noise is
normal with the variance of the counts, which differs from Poisson's only below some ten counts; so that two pictures of
one `noise` differ in what is in the beam alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from fullfield.data.scenes.latent import PARTS, Latent, Mask
from fullfield.image.phantoms.body import METAL
from fullfield.image.phantoms.shapes import Plane

QUANTA = 30_174 * 0.6
"""Counted quanta per mm² and µGy."""

DOSES = (0.6, 2.5, 10.0)
"""µGy: a quarter of the usual, the usual (Exposure Index 250), four times that."""

_STREAM = 0xDE7EC
_FOCUS = 1150.0  # millimetres from the focus to the detector
_THROUGH_BLADES = 0.003  # of the beam
_LEAD = 0.5 * METAL * 0.5  # e-folds of a marker
_SATURATED = 4  # percentile of the anatomy that may saturate at most
_HEIGHT = 22.0  # pixels of a letter of scale 1


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """How a scene is exposed.

    `kerma`: see above. `scatter`: beside the primary at the anatomy's median; `radius`: of its spread, mm. `heel`: loss
    of the beam across the plate, `tube`: its direction, radians; `centre`: of the beam, shares of the sides off the
    middle. `blades`: (top, bottom, left, right) margins as shares of the sides, None without; `turned`: degrees.
    `blur`: SD of focus and phosphor, mm; `glare`: of the light, spread widely in the phosphor; `electronic`: noise in
    quanta. `saturation`: of the open beam, where the read-out ends. `grid`: (lines per mm, depth), None without.
    `border`: dead pixels at the rim; `columns`: dead ones. `marker`: a letter, and where (shares of the open field);
    None without.
    """

    kerma: float = 2.5
    scatter: float = 0.3
    radius: float = 40.0
    heel: float = 0.0
    tube: float = 0.0
    centre: tuple[float, float] = (0.0, 0.0)
    blades: tuple[float, float, float, float] | None = None
    turned: float = 0.0
    blur: float = 0.08
    glare: float = 0.06
    electronic: float = 3.0
    saturation: float = math.inf
    grid: tuple[float, float] | None = None
    border: int = 0
    columns: tuple[float, ...] = ()
    marker: tuple[str, float, float] | None = None

    @property
    def exposure_index(self) -> float:
        """Exposure Index (0018,1411) of IEC 62494-1: 100 times the air kerma at the detector in µGy."""
        return 100 * self.kerma


@dataclass(frozen=True, kw_only=True, eq=False)
class Counted:
    """`counts`: quanta; `attenuation`: with markers, without blades; `opened`: between the blades, on the live part;
    `open_beam`: quanta where nothing is in the beam."""

    counts: Plane
    attenuation: Plane
    opened: Mask
    marks: Mask
    open_beam: float


def draw(latent: Latent, seed: int, *, blades: bool | None = None) -> Exposure:
    """The exposure of a scene and seed. `blades`: whether there are blades and a marker; None: by chance."""
    random = np.random.default_rng([_STREAM, seed, sorted(PARTS).index(latent.part)])
    breast, thick = PARTS[latent.part].modality == "MG", float(np.median(latent.attenuation[latent.anatomy])) > 1.6
    margins = random.uniform(0.02, 0.10, 4)
    if random.random() < 0.3:
        margins[int(random.integers(4))] = random.uniform(0.12, 0.25)
    bladed = (random.random() < 0.6) if blades is None else blades
    bladed &= not breast
    thinnest = math.exp(-float(np.percentile(latent.attenuation[latent.anatomy], _SATURATED)))
    marked = random.random() < 0.7 if blades is None else blades
    letter, (down, right) = "LR"[int(random.integers(2))], map(float, random.choice([0.04, 0.84], 2))
    return Exposure(
        kerma=math.exp(random.uniform(math.log(0.8), math.log(8.0))),
        scatter=random.uniform(0.25, 0.9) if thick else random.uniform(0.05, 0.25),
        radius=random.uniform(25, 60),
        heel=random.uniform(0.0, 0.25),
        tube=float(random.integers(4)) * math.pi / 2 + random.normal(0, 0.1),
        centre=(random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15)),
        blades=(float(margins[0]), float(margins[1]), float(margins[2]), float(margins[3])) if bladed else None,
        turned=random.normal(0, 0.7) if random.random() < 0.5 else 0.0,
        blur=random.uniform(0.05, 0.13),
        electronic=random.uniform(1.0, 5.0),
        saturation=max(random.uniform(0.35, 1.0), thinnest) if random.random() < 0.35 else math.inf,
        grid=(random.uniform(3.0, 6.0), random.uniform(0.005, 0.025)) if thick and random.random() < 0.25 else None,
        border=int(random.integers(2, 12)) if random.random() < 0.25 else 0,
        columns=tuple(map(float, random.random(2))) if random.random() < 0.06 else (),
        marker=(letter, down, right) if marked else None,
    )


def expose(latent: Latent, exposure: Exposure, *, noise: int, level: Plane | None = None) -> Counted:
    """What the detector counts. `noise`: the seed of the quanta. `level`: the scene whose dose and whose scatter are
    taken, where the exposure is not to answer to what `latent` has more (a signal)."""
    shape, spacing = (latent.attenuation.shape[0], latent.attenuation.shape[1]), latent.spacing_mm
    opened, blades = _blades(shape, exposure)
    marks = _marker(shape, spacing, exposure, opened)
    attenuation = latent.attenuation + np.float32(_LEAD) * marks
    beam = _beam(shape, spacing, exposure) * blades
    primary = np.exp(-attenuation) * beam
    reference = latent.attenuation if level is None else level
    seen = reference[latent.anatomy & opened]
    median = math.exp(-float(np.median(seen if seen.size else reference)))
    scattering = np.exp(-reference) * np.minimum(reference, np.float32(1)) * beam
    veil = _wide(scattering, exposure.radius / spacing)
    middle = float(np.median(veil[latent.anatomy & opened])) if seen.size else 1.0
    signal = primary + np.float32(exposure.scatter * median / max(middle, 1e-9)) * veil
    signal = cv2.GaussianBlur(signal, (0, 0), max(exposure.blur / spacing, 0.2))
    signal += np.float32(exposure.glare) * (_wide(signal, 3.0 / spacing) - signal)
    if exposure.grid is not None:
        lines, depth = exposure.grid
        signal *= _lines(shape, lines * spacing, depth)
    through = median * (1 + exposure.scatter)
    open_beam = QUANTA * exposure.kerma * spacing**2 / through
    random = np.random.default_rng([_STREAM, noise, 1])
    mean = signal * np.float32(open_beam)
    counts = mean + np.sqrt(mean + np.float32(exposure.electronic**2)) * random.standard_normal(shape, dtype=np.float32)
    np.clip(counts, 0.5, exposure.saturation * open_beam, out=counts)
    _faults(counts, exposure, opened)
    return Counted(counts=counts, attenuation=attenuation, opened=opened, marks=marks > 0.2, open_beam=open_beam)


def _beam(shape: tuple[int, int], spacing: float, exposure: Exposure) -> Plane:
    """The beam where nothing is in its way: 1 at its centre, less with the square of the distance and by the heel."""
    y = (np.arange(shape[0], dtype=np.float32) - np.float32((0.5 + exposure.centre[0]) * shape[0]))[:, None]
    x = (np.arange(shape[1], dtype=np.float32) - np.float32((0.5 + exposure.centre[1]) * shape[1]))[None, :]
    square = (y * y + x * x) * np.float32((spacing / _FOCUS) ** 2)
    along = (math.cos(exposure.tube) * y + math.sin(exposure.tube) * x) / max(shape) + np.float32(0.5)
    beam = (1 - np.float32(exposure.heel) * np.clip(along, 0, 1.3) ** 1.4) / (1 + square)
    return beam.astype(np.float32)


def _blades(shape: tuple[int, int], exposure: Exposure) -> tuple[Mask, Plane]:
    """Where the field is open, and how much of the beam passes."""
    rows, columns = shape
    opened = np.ones(shape, np.uint8)
    if exposure.blades is not None:
        top, bottom, left, right = exposure.blades
        corners = [(left, top), (1 - right, top), (1 - right, 1 - bottom), (left, 1 - bottom)]
        turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), exposure.turned, 1.0)
        points = np.array([(x * columns, y * rows, 1) for x, y in corners]) @ turn.T
        opened = np.zeros(shape, np.uint8)
        cv2.fillPoly(opened, [np.rint(points * 16).astype(np.int32)], 1, shift=4)
    if exposure.blades is None:
        return opened.astype(bool), np.ones(shape, np.float32)
    soft = cv2.GaussianBlur(opened.astype(np.float32), (0, 0), max(max(shape) / 900, 0.4))
    passing: Plane = np.float32(_THROUGH_BLADES) + np.float32(1 - _THROUGH_BLADES) * soft
    return opened.astype(bool), passing


def _marker(shape: tuple[int, int], spacing: float, exposure: Exposure, opened: Mask) -> Plane:
    """The lead letter, 0 … 1, on the open field."""
    picture = np.zeros(shape, np.uint8)
    if exposure.marker is None:
        return picture.astype(np.float32)
    letter, down, right = exposure.marker
    rows, columns = (np.flatnonzero(opened.any(axis=axis)) for axis in (1, 0))
    scale = 11.0 / spacing / _HEIGHT
    place = (
        int(columns[0] + right * (columns[-1] - columns[0])),
        int(rows[0] + down * (rows[-1] - rows[0]) + _HEIGHT * scale),
    )
    cv2.putText(picture, letter, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, max(1, round(3 * scale)), cv2.LINE_AA)
    return picture.astype(np.float32) / np.float32(255)


def _wide(plane: Plane, sigma: float) -> Plane:
    """A wide Gaussian, made on a small picture."""
    step = max(1, int(sigma / 4))
    small = (max(2, plane.shape[1] // step), max(2, plane.shape[0] // step))
    less = cv2.resize(plane, small, interpolation=cv2.INTER_AREA)
    less = cv2.GaussianBlur(less, (0, 0), max(sigma / step, 0.3), borderType=cv2.BORDER_REFLECT_101)
    result: Plane = cv2.resize(less, plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return result


def _lines(shape: tuple[int, int], per_pixel: float, depth: float) -> Plane:
    """The shadow of a stationary grid's lamellae, as finely sampled as the pixels allow."""
    waves = 1 - depth * (0.5 + 0.5 * np.cos(2 * np.pi * per_pixel * np.arange(shape[1])))
    return np.broadcast_to(waves.astype(np.float32), shape)


def _faults(counts: Plane, exposure: Exposure, opened: Mask) -> None:
    """Dead columns and a dead rim, which no beam reaches; the rim is no part of the open field."""
    for place in exposure.columns:
        counts[:, int(place * (counts.shape[1] - 1))] = 0.5
    if exposure.border:
        width = max(1, round(exposure.border * max(counts.shape) / 3000))
        rim = np.ones(counts.shape, bool)
        rim[width:-width, width:-width] = False
        counts[rim] = 0.5
        opened &= ~rim


__all__ = ["DOSES", "QUANTA", "Counted", "Exposure", "draw", "expose"]
