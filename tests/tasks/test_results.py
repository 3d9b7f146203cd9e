"""Tasks of processing, measuring and grading, judged by the files and pixels that result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydicom import dcmread
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView, QWidget

from tasks.seen import AFTER, BEFORE, middle_part, texture
from tasks.user import SECONDS, User, middle

CONTROL = Qt.KeyboardModifier.ControlModifier


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
    user.key(Qt.Key.Key_D)
    user.wait(lambda: user.sees("Areas and length"))
    user.drag(view, middle(view, 0.3), middle(view, 0.5))
    pixels = 0.2 * view.width() / view.camera.scale
    spacing = float((dcmread(phantoms[0]).get("PixelSpacing") or dcmread(phantoms[0]).ImagerPixelSpacing)[0])
    user.wait(lambda: "mm" in user.text("Areas and length"))
    words = user.text("Areas and length").replace(",", ".").replace("\u202f", " ").replace("\xa0", " ").split()
    reported = [float(words[place - 1]) for place, word in enumerate(words) if word.strip(".;()") == "mm"]
    assert any(abs(length - pixels * spacing) < 1.5 for length in reported)


@pytest.mark.task("preset")
def test_that_one_image_is_enhanced_with_another_preset_and_back(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    first = user.seen("Image after")
    user.choose("Preset or model", "General, raw input")
    user.wait(lambda: user.seen("Image after") != first, SECONDS)
    enhanced(user, 2)
    user.key(Qt.Key.Key_Z, CONTROL)
    user.wait(lambda: user.seen("Image after") == first, SECONDS)


@pytest.mark.task("everything again")
def test_that_all_images_are_enhanced_with_one_preset(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    user.choose("Preset or model", "General, raw input")
    enhanced(user, 2)
    user.click("Enhance all images with this choice")
    user.wait(lambda: all("Enhanced" in row and "General, raw input" in row for row in user.rows()), SECONDS)


@pytest.mark.task("sliders")
def test_that_the_slider_of_detail_raises_and_lowers_local_contrast(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    user.click("Adjust the preset with sliders")
    user.wait(lambda: user.sees("Slider: Detail, Amount"), SECONDS)
    user.qtbot.wait(200)  # the images make room for the sliders
    before, first = middle_part(user, BEFORE), texture(user, AFTER)
    user.slide("Slider: Detail, Amount", 350)
    user.wait(lambda: texture(user, AFTER) > 1.2 * first, SECONDS)
    user.slide("Slider: Detail, Amount", 0)
    user.wait(lambda: texture(user, AFTER) < 0.92 * first, SECONDS)
    enhanced(user, 1)
    assert texture(user, AFTER) < 0.92 * first and np.abs(middle_part(user, BEFORE) - before).max() == 0


@pytest.mark.task("pause")
def test_that_the_queue_is_held_and_goes_on(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    user.key(Qt.Key.Key_P, CONTROL)
    user.drop(phantoms[1:])
    user.wait(lambda: len(user.rows()) == 2 and "waiting" in user.rows()[1], SECONDS)
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
