"""A run in the user's words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from fullfield.runs import runs
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import State
from fullfield_app.gui import language
from fullfield_app.gui.runs import facts, words
from gui import fake_run
from gui.fake_run import begun


@pytest.fixture
def spanish(qapp: QApplication) -> Iterator[None]:
    language.install(qapp, "es")
    yield
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())


def played(told_at: float = 1000.0) -> runs.Run:
    found = runs.find(fake_run.training(reported=begun(told_at)))
    assert found is not None
    return found


def test_that_a_run_began_on_a_day_that_no_country_reads_as_another() -> None:
    run = played(datetime(2026, 3, 4, 15, 6).timestamp())
    assert words.began(run) == "2026-03-04 15:06" and words.title(run) == "512 px, 2026-03-04 15:06"


def test_that_titles_that_come_again_are_numbered() -> None:
    assert words.apart(["Knees", "Chest", "Knees", "Knees"]) == ["Knees", "Chest", "Knees (2)", "Knees (3)"]


def test_that_what_a_run_has_taken_is_so_far_only_while_it_goes_on() -> None:
    run, reported = played(), RunSnapshot(seconds=60.0)
    live = facts.rows(replace(run, state=State.RUNNING), reported)
    ended = facts.rows(replace(run, state=State.COMPLETED), reported)
    assert (live["worked"], live["lasted"]) == ("1 min 0 s", "") and (ended["worked"], ended["lasted"]) == (
        "",
        "1 min 0 s",
    )


def test_that_a_run_on_another_machine_names_it() -> None:
    run, reported = played(), RunSnapshot()
    away = facts.rows(replace(run, spec={**run.spec, "place": "node:gpu"}), reported)
    assert (facts.rows(run, reported)["machine"], away["machine"]) == ("", "gpu")


@pytest.mark.usefixtures("spanish")
def test_that_a_training_at_work_is_no_noun_in_spanish() -> None:
    assert words.state(State.RUNNING) == "Entrenando"
