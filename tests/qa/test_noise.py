"""The noise power spectrum, against noise whose spectrum is known."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.errors import InputRefused
from fullfield.qa import figures, noise
from fullfield.qa.edge import Plane
from fullfield.qa.figures import Found
from fullfield.qa.objects import Scale, What

SIDE, PITCH = 768, 0.15


def white(sd: float = 1.0) -> Plane:
    return sd * np.random.default_rng(3).standard_normal((SIDE, SIDE))


def test_that_white_noise_has_its_variance_times_a_pixel_s_area_at_every_frequency() -> None:
    rows, columns = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    heel = 80 * rows + 40 * columns - 30 * rows * columns - 20 * rows**2
    one = noise.measure(1000 + heel + white(3), (PITCH, PITCH))

    wanted = 9 * PITCH**2
    far = one.frequencies > 0.1
    half = np.pi * one.frequencies[far] * noise.SIDE * PITCH  # of the values on a circle: the others are their mirror
    away = np.abs(one.radial[far] / wanted - 1) * np.sqrt(half) * SIDE / noise.SIDE
    assert np.median(away) < 1 and away.max() < 4  # in its own statistical errors
    for curve in (one.horizontal, one.vertical):
        assert np.nanmean(curve) == pytest.approx(wanted, rel=0.05)
    assert one.sd == pytest.approx(3, rel=0.01)
    assert one.at(1.0) == pytest.approx(wanted, rel=0.1) and one.at(9.0) is None


def test_that_filtered_noise_has_the_spectrum_of_its_filter_along_each_axis() -> None:
    plane = (white() + np.roll(white(), 1, axis=1)) / 2  # a mean of two columns: cos² across them
    one = noise.measure(plane, (PITCH, PITCH))

    wanted = np.cos(np.pi * one.frequencies * PITCH) ** 2 * PITCH**2
    middle = (one.frequencies > 0.5) & (one.frequencies < 2.5)
    assert np.abs(one.horizontal[middle] / wanted[middle] - 1).mean() < 0.2
    assert np.nanmean(one.vertical[middle]) == pytest.approx(PITCH**2, rel=0.1)


def test_that_pixels_that_are_no_squares_count_with_their_area() -> None:
    one = noise.measure(100 + white(2), (0.1, 0.2))
    assert np.nanmean(one.radial[5:]) == pytest.approx(4 * 0.02, rel=0.05)
    assert one.frequencies[-1] <= 2.5 + 1e-9


@pytest.mark.parametrize(("pitch", "there"), [(0.25, True), (0.2525, False), (0.26, False)])
def test_that_nothing_is_told_of_a_frequency_that_lies_a_little_beyond_nyquist_s(pitch: float, there: bool) -> None:
    found = Found(area=(slice(None), slice(None)))
    source, louder = (
        figures.take(What.FLAT, 1000 + white(sd), found, (pitch, pitch), Scale.LINEAR) for sd in (10.0, 20.0)
    )
    transfers, _ = figures.beside(louder, source)
    assert "nps_at_1" in source.figures and ("nps_at_2" in source.figures) is there
    assert "noise_transfer_at_1" in transfers and ("noise_transfer_at_2" in transfers) is there


def test_that_an_uneven_field_is_told_by_its_regions() -> None:
    plane = 1000 + white(5)
    plane[:, SIDE // 2 :] += 100
    even, own = (noise.evenness(plane, (PITCH, PITCH), relative=relative) for relative in (True, False))
    assert even is not None and own is not None
    assert even.signal == pytest.approx(100 / 1050, rel=0.05) and own.signal == pytest.approx(100, rel=0.05)
    assert even.sd == pytest.approx(5, rel=0.3)


@pytest.mark.parametrize("pitch", [0.03, 0.04, 0.06], ids=["no region", "one region", "two regions"])
def test_that_nothing_is_told_of_how_even_a_field_of_fewer_than_two_by_two_regions_is(pitch: float) -> None:
    plane = 1000 + white(5)[:300, :400]
    found = figures.take(What.FLAT, plane, Found(area=(slice(None), slice(None))), (pitch, pitch), Scale.LINEAR)
    assert found.figures["noise"] == pytest.approx(0.005, rel=0.05)
    assert not {"unevenness", "noise_unevenness"} & found.figures.keys()


@pytest.mark.parametrize(
    ("plane", "said"),
    [
        (1000 + white()[:300, :300], "too small"),
        (np.minimum(1000 + white(), 1001.5), "saturated: 7%"),
        (np.minimum(np.rint(4094.7 + white(0.3)), 4095), "saturated: 7.%"),
        (np.full((SIDE, SIDE), 1000.0), "saturated: 100%"),
        (1000 + white() + 2000 * (np.arange(SIDE) > SIDE // 2), "no flat field: one region has"),
        (1000 + white() + 300 * (np.arange(SIDE) % 200 > 100), "beside a smooth slope its small regions differ"),
    ],
    ids=["small", "saturated", "at an end", "one grey", "uneven", "structured"],
)
def test_that_a_field_that_cannot_be_measured_says_why(plane: Plane, said: str) -> None:
    with pytest.raises(InputRefused, match=said) as refused:
        noise.area(plane, (0, 4095))
    assert refused.value.hint


def test_that_padding_beside_a_flat_field_is_left_out_and_closed_blades_are_named() -> None:
    plane = np.rint(1000 + white(5))
    plane[:200], plane[:, -40:] = 0, 0
    padding = plane == 0
    assert noise.area(plane, (0, 4095), padding=padding) == (slice(257, 711), slice(73, 655))
    with pytest.raises(InputRefused, match="saturated: ") as refused:
        noise.area(plane, (0, 4095))
    assert "the blades open" in refused.value.hint


@pytest.mark.parametrize("sd", [0.2, 0.3, 0.5])
def test_that_a_field_of_few_levels_is_not_saturated_for_that(sd: float) -> None:
    noise.area(np.rint(1000.2 + white(sd)), (0, 4095))


def test_that_a_saturated_field_is_one_also_below_the_last_stored_value_and_with_dead_pixels() -> None:
    plane = np.full((SIDE, SIDE), 3900.0)
    plane[SIDE // 2, SIDE // 2 : SIDE // 2 + 2] = 0.0, 7.0
    with pytest.raises(InputRefused, match="saturated: 100% of its pixels"):
        noise.area(plane, (0, 4095))


def stored(share: Plane, open_beam: float) -> Plane:
    """The logarithm of an exposure of this share of the open beam, which is stored as that value; with noise."""
    return np.rint(open_beam - 409.5 * np.log(share) + white(4))


def test_that_a_flat_field_s_logarithm_is_judged_by_its_differences_wherever_its_zero_lies() -> None:
    rows, columns = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    plate = np.where(np.hypot(rows, columns) < 0.5, 0.7, 1.0)
    for open_beam in (30.0, 2000.0):
        noise.area(stored(0.875 + 0.125 * columns, open_beam), (0, 4095), logarithm=True)  # a heel of a quarter
        with pytest.raises(InputRefused, match="beside a smooth slope its small regions differ"):
            noise.area(stored(plate, open_beam), (0, 4095), logarithm=True)
        with pytest.raises(InputRefused, match="no flat field: one region has"):
            noise.area(stored(np.exp(-1.5 * (1 + columns)), open_beam), (0, 4095), logarithm=True)
