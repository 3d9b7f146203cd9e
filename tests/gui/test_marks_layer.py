"""What was added to a result and what was taken, in colours over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from fullfield.image.marks import DISAGREED, Marks, disagreement_at, marks_at
from fullfield_app.gui.view.camera import UPRIGHT, Orientation
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.marks import ADDED, DISAGREEMENT, TAKEN, colours, disagreement_colours
from fullfield_app.gui.view.picture import open_result
from gui.compare_desk import Desk, desk

__all__ = ["desk"]


def marked(rows: int, columns: int) -> Marks:
    """Something added near the upper left corner, something taken near the lower right one."""
    marks = np.zeros((2, -(-rows // 16), -(-columns // 16)), np.uint8)
    marks[0, 2:5, 2:5] = 255
    marks[1, -6:-3, -6:-3] = 255
    return marks


def hue(widget: QWidget, across: float, down: float, wide: int = 300) -> str:
    """The colour at a share of the image's width and height; the desk's image is 400 high, 300 wide and fitted."""
    image = widget.grab().toImage()
    side = min(image.height() / 400, image.width() / wide)
    left, top = (image.width() - wide * side) / 2, (image.height() - 400 * side) / 2
    colour = QColor(image.pixel(round(left + across * wide * side), round(top + down * 400 * side)))
    if min(colour.red(), colour.blue()) > colour.green() + 20:
        return "purple"
    if colour.red() > colour.blue() + 40:
        return "orange"
    return "blue" if colour.blue() > colour.red() + 40 else "grey"


def test_that_each_cell_has_the_colour_of_what_is_greater_in_it() -> None:
    marks = np.array([[[0, 255, 100]], [[0, 0, 200]]], np.uint8)
    clear, added, taken = colours(marks, UPRIGHT)[0]
    assert clear >> 24 == 0 < taken >> 24 <= added >> 24
    assert added & 0xFFFFFF == ADDED[0] << 16 | ADDED[1] << 8 | ADDED[2]
    assert taken & 0xFFFFFF == TAKEN[0] << 16 | TAKEN[1] << 8 | TAKEN[2]


def test_that_marks_lie_beside_the_result(tmp_path: Path) -> None:
    path = tmp_path / "0-1.npy"
    np.save(path, np.arange(12, dtype=np.uint16).reshape(3, 4))
    assert open_result(path, 12).marks is None and open_result(path, 12).disagreement is None
    np.save(marks_at(path), marked(3, 4))
    np.save(disagreement_at(path), np.zeros((1, 1), np.uint8))
    assert open_result(path, 12).marks is not None and open_result(path, 12).disagreement is not None


def test_that_marks_are_seen_where_they_belong_also_mirrored(desk: Desk) -> None:
    shown = desk.compare.shown(Side.AFTER)
    assert shown is not None
    picture = replace(shown.picture, marks=marked(shown.picture.rows, shown.picture.columns))
    desk.compare.show_side(Side.AFTER, picture)
    added, taken = (56 / 300, 56 / 400), (1 - 60 / 300, 1 - 72 / 400)
    assert hue(desk.after, *added) == "grey"
    desk.after.marked = True
    assert (hue(desk.after, *added), hue(desk.after, *taken)) == ("orange", "blue")
    desk.compare.flip()
    assert desk.compare.orientation == Orientation(mirrored=True)
    assert hue(desk.after, 1 - added[0], added[1]) == "orange" and hue(desk.after, 1 - taken[0], taken[1]) == "blue"
    desk.after.marked = False
    assert hue(desk.after, 1 - added[0], added[1]) == "grey"


def test_that_marks_and_differences_are_seen_where_they_belong_where_pixels_are_twice_as_wide_as_high(
    desk: Desk,
) -> None:
    for side in Side:
        shown = desk.compare.shown(side)
        assert shown is not None
        desk.compare.show_side(side, replace(shown.picture, marks=marked(400, 300), pixel=(2.0, 1.0)))
    desk.compare.fit()
    assert desk.after.image_size() == (600, 400)
    desk.after.marked = True
    assert hue(desk.after, 56 / 300, 56 / 400, wide=600) == "orange"
    assert hue(desk.after, 1 - 60 / 300, 1 - 72 / 400, wide=600) == "blue"


def test_that_where_members_disagree_is_purple_and_the_more_so_the_more_they_do(desk: Desk) -> None:
    clear, little, much = disagreement_colours(np.array([[10, 60, 255]], np.uint8), UPRIGHT)[0] >> 24
    assert clear == 0 < little < much == 190 and 10 * DISAGREED / 255 < 0.005
    shown = desk.compare.shown(Side.AFTER)
    assert shown is not None
    picture = shown.picture
    cells = np.zeros((-(-picture.rows // 16), -(-picture.columns // 16)), np.uint8)
    cells[2:5, 2:5] = 255
    desk.compare.show_side(Side.AFTER, replace(picture, disagreement=cells))
    desk.after.disagreeing = True
    assert hue(desk.after, 56 / 300, 56 / 400) == "purple" and hue(desk.after, 0.5, 0.5) == "grey"
    assert disagreement_colours(cells, UPRIGHT)[3, 3] & 0xFFFFFF == DISAGREEMENT[0] << 16 | DISAGREEMENT[1] << 8 | 167
