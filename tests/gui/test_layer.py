"""What is painted is what the window makes of the pixels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from fullfield.image.image import Pixels
from fullfield.image.values import Window
from fullfield_app.gui.view.camera import Camera, Orientation, fit
from fullfield_app.gui.view.layer import Layer, visible
from fullfield_app.gui.view.picture import Picture, halved
from fullfield_app.gui.view.tone import Shown


def picture(pixels: Pixels, padding: tuple[int, int] | None = None, pixel: tuple[float, float] = (1.0, 1.0)) -> Picture:
    levels = [pixels]
    while max(levels[-1].shape) > 8:
        levels.append(halved(levels[-1]))
    low, high = int(pixels.min()), int(pixels.max())
    voi = Window(low=low, high=high)
    return Picture(levels=tuple(levels), bits=16, lowest=low, highest=high, voi=voi, padding=padding, pixel=pixel)


def paint(
    shown: Shown, camera: Camera, size: tuple[int, int], orientation: Orientation | None = None
) -> NDArray[np.uint8]:
    """The grey levels of a view of that width and height."""
    target = QImage(*size, QImage.Format.Format_Grayscale8)
    target.fill(0)
    with QPainter(target) as painter:
        Layer().paint(
            painter,
            shown,
            camera=camera,
            orientation=orientation or Orientation(),
            view=(float(size[0]), float(size[1])),
            clip=QRectF(0, 0, *size),
        )
    rows = np.frombuffer(target.constBits(), np.uint8).reshape(size[1], target.bytesPerLine())
    return rows[:, : size[0]].copy()


RAMP = np.arange(37 * 23, dtype=np.uint16).reshape(23, 37) * 70


def test_that_one_to_one_shows_every_pixel_exactly() -> None:
    shown = Shown(picture=picture(RAMP), voi=Window(low=0, high=65535))
    seen = paint(shown, Camera(x=18.5, y=11.5, scale=1.0), (37, 23))
    assert np.array_equal(seen, np.rint(RAMP / 65535 * 255).astype(np.uint8))


def test_that_a_turned_and_mirrored_image_is_painted_so() -> None:
    shown = Shown(picture=picture(RAMP), voi=Window(low=0, high=65535))
    seen = paint(shown, Camera(x=11.5, y=18.5, scale=1.0), (23, 37), Orientation(turns=1, mirrored=True))
    straight = np.rint(RAMP / 65535 * 255).astype(np.uint8)
    assert np.array_equal(seen, np.fliplr(np.rot90(straight, -1)))


def test_that_inverting_exchanges_bright_and_dark() -> None:
    shown = Shown(picture=picture(RAMP), voi=Window(low=0, high=65535), inverted=True)
    seen = paint(shown, Camera(x=18.5, y=11.5, scale=1.0), (37, 23))
    assert np.array_equal(seen, 255 - np.rint(RAMP / 65535 * 255).astype(np.uint8))


@pytest.mark.parametrize("inverted", [False, True])
def test_that_padding_is_black_whatever_the_window(inverted: bool) -> None:
    pixels = np.full((16, 16), 1000, np.uint16)
    pixels[:8] = 5000
    shown = Shown(picture=picture(pixels, padding=(5000, 5000)), voi=Window(low=0, high=900), inverted=inverted)
    seen = paint(shown, Camera(x=8, y=8, scale=1.0), (16, 16))
    assert not seen[:8].any()


def test_that_a_fitted_image_shows_means_of_areas() -> None:
    stripes = np.zeros((64, 64), np.uint16)
    stripes[:, ::2] = 60000
    shown = Shown(picture=picture(stripes), voi=Window(low=0, high=60000))
    seen = paint(shown, fit((16, 16), (64, 64)), (16, 16))
    assert np.all(np.abs(seen.astype(int) - 128) <= 1)


def test_that_outside_the_image_nothing_is_painted() -> None:
    shown = Shown(picture=picture(np.full((10, 10), 9, np.uint16)), voi=Window(low=0, high=1))
    seen = paint(shown, Camera(x=5, y=5, scale=1.0), (30, 30))
    assert np.all(seen[10:20, 10:20] == 255)
    seen[10:20, 10:20] = 0
    assert not seen.any()


@pytest.mark.parametrize(("turns", "size"), [(0, (20, 40)), (1, (40, 20))])
def test_that_pixels_twice_as_high_as_wide_fill_a_place_of_that_shape(turns: int, size: tuple[int, int]) -> None:
    bright = picture(np.full((20, 20), 9, np.uint16), pixel=(1.0, 2.0))
    camera = Camera(x=size[0] / 2, y=size[1] / 2, scale=1.0)
    seen = paint(Shown(picture=bright, voi=Window(low=0, high=1)), camera, (60, 60), Orientation(turns=turns))
    rows, columns = np.nonzero(seen == 255)
    assert (columns.min(), rows.min()) == (30 - size[0] // 2, 30 - size[1] // 2)
    assert (np.ptp(columns) + 1, np.ptp(rows) + 1) == size


def test_that_rows_for_which_the_screen_has_room_are_all_drawn_also_of_high_pixels() -> None:
    stripes = np.tile(np.array([[0], [9]], np.uint16), (64, 128))
    shown = Shown(picture=picture(stripes, pixel=(1.0, 2.0)), voi=Window(low=0, high=9))
    seen = paint(shown, Camera(x=64, y=128, scale=0.5), (64, 128))
    assert seen[::2].max() < 10 and seen[1::2].min() > 245


def test_that_only_what_is_visible_of_high_pixels_is_looked_up() -> None:
    clip, high = QRectF(0, 0, 100, 100), (1.0, 2.0)
    patch = visible([(2000, 2000)], Camera(x=1000, y=2000, scale=1.0), (100.0, 100.0), clip, high)
    assert patch is not None and patch.smooth
    assert (patch.rows, patch.columns) == (slice(974, 1026), slice(949, 1051))
    assert patch.place == (-1.0, -2.0, 102.0, 104.0)


def test_that_only_what_is_visible_is_looked_up() -> None:
    sizes = [(4288 >> step, 4288 >> step) for step in range(5)]
    view, clip = (960.0, 1080.0), QRectF(0, 0, 960, 1080)
    at_one = visible(sizes, Camera(x=2000, y=2000, scale=1.0), view, clip)
    assert at_one is not None and at_one.level == 0
    assert at_one.rows.stop - at_one.rows.start <= 1083 and at_one.columns.stop - at_one.columns.start <= 963
    at_fit = visible(sizes, fit(view, (4288, 4288)), view, clip)
    assert at_fit is not None and at_fit.level == 2
    far = Camera(x=-9000, y=0, scale=1.0)
    assert visible(sizes, far, view, clip) is None
