"""Tasks of opening, comparing and looking, played with real files and a real worker."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tasks.user import SECONDS, User, middle

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def grey(user: User, name: str) -> np.ndarray:
    """A view's pixels on the screen, as grey levels."""
    image = user.widget(name).grab().toImage().convertToFormat(user.widget(name).grab().toImage().Format.Format_RGB32)
    pixels = np.frombuffer(bytes(image.constBits()), np.uint8).reshape(image.height(), image.width(), 4)
    return pixels[..., :3].astype(float).mean(axis=2)


@pytest.mark.task("drop")
def test_that_two_dropped_radiographs_are_seen_enhanced(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms)
    assert user.view().image_size() == (896.0, 896.0)
    user.choose_row(1)
    user.wait(lambda: user.view("Image after").image_size() not in (None, (896.0, 896.0)), SECONDS)


@pytest.mark.task("open folder")
def test_that_a_dropped_folder_gives_its_radiographs_and_says_what_it_passed_over(
    user: User, phantoms: list[Path]
) -> None:
    folder = phantoms[0].parent
    (folder / "Thumbs.db").write_bytes(b"x")
    (folder / "inner").mkdir()
    shutil.copy(phantoms[0], folder / "inner" / "IM1")
    user.drop([folder])
    user.wait(lambda: len(user.rows()) == 3 and all("Enhanced" in row for row in user.rows()), SECONDS)


@pytest.mark.task("open zip")
def test_that_a_dropped_archive_gives_its_radiographs(user: User, phantoms: list[Path], tmp_path: Path) -> None:
    archive = tmp_path / "study.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for path in phantoms:
            made.write(path, f"DICOM/{path.name}")
    user.drop([archive])
    user.wait(lambda: len(user.rows()) == 2 and all("Enhanced" in row for row in user.rows()), SECONDS)


@pytest.mark.task("broken file")
def test_that_a_broken_file_says_why_and_costs_no_other(user: User, phantoms: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.dcm"
    broken.write_bytes(phantoms[0].read_bytes()[:3000])
    user.drop([broken, *phantoms])
    user.wait(lambda: sum("Enhanced" in row for row in user.rows()) == 2, SECONDS)
    user.choose_row(0)
    user.wait(lambda: user.sees("Problem of this image"))
    assert user.text("Problem of this image") and user.text("What to do of this image")


@pytest.mark.task("curtain")
def test_that_the_curtain_uncovers_the_image_after(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    user.click("Button: Curtain")
    curtain = "Before and after under a curtain"
    before = grey(user, curtain)
    view = user.widget(curtain)
    user.drag(view, middle(view), middle(view, 0.1))
    after = grey(user, curtain)
    middle_columns = slice(before.shape[1] * 2 // 10, before.shape[1] * 4 // 10)
    assert np.abs(before - after)[:, middle_columns].mean() > 1.0
    right = slice(before.shape[1] * 7 // 10, before.shape[1] * 9 // 10)
    assert np.abs(before - after)[:, right].mean() < 0.5


@pytest.mark.task("blink")
def test_that_a_held_key_shows_the_other_image_in_the_same_place(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    before, after = grey(user, "Image before"), grey(user, "Image after")
    user.widget("Image after").setFocus()
    user.hold(Qt.Key.Key_B)
    held = grey(user, "Image after")
    user.let_go(Qt.Key.Key_B)
    inner = np.s_[100:-60, 40:-40]  # captions and curves of the frame lie outside
    assert np.abs(held - before)[inner].mean() < np.abs(held - after)[inner].mean()
    assert np.abs(grey(user, "Image after") - after).mean() < 0.5


@pytest.mark.task("difference")
def test_that_the_difference_is_shown_in_colour_with_its_scale(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    user.click("Button: Difference")
    name = next(part for part in ("Difference of after and before", "Difference") if user.sees(part))
    image = user.widget(name).grab().toImage()
    colours = {image.pixelColor(x, y).getRgb()[:3] for x in range(0, image.width(), 7) for y in range(0, 400, 7)}
    assert sum(len(set(colour)) > 1 for colour in colours) > 20


@pytest.mark.task("window")
def test_that_a_drag_changes_the_window_and_a_double_click_brings_it_back(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    view = user.view()
    first = grey(user, "Image before")
    user.drag(view, middle(view), middle(view, 0.3, 0.4))
    assert np.abs(grey(user, "Image before") - first).mean() > 2
    user.press(view, middle(view), double=True)
    assert np.abs(grey(user, "Image before") - first).mean() < 0.5


@pytest.mark.task("zoom")
def test_that_a_detail_is_looked_at_and_left_again(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    first = grey(user, "Image after")
    user.click("Button: 1:1")
    user.drag(user.view(), middle(user.view()), middle(user.view(), 0.7), Qt.MouseButton.MiddleButton)
    assert user.view().camera.scale == 1.0 and np.abs(grey(user, "Image after") - first).mean() > 2
    user.click("Button: Fit")
    assert np.abs(grey(user, "Image after") - first).mean() < 0.5


@pytest.mark.task("turn")
def test_that_an_image_is_turned_mirrored_and_inverted(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    view = user.view()
    view.setFocus()
    first = grey(user, "Image before")[150:450, 100:400]
    user.key(Qt.Key.Key_H)
    user.key(Qt.Key.Key_H)
    assert np.abs(grey(user, "Image before")[150:450, 100:400] - first).mean() < 0.5
    user.key(Qt.Key.Key_I)
    assert np.abs(grey(user, "Image before")[150:450, 100:400] + first - 255).mean() < 12


@pytest.mark.task("overlay")
def test_that_the_patients_data_are_hidden_and_shown_by_one_key(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    user.view().setFocus()
    shown = grey(user, "Image before")
    user.key(Qt.Key.Key_O)
    hidden = grey(user, "Image before")
    user.key(Qt.Key.Key_O)
    assert np.abs(shown - hidden)[20:90, :150].max() > 60
    assert np.abs(grey(user, "Image before") - shown).mean() < 0.1
