"""Tasks of opening, comparing and looking, played with real files and a real worker."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from pydicom.fileset import FileSet
from PySide6.QtCore import Qt

from tasks.seen import AFTER, BEFORE, colours, grey, picture, place, reduced
from tasks.user import SECONDS, User, middle

LEGEND = (180, 16, 39)  # of the difference: how wide, how far from the right, its middle how far from below
NEUTRAL = 30  # as bright as a part of the colour for no difference may be


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


@pytest.mark.task("open dicomdir")
def test_that_a_dropped_dicomdir_gives_the_radiographs_of_its_disc_and_nothing_of_its_viewer(
    user: User, phantoms: list[Path], tmp_path: Path
) -> None:
    disc = tmp_path / "disc"
    medium = FileSet()
    for path in phantoms:
        medium.add(path)
    medium.write(disc)
    (disc / "VIEWER").mkdir()
    (disc / "VIEWER" / "START.EXE").write_bytes(b"MZ" + bytes(500))
    (disc / "AUTORUN.INF").write_text("[autorun]", encoding="utf-8")
    Pillow.fromarray(np.zeros((64, 64), np.uint8)).save(disc / "VIEWER" / "LOGO.PNG")
    shutil.copy(phantoms[0], disc / "VIEWER" / "DEMO.DCM")
    user.drop([disc / "DICOMDIR"])
    user.wait(lambda: len(user.rows()) >= 2 and all("Enhanced" in row for row in user.rows()), SECONDS)
    assert len(user.rows()) == 2
    user.choose_row(1)
    user.clicks -= 1  # to see that both are there is no part of opening
    user.wait(lambda: user.view(AFTER).image_size() not in (None, (896.0, 896.0)), SECONDS)


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
    before, after = grey(user, BEFORE), grey(user, AFTER)
    user.hold(Qt.Key.Key_B)
    held = grey(user, AFTER)
    user.let_go(Qt.Key.Key_B)
    inner = np.s_[100:-60, 40:-40]  # captions and curves of the frame lie outside
    assert np.abs(held - before)[inner].mean() < np.abs(held - after)[inner].mean()
    assert np.abs(grey(user, AFTER) - after).mean() < 0.5


@pytest.mark.task("difference")
def test_that_the_difference_is_shown_in_the_colours_of_its_scale(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    change = picture(user, AFTER) - picture(user, BEFORE)
    user.click("Button: Difference")
    name = "Difference of after and before"
    seen = colours(user, name).astype(np.int32)
    width, right, below = LEGEND
    scale = seen[-below, -right - width : -right]  # from 100 % darker to 100 % brighter
    levels = np.linspace(-255, 255, width)
    found, back = np.unique(seen.reshape(-1, 3), axis=0, return_inverse=True)
    nearest = levels[np.abs(found[:, None] - scale[None]).sum(axis=2).argmin(axis=1)]
    reported = reduced(nearest[back].reshape(seen.shape[:2]), place(user, name))
    assert change.min() < -10 and change.max() > 10 and reported.shape == change.shape
    assert np.abs(reported - change).mean() < 3 and np.corrcoef(reported.ravel(), change.ravel())[0, 1] > 0.95
    brightest = reduced(seen.max(axis=2).astype(float), place(user, name))
    assert np.median(brightest[np.abs(change) < 1]) < NEUTRAL < brightest[np.abs(change) > 20].min()
