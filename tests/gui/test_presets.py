"""Windows by number keys, and of an area."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.image.values import Window
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.presets import PRESETS, auto_window

RAMP = np.repeat(np.arange(1000, 3000, 2, dtype=np.uint16)[None, :], 600, axis=0)


def picture(padding: tuple[int, int] | None = None) -> Picture:
    return Picture(levels=(RAMP,), bits=12, lowest=1000, highest=2998, voi=Window(low=1100, high=1200), padding=padding)


def window(key: str) -> Window:
    make = next(preset.make for preset in PRESETS if preset.key == key)
    assert make is not None
    found = make(picture())
    assert isinstance(found, Window)
    return found


def test_that_nine_keys_have_a_window_each() -> None:
    assert [preset.keys for preset in PRESETS] == list("123456789")
    assert len({preset.key for preset in PRESETS}) == len({preset.title for preset in PRESETS}) == 9


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("preset_file", 1100, 1200),
        ("preset_range", 1000, 2998),
        ("preset_percentiles", 1020, 2980),
        ("preset_bone", 2000, 2980),
        ("preset_soft", 1510, 2490),
        ("preset_lung", 1020, 2000),
        ("preset_contrast", 1200, 2800),
        ("preset_sigmoid", 1020, 2980),
    ],
)
def test_that_a_preset_is_told_by_the_image_s_own_values(key: str, low: float, high: float) -> None:
    found = window(key)
    assert (found.low, found.high) == (pytest.approx(low, abs=12), pytest.approx(high, abs=12))
    assert found.sigmoid == (key == "preset_sigmoid")


def test_that_the_window_of_an_area_is_that_of_its_values() -> None:
    found = auto_window(picture(), Area(left=500, top=100, width=100, height=50))
    assert 2000 <= found.low <= 2006 and 2190 <= found.high <= 2198


def test_that_padding_is_no_value() -> None:
    assert auto_window(picture((1000, 1999))).low >= 2000


def test_that_an_area_of_one_value_has_a_window() -> None:
    found = auto_window(picture(), Area(left=5, top=5, width=0.5, height=0.5))
    assert found.low < found.high


def test_that_an_area_beyond_the_image_takes_what_there_is() -> None:
    assert auto_window(picture(), Area(left=990, top=-50, width=500, height=2000)).low >= 2980
