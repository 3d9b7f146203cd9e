"""Tasks of looking at an image: its window, its zoom and place, which way up, and what is written over it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tasks.seen import AFTER, BEFORE, fits, grey, picture
from tasks.user import SECONDS, User, middle


@pytest.mark.task("window")
def test_that_a_drag_changes_the_window_and_a_double_click_brings_it_back(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    view = user.view()
    first = grey(user, BEFORE)
    user.drag(view, middle(view), middle(view, 0.3, 0.4))
    assert np.abs(grey(user, BEFORE) - first).mean() > 2
    user.press(view, middle(view), double=True)
    assert np.abs(grey(user, BEFORE) - first).mean() < 0.5


@pytest.mark.task("window keys")
def test_that_number_keys_show_the_dark_half_and_the_bright_half_of_the_values(
    user: User, phantoms: list[Path]
) -> None:
    user.open_and_wait(phantoms[1:])
    user.key(Qt.Key.Key_3)
    whole = {name: picture(user, name) for name in (BEFORE, AFTER)}
    for key, ends in ((Qt.Key.Key_6, (0, 127.5)), (Qt.Key.Key_4, (127.5, 255))):
        user.key(key)
        for name, seen in whole.items():
            wanted = np.interp(seen, ends, (0, 255))
            assert np.abs(picture(user, name) - wanted).mean() < 5 < np.abs(wanted - seen).mean() / 4


@pytest.mark.task("window of an area")
def test_that_the_window_is_that_of_an_area_drawn_with_the_right_button(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    view = user.view()
    start, end = middle(view, 0.35, 0.35), middle(view, 0.45, 0.45)
    inside = np.s_[start.y() + 3 : end.y() - 3, start.x() + 3 : end.x() - 3]
    first = np.percentile(grey(user, BEFORE)[inside], [1, 99])
    user.drag(view, start, end, Qt.MouseButton.RightButton)
    now = np.percentile(grey(user, BEFORE)[inside], [1, 99])
    assert np.ptp(first) < 130 and now[0] < 30 and now[1] > 195  # what is drawn smaller than it is has less noise


@pytest.mark.task("zoom")
def test_that_a_detail_is_looked_at_and_left_again(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    first = grey(user, AFTER)
    user.click("Button: 1:1")
    user.drag(user.view(), middle(user.view()), middle(user.view(), 0.7), Qt.MouseButton.MiddleButton)
    assert user.view().camera.scale == 1.0 and np.abs(grey(user, AFTER) - first).mean() > 2
    user.click("Button: Fit")
    assert np.abs(grey(user, AFTER) - first).mean() < 0.5


@pytest.mark.task("zoom apart")
def test_that_images_zoomed_apart_are_each_seen_as_a_whole_when_another_is_chosen(
    user: User, phantoms: list[Path]
) -> None:
    user.open_and_wait(phantoms)
    before, after = grey(user, BEFORE), grey(user, AFTER)
    user.key(Qt.Key.Key_J)
    user.wheel(user.view(), middle(user.view()), 4)
    assert np.abs(grey(user, BEFORE) - before).mean() > 5 and not fits(user, BEFORE)
    assert np.abs(grey(user, AFTER) - after).mean() < 0.5 and fits(user, AFTER)
    user.choose_row(1)
    user.wait(lambda: user.view(AFTER).image_size() == (681.0, 896.0), SECONDS)
    assert fits(user, BEFORE) and fits(user, AFTER)
    assert np.corrcoef(picture(user, BEFORE).ravel(), picture(user, AFTER).ravel())[0, 1] > 0.8


@pytest.mark.task("turn")
def test_that_an_image_is_mirrored_turned_turned_back_and_inverted(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[1:])
    seen = {name: picture(user, name) for name in (BEFORE, AFTER)}
    for key, act in (
        (Qt.Key.Key_H, np.fliplr),
        (Qt.Key.Key_V, np.flipud),
        (Qt.Key.Key_R, lambda one: np.rot90(one, -1)),
        (Qt.Key.Key_L, np.rot90),
        (Qt.Key.Key_I, lambda one: 255 - one),
    ):
        user.key(key)
        for name, last in seen.items():
            wanted, now = act(last), picture(user, name)
            assert now.shape == wanted.shape and np.abs(now - wanted).mean() < 4, key
            assert now.shape != last.shape or np.abs(now - last).mean() > 15, key
            seen[name] = now


@pytest.mark.task("overlay")
def test_that_the_patients_data_are_hidden_and_shown_by_one_key(user: User, phantoms: list[Path]) -> None:
    user.open_and_wait(phantoms[:1])
    shown = grey(user, BEFORE)
    user.key(Qt.Key.Key_O)
    hidden = grey(user, BEFORE)
    user.key(Qt.Key.Key_O)
    assert np.abs(shown - hidden)[20:90, :150].max() > 60
    assert np.abs(grey(user, BEFORE) - shown).mean() < 0.1
