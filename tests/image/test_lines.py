"""Lines over the whole field, of a grid or of a scanner: they count as noise, for the quietest parts hold them too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fullfield.image import multiscale, phantom, presets
from fullfield.image.phantom import PhantomKind
from fullfield.image.pyramid import Plane


def amplitude(plane: Plane, period: float) -> float:
    """Of the lines down the middle of a plane: the mean over its rows of their Fourier coefficient."""
    rows, columns = plane.shape
    part = plane[rows // 2 : rows // 2 + 256, columns // 2 - 128 : columns // 2 + 128]
    wave = np.exp(-2j * np.pi * np.arange(columns // 2 - 128, columns // 2 + 128) / period) * np.hanning(256)
    return float(abs((part.mean(axis=0) - part.mean()) @ wave) / np.hanning(256).sum() * 2)


@pytest.mark.parametrize("turned", [False, True], ids=["grid", "scan lines"])
@pytest.mark.parametrize("period", [2.6, 3.7, 5.3])
def test_that_lines_over_the_whole_field_are_held_back_as_noise_is(period: float, turned: bool) -> None:
    plain = phantom.processed(PhantomKind.CHEST, longer=768)
    along = np.arange(768) / period
    lines = 25 * np.sin(2 * np.pi * (along[:, None] if turned else along[None, :]))
    pixels = np.clip(plain.pixels + lines, 0, plain.top).astype(np.uint16)

    before, after = (
        np.asarray(given, np.float32) / np.float32(top)
        for given, top in (
            (pixels, plain.top),
            (multiscale.enhance(replace(plain, pixels=pixels), presets.load("chest")).pixels, 4095),
        )
    )
    if turned:
        before, after = before.T, after.T

    assert amplitude(after, period) < 1.6 * amplitude(before, period)  # 1.7 to 1.8 where they passed for structure
