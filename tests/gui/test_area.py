"""Places of the view and of the file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield_app.gui.view.area import Area, between
from fullfield_app.gui.view.camera import Camera, Look, Orientation

TURNS = [Orientation(turns=turns, mirrored=mirrored) for turns in range(4) for mirrored in (False, True)]


@pytest.mark.parametrize("pixel", [(1.0, 1.0), (1.0, 2.5), (1.5, 1.0)])
@pytest.mark.parametrize("orientation", TURNS)
def test_that_a_place_leads_to_the_view_and_back_however_the_image_is_turned(
    orientation: Orientation, pixel: tuple[float, float]
) -> None:
    camera = Camera(x=40, y=70, scale=2.5)
    look = Look(camera=camera, orientation=orientation, view=(800, 600), image=(300, 200), pixel=pixel)
    assert look.to_image(*look.to_view(17.25, 120.5)) == pytest.approx((17.25, 120.5))


def test_that_pixels_twice_as_high_as_wide_are_drawn_so_also_when_the_image_lies_on_its_side() -> None:
    upright = Look(camera=Camera(scale=3), orientation=Orientation(), view=(0, 0), image=(300, 200), pixel=(1.0, 2.0))
    assert upright.drawn == (300, 400) and upright.to_view(10, 20) == (30, 120)
    lying = replace(upright, orientation=Orientation(turns=1))
    assert lying.drawn == (400, 300) and lying.to_view(0, 199) == (6, 0)


def test_that_a_clockwise_turn_brings_the_upper_left_corner_to_the_right() -> None:
    assert Orientation(turns=1).forward(0, 0, (300, 200)) == (200, 0)
    assert Orientation(turns=1, mirrored=True).forward(0, 0, (300, 200)) == (0, 0)
    assert Orientation(turns=1).size((300, 200)) == (200, 300)


def test_that_an_area_covers_the_pixels_whose_middle_lies_within() -> None:
    assert Area(left=1.4, top=0.6, width=2.0, height=1.0).slices() == (slice(1, 2), slice(1, 3))
    rows, columns = Area(left=5, top=5, width=0, height=0).slices()
    assert rows.stop - rows.start == columns.stop - columns.start == 1


def test_that_an_area_is_kept_on_the_image() -> None:
    area = between((90, -10), (-5, 20))
    assert area == Area(left=-5, top=-10, width=95, height=30)
    assert area.kept((50, 50)) == Area(left=0, top=0, width=50, height=20)
    assert area.moved(-100, 100, (100, 50)) == Area(left=0, top=20, width=95, height=30)
