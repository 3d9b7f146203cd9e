"""From the form to a training: what is asked, what is launched, and how the page looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from fullfield import files
from fullfield.jobs.job import Job
from fullfield_app import settings
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.train import remembered
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.panel import TrainPanel
from fullfield_app.gui.widgets.accessible import complete
from gui.clipping import clipped
from gui.fake_job import FakeJob
from gui.hands import Hands
from gui.train.desk import Setup, box, question, ready, tick, type_size


def trainings(setup: Setup) -> list[Job]:
    return [job.job for job in setup.jobs if job.job.kind == "train"]


def planners(setup: Setup) -> int:
    return len([job for job in setup.jobs if job.job.kind == "planning"])


def test_that_menus_and_keys_offer_what_can_be_done_alone(hands: Hands, data: Path) -> None:
    actions = hands.window._pages["train"].actions_by_key
    assert not actions["start_training"].isEnabled() and not actions["review"].isEnabled()
    ready(hands, data)
    assert actions["start_training"].isEnabled() and actions["review"].isEnabled()


def test_that_start_launches_what_the_form_says_and_turns_to_the_runs(
    hands: Hands, setup: Setup, data: Path, qtbot: QtBot
) -> None:
    ready(hands, data)
    tick(hands, "Use Recompute the cheap steps")
    page = hands.widget("Train")
    with qtbot.waitSignal(page.went, timeout=30_000) as went:  # type: ignore[attr-defined]
        hands.click("Start the training")
    assert went.args == ["runs", setup.last("train").folder]
    spec = trainings(setup)[0].spec
    assert spec["data"] == str(data)
    assert spec["techniques"] == ["banded_loss", "recompute"]
    assert (spec["size"], spec["fit"]) == (512, "auto")


def test_that_news_of_a_machine_wake_no_planner_once_the_page_is_left(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    page = hands.window._pages["train"]
    assert isinstance(page, TrainPanel)
    page.hide()
    page._plans.planning.rest()
    page._nodes.changed.emit()
    hands.qtbot.wait(300)
    assert planners(setup) == 1
    page.show()
    hands.wait(lambda: planners(setup) == 2)


def test_that_a_training_that_does_not_fit_is_asked_about(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    type_size(hands, "2048")
    hands.wait(lambda: hands.text("Whether it fits") == "Does not fit")
    hands.click("Start the training")
    asked = question(hands)
    assert "does not fit" in asked.text()
    hands.click("Do not start")
    assert not trainings(setup)
    hands.click("Start the training")
    question(hands)
    hands.click("Start anyway")
    hands.wait(lambda: bool(trainings(setup)))
    assert trainings(setup)[0].spec["fit"] == ""


def test_that_a_start_while_its_plan_is_computed_takes_nothing_of_the_plan_before(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.wait(lambda: "roughly" in hands.text("How long the training is"))
    setup.last("planning").held = True
    tick(hands, "Use Recompute the cheap steps")
    assert "roughly" not in hands.text("How long the training is")
    tick(hands, "Go on with less when memory runs out")
    hands.click("Start the training")
    hands.wait(lambda: bool(trainings(setup)))
    hands.qtbot.wait(50)
    assert not (setup.last("train").folder / "prediction.json").exists()


def test_that_a_second_training_is_asked_the_other_questions_too_and_falls_back_as_was_chosen(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.choose("Card to plan for", 1)
    hands.wait(lambda: "estimate" in hands.text("What to know of these figures"))
    run = files.runs_folder() / "20260101-000000-train-abc"
    run.mkdir(parents=True)
    (run / "worker.json").write_text("{}")
    setup.running = True
    hands.click("Start the training")
    question(hands)
    hands.click("Start anyway")
    hands.wait(lambda: "RTX 2060" in question(hands).text())
    hands.click("Start here")
    hands.wait(lambda: bool(trainings(setup)))
    assert trainings(setup)[0].spec["fit"] == "auto"


def test_that_a_second_training_is_asked_about(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    run = files.runs_folder() / "20260101-000000-train-abc"
    run.mkdir(parents=True)
    (run / "worker.json").write_text("{}")
    setup.running = True
    hands.click("Start the training")
    assert "running already" in question(hands).text()
    hands.click("Do not start")
    assert not trainings(setup)


def test_that_without_images_it_says_what_to_do_first(hands: Hands) -> None:
    assert hands.text("Why it cannot start") == "Choose the images first."
    assert not hands.widget("Start the training").isEnabled()


def test_that_the_form_comes_back_and_the_folder_is_in_no_settings(
    hands: Hands, setup: Setup, data: Path, start: Callable[[], FakeJob], qtbot: QtBot
) -> None:
    ready(hands, data)
    tick(hands, "Use Recompute the cheap steps")
    type_size(hands, "1024")
    hands.window.shut_down()
    text = settings.path().read_text()
    assert "images" not in text
    window = MainWindow(Workers(session=start, launch=setup.launch, attach=setup.attach))
    qtbot.addWidget(window)
    try:
        window.show()
        again = Hands(window, qtbot)
        again.wait(lambda: "GPU" in again.text("What the worker says"))
        qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
        assert box(again, "Use Recompute the cheap steps").isChecked()
        combo = again.widget("Size in pixels")
        assert isinstance(combo, QComboBox)
        assert combo.currentText() == "1024"
    finally:
        window.shut_down()


def test_that_a_form_that_nobody_has_changed_leaves_the_one_of_another_window_as_it_is(hands: Hands) -> None:
    other = Choices().with_value("size", 1024)
    settings.update(lambda now: remembered.remember(now, other))
    hands.window.shut_down()
    assert remembered.recall(settings.load()[0]) == other


def test_that_no_text_of_the_page_and_its_dialogs_is_cut_and_every_name_is_there_once(hands: Hands, data: Path) -> None:
    ready(hands, data)
    tick(hands, "Use Work in bands")
    hands.click("Work in bands: show options")
    hands.wait(lambda: hands.text("Memory in all") == "2.0 GiB")
    assert clipped(hands.window) == []
    hands.click("More settings")
    assert clipped(hands.widget("More settings, dialog")) == []
    hands.click("Close the settings")
    hands.click("Let the planner choose techniques")
    hands.wait(lambda: hands.sees("Chosen: use this"))
    assert clipped(hands.widget("Fit it for me, dialog")) == []
    hands.click("Close without taking a plan")
    hands.click("Review references")
    hands.wait(lambda: "preset general" in hands.text("Who made the reference"))
    assert clipped(hands.window) == []
    complete(hands.window)
    names = [widget.accessibleName() for widget in hands.window.findChildren(QWidget)]
    assert "" not in names
    assert len(names) == len(set(names))
