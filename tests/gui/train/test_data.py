"""The folder to train on: chosen, read, counted, and looked at again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QSize
from PySide6.QtWidgets import QApplication, QListWidget

from fullfield.data import survey
from fullfield.data.index import Problem
from fullfield.protocol.commands import Stop
from fullfield_app.gui import language
from fullfield_app.gui.train import data_desk
from fullfield_app.gui.train.panel import TrainPanel
from fullfield_app.gui.train.start_desk import StartDesk
from gui.fake_setup import three_patients
from gui.hands import PATIENT, Hands
from gui.train.desk import Setup, ready


def test_that_a_dropped_folder_is_counted_split_and_its_problems_named(hands: Hands, data: Path) -> None:
    ready(hands, data)
    assert hands.text("Images and patients") == "3 images of 3 patients, all of them processed for display."
    assert "2 to learn from, 1 held back to check (patient no. 3)" in hands.text("Who is held back")
    assert "800×1000 to 800×1200" in hands.text("Sizes of the images")
    problems, pairs = hands.widget("Problems"), hands.widget("Pairs")
    assert isinstance(problems, QListWidget)
    assert isinstance(pairs, QListWidget)
    assert problems.item(0).text() == "letter.doc: cannot be used: it is no radiograph."
    assert [pairs.item(place).text() for place in range(3)] == ["Patient 1", "Patient 2", "Patient 3, held back"]
    length = "2 images to learn from, 100 steps in 50 epochs. Very roughly 2 min here."
    hands.wait(lambda: hands.text("How long the training is") == length)


def test_that_small_pictures_of_pairs_are_in_true_proportions(hands: Hands, setup: Setup, data: Path) -> None:
    setup.pixel_size = (1.0, 2.0)
    ready(hands, data)
    pairs = hands.widget("Pairs")
    assert isinstance(pairs, QListWidget)
    sizes = [QSize(138, 184)]  # two of 30 by 40 pixels, beside each other
    hands.wait(lambda: all(pairs.item(place).icon().availableSizes() == sizes for place in range(3)))


def test_that_one_image_one_step_and_one_epoch_are_told_as_one(hands: Hands, data: Path) -> None:
    ready(hands, data)
    desk = hands.window.findChild(StartDesk)
    assert isinstance(desk, StartDesk)
    assert desk._amount(1, 1, 1) == "1 image to learn from, 1 step in 1 epoch."
    assert desk._amount(2, 4, 2) == "2 images to learn from, 4 steps in 2 epochs."


def test_that_data_that_cannot_be_used_are_told_and_another_folder_can_be_chosen(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    setup.last("survey").refuse("Cannot read the training data.")
    hands.wait(lambda: "Cannot read the training data" in hands.text("Message, in short"))
    assert hands.sees("What to drop here")
    assert not hands.widget("Start the training").isEnabled()


def test_that_a_folder_whose_reading_broke_off_is_looked_at_again(hands: Hands, setup: Setup, data: Path) -> None:
    ready(hands, data)
    setup.last("survey").die()
    hands.wait(lambda: "ended unexpectedly" in hands.text("Message, in short"))
    assert hands.text("Folder of images") == "images"
    assert hands.text("Why it cannot start") == "Choose the images first."
    hands.click("Do what the message proposes")
    hands.wait(lambda: hands.sees("Images and patients"))
    surveys = [job for job in setup.jobs if job.job.kind == "survey"]
    assert [job.job.spec["data"] for job in surveys] == [str(data)] * 2


def test_that_what_is_not_listed_is_counted(
    hands: Hands, setup: Setup, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield_app.gui.train.data_side.MOST_LISTED", 2)
    setup.found = lambda: three_patients(problems=(Problem(kind="unreadable", text="no radiograph."),) * 502)
    ready(hands, data)
    problems, pairs = hands.widget("Problems"), hands.widget("Pairs")
    assert isinstance(problems, QListWidget) and isinstance(pairs, QListWidget)
    assert [pairs.item(row).text() for row in range(pairs.count())][1:] == ["Patient 2", "… and 1 more"]
    assert problems.count() == 3 and problems.item(2).text() == "… and 500 more"


def test_that_a_folder_to_train_on_is_not_among_the_files_that_were_opened(hands: Hands, data: Path) -> None:
    opened = list[object]()
    hands.window._pages["train"].opened.connect(opened.append)
    ready(hands, data)
    assert opened == []


def test_that_a_drive_that_does_not_answer_keeps_no_other_folder_waiting_and_undoes_none(
    hands: Hands, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dead, answers, ended, really = tmp_path / "share", threading.Event(), threading.Event(), data_desk._folder
    dead.mkdir()

    def look(paths: Sequence[Path]) -> Path | None:
        if list(paths) == [dead]:
            answers.wait(10)
            ended.set()
        return really(paths)

    monkeypatch.setattr(data_desk, "_folder", look)
    hands.drop([dead])
    hands.drop([data])
    hands.wait(lambda: hands.text("Folder of images") == data.name)
    assert not ended.is_set()
    answers.set()
    assert ended.wait(5)
    hands.qtbot.wait(50)
    assert hands.text("Folder of images") == data.name


def test_that_of_several_folders_and_files_the_one_that_is_taken_is_named(hands: Hands, data: Path) -> None:
    other = data.parent / "other"
    other.mkdir()
    (data / "a.dcm").write_bytes(b"x")
    for dropped in ([data, other], [data / "a.dcm"], [data / "a.dcm", data]):
        hands.drop([other])
        hands.wait(lambda: hands.text("Folder of images") == "other")
        hands.wait(lambda: not hands.sees("Message, in short"))
        hands.drop(dropped)
        hands.wait(lambda: hands.text("Folder of images") == "images")
        assert hands.text("Message, in full") == "“images” was taken, and nothing else."


def test_that_an_archive_is_not_taken_for_its_folder(hands: Hands, setup: Setup, data: Path) -> None:
    (data / "study.zip").write_bytes(b"x")
    hands.drop([data / "study.zip"])
    hands.wait(lambda: "Unpack the ZIP archive first" in hands.text("Message, in full"))
    assert not [job for job in setup.jobs if job.job.kind == "survey"]


def test_that_one_patient_cannot_be_trained_on(hands: Hands, setup: Setup, data: Path) -> None:
    setup.found = lambda: three_patients(problem="There are 3 images of 1 patients.")
    hands.drop([data])
    hands.wait(lambda: "1 patients" in hands.text("Why it cannot start"))
    assert not hands.widget("Start the training").isEnabled()


def test_that_a_folder_of_damaged_files_shows_their_problems_and_cannot_be_trained_on(
    hands: Hands, setup: Setup, data: Path
) -> None:
    setup.found = lambda: three_patients(radiographs=(), problem="0 files can be read, and no pair is among them.")
    hands.drop([data])
    hands.wait(lambda: hands.sees("Problems"))
    problems = hands.widget("Problems")
    assert isinstance(problems, QListWidget) and problems.count() == 1
    assert hands.text("Images and patients") == "There are no images to train on in this folder."
    assert "no pair is among them" in hands.text("Why it cannot start")
    assert not hands.widget("Start the training").isEnabled()


def test_that_why_it_cannot_start_is_said_in_the_users_language(
    hands: Hands, setup: Setup, data: Path, qapp: QApplication
) -> None:
    setup.found = lambda: three_patients(problem="There are 3 images of 1 patients.")
    language.install(qapp, "es")
    try:
        hands.drop([data])
        hands.wait(lambda: hands.text("Why it cannot start") == "Hay 3 imágenes de 1 pacientes.")
    finally:
        language.install(qapp, "en")
        QLocale.setDefault(QLocale.c())


def test_that_other_references_are_looked_at_also_where_something_else_was_mistaken_meanwhile(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    page = hands.window._pages["train"]
    assert isinstance(page, TrainPanel)
    for key, value in (("validation", 7.0), ("reference", "chest"), ("validation", 0.3)):
        page._set(key, value)
    hands.wait(lambda: setup.last("survey").job.spec["reference"] == "chest")
    assert setup.last("survey").job.spec["validation"] == 0.3


def test_that_what_was_read_of_a_folder_comes_too_late_once_that_was_cancelled(
    hands: Hands, setup: Setup, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, reading, read = survey.load, threading.Event(), threading.Event()

    def late(path: Path) -> survey.Survey:
        reading.set()
        read.wait(PATIENT)
        return load(path)

    monkeypatch.setattr(survey, "load", late)
    hands.drop([data])
    hands.wait(reading.is_set)
    setup.last("survey").post(Stop())
    hands.wait(lambda: hands.sees("What to drop here"))
    read.set()
    hands.qtbot.wait(300)
    assert hands.sees("What to drop here") and not hands.sees("Images and patients")


def test_that_reading_can_be_cancelled(hands: Hands, setup: Setup, data: Path) -> None:
    setup.found = lambda: three_patients()
    hands.drop([data])
    hands.wait(lambda: bool([job for job in setup.jobs if job.job.kind == "survey"]))
    hands.widget("Stop reading the folder")
    setup.last("survey").reported.clear()
    setup.last("survey").post(Stop())
    hands.wait(lambda: hands.sees("What to drop here"))
