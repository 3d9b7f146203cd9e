from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fullfield.image import window
from fullfield.image.image import HighValues, Image, InputKind, Voi, VoiTable
from fullfield.image.values import Window


def ramp(**fields: Any) -> Image:
    pixels = np.tile(np.arange(1000, 3000, dtype=np.uint16), (50, 1))
    return Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, **fields)


def as_window(voi: Voi) -> Window:
    assert isinstance(voi, Window)
    return voi


@pytest.mark.parametrize("sigmoid", [False, True])
@pytest.mark.parametrize(("low", "high"), [(1500, 2500), (-500, 2500), (1500, 9000), (-2000, 6000)])
def test_that_the_first_window_of_a_file_is_shown_as_it_stands(low: float, high: float, *, sigmoid: bool) -> None:
    """Also beyond the data: cut there, a sigmoid has another centre."""
    wanted = Window(low=low, high=high, sigmoid=sigmoid, name="BONE")

    image = ramp(voi=(wanted, Window(low=1, high=2)))

    assert window.first_voi(image) == wanted
    assert np.allclose(window.source(image), window.shares(wanted, image.top), atol=1e-6)


def test_that_percentiles_take_the_place_of_a_window_that_no_file_has() -> None:
    found = as_window(window.first_voi(ramp()))

    assert found.low == pytest.approx(1010, abs=5)
    assert found.high == pytest.approx(2989, abs=5)


def test_that_padding_does_not_count() -> None:
    image = ramp(padding=(1000, 1999))

    assert window.data_range(image) == (2000, 2999)
    assert as_window(window.first_voi(image)).low >= 2000


@pytest.mark.parametrize("shape", [(1, 1), (4, 5)])
def test_that_an_image_of_one_value_has_a_window(shape: tuple[int, int]) -> None:
    image = Image(
        pixels=np.full(shape, 7, np.uint16), bits=8, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, padding=(7, 7)
    )

    found = as_window(window.first_voi(image))

    assert found.low < found.high


def test_that_a_linear_window_is_rendered_by_the_standards_formula() -> None:
    shown = window.render(np.array([[0, 1000, 1500, 2000, 4095]], np.uint16), Window(low=1000, high=2000))

    assert shown.tolist() == [[0, 0, 128, 255, 255]]


def test_that_a_sigmoid_window_is_rendered_by_the_standards_formula() -> None:
    shown = window.render(np.array([[1000, 1500, 2000]], np.uint16), Window(low=1000, high=2000, sigmoid=True))

    wanted = 255 / (1 + np.exp(-4 * (np.array([1000, 1500, 2000]) - 1500) / 1000))
    assert shown[0].tolist() == np.rint(wanted).astype(int).tolist()


def test_that_a_table_is_rendered_with_its_ends_held() -> None:
    voi = VoiTable(first=10, table=np.array([0.0, 0.5, 1.0], np.float32))

    assert window.render(np.array([[0, 10, 11, 12, 99]], np.uint16), voi).tolist() == [[0, 0, 128, 255, 255]]
