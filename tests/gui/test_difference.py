"""After minus before, in colours."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from fullfield.image.image import Pixels
from fullfield.image.values import Window
from fullfield_app.gui.view.camera import Camera, Orientation
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.difference import SCALES, Difference, colours
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.tone import Shown


def shown(pixels: Pixels, high: int) -> Shown:
    picture = Picture(levels=(pixels,), bits=16, lowest=0, highest=high, voi=Window(low=0, high=high))
    return Shown(picture=picture, voi=picture.voi)


def rgb(colour: int) -> tuple[int, int, int]:
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255


@pytest.fixture
def view(qtbot: QtBot) -> Difference:
    """Before black left and half right; after half everywhere, at another range of values; 200 × 200 at 1:1."""
    made = Difference()
    qtbot.addWidget(made)
    made.resize(200, 200)
    before = np.zeros((200, 200), np.uint16)
    before[:, 100:] = 500
    after = np.full((200, 200), 25000, np.uint16)
    made.show_images({Side.BEFORE: shown(before, 1000), Side.AFTER: shown(after, 50000)}, "", "")
    made.look(Camera(x=100, y=100, scale=1, fitted=False), Orientation())
    return made


def pixel(view: Difference, x: int, y: int) -> tuple[int, int, int]:
    image: QImage = view.grab().toImage()
    colour = image.pixelColor(x, y)
    return colour.red(), colour.green(), colour.blue()


def test_that_what_looks_alike_is_black_though_its_values_differ(view: Difference) -> None:
    assert max(pixel(view, 150, 60)) < 20


def test_that_brighter_after_is_orange_by_how_much_as_shown(view: Difference) -> None:
    assert pixel(view, 50, 60) == pytest.approx(rgb(int(colours(100)[255 + 128])), abs=2)
    red, green, blue = pixel(view, 50, 60)
    assert red > green > blue


def test_that_another_window_is_another_difference(view: Difference) -> None:
    before = view._shown[Side.BEFORE]
    after = view._shown[Side.AFTER]
    assert before is not None and after is not None
    dark = Shown(picture=after.picture, voi=Window(low=25000, high=50000))
    view.show_images({Side.BEFORE: before, Side.AFTER: dark}, "", "")
    red, green, blue = pixel(view, 150, 60)
    assert blue > green > red and max(pixel(view, 50, 60)) < 20


def test_that_a_turned_image_keeps_its_difference_at_its_place(view: Difference) -> None:
    view.look(view.camera, Orientation(turns=1))
    assert max(pixel(view, 40, 40)) > 100  # what was left is above now
    assert max(pixel(view, 40, 130)) < 20


def test_that_the_scale_reaches_its_ends_and_zero_is_dark_between() -> None:
    for percent in SCALES:
        table = colours(percent)
        assert table.size == 511 and max(rgb(int(table[255]))) < 16
        end = 255 + round(percent / 100 * 255)
        assert rgb(int(table[end])) == pytest.approx((255, 232, 170), abs=12)
        assert rgb(int(table[510 - end])) == pytest.approx((196, 232, 255), abs=12)


def test_that_a_missing_image_leaves_a_sentence_in_its_place(view: Difference) -> None:
    view.show_images({Side.BEFORE: view._shown[Side.BEFORE], Side.AFTER: None}, "", "Waiting to be enhanced…")
    assert view.whole_look() is not None
    view.show_images({Side.BEFORE: None, Side.AFTER: None}, "", "")
    assert view.whole_look() is None
    view.grab()
