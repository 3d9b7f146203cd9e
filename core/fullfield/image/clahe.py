"""The conventional baselines that a user would take instead: adaptive histogram equalisation in two programs.

`enhance` is SimpleITK's filter, the one that clinics' scripts use: Stark's adaptive histogram equalisation (Stark, IEEE
TIP 9, 2000), exact at every pixel and slow. `equalise` is OpenCV's CLAHE (Zuiderveld, Graphics Gems IV, 1994):
contrast-limited, interpolated between tiles, fast; training tunes its two numbers and compares the network with it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield import __version__
from fullfield.image import window
from fullfield.image.image import Enhanced, Image, Recipe
from fullfield.image.multiscale import LEAST_BITS


def enhance(image: Image, *, alpha: float = 0.3, beta: float = 0.3, radius: int = 5) -> Enhanced:
    """`image` through SimpleITK's AdaptiveHistogramEqualization, after a percentile stretch; the polarity is kept.

    `alpha`: 0 full equalisation … 1 unsharp mask; `beta`: 0 unsharp mask … 1 the image itself; `radius` of the
    neighbourhood in pixels: the time grows with its square (12 s at 2048² with 5).
    """
    import SimpleITK as sitk  # 0.1 s of start-up that only this baseline pays

    shown = window.percentile_window(image)
    scaled = np.clip((image.pixels.astype(np.float32) - shown.low) / (shown.high - shown.low), 0, 1)
    equalised = sitk.AdaptiveHistogramEqualization(
        sitk.GetImageFromArray(scaled), radius=[radius, radius], alpha=alpha, beta=beta
    )
    bits = max(LEAST_BITS, image.bits)
    top = (1 << bits) - 1
    pixels = np.rint(1 + (top - 2) * np.clip(sitk.GetArrayFromImage(equalised), 0, 1)).astype(np.uint16)
    parameters = f"alpha={alpha:g} beta={beta:g} radius={radius}"
    recipe = Recipe(
        method="preset", name="simpleitk-adaptive-histogram", version=__version__, sha256="", parameters=parameters
    )
    return Enhanced(pixels=pixels, bits=bits, recipe=recipe)


def equalise(plane: NDArray[np.float32], *, clip: float, tiles: int) -> NDArray[np.float32]:
    """OpenCV's CLAHE of a plane in 0…1. `clip`: the contrast limit, a slope; `tiles`: per side.

    In 16 bits where a tile has a pixel for every value, else in 8: OpenCV limits by whole pixels per value, so that in
    16 bits a tile of 64×64 could not be limited below a slope of 16.
    """
    enough = plane.size // tiles**2 >= 1 << 16
    top, kind = ((1 << 16) - 1, np.uint16) if enough else ((1 << 8) - 1, np.uint8)
    counts = np.rint(np.clip(plane, 0, 1) * top).astype(kind)
    equalised = cv2.createCLAHE(clip, (tiles, tiles)).apply(counts)
    result: NDArray[np.float32] = equalised.astype(np.float32) / np.float32(top)
    return result


__all__ = ["enhance", "equalise"]
