"""Tasks of processing, measuring, exporting and grading, judged by the files and pixels that result."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from pydicom import dcmread
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider, QTableView, QWidget

from tasks.user import SECONDS, User, middle

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def digests(paths: list[Path]) -> list[str]:
    """What the files hold."""
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]


def cells(user: User, name: str) -> dict[str, list[str]]:
    """A table as rows of texts, by the first one of each."""
    table = user.widget(name)
    assert isinstance(table, QTableView)
    model = table.model()
    rows = [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    return {row[0]: row[1:] for row in rows}


def enhanced(user: User, count: int) -> None:
    """Wait until all images are enhanced and nothing is being done."""
    user.wait(lambda: sum("Enhanced" in row for row in user.rows()) == count, SECONDS)


@pytest.mark.task("regions")
def test_that_two_regions_give_their_contrast_to_noise_before_and_after(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    view = user.view()
    view.setFocus()
    user.key(Qt.Key.Key_G)
    user.wait(lambda: user.sees("Regions before and after"))
    user.drag(view, middle(view, 0.30, 0.35), middle(view, 0.38, 0.45))
    user.drag(view, middle(view, 0.48, 0.35), middle(view, 0.52, 0.45))
    user.wait(lambda: "–" not in cells(user, "Regions before and after")["CNR"], 10)
    before, after = (float(text.replace(",", ".")) for text in cells(user, "Regions before and after")["CNR"][:2])
    assert 1 < before < 100 and 1 < after < 100 and before != after


@pytest.mark.task("length")
def test_that_a_length_is_told_in_millimetres_by_the_files_spacing(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    view = user.view()
    view.setFocus()
    user.key(Qt.Key.Key_D)
    user.wait(lambda: user.sees("Areas and length"))
    user.drag(view, middle(view, 0.3), middle(view, 0.5))
    pixels = 0.2 * view.width() / view.camera.scale
    spacing = float((dcmread(phantoms[0]).get("PixelSpacing") or dcmread(phantoms[0]).ImagerPixelSpacing)[0])
    user.wait(lambda: "mm" in user.text("Areas and length"))
    words = user.text("Areas and length").replace(",", ".").replace("\u202f", " ").replace("\xa0", " ").split()
    told = [float(words[place - 1]) for place, word in enumerate(words) if word.strip(".;()") == "mm"]
    assert any(abs(length - pixels * spacing) < 1.5 for length in told)


@pytest.mark.task("preset")
def test_that_one_image_is_enhanced_with_another_preset_and_back(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    first = user.seen("Image after")
    user.choose("Preset or model", 2)
    user.wait(lambda: user.seen("Image after") != first, SECONDS)
    enhanced(user, 2)
    user.key(Qt.Key.Key_Z, CONTROL)
    user.wait(lambda: user.seen("Image after") == first, SECONDS)


@pytest.mark.task("everything again")
def test_that_all_images_are_enhanced_with_one_preset(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    user.choose("Preset or model", 2)
    enhanced(user, 2)
    user.click("Enhance all images with this choice")
    user.wait(lambda: all("Enhanced" in row and "General, raw input" in row for row in user.rows()), SECONDS)


@pytest.mark.task("sliders")
def test_that_a_slider_changes_the_image_that_is_looked_at(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    first = user.seen("Image after")
    user.click("Adjust the preset with sliders")
    user.wait(lambda: user.sees("Parameters of the preset"), SECONDS)
    inner = user.widget("Parameters of the preset").findChildren(QSlider)
    slider = next(one for one in inner if one.isVisible() and one.accessibleName().startswith("Slider: "))
    slider.setFocus()
    user.key(Qt.Key.Key_PageUp)
    user.key(Qt.Key.Key_PageUp)
    user.wait(lambda: user.seen("Image after") != first, SECONDS)


@pytest.mark.task("pause")
def test_that_the_queue_is_held_and_goes_on(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    user.key(Qt.Key.Key_P, CONTROL)
    user.drop(phantoms[1:])
    user.wait(lambda: len(user.rows()) == 2 and "Waiting" in user.rows()[1], SECONDS)
    user.qtbot.wait(800)
    assert "Enhanced" not in user.rows()[1]
    user.clicks -= 1  # the second drop is no part of holding
    user.key(Qt.Key.Key_P, CONTROL)
    enhanced(user, 2)


@pytest.mark.task("remove")
def test_that_a_removed_image_comes_back(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    user.choose_row(1)
    user.key(Qt.Key.Key_Delete)
    user.wait(lambda: len(user.rows()) == 1)
    assert phantoms[1].exists()
    user.key(Qt.Key.Key_Z, CONTROL)
    user.wait(lambda: len(user.rows()) == 2)
    enhanced(user, 2)


@pytest.mark.task("export dicom")
def test_that_results_are_written_beside_the_untouched_originals(
    user: User, phantoms: list[Path], documents: Path
) -> None:
    before = digests(phantoms)
    user.open_and_wait(phantoms)
    user.click("Export all images")
    user.wait(lambda: all("Exported" in row for row in user.rows()), SECONDS)
    for path in phantoms:
        source, made = dcmread(path), dcmread(documents / "Fullfield" / f"{path.stem}_enhanced.dcm")
        assert made.pixel_array.shape == source.pixel_array.shape
        assert not np.array_equal(made.pixel_array, source.pixel_array)
        assert made.ImageType[0] == "DERIVED" and made.StudyInstanceUID == source.StudyInstanceUID
        assert made.SOPInstanceUID != source.SOPInstanceUID
    assert digests(phantoms) == before


@pytest.mark.task("export png")
def test_that_a_png_shows_what_is_displayed_and_carries_the_mark(
    user: User, phantoms: list[Path], documents: Path
) -> None:
    user.open_and_wait(phantoms[:1])
    user.view().setFocus()
    user.key(Qt.Key.Key_I)
    combo = user.widget("Format of exports")
    place = next(
        place
        for place in range(combo.count())
        if "PNG" in combo.itemText(place) and "displayed" in combo.itemText(place)
    )
    user.choose("Format of exports", place)
    user.click("Export all images")
    user.wait(lambda: all("Exported" in row for row in user.rows()), SECONDS)
    [made] = list((documents / "Fullfield").iterdir())
    picture = np.asarray(Pillow.open(made).convert("L"), float)
    source = dcmread(phantoms[0]).pixel_array.astype(float)
    rows, columns = source.shape
    assert picture.shape[1] == columns and picture.shape[0] > rows, "the mark stands below the image"
    inside = np.corrcoef(picture[:rows].ravel(), source.ravel())[0, 1]
    assert inside > 0.8, "inverted, as it is displayed: the file's own values are those of a negative"


@pytest.mark.task("export twice")
def test_that_a_second_export_asks_and_keeps_both(user: User, phantoms: list[Path], documents: Path) -> None:
    user.open_and_wait(phantoms[:1])
    user.click("Export all images")
    user.wait(lambda: all("Exported" in row for row in user.rows()), SECONDS)
    user.click("Export all images")
    user.wait(lambda: user.sees("Keep both"), SECONDS)
    user.click("Keep both")
    user.wait(lambda: len(list((documents / "Fullfield").glob("*.dcm"))) == 2, SECONDS)


@pytest.mark.task("grade")
def test_that_a_pair_is_graded_blind_and_the_statistics_are_written(
    user: User, phantoms: list[Path], documents: Path
) -> None:
    user.open_and_wait(phantoms[:1])
    user.key(Qt.Key.Key_B, CONTROL)
    user.wait(lambda: user.sees("Start grading") and user.widget("Start grading").isEnabled(), SECONDS)
    user.click("Start grading")
    user.wait(lambda: user.sees("Image on the left"), SECONDS)
    dialog = user.top("Blind grading")
    user.wait(lambda: user.widget("Questions").isEnabled(), SECONDS)
    questions = [one for one in dialog.findChildren(QWidget) if one.accessibleName().startswith("Question: ")]
    for key in (*[Qt.Key.Key_5] * len(questions), Qt.Key.Key_Return):
        user.clicks += 1
        user.qtbot.keyClick(dialog.focusWidget() or dialog, key)
    user.wait(lambda: user.sees("Show result"))
    user.click("Show result")
    user.wait(lambda: user.sees("Scores by criterion"), SECONDS)
    [statistics] = list(documents.rglob("*-statistics.csv"))
    [table] = [path for path in documents.rglob("*.csv") if path != statistics]
    assert len(table.read_text(encoding="utf-8").splitlines()) > len(questions)
