"""Discs are found where they are, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.errors import InputRefused
from fullfield.qa import discs
from fullfield.qa.edge import Plane

PITCH, SD = 0.2, 10.0
PLACES = {(90, 100): (8.0, 30.0), (90, 260): (4.0, 40.0), (250, 110): (8.0, -15.0), (250, 270): (2.4, 60.0)}


def plate(*, empty: bool = False) -> Plane:
    """Discs of (mm, contrast) in white noise, and beside them a step and a line, which are none."""
    plane = 1000 + SD * np.random.default_rng(1).standard_normal((340, 420))
    y, x = np.mgrid[:340, :420]
    for (row, column), (size, contrast) in ({} if empty else PLACES).items():
        plane[np.hypot(y - row, x - column) <= size / PITCH / 2] += contrast
    plane[:, 380:] += 400
    plane[318:321] += 200
    return plane


def test_that_discs_are_found_with_their_places_their_sizes_and_their_cnr() -> None:
    plane = plate()
    found = {(round(disc.row), round(disc.column)): disc for disc in discs.find(plane, (PITCH, PITCH))}

    assert len(found) == len(PLACES)
    for (row, column), (size, contrast) in PLACES.items():
        near = [disc for place, disc in found.items() if np.hypot(place[0] - row, place[1] - column) < 5]
        assert len(near) == 1
        assert near[0].size_mm == pytest.approx(size, rel=0.35)
        seen = discs.see(plane, near[0])
        assert seen.contrast == pytest.approx(contrast, rel=0.15, abs=2)
        assert seen.cnr == pytest.approx(abs(contrast) / SD, rel=0.2)


@pytest.mark.parametrize("sides", [(0.2, 0.1), (0.1, 0.2)])
def test_that_discs_on_pixels_that_are_not_square_have_their_size_contrast_and_cnr(sides: tuple[float, float]) -> None:
    rows, columns = (round(80 / side) for side in sides)
    plane = 1000 + SD * np.random.default_rng(2).standard_normal((rows, columns))
    y, x = (np.arange(count)[:, None] * side for count, side in zip((rows, columns), sides, strict=True))
    places = [(20.0, 20.0), (20.0, 60.0), (60.0, 20.0), (60.0, 60.0)]
    for down, across in places:
        plane[np.hypot(y - down, x.T - across) <= 4] += 30

    found = discs.find(plane, sides)

    middles = [(disc.row * sides[0], disc.column * sides[1]) for disc in found]
    assert np.allclose(sorted(middles, key=lambda at: (round(at[0], -1), at[1])), places, atol=1)
    for disc in found:
        assert disc.size_mm == pytest.approx(8, rel=0.25)
        seen = discs.see(plane, disc)
        assert seen.contrast == pytest.approx(30, rel=0.05) and seen.cnr == pytest.approx(3, rel=0.05)


@pytest.mark.parametrize(("wide", "depth"), [(1, 300.0), (3, 50.0)])
def test_that_where_the_lines_of_a_phantom_s_grid_cross_there_is_no_disc(wide: int, depth: float) -> None:
    plane = 1000 + SD * np.random.default_rng(3).standard_normal((690, 690))
    y, x = np.mgrid[:690, :690]
    plane[np.isin(y // wide, (230 // wide, 460 // wide)) | np.isin(x // wide, (230 // wide, 460 // wide))] -= depth
    middles = [(row, column) for row in (115, 345, 575) for column in (115, 345, 575)]
    for row, column in middles:
        plane[np.hypot(y - row, x - column) <= 15] -= 60

    found = discs.find(plane, (PITCH, PITCH))

    places = sorted((disc.row // 230, disc.column // 230) for disc in found)
    assert places == [(row // 230, column // 230) for row, column in middles]
    assert all(abs(discs.see(plane, disc).contrast + 60) < 6 for disc in found)


def test_that_a_picture_without_discs_says_so() -> None:
    with pytest.raises(InputRefused, match="No disc was found"):
        discs.find(plate(empty=True), (PITCH, PITCH))
