"""Exposures whose truth is known: what an image shows, pixel by pixel, beside the image, all of it from a seed.

A scene is what a clinic's day brings and a neat phantom does not: a heel effect, an off-centre beam, two fields on one
plate, blades, a film, burned-in text, a grid, little dose. Each is drawn anew for every seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import Image
from fullfield.image.phantoms import exposure
from fullfield.image.phantoms.body import METAL, Body
from fullfield.image.phantoms.breast import breast
from fullfield.image.phantoms.chest import chest
from fullfield.image.phantoms.limbs import hand, limb
from fullfield.image.phantoms.setting import SETTINGS, Setting
from fullfield.image.phantoms.shapes import Canvas, Plane
from fullfield.image.phantoms.skull import skull

Mask = NDArray[np.bool_]

_SOFT, _BONE = 0.19, 0.50  # attenuation, 1/cm, as `phantom` has them
_FILM_SOFT = 0.55  # of soft tissue at mammography's 20 keV, 1/cm
_SKIN = 0.02  # what attenuates less and more than nothing is neither air nor anatomy: no eye tells it
_BESIDE = 7  # pixels across: what lies beside a letter is neither
_PENUMBRA = 9  # pixels across a blade's edge that are neither

_BODIES: dict[str, tuple[Callable[[Body], None], tuple[float, float], str]] = {
    "hand": (hand, (25.0, 19.0), "HAND"),
    "limb": (limb, (16.0, 12.0), "EXTREMITY"),
    "skull": (skull, (26.0, 24.0), "SKULL"),
    "chest": (chest, (40.0, 40.0), "CHEST"),
    "breast": (breast, (24.0, 18.0), "BREAST"),
}  # with the height and width in centimetres and the Body Part Examined
_QUANTA = {"hand": 9_000, "limb": 9_000, "skull": 40_000, "chest": 60_000, "breast": 20_000}
_SCATTER = {"hand": 0.08, "limb": 0.08, "skull": 0.3, "chest": 0.35, "breast": 0.15}


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """One exposure and its truth, masks of the image's shape.

    `again`: the same image with other noise. `air`: the open beam met nothing; `anatomy`: it met tissue that takes 2 %
    of it or more; `blades`: outside of the open field; `marks`: lead letters and burned-in text. They do not overlap;
    the skin's very edge and a blade's penumbra belong to none. `body`: what is drawn; `body_part`, `modality`: as a
    header would say them.
    """

    name: str
    body: str
    body_part: str
    modality: str
    image: Image
    again: Image
    air: Mask
    anatomy: Mask
    blades: Mask
    marks: Mask


def scenes(seed: int, *, longer: int = 1024) -> list[Callable[[], Scene]]:
    """What makes each of the scenes of `seed`, one for each setting; `longer`: pixels of the longer side."""

    def maker(number: int, setting: Setting) -> Callable[[], Scene]:
        return lambda: make(setting, seed=[seed, number], longer=longer)

    return [maker(number, setting) for number, setting in enumerate(SETTINGS)]


def make(setting: Setting, *, seed: int | list[int], longer: int = 1024) -> Scene:
    """The scene of `setting` and `seed`; the same ones give the same pixels."""
    random = np.random.default_rng(seed)
    name = setting.bodies[int(random.integers(len(setting.bodies)))]
    raw = bool(random.random() < 0.5) if setting.raw is None else setting.raw
    soft, bone, pixel, split = _bodies(setting, name, random, longer)
    boxes = _boxes(setting, soft.shape, split, random)
    marks = bone > 0.6 * METAL
    attenuation = np.float32(_FILM_SOFT if setting.film else _SOFT) * soft + np.float32(_BONE) * bone
    beam, opened = exposure.beam(setting, boxes, soft.shape, pixel, random)
    signal = exposure.detected(attenuation, beam, _SCATTER[name], longer)
    if setting.grid:
        signal *= exposure.grid(signal.shape, random)
    quanta = _QUANTA[name] * setting.dose
    render = exposure.render(setting, raw, signal, opened, pixel, attenuation, random)
    first, second = (render(exposure.counted(signal, quanta, stream)) for stream in random.spawn(2))
    if setting.text:
        marks |= exposure.burn_in(random, first, second)
    blades, near = ~opened, cv2.dilate(marks.astype(np.uint8), np.ones((_BESIDE, _BESIDE), np.uint8)).astype(bool)
    lit = cv2.erode(opened.astype(np.uint8), np.ones((_PENUMBRA, _PENUMBRA), np.uint8), borderValue=1).astype(bool)
    return Scene(
        name=setting.name,
        body=name,
        body_part=_BODIES[name][2],
        modality="MG" if setting.film else "DX",
        image=first,
        again=second,
        air=lit & ~near & (attenuation < 1e-3),
        anatomy=lit & ~near & (attenuation >= _SKIN),
        blades=blades & ~marks,
        marks=marks,
    )


def _bodies(
    setting: Setting, name: str, random: np.random.Generator, longer: int
) -> tuple[Plane, Plane, float, int | None]:
    """Soft tissue and bone in centimetres, a pixel's size, and the column that parts two fields."""
    draw, sides, _ = _BODIES[name]
    shape = (round(sides[0] / max(sides) * longer), round(sides[1] / max(sides) * longer))
    if setting.fields == 1:
        return (
            *_placed(draw, shape, max(sides) / longer, random, moved=name in ("hand", "limb")),
            max(sides) / longer,
            None,
        )
    half = (shape[0], shape[1] * 3 // 4)
    left, right = (_placed(draw, half, max(sides) / longer, random, moved=True) for _ in range(2))
    soft, bone = (np.hstack([left[part], right[part]]) for part in (0, 1))
    return soft, bone, max(sides) / longer, half[1]


def _placed(
    draw: Callable[[Body], None], shape: tuple[int, int], pixel: float, random: np.random.Generator, *, moved: bool
) -> tuple[Plane, Plane]:
    """A body, turned, shifted and scaled a little where it may be; what leaves the picture goes on beyond it."""
    body = Body(Canvas(shape, pixel), random)
    draw(body)
    middle = (shape[1] / 2, shape[0] / 2)
    turn = cv2.getRotationMatrix2D(middle, random.uniform(-12, 12), random.uniform(0.75, 1.1))
    turn[:, 2] += random.uniform(-0.08, 0.08, 2) * shape[::-1]
    if not moved:
        return body.soft, body.bone
    soft, bone = (
        cv2.warpAffine(plane, turn, shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for plane in (body.soft, body.bone)
    )
    return soft, bone


def _boxes(
    setting: Setting, shape: tuple[int, ...], split: int | None, random: np.random.Generator
) -> list[exposure.Box]:
    """(top, bottom, left, right) of each open field."""
    rows, columns = shape
    if split is not None:
        margins = random.uniform(0.02, 0.08, 8)
        return [
            (
                round(margins[4 * part] * rows),
                round((1 - margins[4 * part + 1]) * rows),
                round(start + margins[4 * part + 2] * (end - start)),
                round(end - margins[4 * part + 3] * (end - start)),
            )
            for part, (start, end) in enumerate(((0, split), (split, columns)))
        ]
    if not setting.blades:
        return [(0, rows, 0, columns)]
    margins = random.uniform(0.03, 0.14, 4)
    if not setting.centred:
        margins[int(random.integers(4))] = random.uniform(0.2, 0.35)
    return [
        (
            round(margins[0] * rows),
            round((1 - margins[1]) * rows),
            round(margins[2] * columns),
            round((1 - margins[3]) * columns),
        )
    ]


__all__ = ["Scene", "make", "scenes"]
