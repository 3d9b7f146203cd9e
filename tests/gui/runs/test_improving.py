"""A model improved with the user's own images, from the window: started, judged, put to use, and left again."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image as Pillow
from PySide6.QtWidgets import QMenu, QPushButton

import card_file
from fullfield import files
from fullfield.model import registry
from fullfield.model.spec import named
from fullfield.protocol.events import ModelCompared, RunEnded
from fullfield_app.gui.grading.wanted import GradingWish
from fullfield_app.gui.runs.models_dialog import ModelsDialog
from gui.runs.desk import STORY, Desk
from gui.scenes_runs import COMPARED


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return card_file.write(tmp_path / "ours.safetensors", network=named("map"))


def button(owner: object, name: str) -> QPushButton:
    found = owner.findChildren(QPushButton)  # type: ignore[attr-defined]
    return next(one for one in found if one.accessibleName() == name)


def test_that_a_model_of_the_list_is_improved_without_a_setting(desk: Desk, model: Path, tmp_path: Path) -> None:
    kept = registry.keep(model, "ours")
    desk.has(STORY)
    desk.begin()
    asked: list[object] = []
    desk.panel._improving.ask = asked.append  # type: ignore[method-assign]
    desk.panel.actions_by_key["models"].trigger()
    dialog = desk.panel.window().findChild(ModelsDialog)
    assert dialog is not None
    desk.wait(lambda: dialog._list.count() == 1)
    button(dialog, "Improve a model with our own images").click()
    assert asked == [kept.path]
    launched: list[object] = []
    desk.panel._improving._workers = replace(
        desk.panel._improving._workers, launch=lambda job: launched.append(job) or desk.has(STORY)
    )
    desk.panel._improving.begin(tmp_path, kept.path)
    desk.wait(lambda: bool(launched))
    spec = launched[0].spec  # type: ignore[attr-defined]
    assert (spec["network"], spec["weights"], spec["compare"]) == ("map", str(kept.path), True)


def test_that_an_offered_model_is_used_where_its_user_says_so_and_one_click_leads_back(
    desk: Desk, model: Path, tmp_path: Path
) -> None:
    run = desk.has([*STORY, ModelCompared(comparison=COMPARED), RunEnded(reason="completed")])
    folder = next(path for path in files.runs_folder().iterdir() if path.is_dir())
    shutil.copy(model, folder / "model.safetensors")
    desk.begin()
    desk.open(run)
    assert "is offered for use, judged by 12 patients" in desk.text("What the new model is worth")
    assert registry.defaults() == {}, "nothing is used by itself"
    menu = desk.panel._page.verdict.findChild(QMenu)
    assert menu is not None and [action.text() for action in menu.actions()] == ["Chest"]
    menu.actions()[0].trigger()
    desk.wait(lambda: desk.sees("Before a model comes into use"))
    assert "In use now: the preset that fits." in desk.text("What would be in use, and what is")
    assert registry.defaults() == {}, "it is offered to be looked at first"
    desk.click("Use it without looking")
    desk.wait(lambda: "chest" in registry.defaults() and bool(desk.said))
    assert desk.said[-1].action == "Back to the one before" and desk.said[-1].act is not None
    desk.said[-1].act()
    desk.wait(lambda: registry.defaults() == {} and len(desk.said) == 2)

    images = tmp_path / "images"
    images.mkdir()
    for number in range(2):
        Pillow.new("L", (64, 64), 40 + number).save(images / f"{number}{number}.png")
    apart, trained = (files.sha256(images / name) for name in ("11.png", "00.png"))
    split = {"training": [{"sha256": [trained]}], "validation": [], "apart": [{"sha256": [apart]}]}
    (folder / "split.json").write_text(json.dumps(split))
    job = json.loads((folder / "job.json").read_text())
    job["spec"]["data"] = str(images)
    (folder / "job.json").write_text(json.dumps(job))
    menu.actions()[0].trigger()
    desk.wait(lambda: desk.sees("Which images are known") and "2 files" in desk.text("Which images are known"))
    desk.click("Keep the one in use, without looking")
    wishes: list[object] = []
    desk.panel.went.connect(lambda page, wish: wishes.append(wish))
    button(desk.panel, "Grade the new model blind").click()
    desk.wait(lambda: bool(wishes))
    (kept,) = registry.known()
    assert wishes == [GradingWish(images=(images / "11.png", images / "00.png"), model=kept.path)]


def test_that_a_model_that_is_not_offered_says_why_and_has_no_button(desk: Desk) -> None:
    few = replace(COMPARED, patients=COMPARED.patients[:3])
    run = desk.has([*STORY, ModelCompared(comparison=few), RunEnded(reason="completed")])
    desk.begin()
    desk.open(run)
    assert "Only 3 patients" in desk.text("What the new model is worth")
    assert not button(desk.panel, "Grade the new model blind").isVisible()
    assert not button(desk.panel, "Use the new model for a body part").isVisible()
