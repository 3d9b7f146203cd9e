"""What the model is to be used on, as the page that trains asks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox

from fullfield.data.survey import Survey
from fullfield_app.gui.train import remembered
from fullfield_app.gui.train.choices import Choices
from fullfield_app.settings import Settings
from gui.fake_setup import three_patients
from gui.hands import Hands
from gui.train.desk import Setup, ready

HINT = "What the model will be for"


def combo(hands: Hands) -> QComboBox:
    found = hands.widget("To be used on")
    assert isinstance(found, QComboBox)
    return found


def of_kinds(kinds: str, use_on: str) -> Survey:
    """Three patients whose images are raw (r) or processed (p)."""
    survey = three_patients(use_on=use_on)
    names = ({"r": "raw", "p": "processed"}[kind] for kind in kinds)
    images = tuple(replace(one, kind=kind) for one, kind in zip(survey.radiographs, names, strict=True))
    return replace(survey, radiographs=images)


@pytest.mark.parametrize(
    ("kinds", "use_on", "shown", "hint"),
    [
        ("ppp", "processed", "Automatic: processed images", "processed for display, such as these"),
        ("rrr", "raw", "Automatic: raw images (For Processing)", "will be for raw images and refuse all others"),
        ("rpp", "both", "Automatic: raw and processed images", "a raw one that is simulated from it"),
    ],
)
def test_that_the_page_says_what_the_images_make_of_the_model(
    hands: Hands, setup: Setup, data: Path, kinds: str, use_on: str, shown: str, hint: str
) -> None:
    setup.found = lambda: of_kinds(kinds, use_on)
    ready(hands, data)
    assert combo(hands).currentText() == shown
    assert hint in hands.text(HINT)


def test_that_another_answer_is_asked_of_the_survey_and_is_what_is_trained(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    hands.choose("To be used on", combo(hands).findData("raw"))
    survey = setup.last("survey")
    hands.wait(lambda: bool(survey.posted) and survey.posted[-1]["command"] == "split")
    assert survey.posted[-1]["use_on"] == "raw"
    survey.found = lambda: of_kinds("ppp", "raw")
    survey._tell_survey()
    hands.wait(lambda: hands.text(HINT).startswith("Raw images are simulated from processed ones"))
    assert combo(hands).itemText(0) == "Automatic" and combo(hands).currentData() == "raw"
    hands.click("Start the training")
    hands.wait(lambda: bool([job for job in setup.jobs if job.job.kind == "train"]))
    assert setup.last("train").job.spec["use_on"] == "raw"


def test_that_an_answer_that_the_images_cannot_give_is_said_and_cannot_be_started(
    hands: Hands, setup: Setup, data: Path
) -> None:
    setup.found = lambda: replace(of_kinds("rrr", ""), problem="The model is to be used on processed images.")
    hands.drop([data])
    hands.wait(lambda: "to be used on processed images" in hands.text("Why it cannot start"))
    assert not hands.widget("Start the training").isEnabled()
    assert not hands.sees(HINT)


def test_that_the_answer_is_not_remembered_for_other_images(keep: Callable[[Choices], Choices]) -> None:
    kept = keep(Choices().with_value("use_on", "raw").with_value("epochs", 7))
    assert (kept.value("use_on"), kept.value("epochs")) == ("auto", 7)


def test_that_the_licence_of_images_does_not_go_into_the_model_of_the_next_ones(
    keep: Callable[[Choices], Choices],
) -> None:
    form = Choices().with_value("data_licence", "Hospital A, internal use only").with_value("epochs", 7)
    assert keep(form).values == {"epochs": 7}


@pytest.fixture
def keep() -> Callable[[Choices], Choices]:
    """The form as it comes back when the window is opened again."""
    return lambda choices: remembered.recall(remembered.remember(Settings(), choices))
