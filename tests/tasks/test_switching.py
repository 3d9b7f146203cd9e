"""The task of looking at another model on one's own images before it comes into use."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QCheckBox, QListWidget

import map_file
from fullfield.enhance import models
from fullfield.model import registry
from tasks.seen import fits, picture
from tasks.trainings import turn_to
from tasks.user import SECONDS, User, middle

LEFT, RIGHT = "Image on the left", "Image on the right"


@pytest.mark.task("look before a switch")
def test_that_ones_own_images_are_seen_with_both_before_another_model_comes_into_use(
    user: User, phantoms: list[Path], tmp_path: Path
) -> None:
    map_file.write(registry.folder() / "Ours.safetensors")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.dcm")}
    user.open_and_wait(phantoms)
    turn_to(user, "Runs")
    user.wait(lambda: user.sees("Show the models"), SECONDS)
    user.click("Show the models")
    user.wait(lambda: user.sees("Your models"), SECONDS)
    listed = user.widget("Your models")
    assert isinstance(listed, QListWidget)
    user.wait(lambda: listed.count() > 0, SECONDS)
    row = next(row for row in range(listed.count()) if listed.item(row).text() == "Ours")
    user.press(listed.viewport(), listed.visualItemRect(listed.item(row)).center())
    turn_to(user, "Take it for", "Card and body parts")
    box = user.widget("Take it for: Chest")
    assert isinstance(box, QCheckBox)
    user.press(box, QPoint(8, box.height() // 2))
    user.wait(lambda: user.sees("Compare side by side") and user.widget("Compare side by side").isEnabled(), SECONDS)
    user.click("Compare side by side")
    user.wait(lambda: user.sees("Which image") and user.text("Which image") == "Image 1 of 1", SECONDS)  # one of a hand
    for name in (LEFT, RIGHT):
        user.wait(lambda name=name: user.view(name).image_size() is not None and fits(user, name), SECONDS)
    now, new = picture(user, LEFT), picture(user, RIGHT)
    assert now.shape == new.shape and min(now.std(), new.std()) > 5, "both are to be seen"
    assert np.abs(now - new).mean() > 0.5, "and they are not the same"
    user.wheel(user.widget(RIGHT), middle(user.widget(RIGHT)), 3)
    assert user.view(LEFT).camera == user.view(RIGHT).camera and not fits(user, LEFT)
    assert models.listed().defaults == {}, "nothing changes by looking"
    user.click("Use it")
    user.wait(lambda: models.listed().defaults == {"chest": "Ours"}, SECONDS)
    user.wait(lambda: box.isChecked(), SECONDS)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.dcm")} == before
