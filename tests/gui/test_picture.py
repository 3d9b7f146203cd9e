"""Images made ready to be shown."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint

from fullfield.image.image import InputKind, VoiTable
from fullfield.image.values import Window
from fullfield_app.gui.view.picture import halved, open_result, open_source
from fullfield_app.gui.view.thumbnail import SIDE, thumbnail
from gui.fake_job import leave_decoded, radiograph


def test_that_half_the_size_is_the_mean_of_areas_and_not_every_second_pixel() -> None:
    stripes = np.zeros((4, 6), np.uint16)
    stripes[:, ::2] = 4000
    assert np.array_equal(halved(stripes), np.full((2, 3), 2000))


def test_that_an_odd_size_loses_neither_row_nor_column() -> None:
    pixels = np.full((5, 7), 9, np.uint16)
    pixels[4, 6] = 400
    half = halved(pixels)
    assert half.shape == (3, 4) and half[2, 3] == 400


def test_that_halving_never_overflows() -> None:
    assert halved(np.full((2, 2), 65535, np.uint16))[0, 0] == 65535


def test_that_the_full_size_stays_mapped_from_the_file(tmp_path: Path) -> None:
    picture = open_source(leave_decoded(tmp_path / "a", radiograph(700, 500))).picture
    assert isinstance(picture.levels[0], np.memmap)
    assert [level.shape for level in picture.levels] == [(700, 500), (350, 250), (175, 125)]
    assert (picture.rows, picture.columns) == (700, 500)


def test_that_padding_is_left_out_of_the_range(tmp_path: Path) -> None:
    pixels = radiograph()
    pixels[:40] = 4095
    folder = leave_decoded(tmp_path / "a", pixels, padding=(4095, 4095))
    picture = open_source(folder).picture
    assert picture.highest == int(pixels[40:].max()) < 4095


def test_that_an_image_tells_its_kind_and_why(tmp_path: Path) -> None:
    source = open_source(leave_decoded(tmp_path / "a"))
    assert source.kind is InputKind.PROCESSED and "presentation" in source.kind_reason


def test_that_a_table_of_the_file_is_how_the_image_is_shown_first(tmp_path: Path) -> None:
    table = VoiTable(first=0, table=np.linspace(0, 1, 4096).astype(np.float32))
    assert isinstance(open_source(leave_decoded(tmp_path / "a", voi=(table,))).picture.voi, VoiTable)


def test_that_a_result_is_shown_as_its_exported_file_will_be(tmp_path: Path) -> None:
    path = tmp_path / "enhanced.npy"
    np.save(path, np.array([[7, 5000], [60000, 12]], np.uint16))
    assert open_result(path, 16).voi == Window(low=7, high=60000)


def test_that_a_folder_that_is_not_whole_is_an_error_and_not_an_image(tmp_path: Path) -> None:
    folder = leave_decoded(tmp_path / "a")
    (folder / "pixels.npy").write_bytes(b"\x93NUMPY broken")
    with pytest.raises((OSError, ValueError)):
        open_source(folder)


def test_that_a_thumbnail_is_small_and_of_the_same_shape(tmp_path: Path) -> None:
    image = thumbnail(leave_decoded(tmp_path / "a", radiograph(480, 240)))
    assert image.height() == SIDE and abs(image.width() - SIDE // 2) <= 1


@pytest.mark.parametrize("turned", [False, True])
def test_that_a_thumbnail_of_a_very_long_image_is_of_its_middle_and_no_line(tmp_path: Path, *, turned: bool) -> None:
    pixels = np.full((9600, 200), 300, np.uint16)
    pixels[4400:5200] = 3000
    image = thumbnail(leave_decoded(tmp_path / "a", np.ascontiguousarray(pixels.T) if turned else pixels))
    assert sorted((image.width(), image.height())) == [SIDE // 4, SIDE]
    assert {image.pixelColor(at).red() for at in (QPoint(2, 2), image.rect().center())} == {222}


def test_that_a_thumbnail_has_the_proportions_of_pixels_that_are_not_square(tmp_path: Path) -> None:
    image = thumbnail(leave_decoded(tmp_path / "a", radiograph(480, 240), spacing_mm=(0.1, 0.2)))
    assert (image.width(), image.height()) == (SIDE, SIDE)


def test_that_a_thumbnail_of_one_row_is_an_image(tmp_path: Path) -> None:
    image = thumbnail(leave_decoded(tmp_path / "a", np.full((1, 5000), 2000, np.uint16)))
    assert (image.width(), image.height()) == (SIDE, SIDE // 4)
