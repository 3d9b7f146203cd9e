"""A run in the user's words."""

from __future__ import annotations

from datetime import datetime

from fullfield.jobs import runs
from fullfield_app.gui.runs import words
from gui import fake_run
from gui.fake_run import begun


def played(told_at: float = 1000.0) -> runs.Run:
    found = runs.find(fake_run.training(told=begun(told_at)))
    assert found is not None
    return found


def test_that_a_run_began_on_a_day_that_no_country_reads_as_another() -> None:
    run = played(datetime(2026, 3, 4, 15, 6).timestamp())
    assert words.began(run) == "2026-03-04 15:06" and words.title(run) == "512 px, 2026-03-04 15:06"
