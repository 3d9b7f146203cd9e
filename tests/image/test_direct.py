from __future__ import annotations

import cv2
import numpy as np
import pytest

from fullfield.image import direct, even_mode
from fullfield.image.direct import Mask, Plane

SHAPE = (300, 240)
EVERYWHERE = np.ones(SHAPE, bool)
NOWHERE = ~EVERYWHERE


def limb() -> tuple[Plane, Mask]:
    """A shaft from top to bottom, a fifth as thick at its skin, and where it lies."""
    across = np.arange(SHAPE[1], dtype=np.float32)[None, :] - 120
    thickness = np.sqrt(np.maximum(1 - (across / 50) ** 2, 0)) * np.ones((SHAPE[0], 1), np.float32)
    return np.asarray(0.75 * thickness, np.float32), np.asarray(thickness > 0)


def sloping(heel: float) -> Plane:
    return np.asarray(heel * np.linspace(0, 1, SHAPE[0], dtype=np.float32)[:, None] * np.ones(SHAPE[1], np.float32))


def soft(plane: Plane, noise: float = 0.002) -> Plane:
    random = np.random.default_rng(3)
    blurred: Plane = cv2.GaussianBlur(plane, (0, 0), 0.6) + noise * random.standard_normal(SHAPE, dtype=np.float32)
    return blurred


@pytest.mark.parametrize("heel", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("noise", [0.0, 0.002, 0.01])
def test_that_the_air_around_a_limb_is_found_however_it_slopes(heel: float, noise: float) -> None:
    body, inside = limb()

    found = direct.find(soft(body + sloping(heel), noise), EVERYWHERE, NOWHERE)

    assert found[~inside].mean() > 0.95
    assert found[inside].mean() < 0.03


@pytest.mark.parametrize("rise", [0.005, 0.0055])
def test_that_air_ends_in_skin_that_rises_little_where_nothing_else_does(rise: float) -> None:
    depth = np.maximum(50 - np.abs(np.arange(SHAPE[1], dtype=np.float32) - 120), 0) * np.ones((SHAPE[0], 1), np.float32)
    body = np.where(depth > 40, np.float32(0.75), np.float32(rise) * depth)

    found = direct.find(soft(body + sloping(0.05), 0.001), EVERYWHERE, NOWHERE)

    assert found[depth == 0].mean() > 0.95
    assert found[depth > 0].mean() < 0.03


@pytest.mark.parametrize(("height", "reach"), [(0.06, 80), (0.08, 60)])
def test_that_a_corner_where_the_beam_is_weaker_is_air_with_the_air_beside_it(height: float, reach: int) -> None:
    body, inside = limb()
    rows, columns = np.indices(SHAPE, np.float32)
    away = np.hypot(rows - SHAPE[0], columns - SHAPE[1])
    corner = np.float32(height) * np.clip(1 - away / np.float32(reach), 0, 1)

    found = direct.find(soft(body + sloping(0.1) + corner), EVERYWHERE, NOWHERE)

    assert found[away < reach].mean() > 0.9
    assert found[inside].mean() < 0.03


def test_that_the_even_mode_alone_missed_air_that_slopes() -> None:
    body, inside = limb()

    found = even_mode.find(soft(body + sloping(0.2)), EVERYWHERE)

    assert found[~inside].mean() < 0.5


def test_that_soft_tissue_that_ends_in_no_step_is_no_air() -> None:
    body, _ = limb()
    fat = cv2.GaussianBlur(body, (0, 0), 25) + sloping(0.1)  # from dark to bright without an edge

    found = direct.find(soft(fat), EVERYWHERE, NOWHERE)

    assert found.mean() < 0.02


def test_that_thin_tissue_nearly_as_dark_as_the_air_beside_it_is_no_air() -> None:
    plane, tissue = np.zeros(SHAPE, np.float32), np.zeros(SHAPE, bool)
    plane[:, :100] = 0.75
    for top in (30, 120, 210):
        tissue[top : top + 50, 100:200] = True
    plane[tissue] = 0.024

    found = direct.find(soft(plane), EVERYWHERE, NOWHERE)

    assert found[tissue].mean() < 0.1
    assert found[plane == 0].mean() > 0.9


def test_that_each_of_two_fields_has_its_own_air() -> None:
    body, inside = limb()
    shot = np.hstack([soft(body + sloping(0.1)), soft(body + sloping(0.15) + 0.12)])
    field = np.ones(shot.shape, bool)
    field[:, SHAPE[1] - 4 : SHAPE[1] + 4] = False

    found = direct.find(shot, field, ~field)

    for part in (slice(0, SHAPE[1] - 4), slice(SHAPE[1] + 4, None)):
        air = ~np.hstack([inside, inside])[:, part]
        assert found[:, part][air].mean() > 0.95
        assert found[:, part][~air].mean() < 0.03


def test_that_air_between_fingers_is_found_with_the_air_around_them() -> None:
    plane, fingers = np.zeros(SHAPE, np.float32), np.zeros(SHAPE, bool)
    for left in (60, 100, 140):
        fingers[:220, left : left + 25] = True
    fingers[200:, 40:185] = True
    plane[fingers] = 0.6

    found = direct.find(soft(plane + sloping(0.15)), EVERYWHERE, NOWHERE)

    assert found[10:190, 90:96].mean() > 0.9
    assert found[fingers].mean() < 0.03
