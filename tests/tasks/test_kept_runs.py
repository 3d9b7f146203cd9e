"""Tasks of trainings that are kept: compare, report, keep, export, name, delete."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QListWidget, QTableView

import narrow
import warm
from fullfield import files
from fullfield.enhance import models
from fullfield.image import guards
from fullfield.model import weights
from fullfield.protocol import events
from fullfield.runs import runs
from fullfield.runs.runs import Label
from fullfield_app.gui import theme
from tasks.seen import AFTER, BEFORE, picture
from tasks.trainings import MODEL, TRAINING, answer, begin, make_images, reported, save_as, state, steps, turn_to
from tasks.user import SECONDS, User

narrowed = warm.narrow()
pytestmark = [pytest.mark.usefixtures("form"), pytest.mark.slow]  # two trainings come before the first
EPOCHS = 6


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, measured_libraries: Path) -> Iterator[tuple[Path, Path]]:
    """Two trainings that have come to their end: with the usual learning rate, and with a higher one."""
    base = tmp_path_factory.mktemp("finished")
    images = make_images(base / "images")
    shutil.copytree(measured_libraries, base / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FULLFIELD_CACHE", str(base / "cache"))
        patch.setenv("FULLFIELD_RUNS", str(base))
        handles = [begin(images, epochs=EPOCHS), begin(images, epochs=EPOCHS, learning_rate=2e-3)]
        for handle in handles:
            assert [*handle.events()][-1].reason == "completed"
        yield handles[0].folder, handles[1].folder
    shutil.rmtree(base)


@pytest.fixture
def kept(finished: tuple[Path, Path], form: None) -> tuple[Path, Path]:
    """Both among the runs of this task, by name."""
    found = []
    for place, (folder, title) in enumerate(zip(finished, ("slow", "fast"), strict=True), 1):
        target = files.runs_folder() / f"20260101-00000{place}-train-{place:06d}"
        shutil.copytree(folder, target, copy_function=os.link)
        runs.rename(target, Label(name=title))
        found.append(target)
    return found[0], found[1]


def show_list(user: User) -> QTableView:
    """Turn to the runs that are kept."""
    turn_to(user, "Runs")
    user.wait(lambda: user.sees("All runs"))
    table = user.widget("All runs")
    assert isinstance(table, QTableView)
    user.wait(lambda: table.model().rowCount() == 2)
    return table


def choose(user: User, name: str, *, double: bool = False) -> None:
    """Click on a run in the list."""
    table = show_list(user) if not user.sees("All runs") else user.widget("All runs")
    assert isinstance(table, QTableView)
    place = next(table.model().index(row, 0) for row in range(2) if table.model().index(row, 0).data() == name)
    user.press(table.viewport(), table.visualRect(place).center())
    if double:
        user.press(table.viewport(), table.visualRect(place).center(), double=True)
        user.clicks -= 1  # both are one double click


def proven(model: Path) -> Path:
    """A copy of a model whose card says that it is worth using."""
    path = model.with_name("proven.safetensors")
    with narrow.as_processes():
        network, card = weights.load(model)
    weights.save(path, network, replace(card, metrics={"loss": 0.1, "loss_raw": 0.1}))
    return path


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.task("pause training")
def test_that_a_paused_training_goes_on_as_if_nothing_had_been(
    finished: tuple[Path, Path], images: Path, form: None, user: User
) -> None:
    run = begin(images, epochs=EPOCHS).folder
    turn_to(user, "Runs")
    user.wait(lambda: user.sees("Open the run") and user.widget("Open the run").isEnabled(), SECONDS)
    user.click("Open the run")
    user.wait(lambda: len(steps(run)) > 1 and user.sees("Pause") and user.widget("Pause").isEnabled(), TRAINING)
    user.click("Pause")
    user.wait(lambda: "Paused" in state(user), SECONDS)
    saved = [event.step for event in reported(run) if isinstance(event, events.CheckpointSaved)][-1]
    assert 1 < saved < 3 * EPOCHS and saved == steps(run)[-1]
    user.click("Resume")
    user.wait(lambda: "Completed" in state(user), TRAINING)
    whole = [event.loss for event in reported(finished[0]) if isinstance(event, events.StepDone)]
    assert steps(run) == [*range(1, 3 * EPOCHS + 1)]
    assert [event.loss for event in reported(run) if isinstance(event, events.StepDone)] == whole


@pytest.mark.task("compare runs")
def test_that_two_runs_are_drawn_over_each_other(kept: tuple[Path, Path], user: User) -> None:
    table = show_list(user)
    user.press(table.viewport(), table.visualRect(table.model().index(0, 0)).center())
    user.key(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    legend = "Validation loss of runs, legend"
    user.wait(lambda: user.sees(legend) and "slow" in user.widget(legend).accessibleDescription(), SECONDS)
    assert "fast" in user.widget(legend).accessibleDescription()
    user.wait(lambda: user.sees("Validation loss of runs, drawn"))
    user.wait(lambda: _pixels(user, "Validation loss of runs, drawn", theme.curve(0)) > 30)
    assert _pixels(user, "Validation loss of runs, drawn", theme.curve(1)) > 30
    turn_to(user, "Radiograph", "What is compared")
    images = ("First run's image", "Second run's image")
    user.wait(lambda: all(len(set(user.seen(name)[::41])) > 60 for name in images), SECONDS)
    assert user.seen(images[0]) != user.seen(images[1])


@pytest.mark.task("report html")
def test_that_a_report_is_written_as_a_web_page(kept: tuple[Path, Path], user: User, tmp_path: Path) -> None:
    choose(user, "slow")
    user.click("Save a report")
    user.wait(lambda: user.sees("Save the report"))
    user.click("Save the report")
    save_as(user, "Save the report as", tmp_path / "report.html")
    user.wait((tmp_path / "report.html").exists, SECONDS)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "slow" in page and "192" in page and "<svg" in page and "medical device" in page
    assert "<script" not in page and str(kept[0]) not in page
    user.wait(lambda: "The report has been saved." in user.text("Message, in short"), SECONDS)


@pytest.mark.task("report pdf")
def test_that_a_report_is_written_as_pdf(kept: tuple[Path, Path], user: User, tmp_path: Path) -> None:
    choose(user, "fast")
    user.click("Save a report")
    user.wait(lambda: user.sees("Report as PDF"))
    user.click("Report as PDF")
    user.click("Radiograph in the report")
    user.click("Save the report")
    save_as(user, "Save the report as", tmp_path / "report.pdf")
    user.wait((tmp_path / "report.pdf").exists, SECONDS)
    content = (tmp_path / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
    assert b"/Image" in content


@pytest.mark.task("keep model")
def test_that_a_runs_model_is_kept_among_the_models_and_its_card_seen(kept: tuple[Path, Path], user: User) -> None:
    choose(user, "slow", double=True)
    user.wait(lambda: user.sees("Keep its model") and user.widget("Keep its model").isEnabled(), SECONDS)
    user.click("Keep its model")
    user.wait(lambda: user.sees("Keep the model"), SECONDS)
    assert "processed for display" in user.text("Card of the model in the file: Made for")
    user.type("Name of the model", "Hands of spring")
    user.click("Keep the model")
    user.wait(lambda: user.sees("Message"), SECONDS)
    user.click("Do what the message proposes")
    user.wait(lambda: user.sees("Card of the model: Trained on"), SECONDS)
    assert "3 images" in user.text("Card of the model: Trained on")
    assert "It has seen 3 images only" in user.text("Card of the model: Beware")
    [model] = models.listed().models
    assert model.name == "Hands of spring" and digest(model.path) == digest(kept[0] / MODEL)


@pytest.mark.task("export model")
def test_that_a_model_is_exported_as_one_file(kept: tuple[Path, Path], user: User, tmp_path: Path) -> None:
    models.keep(kept[0] / MODEL, "Knees")
    _show_models(user)
    user.click("Export a model")
    save_as(user, "Export the model, file", tmp_path / "given.safetensors")
    user.wait((tmp_path / "given.safetensors").exists, SECONDS)
    assert digest(tmp_path / "given.safetensors") == digest(kept[0] / MODEL)


@pytest.mark.task("model file")
def test_that_an_image_is_enhanced_with_a_model_from_a_file_once_its_card_was_read(
    finished: tuple[Path, Path], user: User, tmp_path: Path
) -> None:
    given = proven(finished[0] / MODEL).rename(tmp_path / "given.safetensors")
    any_result = guards.Limits(of={"drawn 0": 1e9})  # of a network that has learnt little
    guards.write_limits(given.with_suffix(guards.OWN), {guards.DRAWN: any_result})
    user.open_and_wait([files.resource("phantoms/chest-cr.dcm")])
    by_preset = picture(user, AFTER)
    user.choose("Preset or model", "Model from a file…")
    save_as(user, "Choose a model file", given)
    user.wait(lambda: user.sees("Use this model?"), SECONDS)
    assert "It has seen 3 images only" in user.text("Card of the model in the file: Beware")
    assert "given" not in user.rows()[0]
    user.click("Use it")
    user.wait(lambda: "given" in user.rows()[0] and "Enhanced" in user.rows()[0], SECONDS)
    user.wait(lambda: np.abs(picture(user, AFTER) - by_preset).mean() > 2, SECONDS)
    by_model = np.corrcoef(picture(user, AFTER).ravel(), picture(user, BEFORE).ravel())[0, 1]
    assert abs(by_model) > 0.5, "it is still this radiograph, however little the model has learnt"


@pytest.mark.task("default model")
def test_that_a_model_is_taken_for_a_body_part(kept: tuple[Path, Path], user: User) -> None:
    models.keep(proven(kept[0] / MODEL), "Knees")
    _show_models(user)
    turn_to(user, "Take it for", "Card and body parts")
    part = next(key for key in models.listed().body_parts)
    title = models.listed().body_parts[part]
    box = user.widget(f"Take it for: {title}")
    assert isinstance(box, QCheckBox)
    user.press(box, QPoint(8, box.height() // 2))
    user.wait(lambda: user.sees("Use it without looking"), SECONDS)
    user.click("Use it without looking")
    user.wait(lambda: models.listed().defaults.get(part) == "Knees", SECONDS)


@pytest.mark.task("name run")
def test_that_a_run_gets_a_name_and_notes(kept: tuple[Path, Path], user: User) -> None:
    choose(user, "slow")
    user.click("Name and notes")
    user.wait(lambda: user.sees("Name of the run, to change"))
    user.type("Name of the run, to change", "first try")
    user.type("Notes of the run, to change", "too few images")
    user.click("Save the name and notes")
    user.wait(lambda: runs.label(kept[0]) == Label(name="first try", notes="too few images"), SECONDS)
    table = user.widget("All runs")
    assert isinstance(table, QTableView)
    user.wait(lambda: "first try" in {table.model().index(row, 0).data() for row in range(2)}, SECONDS)


@pytest.mark.task("delete run")
def test_that_a_run_is_deleted_and_a_kept_model_stays(kept: tuple[Path, Path], user: User) -> None:
    models.keep(kept[0] / MODEL, "Knees")
    choose(user, "slow")
    user.key(Qt.Key.Key_Delete)
    answer(user, "Delete the run?", "Delete")
    user.wait(lambda: not kept[0].exists(), SECONDS)
    assert runs.folders() == [kept[1]]
    assert [model.name for model in models.listed().models] == ["Knees"]


def _show_models(user: User) -> None:
    show_list(user)
    user.click("Models")
    user.wait(lambda: user.sees("Your models"))
    found = user.widget("Your models")
    assert isinstance(found, QListWidget)
    user.wait(lambda: found.count() == 1, SECONDS)


def _pixels(user: User, name: str, colour: QColor) -> int:
    """How many pixels of a widget have about this colour."""
    picture = user.widget(name).grab().toImage()
    near = 0
    for x in range(picture.width()):
        for y in range(picture.height()):
            here = picture.pixelColor(x, y)
            parts = ((here.red(), colour.red()), (here.green(), colour.green()), (here.blue(), colour.blue()))
            near += all(abs(one - other) < 24 for one, other in parts)
    return near
