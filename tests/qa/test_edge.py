"""The MTF of an edge, against edges whose MTF is known, and what is said of edges that have none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fullfield.errors import InputRefused
from fullfield.qa import edge, mtf
from fullfield.qa.edge import Plane

SIGMA, PITCH = 0.16, 0.1  # mm
ROWS, COLUMNS = 480, 360


def made(angle: float = 2.0, *, sigma: float = SIGMA, noise: float = 0.0) -> Plane:
    """1,000 left of an edge and 400 right of it, blurred by a Gaussian of `sigma` mm alone."""
    y, x = np.arange(ROWS)[:, None] - ROWS / 2, np.arange(COLUMNS)[None, :] - COLUMNS / 2
    away = (x * math.cos(math.radians(angle)) - y * math.sin(math.radians(angle))) * PITCH
    left = 0.5 * np.vectorize(math.erfc)(away / (sigma * math.sqrt(2)))
    return 400 + 600 * left + noise * np.random.default_rng(0).standard_normal(away.shape)


@pytest.mark.parametrize("angle", [1.6, -2.9])
@pytest.mark.parametrize("turned", [False, True])
def test_that_the_mtf_of_a_blurred_edge_is_that_of_its_gaussian(angle: float, turned: bool) -> None:
    plane = made(angle).T if turned else made(angle)
    found = edge.find(plane, (PITCH, PITCH))
    one = mtf.measure(plane, found)

    assert found.turned is turned and one.angle == pytest.approx(abs(angle), abs=0.01)
    wanted = np.exp(-2 * (np.pi * SIGMA * one.frequencies) ** 2)
    assert np.abs(one.values - wanted).max() < 0.01
    for level in (0.5, 0.1):
        assert one.falls_to(level) == pytest.approx(math.sqrt(-math.log(level) / 2) / (math.pi * SIGMA), rel=0.02)
    assert abs(one.step) == pytest.approx(600, rel=0.01)


def test_that_frequencies_are_told_by_the_spacing_across_the_edge() -> None:
    plane = made()
    one, coarse = (mtf.measure(plane, edge.find(plane, (PITCH, pitch))) for pitch in (PITCH, 0.12))

    assert coarse.nyquist == pytest.approx(0.5 / 0.12)
    first, second = one.falls_to(0.5), coarse.falls_to(0.5)
    assert first is not None and second is not None and second == pytest.approx(first * PITCH / 0.12, rel=0.01)


@pytest.mark.parametrize("turned", [False, True])
def test_that_declared_padding_is_no_part_of_an_edge_and_is_named_where_it_is_too_near(turned: bool) -> None:
    plane = made(noise=3.0)
    columns = np.arange(COLUMNS)[None, :] - COLUMNS / 2 + np.zeros((ROWS, 1))
    for away, level in ((30, 0.0), (30, 65535.0), (14, 0.0), (14, 65535.0)):
        at = np.arange(ROWS)[:, None] * math.tan(math.radians(2.0)) - ROWS / 2 * math.tan(math.radians(2.0))
        padding = columns < at - away if away < 20 else columns < -away - 8.0
        padded = np.where(padding, level, plane)
        given = (padded.T, padding.T) if turned else (padded, padding)
        if away < 20:
            with pytest.raises(InputRefused, match="padding, which is no image, lies on the edge or too near"):
                edge.find(given[0], (PITCH, PITCH), padding=given[1])
        else:
            found = edge.find(given[0], (PITCH, PITCH), padding=given[1])
            assert edge.straightened(found.of(given[1].astype(float)), found)[0].mean() < 0.01


def test_that_a_sharp_edge_does_not_fall_to_half_before_nyquist_s_frequency() -> None:
    plane = made(sigma=0.02, noise=1.0)
    assert mtf.measure(plane, edge.find(plane, (PITCH, PITCH))).falls_to(0.5) is None


def test_that_blades_beside_the_plate_and_noise_change_little() -> None:
    plane = made(noise=20.0)
    plane[:40], plane[:, -30:] = 20, 20  # straight, and stronger than the edge
    one = mtf.measure(plane, edge.find(plane, (PITCH, PITCH)))

    assert one.angle == pytest.approx(2.0, abs=0.1)
    assert one.falls_to(0.5) == pytest.approx(math.sqrt(math.log(2) / 2) / (math.pi * SIGMA), rel=0.05)


def saturated() -> Plane:
    return np.minimum(made(), 900)


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.1])
@pytest.mark.parametrize("levels", [6, 20, 600])
def test_that_an_edge_whose_noise_is_less_than_a_grey_level_is_not_saturated_for_that(
    noise: float, levels: int
) -> None:
    stored = np.rint(made() / 600 * levels + noise * np.random.default_rng(0).standard_normal((ROWS, COLUMNS)))
    one = mtf.measure(stored, edge.find(stored, (PITCH, PITCH), (0, 4095)))
    assert one.falls_to(0.5) == pytest.approx(math.sqrt(math.log(2) / 2) / (math.pi * SIGMA), rel=0.05)


@pytest.mark.parametrize(("noise", "last"), [(0.0, 900), (20.0, 900), (1.0, 4095), (20.0, 4095)])
def test_that_an_edge_is_saturated_at_the_last_stored_value_and_where_one_side_alone_has_no_noise(
    noise: float, last: int
) -> None:
    plane = np.minimum(np.rint(made(noise=noise)), 900)
    with pytest.raises(InputRefused, match="One side of the edge is saturated"):
        edge.find(plane, (PITCH, PITCH), (0, last))


def short() -> Plane:
    plane = made()
    plane[:200], plane[260:] = 1000, 1000
    return plane


@pytest.mark.parametrize(
    ("plane", "said"),
    [
        (np.full((300, 300), 7.0), "No edge was found: the picture is one grey"),
        (1000 + np.random.default_rng(0).standard_normal((300, 300)), "No edge was found: nothing in the picture"),
        (made(6.0), "too steep: it is tilted by 6.0°"),
        (made(0.8), "too straight: it is tilted by 0.8°"),
        (saturated(), "One side of the edge is saturated"),
        (np.ascontiguousarray(made()[:, 165:]), "too near to the picture's border"),
        (np.ascontiguousarray(made()[:, :192]), "too near to the picture's border"),
        (short(), "too short"),
    ],
    ids=["grey", "noise", "steep", "straight", "saturated", "border", "beyond", "short"],
)
def test_that_an_edge_that_cannot_be_measured_says_why(plane: Plane, said: str) -> None:
    with pytest.raises(InputRefused, match=said) as refused:
        edge.find(plane, (PITCH, PITCH))
    assert refused.value.hint
