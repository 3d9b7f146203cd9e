"""Regions and lines under a hand."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent

from fullfield_app.gui.measure.board import Board
from fullfield_app.gui.measure.calibration import Calibration
from fullfield_app.gui.measure.glass import REACH, MarkGlass
from fullfield_app.gui.measure.marks import Line, Marks, Region, Shape, Slot, made
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.camera import Camera, Look, Orientation

IMAGE = (100.0, 80.0)
REGION = Region(area=Area(left=10, top=10, width=20, height=10))
LINE = Line(start=(10, 10), end=(40, 50))


def test_that_a_region_moves_as_a_whole_and_stays_on_the_image() -> None:
    assert REGION.moved(5, -3, IMAGE).area == Area(left=15, top=7, width=20, height=10)
    assert REGION.moved(500, 500, IMAGE).area == Area(left=80, top=70, width=20, height=10)


@pytest.mark.parametrize(("handle", "fixed"), [(0, (30, 20)), (1, (10, 20)), (2, (10, 10)), (3, (30, 10))])
def test_that_the_corner_opposite_to_the_pulled_one_stays(handle: int, fixed: tuple[float, float]) -> None:
    pulled = REGION.pulled(handle, (60, 60), IMAGE).area
    corners = {(pulled.left, pulled.top), (pulled.right, pulled.bottom), (pulled.left, pulled.bottom)}
    assert fixed in corners | {(pulled.right, pulled.top)}
    assert (60, 60) in corners | {(pulled.right, pulled.top)}


def test_that_a_region_is_never_drawn_to_nothing_nor_off_the_image() -> None:
    assert REGION.pulled(2, (10, 10), IMAGE) == REGION
    assert REGION.pulled(2, (500, 500), IMAGE).area.right == 100
    assert REGION.resized(-500, 500, IMAGE).area == Area(left=10, top=10, width=2, height=70)
    assert made(Shape.RECTANGLE, (5, 5), (6, 6), IMAGE) is None


def test_that_an_ellipse_holds_no_corner() -> None:
    ellipse = Region(area=REGION.area, round=True)
    assert REGION.holds((10.5, 10.5)) and not ellipse.holds((10.5, 10.5)) and ellipse.holds((20, 15))


def test_that_a_line_knows_what_is_near() -> None:
    assert LINE.distance((25, 30)) == pytest.approx(0) and LINE.distance((10, 0)) == pytest.approx(10)
    assert LINE.moved(-50, 0, IMAGE) == Line(start=(0, 10), end=(30, 50))
    assert LINE.resized(10, 0, IMAGE).end == (50, 50)


def test_that_two_regions_fill_their_places_and_a_third_replaces_the_chosen_one() -> None:
    marks = Marks()
    for expected in (Slot.ONE, Slot.TWO, Slot.TWO):
        slot = marks.slot_for(Shape.ELLIPSE)
        assert slot is expected
        marks = marks.put(slot, REGION)
    assert Marks(placed=marks.placed, chosen=Slot.ONE).slot_for(Shape.RECTANGLE) is Slot.ONE
    assert marks.without(Slot.ONE).slot_for(Shape.RECTANGLE) is Slot.ONE
    assert marks.slot_for(Shape.LINE) is Slot.LINE


def test_that_marks_come_change_and_go_without_a_mouse() -> None:
    board = Board()
    sight = Area(left=0, top=0, width=100, height=80)
    board.add(Shape.RECTANGLE, sight, IMAGE)
    board.add(Shape.RECTANGLE, sight, IMAGE)
    one, two = board.marks.regions().values()
    assert one.area.middle == (50, 40) and two.area.left >= one.area.right
    board.choose_next()
    assert board.marks.chosen is Slot.ONE
    board.change_chosen(4, 0, IMAGE, resize=False)
    board.change_chosen(6, 0, IMAGE, resize=True)
    changed = board.marks.regions()[Slot.ONE].area
    assert (changed.left, changed.width) == (one.area.left + 4, one.area.width + 6)
    board.delete()
    assert set(board.marks.placed) == {Slot.TWO} and board.marks.chosen is Slot.TWO
    board.clear()
    assert not board.marks.placed and board.marks.after_chosen() == board.marks


@pytest.mark.parametrize("orientation", [Orientation(), Orientation(mirrored=True), Orientation(turns=1)])
@pytest.mark.parametrize(("key", "way"), [(Qt.Key.Key_Right, (1, 0)), (Qt.Key.Key_Down, (0, 1))])
def test_that_the_end_of_a_line_follows_the_arrow_as_one_sees_it(
    orientation: Orientation, key: Qt.Key, way: tuple[int, int]
) -> None:
    look = Look(camera=Camera(x=100, y=100, scale=1), orientation=orientation, view=(400, 400), image=(200, 200))
    board = Board()
    board.shown = True
    board.put(Slot.LINE, Line(start=(50, 50), end=(100, 120)))
    before = look.to_view(100, 120)
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.ShiftModifier)
    assert MarkGlass(board, lambda line: "").key(event, look)
    line = board.marks.line()
    assert line is not None and line.start == (50, 50)
    moved = [now - then for now, then in zip(look.to_view(*line.end), before, strict=True)]
    assert moved == pytest.approx([2 * way[0], 2 * way[1]])


@pytest.mark.parametrize("turns", [0, 1])
def test_that_an_arrow_moves_a_mark_by_one_pixel_of_the_file_at_least_both_ways(turns: int) -> None:
    look = Look(
        camera=Camera(x=50, y=50, scale=8),
        orientation=Orientation(turns=turns),
        view=(400, 400),
        image=(100, 100),
        pixel=(4, 1),
    )
    board = Board()
    board.shown = True
    board.put(Slot.LINE, LINE)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        before = board.marks.line()
        MarkGlass(board, lambda line: "").key(
            QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier), look
        )
        after = board.marks.line()
        assert before is not None and after is not None
        moved = [abs(now - then) for now, then in zip(after.start, before.start, strict=True)]
        assert sorted(moved) == pytest.approx([0, 1])


@pytest.mark.parametrize(("right", "down"), [(1, 0), (0, 1), (0, -1)])
@pytest.mark.parametrize("place", [(50, 50), (30, 50)], ids=["end", "middle"])
def test_that_a_line_is_caught_as_far_from_it_on_the_screen_both_ways_where_pixels_are_high(
    place: tuple[int, int], right: int, down: int
) -> None:
    line = Line(start=(10, 50), end=(50, 50))
    look = Look(
        camera=Camera(x=50, y=100, scale=4), orientation=Orientation(), view=(400, 800), image=(100, 100), pixel=(1, 2)
    )
    along = right != 0 and place != line.end  # still on the line
    for away, caught in ((REACH - 1, True), (REACH + 1, along)):
        board = Board()
        board.shape = Shape.LINE
        board.put(Slot.LINE, line)
        begun = QPointF(*look.to_view(*place)) + away * QPointF(right, down)
        drag = MarkGlass(board, lambda line: "").press(begun, look, 1)
        assert drag is not None
        drag.move(QPointF(*look.to_view(90, 20)))
        drawn = board.marks.line()
        assert drawn is not None and (drawn.start != look.to_image(begun.x(), begun.y())) == caught


def test_that_a_length_is_in_shorter_sides_of_a_pixel_where_the_file_says_only_its_shape() -> None:
    high = Calibration(pixel=(1, 2))
    assert Calibration().length_px(LINE) == 50 and high.length_px(LINE) == pytest.approx(math.hypot(30, 80))
    assert high.say_length(LINE) == "85.4 px"
    assert "shorter sides" in high.say_source() and "shorter sides" not in Calibration().say_source()


def test_that_a_length_says_where_its_millimetres_are_from() -> None:
    assert Calibration().say_length(LINE) == "50.0 px"
    assert Calibration(spacing_mm=(0.2, 0.1), source="PixelSpacing").say_length(LINE) == "8.5 mm"
    assert Calibration(spacing_mm=(0.1, 0.1), source="ImagerPixelSpacing").say_length(LINE) == "5.0 mm at the detector"
    assert "in pixels" in Calibration().say_source()
    sources = ("", "PixelSpacing", "ImagerPixelSpacing", "EstimatedRadiographicMagnificationFactor")
    said = {Calibration(spacing_mm=(1, 1), source=source).say_source() for source in sources}
    assert len(said) == 4
