"""Images at another size."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.image import resample
from fullfield.image.image import HighValues, Image, InputKind


def test_that_the_longer_side_gets_the_size_and_the_aspect_is_kept() -> None:
    assert resample.fitted((1435, 2943), 512) == (250, 512)
    assert resample.fitted((2943, 1435), 512) == (512, 250)
    assert resample.fitted((1435, 2943), None) == (1435, 2943)


def test_that_an_area_filter_averages_what_lies_under_a_pixel() -> None:
    plane = np.array([[0, 10], [20, 30]], np.uint16).repeat(2, 0).repeat(2, 1)
    assert resample.resample(plane, (1, 1)).item() == 15
    assert resample.resample(plane, (2, 2)).tolist() == [[0, 10], [20, 30]]


def test_that_an_enlarged_image_stays_in_its_range() -> None:
    plane = np.zeros((20, 20), np.float32)
    plane[8:12, 8:12] = 1.0
    large = resample.resample(plane, (60, 60))
    assert large.min() >= 0.0
    assert large.max() <= 1.0


def test_that_the_spacing_goes_with_the_size() -> None:
    image = Image(
        pixels=np.zeros((400, 200), np.uint16),
        bits=12,
        high=HighValues.BRIGHT,
        kind=InputKind.PROCESSED,
        spacing_mm=(0.1, 0.1),
    )
    smaller = resample.at_size(image, 100)
    assert smaller.pixels.shape == (100, 50)
    assert smaller.spacing_mm == pytest.approx((0.4, 0.4))
    assert resample.at_size(image, None) is image


@pytest.mark.parametrize("shape", [(192, 192), (200, 161), (33, 31), (3, 40)])
def test_that_padding_reaches_the_grid_and_leaves_the_image_at_the_top_left(shape: tuple[int, int]) -> None:
    plane = np.arange(shape[0] * shape[1], dtype=np.uint16).reshape(shape)
    target = resample.padded(shape)
    assert target[0] % 32 == 0
    assert target[1] % 32 == 0
    larger = resample.pad(plane, target)
    assert larger.shape == target
    assert np.array_equal(larger[: shape[0], : shape[1]], plane)


def test_that_a_wide_smoothing_made_small_equals_the_direct_one() -> None:
    rng = np.random.default_rng(0)
    plane = rng.random((640, 600), np.float32)
    plane[200:300, 100:400] += 3.0
    import cv2

    direct = cv2.GaussianBlur(plane, (0, 0), 40.0, borderType=cv2.BORDER_REFLECT_101)
    assert np.abs(resample.smooth(plane, 40.0) - direct).max() < 0.02


def test_that_a_reduced_8_bit_image_has_levels_between_its_own() -> None:
    pixels = np.tile(np.array([[10, 11]], np.uint16), (64, 32))
    image = Image(pixels=pixels, bits=8, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    smaller = resample.at_size(image, 32)
    assert smaller.bits == 16
    assert np.all(smaller.pixels == 10.5 * 256)


@pytest.mark.parametrize("padding", [0, 65535])
@pytest.mark.parametrize("size", [30, 100])
def test_that_padding_blends_into_no_pixel_of_an_image_at_another_size(padding: int, size: int) -> None:
    pixels = np.full((64, 64), 1000, np.uint16)
    pixels[:, :7] = padding
    image = Image(pixels=pixels, bits=16, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, padding=(padding, padding))
    other = resample.at_size(image, size)
    assert set(np.unique(other.pixels)) == {1000, padding}
    assert np.mean(other.pixels == padding) == pytest.approx(7 / 64, abs=0.02)


@pytest.mark.parametrize("zero", [4095.0, 64.0, 0.0, None])
@pytest.mark.parametrize("beam", list(HighValues))
def test_that_an_image_at_another_size_has_the_exposure_that_it_had(zero: float | None, beam: HighValues) -> None:
    image = Image(
        pixels=np.full((64, 64), 1000, np.uint16),
        bits=12,
        high=HighValues.BRIGHT,
        kind=InputKind.RAW,
        beam=beam,
        zero=zero,
        raw_beam=beam,
        raw_zero=zero,
    )
    smaller = resample.at_size(image, 32)
    had, has = (float(one.exposure(one.pixels.astype(float))[0, 0]) for one in (image, smaller))
    assert has / 16 == pytest.approx(had, abs=1), "but for the step of its finer levels"
    again = smaller.as_kind(InputKind.PROCESSED, "").as_kind(InputKind.RAW, "")
    assert again.zero == smaller.zero
