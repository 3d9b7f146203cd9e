"""Export and blind grading as whole tasks with real files and real workers, judged by outside readers of the files."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import psutil
import pytest
import tifffile
from numpy.typing import NDArray
from PIL import Image
from pydicom import dcmread
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage

from fullfield_app.gui.view.viewer import Viewer
from gui.grading_steps import choose_version, end, open_dialog, press, wait_for_pair, write_criteria
from gui.hands import Hands
from gui.test_flow_enhance import SECONDS, phantoms, real, workers

__all__ = ["phantoms", "real", "workers"]  # the fixtures of a window with a real worker

MARK = "Burn in the mark “not for diagnosis”"


def screen(view: Viewer) -> NDArray[np.uint8]:
    """What is painted in the view, as greys."""
    picture = view.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    return rows[:, : picture.width()].copy()  # the picture ends with this function


def export_as(real: Hands, documents: Path, place: int, name: str) -> Path:
    real.choose("Format of exports", place)
    real.click("Export the selected images")
    path = documents / "Fullfield" / name
    real.wait(path.exists, SECONDS)
    return path


@pytest.mark.parametrize("keys", [(), (Qt.Key.Key_I,), (Qt.Key.Key_R, Qt.Key.Key_H, Qt.Key.Key_I)])
def test_that_a_picture_as_displayed_holds_the_pixels_of_the_screen_for_the_whole_image(
    real: Hands, phantoms: list[Path], documents: Path, keys: tuple[Qt.Key, ...]
) -> None:
    real.drop_and_wait(phantoms[:1], seconds=SECONDS)
    after = real.view("Image after")
    real.wait(lambda: after.image_size() is not None, SECONDS)
    real.drag(after, after.rect().center(), after.rect().center() + QPoint(-80, -30))
    for key in keys:
        real.key(key)
    real.key(Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)  # one image pixel on one pixel of the screen
    seen, size = screen(after), after.image_size()
    left, top = after.camera.origin(after.view_size())
    picture = np.asarray(Image.open(export_as(real, documents, 3, "chest-cr_enhanced-displayed.png")))
    assert picture.dtype == np.uint8 and picture.shape[1] == size[0] and picture.shape[0] > size[1]
    middle_row, middle_column = seen.shape[0] // 2, seen.shape[1] // 2
    part = seen[middle_row - 60 : middle_row + 60, middle_column - 60 : middle_column + 60]
    row, column = middle_row - round(top), middle_column - round(left)
    assert np.array_equal(picture[row - 60 : row + 60, column - 60 : column + 60], part) and np.ptp(part) > 20
    strip = picture[int(size[1]) :]
    assert strip.max() > 200 and strip.min() == 0  # the mark


def test_that_full_data_are_the_same_in_every_format_and_untouched_by_window_and_mark(
    real: Hands, phantoms: list[Path], documents: Path
) -> None:
    real.drop_and_wait(phantoms[:1], seconds=SECONDS)
    after = real.view("Image after")
    real.wait(lambda: after.image_size() is not None, SECONDS)
    real.drag(after, after.rect().center(), after.rect().center() + QPoint(-80, -30))
    window = after.shown_at(QPointF(after.rect().center()))[1].voi
    real.key(Qt.Key.Key_I)
    real.click("Options of exports")
    real.click("Open with the window as displayed")
    real.widget("Export options").hide()
    dicom = dcmread(export_as(real, documents, 0, "chest-cr_enhanced.dcm"))
    png = np.asarray(Image.open(export_as(real, documents, 1, "chest-cr_enhanced.png")))
    tiff = tifffile.imread(export_as(real, documents, 2, "chest-cr_enhanced.tiff"))
    wanted = np.rint(dicom.pixel_array * (65535 / ((1 << dicom.BitsStored) - 1)))
    assert png.dtype == tiff.dtype == np.uint16 and tiff.shape == wanted.shape
    assert np.array_equal(tiff, wanted) and np.array_equal(png[: tiff.shape[0]], wanted)
    assert png.shape[0] > tiff.shape[0] and png[tiff.shape[0] :].max() > 50_000
    assert float(dicom.WindowWidth[0]) == pytest.approx(window.high - window.low + 1, abs=1e-3)
    assert len(dicom.WindowWidth) == 2


def test_that_the_pair_is_exported_side_by_side_without_the_mark_when_that_is_chosen(
    real: Hands, phantoms: list[Path], documents: Path
) -> None:
    real.drop_and_wait(phantoms[:1], seconds=SECONDS)
    real.choose("Format of exports", 4)
    real.click("Options of exports")
    real.click("The image before beside it")
    assert not real.widget(MARK).isChecked()
    real.widget("Export options").hide()
    pair = tifffile.imread(export_as(real, documents, 4, "chest-cr_enhanced-before-and-after.tiff"))
    source = dcmread(phantoms[0])
    assert pair.dtype == np.uint8 and pair.shape[1] > 2 * source.Columns
    before = pair[-source.Rows :, : source.Columns].astype(float).ravel()
    alike = np.corrcoef(before, source.pixel_array.astype(float).ravel())[0, 1]
    assert alike < -0.9 and source.PhotometricInterpretation == "MONOCHROME1"  # shown as its file asks for


def test_that_a_preset_is_graded_against_another_and_no_process_is_left(
    real: Hands, phantoms: list[Path], documents: Path
) -> None:
    real.drop_and_wait(phantoms, seconds=SECONDS)
    children = len(psutil.Process().children(recursive=True))
    open_dialog(real)
    choose_version(real, "First version", "General")
    choose_version(real, "Second version", "Chest")
    write_criteria(real, "Overall")
    real.click("Start grading")
    for _ in phantoms:
        wait_for_pair(real, SECONDS)
        press(real, Qt.Key.Key_4)
        press(real, Qt.Key.Key_Return)
    real.wait(lambda: real.sees("End the grading and show the result?"))
    real.click("Go on grading")
    assert len(psutil.Process().children(recursive=True)) > children
    end(real)
    (table,) = (path for path in (documents / "Fullfield" / "Grading").glob("*.csv") if "statistics" not in path.name)
    reported = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert {line["reference"].split(" ")[1] for line in reported} == {"general"}
    assert {line["test"].split(" ")[1] for line in reported} == {"chest"}
    assert sorted(int(line["score"]) for line in reported) == [-1, 1]  # right each time, on balanced sides
    real.click("Close the grading")
    real.wait(lambda: len(psutil.Process().children(recursive=True)) == children, SECONDS)
