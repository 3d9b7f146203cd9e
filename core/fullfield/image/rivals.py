"""What a user would take instead of the conventional processor: contrast-limited equalisation in three libraries.

Each function takes and gives uint16 pixels of any number of bits, as its documentation's own example does, on one
thread. Its library is imported when it is called, so that a process which takes one pays for one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint16]


def opencv(pixels: Pixels) -> Pixels:
    """OpenCV's CLAHE, clip limit 2, 8×8 tiles."""
    import cv2

    cv2.setNumThreads(1)
    result: Pixels = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(pixels)
    return result


def simpleitk(pixels: Pixels) -> Pixels:
    """SimpleITK's AdaptiveHistogramEqualization with its own defaults (radius 5, alpha and beta 0.3)."""
    import SimpleITK as sitk

    sitk.ProcessObject.SetGlobalDefaultNumberOfThreads(1)
    image = sitk.Cast(sitk.GetImageFromArray(pixels), sitk.sitkFloat32)
    result: Pixels = np.clip(sitk.GetArrayFromImage(sitk.AdaptiveHistogramEqualization(image)), 0, 65535).astype(
        np.uint16
    )
    return result


def skimage(pixels: Pixels) -> Pixels:
    """scikit-image's equalize_adapthist with its own defaults. Raises ImportError where it is not installed."""
    from skimage import exposure

    result: Pixels = np.rint(exposure.equalize_adapthist(pixels) * int(pixels.max())).astype(np.uint16)
    return result


__all__ = ["Pixels", "opencv", "simpleitk", "skimage"]
