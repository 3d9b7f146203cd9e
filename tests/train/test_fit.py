"""What a training that shall fit is run by, the first time and when it is gone on with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from fullfield.errors import OutOfMemory
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.train import fit
from fullfield.train.fit import Rung

ASKED = TrainSpec(data="images", fit="auto")
PLANNED = [
    Rung(spec=replace(ASKED, techniques=("banded_loss",)), peak_bytes=4 << 30, time_factor=1.0),
    Rung(spec=replace(ASKED, techniques=("banded_loss", "recompute")), peak_bytes=2 << 30, time_factor=1.4),
]


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
    assert specs.differences(ASKED, PLANNED[1].spec) == []
    assert specs.differences(replace(ASKED, techniques=("momentum",)), PLANNED[0].spec) == ["techniques"]
    assert specs.differences(TrainSpec(data="images"), TrainSpec(data="images", techniques=("recompute",)))


def test_that_a_rung_tells_what_it_costs_against_the_one_before() -> None:
    told = fit.taken(OutOfMemory("Memory ran out.", detail="A step is too large."), PLANNED[0], PLANNED[1:], step=7)
    assert (told.peak_bytes_before, told.peak_bytes, told.time_factor) == (4 << 30, 2 << 30, 1.4)
    assert (told.techniques, told.left, told.step) == (["banded_loss", "recompute"], 0, 7)
    assert told.text.startswith("Memory ran out.") and "from the last checkpoint" in told.text


def test_that_a_note_of_an_earlier_version_has_no_figures_and_is_used(tmp_path: Path) -> None:
    fit.keep(ASKED, PLANNED, tmp_path)
    values = json.loads((tmp_path / fit.PLAN).read_text())
    del values["figures"]
    (tmp_path / fit.PLAN).write_text(json.dumps(values))
    assert [rung.spec for rung in fit._planned(ASKED, tmp_path)] == [rung.spec for rung in PLANNED]
    assert {rung.peak_bytes for rung in fit._planned(ASKED, tmp_path)} == {0}


def test_that_a_training_that_has_saved_something_is_planned_anew_by_what_it_ran_by(tmp_path: Path) -> None:
    assert fit._before(ASKED, tmp_path) is None
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "step-000000001.safetensors").touch()
    assert fit._before(ASKED, tmp_path) == ASKED.techniques
    fit.keep(ASKED, PLANNED[1:], tmp_path)
    assert fit._before(replace(ASKED, fit="1GiB"), tmp_path) == PLANNED[1].spec.techniques
