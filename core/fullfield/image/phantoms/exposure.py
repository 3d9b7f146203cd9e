"""How a scene is exposed and shown: the beam, scatter, a grid, quanta, a film, burned-in text."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import HighValues, Image, InputKind, Relationship
from fullfield.image.phantoms.setting import Setting
from fullfield.image.phantoms.shapes import Plane

Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]

_BEHIND_BLADES = 0.004  # of the open beam
_FOCUS = 115.0  # centimetres from the focus to the detector
_READ_OUT = 4.0  # quanta: electronic noise, SD


def beam(
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


def detected(attenuation: Plane, beam: Plane, scatter: float, longer: int) -> Plane:
    """The detector's signal without noise: primary, scatter (of the mean signal), blur."""
    primary = np.exp(-attenuation) * beam
    wide = cv2.GaussianBlur(cv2.resize(primary, (64, 64), interpolation=cv2.INTER_AREA), (0, 0), 5)
    veil = cv2.resize(wide, primary.shape[::-1], interpolation=cv2.INTER_CUBIC)
    share = np.float32(scatter / (1 + scatter))
    signal = primary + share * (veil * 0.5 - 0.3 * primary)
    blurred: Plane = cv2.GaussianBlur(np.maximum(signal, 0), (0, 0), 0.6 * longer / 1024 + 0.2)
    return blurred


def grid(shape: tuple[int, ...], random: np.random.Generator) -> Plane:
    """The shadow of a stationary grid's lamellae, a few per cent, one every three to six pixels."""
    period, depth = random.uniform(3, 6), random.uniform(0.01, 0.03)
    waves = 1 - depth * (0.5 + 0.5 * np.cos(2 * np.pi * np.arange(shape[1]) / period))
    return np.broadcast_to(waves.astype(np.float32), shape)


def counted(signal: Plane, quanta: float, random: np.random.Generator) -> Plane:
    counts = random.poisson(signal * quanta).astype(np.float32)
    counts += np.float32(_READ_OUT) * random.standard_normal(signal.shape, dtype=np.float32)
    result: Plane = np.asarray(np.maximum(counts, np.float32(0.5)) / np.float32(quanta), np.float32)
    return result


def render(
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


def burn_in(random: np.random.Generator, *images: Image) -> Mask:
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


__all__ = ["Box", "beam", "burn_in", "counted", "detected", "grid", "render"]
