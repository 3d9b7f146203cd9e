"""The numbers of what marks cover, and the table that shows them."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fullfield.image.image import Pixels
from fullfield.image.values import Window
from fullfield_app.gui import language
from fullfield_app.gui.measure import table
from fullfield_app.gui.measure.calibration import Calibration
from fullfield_app.gui.measure.marks import Line, Marks, Region, Slot
from fullfield_app.gui.measure.measured import MOST_POINTS, measure
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.picture import Modality, Picture

MARKS = (
    Marks()
    .put(Slot.ONE, Region(area=Area(left=0, top=0, width=50, height=100)))
    .put(Slot.TWO, Region(area=Area(left=50, top=0, width=50, height=100)))
    .put(Slot.LINE, Line(start=(0.5, 10.5), end=(99.5, 10.5)))
)
MM = Calibration(spacing_mm=(0.1, 0.1), source="PixelSpacing")


def picture(pixels: Pixels) -> Picture:
    return Picture(levels=(pixels,), bits=16, lowest=0, highest=4095, voi=Window(low=0, high=4095))


def halves(left: float, right: float, noise: float, seed: int = 0) -> Picture:
    values = np.random.default_rng(seed).normal(0, noise, (100, 100))
    values[:, :50] += left
    values[:, 50:] += right
    return picture(np.rint(values).astype(np.uint16))


MEASURED = measure(halves(1000, 2000, 100), halves(1000, 3000, 100, seed=1), MARKS)


def rows() -> dict[str, table.TableRow]:
    return {row.title: row for row in table.rows(MEASURED)}


def test_that_mean_sd_snr_and_cnr_are_told_before_and_after_with_their_ratio() -> None:
    found = rows()
    assert found["Mean 2"].before == pytest.approx(2000, rel=0.01)
    assert found["SD 1"].after == pytest.approx(100, rel=0.05)
    assert found["SNR 1"].before == pytest.approx(10, rel=0.05)
    assert found["CNR"].before == pytest.approx(10, rel=0.05) and found["CNR"].after == pytest.approx(20, rel=0.05)
    assert found["CNR"].ratio == pytest.approx(2, rel=0.05)


def test_that_an_ellipse_measures_no_more_than_itself() -> None:
    pixels = np.full((100, 100), 9, np.uint16)
    pixels[10, 10] = 60000  # a corner of its frame
    area = Area(left=10, top=10, width=40, height=40)
    found = measure(picture(pixels), None, Marks().put(Slot.ONE, Region(area=area, round=True)))
    assert found.before is not None and found.before.regions[Slot.ONE].sd == 0


def test_that_a_long_line_has_no_more_points_than_a_plot_can_show() -> None:
    pixels = np.tile(np.arange(9000, dtype=np.uint16), (3, 1))
    found = measure(picture(pixels), None, Marks().put(Slot.LINE, Line(start=(0.5, 1.5), end=(8999.5, 1.5))))
    assert found.before is not None and found.before.profile is not None
    assert 1000 < found.before.profile.size <= MOST_POINTS and bool(np.all(np.diff(found.before.profile) > 0))


def test_that_an_image_that_is_not_there_has_no_numbers() -> None:
    found = {row.title: row.texts() for row in table.rows(measure(halves(1, 2, 0.1), None, MARKS))}
    assert found["Mean 1"][2:] == ("–", "–")
    assert table.rows(measure(None, None, Marks()))[-1].texts() == ("CNR", "–", "–", "–")


def test_that_regions_without_noise_are_told_as_such() -> None:
    flat = {row.title: row for row in table.rows(measure(halves(1000, 2000, 0), halves(1000, 2000, 0), MARKS))}
    assert flat["CNR"].before == math.inf and flat["CNR"].texts() == ("CNR", "∞", "∞", "–")


def test_that_a_file_in_which_high_is_dark_is_measured_in_its_own_values() -> None:
    shown = halves(3000, 2000, 100)
    own = picture(4095 - shown.levels[0])  # the file's values as if they were the pixels'
    found = measure(replace(shown, modality=Modality(slope=-1, intercept=4095)), shown, MARKS)
    expected = measure(own, shown, MARKS)
    for row, wanted in zip(table.rows(found), table.rows(expected), strict=True):
        assert row.before == pytest.approx(wanted.before) and row.after == wanted.after
    assert found.before is not None and expected.before is not None
    assert found.before.profile == pytest.approx(expected.before.profile)


def test_that_the_csv_holds_every_number_and_nothing_else() -> None:
    lines = list(csv.reader(io.StringIO(table.as_csv(MEASURED, MM))))
    assert lines[0] == ["quantity", "before", "after", "after/before", "unit"]
    by_name = {(line[0], line[4]): line for line in lines}
    assert float(by_name["CNR", ""][3]) == pytest.approx(2, rel=0.05)
    assert by_name["area 1", "px"][1] == "5000" and float(by_name["area 1", "mm2 (PixelSpacing)"][1]) == pytest.approx(
        50
    )
    assert float(by_name["length", "mm (PixelSpacing)"][1]) == pytest.approx(9.9)
    profile = [line for line in lines if line[0] == "profile"][1:]
    assert len(profile) == 100 and float(profile[-1][4]) == pytest.approx(99)


def test_that_lengths_and_places_of_the_csv_are_in_shorter_sides_of_a_pixel_and_say_so() -> None:
    wide = Calibration(pixel=(2.0, 1.0))
    lines = list(csv.reader(io.StringIO(table.as_csv(MEASURED, wide))))
    length = next(line for line in lines if line[0] == "length")
    assert (float(length[1]), length[4]) == (198, "px (shorter sides)")
    profile = [line for line in lines if line[0] == "profile"]
    assert profile[0][4] == "px (shorter sides) from the start" and float(profile[-1][4]) == pytest.approx(198)


def test_that_the_text_for_the_clipboard_is_the_table_between_tabs() -> None:
    lines = [line.split("\t") for line in table.as_text(MEASURED, Calibration()).splitlines()]
    assert [line[0] for line in lines[1:8]] == ["Mean 1", "SD 1", "SNR 1", "Mean 2", "SD 2", "SNR 2", "CNR"]
    assert all(len(line) == 5 for line in lines) and not any("profile" in line for line in lines)


def test_that_the_clipboard_has_the_decimal_sign_of_the_language_and_the_file_a_point() -> None:
    QLocale.setDefault(QLocale("es_ES"))
    try:
        copied, saved = table.as_text(MEASURED, MM), table.as_csv(MEASURED, MM)
    finally:
        QLocale.setDefault(QLocale.c())
    assert "." not in copied and "length\t9,9\t9,9" in copied
    assert saved == table.as_csv(MEASURED, MM) and "length,9.9,9.9" in saved


def test_that_the_clipboard_is_all_in_the_user_s_language_and_the_file_all_in_english(qapp: QApplication) -> None:
    saved, copied = table.as_csv(MEASURED, MM), table.as_text(MEASURED, MM)
    language.install(qapp, "es")
    try:
        assert table.as_csv(MEASURED, MM) == saved
        words = {line.split("\t")[0] for line in table.as_text(MEASURED, MM).splitlines()}
    finally:
        language.install(qapp, "en")
    shared = words & {line.split("\t")[0] for line in copied.splitlines()}
    assert shared == {"SNR 1", "SNR 2", "CNR"}, "which are called so in both"


def test_that_areas_are_in_mm_where_the_file_says_so() -> None:
    assert table.areas(MEASURED, MM).splitlines()[0] == "Area 1: 5000 px, 50.0 mm²"
    assert table.areas(MEASURED, Calibration()).splitlines()[1] == "Area 2: 5000 px"
