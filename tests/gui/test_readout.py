"""Values under the mouse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fullfield.image.values import Window
from fullfield_app.gui.view.picture import Modality, Picture
from fullfield_app.gui.view.readout import readout
from fullfield_app.gui.view.tone import Shown

PIXELS = np.arange(12, dtype=np.uint16).reshape(3, 4)
PICTURE = Picture(levels=(PIXELS,), bits=12, lowest=0, highest=11, voi=Window(low=0, high=11))
BEFORE, AFTER = (
    Shown(picture=PICTURE, voi=PICTURE.voi),
    Shown(picture=replace(PICTURE, levels=(PIXELS * 100,)), voi=PICTURE.voi),
)


def test_that_place_and_values_of_both_images_are_told() -> None:
    assert readout((2.9, 1.0), BEFORE, AFTER).split() == ["x", "2", "y", "1", "before", "6", "after", "600"]


def test_that_the_file_s_own_unit_is_told_where_it_has_one() -> None:
    scaled = replace(BEFORE, picture=replace(PICTURE, modality=Modality(slope=0.5, intercept=-1, unit="OD")))
    assert "before 6 (2 OD)" in readout((2.9, 1.0), scaled, None)


def test_that_the_value_of_a_file_in_which_high_is_dark_is_told_as_the_file_s_own() -> None:
    turned = replace(BEFORE, picture=replace(PICTURE, modality=Modality(slope=-1, intercept=4095)))
    assert "before 6 (4089 in the file)" in readout((2.9, 1.0), turned, None)
    scaled = replace(BEFORE, picture=replace(PICTURE, modality=Modality(slope=-0.5, intercept=10, unit="OD")))
    assert "before 6 (7 OD in the file)" in readout((2.9, 1.0), scaled, None)


def test_that_nothing_is_told_outside_of_the_image_or_without_one() -> None:
    assert readout((4.0, 1.0), BEFORE, AFTER) == readout((1.0, -0.1), BEFORE, AFTER) == ""
    assert readout(None, BEFORE, AFTER) == readout((1, 1), None, None) == ""
