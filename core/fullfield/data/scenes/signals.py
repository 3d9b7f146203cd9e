"""What a radiologist looks for, as an addition to a latent scene: its log-attenuation, pixel by pixel.

Sizes are millimetres in the detector's plane, contrasts e-folds at the signal's thickest place; a fracture's and a
pneumothorax's are below 0. A signal of 0.2 mm on pixels of 0.14 mm has the part of each pixel that it covers.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.data.scenes.latent import Latent, Mask
from fullfield.image.phantoms.shapes import Plane

DISC, NODULE, FRACTURE, EDGE, SPECKS = "disc", "nodule", "fracture line", "pneumothorax edge", "micro-calcifications"
KINDS = (DISC, NODULE, FRACTURE, EDGE, SPECKS)

DISC_SIZES = tuple(float(size) for size in np.geomspace(0.4, 10.0, 12))  # mm across
DISC_CONTRASTS = tuple(float(contrast) for contrast in np.geomspace(0.01, 0.25, 12))  # of 1 mm; see `discs`
NODULE_SIZES = (5.0, 8.0, 12.0, 20.0)
LINE_WIDTHS = (0.2, 0.3, 0.4, 0.5)
SPECK_SIZES = (0.2, 0.3, 0.4, 0.5)

_TISSUE = 0.019  # e-folds per mm of soft tissue
_MOST = 0.6  # e-folds, of a disc
_SUPER = 4  # samples per pixel and axis
_APART = 14  # pixels between two signals at least
_CLUSTER = 8.0  # mm across, of a group of calcifications
_LENGTHS = {FRACTURE: 12.0, EDGE: 50.0, SPECKS: _CLUSTER}  # mm


@dataclass(frozen=True, kw_only=True)
class Signal:
    """`kind`: one of `KINDS`; `size`: across a disc, a nodule, a line, a calcification, in mm; `contrast`: e-folds;
    `shape`: the seed of what it looks like."""

    kind: str
    size: float
    contrast: float
    shape: int = 0

    @property
    def reach(self) -> float:
        """Half of its extent in mm."""
        return max(self.size, _LENGTHS.get(self.kind, 0.0)) / 2


@dataclass(frozen=True, kw_only=True)
class Placed:
    """A signal with the row and column of its middle."""

    signal: Signal
    row: int
    column: int


def discs() -> tuple[Signal, ...]:
    """Twelve sizes times twelve contrasts. A small disc needs more contrast: it falls as size^-0.75 here, less
    steeply than by Rose's 1/size (1948)."""
    return tuple(
        Signal(kind=DISC, size=size, contrast=min(contrast / size**0.75, _MOST))
        for size in DISC_SIZES
        for contrast in DISC_CONTRASTS
    )


def nodules() -> tuple[Signal, ...]:
    """Four sizes, from a faint one to one of solid tissue."""
    return tuple(
        Signal(kind=NODULE, size=size, contrast=share * size * _TISSUE, shape=place)
        for size in NODULE_SIZES
        for place, share in enumerate((0.15, 0.3, 0.5, 0.8))
    )


def fractures() -> tuple[Signal, ...]:
    """Four widths, of 0.04 to 0.2 e-folds less."""
    return tuple(
        Signal(kind=FRACTURE, size=width, contrast=-contrast, shape=number)
        for width in LINE_WIDTHS
        for number, contrast in enumerate((0.04, 0.07, 0.12, 0.2))
    )


def edges() -> tuple[Signal, ...]:
    """Four faint edges of a lung that has come off."""
    return tuple(Signal(kind=EDGE, size=0.6, contrast=-c, shape=n) for n, c in enumerate((0.02, 0.035, 0.05, 0.08)))


def specks() -> tuple[Signal, ...]:
    """Groups of calcifications: four sizes, five densities."""
    return tuple(
        Signal(kind=SPECKS, size=size, contrast=contrast, shape=number)
        for size in SPECK_SIZES
        for number, contrast in enumerate((0.05, 0.08, 0.13, 0.2, 0.32))
    )


def place(
    signals: tuple[Signal, ...], where: Mask, spacing_mm: float, random: np.random.Generator
) -> tuple[Placed, ...]:
    """The signals on free places of `where`, the largest first; one for which there is none is left out."""
    free = where.astype(np.uint8)
    free[[0, -1]], free[:, [0, -1]] = 0, 0
    placed = []
    for signal in sorted(signals, key=lambda one: -one.reach):
        reach = signal.reach / spacing_mm + _APART / 2
        step = max(1, int(reach / 12))
        room = cv2.distanceTransform(free[::step, ::step], cv2.DIST_L2, 5)
        # Thin places take long lines and wide groups, whose ends may leave the bone: half the reach must be free.
        need = (reach if signal.kind not in _LENGTHS else 0.35 * reach) / step
        rows, columns = np.nonzero(room > need)
        if rows.size:
            at = int(random.integers(rows.size))
            placed.append(Placed(signal=signal, row=int(rows[at]) * step, column=int(columns[at]) * step))
            cv2.circle(free, (placed[-1].column, placed[-1].row), int(reach + _APART / 2), 0, -1)
    return tuple(placed)


def added(latent: Latent, placed: tuple[Placed, ...]) -> Plane:
    """The attenuation of `latent` with the signals in it."""
    result = latent.attenuation.copy()
    for one in placed:
        picture = stamp(one.signal, latent.spacing_mm)
        top, left = one.row - picture.shape[0] // 2, one.column - picture.shape[1] // 2
        bottom, right = top + picture.shape[0], left + picture.shape[1]
        part = (slice(max(top, 0), min(bottom, result.shape[0])), slice(max(left, 0), min(right, result.shape[1])))
        inside = picture[part[0].start - top : part[0].stop - top, part[1].start - left : part[1].stop - left]
        result[part] += inside * (latent.attenuation[part] > 0)
    return np.maximum(result, 0, out=result)


def stamp(signal: Signal, spacing_mm: float) -> Plane:
    """The signal's log-attenuation on pixels of this spacing, its middle in the middle."""
    side = 2 * int(np.ceil(signal.reach / spacing_mm + 2)) + 1
    axis = ((np.arange(side * _SUPER) + 0.5) / _SUPER - side / 2) * spacing_mm
    x, y = axis[None, :], axis[:, None]
    random = np.random.default_rng([0x516A1, signal.shape, round(1000 * signal.size)])
    value = {DISC: _disc, NODULE: _nodule, FRACTURE: _fracture, EDGE: _edge, SPECKS: _specks}[signal.kind]
    fine = value(x, y, signal, random).reshape(side, _SUPER, side, _SUPER)
    result: Plane = (signal.contrast * fine.mean(axis=(1, 3))).astype(np.float32)
    return result


_Axis = NDArray[np.float64]


def _disc(x: _Axis, y: _Axis, signal: Signal, random: np.random.Generator) -> _Axis:
    return np.asarray(np.hypot(x, y) <= signal.size / 2, np.float64)


def _nodule(x: _Axis, y: _Axis, signal: Signal, random: np.random.Generator) -> _Axis:
    """A ball that is a little lobed."""
    angle = np.arctan2(y, x)
    lobed = sum(random.uniform(-0.05, 0.05) * np.cos(n * angle + random.uniform(0, 6.3)) for n in (2, 3, 5))
    share = np.hypot(x, y) / (signal.size / 2 * (0.92 + lobed))
    return np.asarray(np.sqrt(np.maximum(1 - share**2, 0)))


def _fracture(x: _Axis, y: _Axis, signal: Signal, random: np.random.Generator) -> _Axis:
    """A crack that wanders a little and fades at its ends."""
    turn = random.uniform(0, np.pi)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    for wave in (2.0, 3.7):
        across = across - random.uniform(0.1, 0.4) * np.sin(along / wave + random.uniform(0, 6.3))
    return np.asarray((np.abs(across) <= signal.size / 2) * np.clip(2.5 * (1 - np.abs(along) / signal.reach), 0, 1))


def _edge(x: _Axis, y: _Axis, signal: Signal, random: np.random.Generator) -> _Axis:
    """The pleura, a thin line, and beyond it lung without its vessels' weight; it fades outwards."""
    turn = random.uniform(-0.5, 0.5)
    radius = 70.0
    beyond = np.hypot(x * np.cos(turn) + y * np.sin(turn) + radius, y * np.cos(turn) - x * np.sin(turn)) - radius
    fading = np.clip(2 * (1 - np.hypot(x, y) / signal.reach), 0, 1)
    return np.asarray(((beyond > 0) - 1.2 * (np.abs(beyond) < signal.size / 2)) * fading)


def _specks(x: _Axis, y: _Axis, signal: Signal, random: np.random.Generator) -> _Axis:
    """Six grains of unequal size."""
    result = np.zeros(np.broadcast_shapes(x.shape, y.shape))
    for _ in range(6):
        at = random.normal(0, _CLUSTER / 7, 2)
        radius = signal.size / 2 * random.uniform(0.8, 1.2)
        share = np.hypot(x - at[0], (y - at[1]) * random.uniform(0.8, 1.2)) / radius
        result = np.maximum(result, np.sqrt(np.maximum(1 - share**2, 0)))
    return result


__all__ = [
    "DISC",
    "EDGE",
    "FRACTURE",
    "KINDS",
    "NODULE",
    "SPECKS",
    "Placed",
    "Signal",
    "added",
    "discs",
    "edges",
    "fractures",
    "nodules",
    "place",
    "specks",
    "stamp",
]
