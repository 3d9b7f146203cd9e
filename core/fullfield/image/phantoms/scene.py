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

from fullfield.image.image import HighValues, Image, InputKind, Relationship
from fullfield.image.phantoms.body import METAL, Body
from fullfield.image.phantoms.breast import breast
from fullfield.image.phantoms.chest import chest
from fullfield.image.phantoms.limbs import hand, limb
from fullfield.image.phantoms.shapes import Canvas, Plane
from fullfield.image.phantoms.skull import skull

Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]

_SOFT, _BONE = 0.19, 0.50  # attenuation, 1/cm, as `phantom` has them
_FILM_SOFT = 0.55  # of soft tissue at mammography's 20 keV, 1/cm
_BEHIND_BLADES = 0.004  # of the open beam
_FOCUS = 115.0  # centimetres from the focus to the detector
_SKIN = 0.02  # what attenuates less and more than nothing is neither air nor anatomy: no eye tells it
_BESIDE = 7  # pixels across: what lies beside a letter is neither
_PENUMBRA = 9  # pixels across a blade's edge that are neither
_READ_OUT = 4.0  # quanta: electronic noise, SD

_BODIES: dict[str, tuple[Callable[[Body], None], tuple[float, float], str]] = {
    "hand": (hand, (25.0, 19.0), "HAND"),
    "limb": (limb, (16.0, 12.0), "EXTREMITY"),
    "skull": (skull, (26.0, 24.0), "SKULL"),
    "chest": (chest, (40.0, 40.0), "CHEST"),
    "breast": (breast, (24.0, 18.0), "BREAST"),
}  # with the height and width in centimetres and the Body Part Examined
_QUANTA = {"hand": 9_000, "limb": 9_000, "skull": 40_000, "chest": 60_000, "breast": 20_000}
_SCATTER = {"hand": 0.08, "limb": 0.08, "skull": 0.3, "chest": 0.35, "breast": 0.15}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What one scene is drawn from.

    `bodies`: one of them is chosen. `heel`: (least, most) loss of the beam across the picture. `dose`: of the usual.
    `fields`: one or two exposures on the plate. `centred`: whether the beam's axis and blades are. `raw`: For
    Processing; None: by chance. The rest says what is on the picture.
    """

    name: str
    bodies: tuple[str, ...] = ("hand", "limb")
    heel: tuple[float, float] = (0.0, 0.0)
    dose: float = 1.0
    fields: int = 1
    centred: bool = True
    blades: bool = False
    film: bool = False
    text: bool = False
    grid: bool = False
    raw: bool | None = None


SETTINGS = (
    Setting(name="even"),
    Setting(name="heel 5-10 %", heel=(0.05, 0.10)),
    Setting(name="heel 10-20 %", heel=(0.10, 0.20)),
    Setting(name="heel 10-20 %, for display", heel=(0.10, 0.20), raw=False),
    Setting(name="heel, skull", bodies=("skull",), heel=(0.05, 0.20)),
    Setting(name="off-centre beam", heel=(0.0, 0.10), centred=False, blades=True),
    Setting(name="blades", blades=True),
    Setting(name="blades and heel", heel=(0.05, 0.20), blades=True),
    Setting(name="two fields", fields=2),
    Setting(name="two fields and heel", heel=(0.05, 0.15), fields=2),
    Setting(name="film mammogram", bodies=("breast",), film=True, raw=False),
    Setting(name="burned-in text", text=True, raw=False),
    Setting(name="text and heel", heel=(0.05, 0.20), text=True, raw=False),
    Setting(name="text, chest", bodies=("chest",), text=True, raw=False),
    Setting(name="grid", bodies=("skull", "chest"), grid=True),
    Setting(name="chest", bodies=("chest",), heel=(0.0, 0.10)),
    Setting(name="dose 1/4", dose=1 / 4, heel=(0.0, 0.10)),
    Setting(name="dose 1/16", dose=1 / 16, heel=(0.0, 0.10)),
    Setting(name="dose 1/16, heel 10-20 %", dose=1 / 16, heel=(0.10, 0.20)),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """One exposure and its truth, masks of the image's shape.

    `again`: the same image with other noise. `air`: the open beam met nothing; `anatomy`: it met tissue that takes 2 %
    of it or more; `blades`: outside of the open field; `marks`: lead letters and burned-in text. They do not overlap;
    the skin's very edge and a blade's penumbra
    belong to none. `body`: what is drawn; `body_part`, `modality`: as a header would say them.
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
    beam, opened = _beam(setting, boxes, soft.shape, pixel, random)
    signal = _detected(attenuation, beam, name, longer)
    if setting.grid:
        signal *= _grid(signal.shape, random)
    quanta = _QUANTA[name] * setting.dose
    render = _render(setting, raw, signal, opened, pixel, attenuation, random)
    first, second = (render(_counted(signal, quanta, stream)) for stream in random.spawn(2))
    if setting.text:
        marks |= _burn_in(random, first, second)
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


def _boxes(setting: Setting, shape: tuple[int, ...], split: int | None, random: np.random.Generator) -> list[Box]:
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


def _beam(
    setting: Setting, boxes: list[Box], shape: tuple[int, ...], pixel: float, random: np.random.Generator
) -> tuple[Plane, Mask]:
    """The beam where nothing is in its way, about 1, and where it is open."""
    rows, columns = shape
    y, x = np.mgrid[:rows, :columns].astype(np.float32) * np.float32(pixel)
    result = np.full(shape, _BEHIND_BLADES, np.float32)
    opened = np.zeros(shape, bool)
    for box in boxes:
        part = (slice(box[0], box[1]), slice(box[2], box[3]))
        middle = np.array([(box[0] + box[1]) / 2, (box[2] + box[3]) / 2]) * pixel
        if not setting.centred:
            middle += random.uniform(-0.5, 0.5, 2) * np.array(shape) * pixel
        square = (y[part] - middle[0]) ** 2 + (x[part] - middle[1]) ** 2
        angle = random.integers(4) * np.pi / 2 + random.normal(0, 0.15)  # the tube lies along a side, nearly
        along = np.cos(angle) * y[part] + np.sin(angle) * x[part]
        along = (along - along.min()) / max(float(np.ptp(along)), 1e-6)
        heel = random.uniform(*setting.heel)
        level = random.uniform(0.75, 1.0) if len(boxes) > 1 else 1.0  # each field is exposed by itself
        result[part] = level * (1 - heel * along ** random.uniform(1.0, 1.7)) / (1 + square / _FOCUS**2)
        opened[part] = True
    return cv2.GaussianBlur(result, (0, 0), max(max(shape) / 700, 0.3)), opened


def _detected(attenuation: Plane, beam: Plane, name: str, longer: int) -> Plane:
    """The detector's signal without noise: primary, scatter, blur."""
    primary = np.exp(-attenuation) * beam
    wide = cv2.GaussianBlur(cv2.resize(primary, (64, 64), interpolation=cv2.INTER_AREA), (0, 0), 5)
    veil = cv2.resize(wide, primary.shape[::-1], interpolation=cv2.INTER_CUBIC)
    share = np.float32(_SCATTER[name] / (1 + _SCATTER[name]))
    signal = primary + share * (veil * 0.5 - 0.3 * primary)
    blurred: Plane = cv2.GaussianBlur(np.maximum(signal, 0), (0, 0), 0.6 * longer / 1024 + 0.2)
    return blurred


def _grid(shape: tuple[int, ...], random: np.random.Generator) -> Plane:
    """The shadow of a stationary grid's lamellae, a few per cent, one every three to six pixels."""
    period, depth = random.uniform(3, 6), random.uniform(0.01, 0.03)
    waves = 1 - depth * (0.5 + 0.5 * np.cos(2 * np.pi * np.arange(shape[1]) / period))
    return np.broadcast_to(waves.astype(np.float32), shape)


def _counted(signal: Plane, quanta: float, random: np.random.Generator) -> Plane:
    counts = random.poisson(signal * quanta).astype(np.float32)
    counts += np.float32(_READ_OUT) * random.standard_normal(signal.shape, dtype=np.float32)
    result: Plane = np.asarray(np.maximum(counts, np.float32(0.5)) / np.float32(quanta), np.float32)
    return result


def _render(
    setting: Setting,
    raw: bool,
    signal: Plane,
    opened: Mask,
    pixel: float,
    attenuation: Plane,
    random: np.random.Generator,
) -> Callable[[Plane], Image]:
    """How a counted exposure becomes an image: raw, for display, or a scanned film."""
    spacing = (10 * pixel, 10 * pixel)
    if raw:

        def as_raw(counted: Plane) -> Image:
            top = (1 << 14) - 1
            counts = np.clip(np.rint(counted * (0.8 * top)), 1, top).astype(np.uint16)
            return Image(
                pixels=(top - counts).astype(np.uint16),
                bits=14,
                high=HighValues.DARK,
                kind=InputKind.RAW,
                relationship=Relationship.LINEAR,
                spacing_mm=spacing,
            )

        return as_raw
    known = -np.log(signal[opened])
    low, high = (float(value) for value in np.percentile(known, [0.1, 99.7]))
    low -= random.uniform(0.0, 0.12) * (high - low)
    slope = random.uniform(0.3, 3.0)  # of the display's sigmoid: from a straight line on
    bits = 8 if setting.text or setting.film or random.random() < 0.4 else 12
    film = _film(attenuation, pixel, random) if setting.film else None
    ends = 1 / (1 + np.exp(np.array([slope / 2, -slope / 2])))

    def as_shown(counted: Plane) -> Image:
        x = np.clip((-np.log(np.maximum(counted, 1e-5)) - low) / (high - low), 0, 1)
        shown = (1 / (1 + np.exp(-slope * (x - 0.5))) - ends[0]) / (ends[1] - ends[0])
        if film is not None:
            shown = film + (1 - film) * shown
        most = (1 << bits) - 1
        pixels = np.clip(np.rint(shown * (0.92 if setting.text else 1.0) * most), 0, most).astype(np.uint16)
        return Image(pixels=pixels, bits=bits, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, spacing_mm=spacing)

    return as_shown


def _film(attenuation: Plane, pixel: float, random: np.random.Generator) -> Plane:
    """What a scanned film's base and fog add: grey, uneven, and darker along the skin."""
    outside = (attenuation < 1e-3).astype(np.uint8)
    far = cv2.distanceTransform(outside, cv2.DIST_L2, 5) * np.float32(pixel)
    y, x = (np.linspace(-1, 1, side, dtype=np.float32) for side in attenuation.shape)
    tilt = random.uniform(-0.02, 0.02, 2)
    base = random.uniform(0.10, 0.22) + tilt[0] * y[:, None] + tilt[1] * x[None, :]
    rim = random.uniform(0.02, 0.06) * np.exp(-far / random.uniform(0.3, 0.8))
    result: Plane = np.maximum(base - rim, 0).astype(np.float32)
    return result


def _burn_in(random: np.random.Generator, *images: Image) -> Mask:
    """Lines of white text, drawn into the images' pixels; returns where."""
    rows, columns = images[0].pixels.shape
    picture = np.zeros((rows, columns), np.uint8)
    scale = random.uniform(0.9, 1.6) * max(rows, columns) / 1024
    letters = "ABCDEFGHIKLMNOPRSTUVWXYZ0123456789 "
    lines, right, low = int(random.integers(2, 6)), random.random() < 0.5, random.random() < 0.5
    for line in range(lines):
        words = "".join(letters[int(at)] for at in random.integers(0, len(letters), int(random.integers(8, 17))))
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, scale, max(2, round(2 * scale)))
        left = columns - width - 12 if right else 12
        down = (rows - 12 - line * 2 * height) if low else (12 + height + line * 2 * height)
        cv2.putText(
            picture, words, (left, down), cv2.FONT_HERSHEY_SIMPLEX, scale, 255, max(2, round(2 * scale)), cv2.LINE_AA
        )
    for image in images:
        blended = image.pixels + (image.top - image.pixels.astype(np.float32)) * (picture / np.float32(255))
        image.pixels[...] = np.rint(blended).astype(np.uint16)
    return picture > 0


__all__ = ["SETTINGS", "Scene", "Setting", "make", "scenes"]
