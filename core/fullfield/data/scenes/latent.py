"""What a scene is: the logarithm of the attenuation along every ray, known without noise, scatter and blur.

Each body is turned, bent and textured anew by its seed, and may carry metal, wires and lines. High is dense; the open
beam is 0. The same part, seed and size give the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.data.scenes import extras, jaws, joints, spine, trunk
from fullfield.data.scenes.canvas import NativeCanvas
from fullfield.data.scenes.texture import dead_leaves, net, power_law
from fullfield.image.phantoms.body import METAL, Body
from fullfield.image.phantoms.breast import breast
from fullfield.image.phantoms.chest import chest
from fullfield.image.phantoms.limbs import hand, limb
from fullfield.image.phantoms.shapes import Plane, Point
from fullfield.image.phantoms.skull import skull

Mask = NDArray[np.bool_]

ANATOMY, AIR = 0.02, 1e-3
"""Log-attenuation: from the first on it is anatomy, up to the second the open beam; the skin's edge is neither."""

_SOFT, _BONE, _BREAST = 0.19, 0.50, 0.55  # 1/cm, near 65 keV, the last near 20 keV
_STREAM = 0x5CE4E


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the body. `sides`: height and width in centimetres; `words`: of its header, with the modality and the
    species; `spacing`: of detectors for it in millimetres, least and most; `bent`: how far it may be turned, degrees;
    `mirrored`: whether either side is possible; `lines`: what may be on it (`extras`).
    """

    draw: Callable[[Body], None]
    sides: tuple[float, float]
    words: str
    spacing: tuple[float, float] = (0.1, 0.15)
    modality: str = "DX"
    species: str = ""
    bent: float = 4.0
    mirrored: bool = True
    lines: tuple[str, ...] = ()


class _Bare(Body):
    """A body without lead letters: those belong to the exposure, and are never mirrored."""

    def marker(self, letter: str, at: Point, height: float) -> None:
        """See `Body`."""


def leaves(body: Body) -> None:
    """No anatomy at all: dead leaves of soft tissue and bone, spongy nets and tissue, at every scale and contrast."""
    c, random = body.canvas, body.random
    base = np.float32(random.uniform(3, 14)) * (1 + 0.25 * power_law(c.shape, 3.2, 0.6 * c.shape[0], random))
    body.soft += np.maximum(base, 0.3) * (1 + 0.06 * dead_leaves(c.shape, 2, 0.2 * c.shape[0], random))
    bones = np.maximum(dead_leaves(c.shape, 12, 0.25 * c.shape[0], random), 0)
    body.bone += np.float32(0.5) * bones * (0.6 + 0.4 * net(c.shape, 0.1 / c.pixel, random))
    for _ in range(12):
        ends = random.uniform(-0.5, 0.5, (3, 2)) * np.array(c.shape[::-1]) * c.pixel
        points: list[Point] = [(float(x), float(y)) for x, y in ends]
        body.bone += c.tube(points, [random.uniform(0.01, 0.05)] * 3)


PARTS: Mapping[str, Part] = {
    "chest": Part(draw=chest, sides=(40, 40), words="CHEST", bent=2, mirrored=False, lines=("lines", "wires", "box")),
    "abdomen": Part(draw=trunk.abdomen, sides=(42, 35), words="ABDOMEN", bent=3, lines=("lines", "clips")),
    "pelvis": Part(draw=trunk.pelvis, sides=(35, 43), words="PELVIS", bent=3, lines=("hip", "clips")),
    "lumbar": Part(draw=spine.lumbar, sides=(42, 24), words="LSPINE", lines=("screws",)),
    "cervical": Part(draw=spine.cervical, sides=(24, 18), words="CSPINE", lines=("ring",)),
    "skull": Part(draw=skull, sides=(26, 24), words="SKULL", lines=("fillings", "ring")),
    "jaws": Part(draw=jaws.jaws, sides=(15, 30), words="JAW", spacing=(0.08, 0.11), modality="PX", bent=1.5),
    "shoulder": Part(draw=joints.shoulder, sides=(22, 26), words="SHOULDER", lines=("plate", "wires")),
    "hand": Part(draw=hand, sides=(25, 19), words="HAND", bent=25, lines=("ring", "pin")),
    "knee": Part(draw=joints.knee, sides=(24, 18), words="KNEE", bent=8, lines=("plate", "pin")),
    "foot": Part(draw=joints.foot, sides=(18, 27), words="FOOT", bent=12, lines=("plate", "pin")),
    "breast": Part(draw=breast, sides=(24, 18), words="BREAST", spacing=(0.06, 0.09), modality="MG", bent=0),
    "dog": Part(draw=limb, sides=(16, 12), words="EXTREMITY", spacing=(0.07, 0.1), species="Canine", bent=12),
    "leaves": Part(draw=leaves, sides=(30, 30), words="", bent=0),
}
"""Twelve parts of a human body, a dog's leg, and a picture of nothing but textures."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Latent:
    """`attenuation`: float32, e-folds, 0 in the open beam; `spacing_mm`: of its pixels; `part`: a key of `PARTS`;
    `metal`: where no ray comes through to speak of; `bone`: where rays meet bone.
    """

    part: str
    attenuation: Plane
    spacing_mm: float
    metal: Mask
    bone: Mask

    @property
    def air(self) -> Mask:
        """Where the beam met nothing."""
        return self.attenuation <= np.float32(AIR)

    @property
    def anatomy(self) -> Mask:
        """Where it met tissue, and no metal."""
        return (self.attenuation >= np.float32(ANATOMY)) & ~self.metal


def native(part: str, seed: int) -> int:
    """The pixels of the longer side that a detector for `part` has: 2,000 to 4,300."""
    least, most = PARTS[part].spacing
    spacing = _chance(part, seed, 0).uniform(least, most)
    return int(np.clip(round(10 * max(PARTS[part].sides) / spacing), 2000, 4300))


def draw(part: str, seed: int, *, longer: int | None = None) -> Latent:
    """The scene of a part and seed; `longer`: pixels of its longer side, None for a detector's own."""
    made, random = PARTS[part], _chance(part, seed, 1)
    longer = native(part, seed) if longer is None else longer
    pixel = max(made.sides) / longer
    shape = (round(made.sides[0] / pixel), round(made.sides[1] / pixel))
    body = _Bare(NativeCanvas(shape, pixel), random)
    made.draw(body)
    for name in made.lines:
        extras.add(name, body)
    soft, bone = _placed(body, made, random)
    tissue = power_law(shape, random.uniform(2.6, 3.4), 2.5 / pixel, random)
    soft *= 1 + np.float32(random.uniform(0.008, 0.02)) * tissue
    fibres = power_law(shape, 2.4, 0.5 / pixel, random, stretch=random.uniform(1, 3))
    soft *= 1 + np.float32(random.uniform(0.004, 0.01)) * fibres
    scale = random.uniform(0.85, 1.12)  # patients are slim or stout
    soft_factor = np.float32(scale * (_BREAST if made.modality == "MG" else _SOFT))
    attenuation = np.maximum(soft_factor * soft + np.float32(_BONE * random.uniform(0.8, 1.1)) * bone, 0)
    return Latent(part=part, attenuation=attenuation, spacing_mm=10 * pixel, metal=bone > 0.2 * METAL, bone=bone > 0.15)


def _placed(body: Body, made: Part, random: np.random.Generator) -> tuple[Plane, Plane]:
    """Soft tissue and bone, turned, scaled, bent a little and perhaps mirrored; the picture goes on beyond its edge."""
    rows, columns = body.canvas.shape
    scale, angle = random.uniform(0.92, 1.1), np.deg2rad(random.uniform(-made.bent, made.bent))
    shift = random.uniform(-0.03, 0.03, 2) * (rows, columns)
    y = (np.arange(rows, dtype=np.float32) - np.float32(rows / 2 + shift[0]))[:, None] / np.float32(scale)
    x = (np.arange(columns, dtype=np.float32) - np.float32(columns / 2 + shift[1]))[None, :] / np.float32(scale)
    if made.mirrored and random.random() < 0.5:
        x = -x
    cosine, sine = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    longer = max(rows, columns)
    waves = []
    for _ in range(2):
        grid = random.standard_normal((5, 5), dtype=np.float32) * np.float32(0.006 * longer)
        fine = random.standard_normal((20, 20), dtype=np.float32) * np.float32(0.0012 * longer)
        waves += [cv2.resize(grid, (columns, rows), interpolation=cv2.INTER_CUBIC)]
        waves[-1] += cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_CUBIC)
    if made.modality == "MG":
        waves[0] *= np.clip((np.arange(columns, dtype=np.float32) / np.float32(0.1 * columns)), 0, 1)  # the chest wall
    across = cosine * x + sine * y + np.float32(columns / 2) + waves[0]
    down = cosine * y - sine * x + np.float32(rows / 2) + waves[1]
    soft, bone = (
        cv2.remap(plane, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for plane in (body.soft, body.bone)
    )
    return soft, bone


def _chance(part: str, seed: int, stream: int) -> np.random.Generator:
    return np.random.default_rng([_STREAM, seed, sorted(PARTS).index(part), stream])


__all__ = ["AIR", "ANATOMY", "PARTS", "Latent", "Part", "draw", "native"]
