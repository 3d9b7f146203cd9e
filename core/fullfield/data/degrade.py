"""Processed images as other hands might have stored them: less contrast, another window, 8 bits, JPEG. Mild, seeded.

A network that is to be used on processed images learns from such inputs too, so that it takes what comes out of another
export for the same radiograph. Half of the inputs stay as they are. What changes is the value of a pixel, never its
place; the reference is not touched. A degraded image is normalised as any image is (`image.normalise`), so that what a
window merely stretches is stretched back, here as in use.

The ranges keep 100·(1 − MS-SSIM) to the image itself below 5 (phantoms and 11 real radiographs at 512 pixels: at most
3.4, median 0.6): the network is to see through them, not to guess what they hide.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.data.prepared import GREYS, LEVELS, Unit
from fullfield.image import normalise, preset_tone
from fullfield.image.image import HighValues, Image, InputKind, Pixels
from fullfield.image.normalise import DEFAULT, Normalisation

PLAIN = 0.5  # share of the inputs that stay as they are
_STREAM = 0xDE64  # keeps this chance apart from others of the same seed


@dataclass(frozen=True, kw_only=True)
class Degradation:
    """What becomes of the values 0…1, in this order.

    `low`, `high`: of the window, what lies beyond is clipped. `gamma`: exponent of the gradation. `flat`: the slope in
    the middle falls to 1 − `flat`, x + flat·sin(2πx)/(2π). `contrast`: the share of the greys that are left.
    `bits`: 8 or 16. `quality`: of JPEG, which has 8 bits; 0: none.
    """

    low: float
    high: float
    gamma: float
    flat: float
    contrast: float
    bits: int
    quality: int


def draw(*, seed: int, epoch: int, key: str) -> Degradation | None:
    """The degradation of the image `key` (hexadecimal) in an epoch, the same whatever else is drawn; None: none."""
    chance = np.random.default_rng([_STREAM, seed, epoch, int(key[:16], 16)])
    if chance.random() < PLAIN:
        return None
    quality = int(chance.integers(75, 96)) if chance.random() < 0.5 else 0
    return Degradation(
        low=chance.uniform(0.0, 0.03),
        high=chance.uniform(0.97, 1.0),
        gamma=float(np.exp(chance.uniform(np.log(0.8), np.log(1.25)))),
        flat=chance.uniform(0.0, 0.3),
        contrast=chance.uniform(0.6, 1.0),
        bits=8 if quality or chance.random() < 0.5 else 16,
        quality=quality,
    )


def restored(stored: Pixels, how: Degradation, normalisation: Normalisation = DEFAULT) -> tuple[Pixels, Unit]:
    """An input as it is stored, so degraded: as the other hands would have stored it, and the table that makes the
    network's input of it."""
    made = _table(how)
    if normalisation.preset_tone:  # a picture for display once more, whose window and contrast are stretched back
        ends = made[[0, LEVELS]].astype(np.float32)
        made = made[np.rint(preset_tone.picture(GREYS) * LEVELS).astype(np.uint16)]
    pixels = made[stored]
    if how.quality:
        pixels = _jpeg(pixels.astype(np.uint8), how.quality).astype(np.uint16)
    if normalisation.preset_tone:
        return pixels, preset_tone.of_picture((np.arange(normalise.VALUES, dtype=np.float32) - ends[0]) / np.ptp(ends))
    image = Image(pixels=pixels, bits=how.bits, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    return pixels, normalise.input_table(image, normalisation)


def _table(how: Degradation) -> NDArray[np.uint16]:
    """What each of the stored values becomes, in `bits`."""
    level = np.clip((np.linspace(0.0, 1.0, LEVELS + 1) - how.low) / (how.high - how.low), 0.0, 1.0) ** how.gamma
    level += how.flat * np.sin(2 * np.pi * level) / (2 * np.pi)
    level = (1.0 - how.contrast) / 2 + how.contrast * level
    return np.rint(level * ((1 << how.bits) - 1)).astype(np.uint16)


def _jpeg(pixels: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """There and back."""
    _, content = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_GRAYSCALE), np.uint8)
