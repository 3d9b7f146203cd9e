from __future__ import annotations

import cv2
import numpy as np

from fullfield.image import glyphs
from fullfield.image.image import Pixels


def tissue() -> Pixels:
    random = np.random.default_rng(5)
    smooth = cv2.GaussianBlur(random.standard_normal((600, 400)), (0, 0), 30)
    smooth = (smooth - smooth.min()) / np.ptp(smooth)
    return np.asarray(400 + 2600 * smooth + random.normal(0, 20, smooth.shape), np.uint16)


def find(pixels: Pixels) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return glyphs.find(pixels, 2, (300, 200), 4095)


def test_that_white_letters_are_found_and_nothing_else() -> None:
    pixels, letters = tissue(), np.zeros((600, 400), np.uint8)
    cv2.putText(letters, "LEFT 2026", (20, 560), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 255, 3)
    pixels[letters > 0] = 4095

    found = find(pixels)

    inked = letters.reshape(300, 2, 200, 2).max(axis=(1, 3)) > 0
    assert found[inked].all()
    assert not found[~cv2.dilate(inked.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)].any()


def test_that_the_brightest_bone_is_no_letter() -> None:
    pixels = tissue()
    pixels[200:260, 150:170] = np.clip(pixels[200:260, 150:170] + 1500, 0, 4095)

    assert not find(pixels).any()


def test_that_a_burnt_out_block_is_no_letter() -> None:
    pixels = tissue()
    pixels[100:160, 100:180] = 4095

    assert not find(pixels).any()
