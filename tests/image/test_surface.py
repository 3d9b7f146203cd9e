from __future__ import annotations

import numpy as np
import pytest

from fullfield.image import surface

Y, X = (np.linspace(0.5 / 120, 1 - 0.5 / 120, 120)[:, None], np.linspace(0.5 / 200, 1 - 0.5 / 200, 200)[None, :])
BENT = (0.2 + 0.1 * Y - 0.05 * X + 0.08 * Y * Y + 0.03 * X * X - 0.06 * X * Y).astype(np.float32)


def test_that_a_surface_of_second_order_is_found_again_also_where_something_lies_on_it() -> None:
    plane = BENT.copy()
    plane[40:60, 50:90] += 0.3

    weights = surface.fit(plane, np.ones(plane.shape, bool))

    assert surface.values(weights, plane.shape) == pytest.approx(BENT, abs=1e-4)


def test_that_a_small_region_is_met_by_a_plane_that_its_noise_does_not_bend() -> None:
    region = np.zeros(BENT.shape, bool)
    region[:20, :30] = True

    weights = surface.fit(BENT, region)

    assert not weights[3:].any()
    assert surface.values(weights, BENT.shape)[region] == pytest.approx(BENT[region], abs=2e-3)


def test_that_a_surface_is_the_same_at_half_the_size() -> None:
    weights = surface.fit(BENT, np.ones(BENT.shape, bool))

    whole, half = (surface.values(weights, shape) for shape in (BENT.shape, (60, 100)))

    assert half == pytest.approx(whole.reshape(60, 2, 100, 2).mean(axis=(1, 3)), abs=1e-4)
