"""What a training that shall fit is run by, the first time and when it is gone on with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.train import fit

ASKED = TrainSpec(data="images", fit="auto")
PLANNED = [replace(ASKED, techniques=("banded_loss",)), replace(ASKED, techniques=("banded_loss", "recompute"))]


def test_that_a_training_that_is_gone_on_with_is_run_by_what_is_left_of_its_plan(tmp_path: Path) -> None:
    fit.keep(ASKED, PLANNED[1:], tmp_path)
    assert fit._planned(ASKED, tmp_path) == PLANNED[1:]


def test_that_another_question_or_a_damaged_note_is_planned_anew(tmp_path: Path) -> None:
    assert fit._planned(ASKED, tmp_path) == []
    fit.keep(ASKED, PLANNED, tmp_path)
    assert fit._planned(replace(ASKED, fit="4GiB"), tmp_path) == []
    (tmp_path / fit.PLAN).write_text("[1")
    assert fit._planned(ASKED, tmp_path) == []


def test_that_a_plan_may_differ_from_what_was_asked_but_not_what_changes_the_numbers() -> None:
    assert specs.differences(ASKED, PLANNED[1]) == []
    assert specs.differences(replace(ASKED, techniques=("momentum",)), PLANNED[0]) == ["techniques"]
    assert specs.differences(TrainSpec(data="images"), TrainSpec(data="images", techniques=("recompute",)))
