"""Where the members of an ensemble go on that does not lie any more where it was begun."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.plan import spec as plans
from fullfield.protocol import events
from fullfield.protocol.events import RunEnded
from fullfield.runs import ensemble
from fullfield_app import arguments
from fullfield_app.cli import ensemble as cli_ensemble


@pytest.fixture
def begun(launched: list[Job], tmp_path: Path) -> Path:
    """The folder of an ensemble of two, whose first member is complete."""
    out = tmp_path / "begun"
    line = ["train", "--data", "images", "--out", str(out), "--weights", "none", "--members", "2", "--quiet"]
    arguments.parse(line)()
    jobs.save(launched.pop(), out)
    end = RunEnded(reason="completed", summary={"epochs": 1, "model_sha256": ""})
    files.append_line(out / "member-1" / "events.jsonl", events.to_line(end))
    return out


def again(out: Path, *more: str) -> None:
    arguments.parse(["train", "--out", str(out), "--resume", "--quiet", *more])()


@pytest.mark.parametrize("bring", [shutil.move, shutil.copytree])
def test_that_an_ensemble_goes_on_in_the_folder_that_it_was_brought_to(
    launched: list[Job], begun: Path, tmp_path: Path, bring: Callable[[Path, Path], object]
) -> None:
    bring(begun, tmp_path / "elsewhere")
    again(tmp_path / "elsewhere")
    assert launched[0].spec["runs"] == [str(tmp_path / "elsewhere" / f"member-{number}") for number in (1, 2)]
    assert begun.exists() is (bring is shutil.copytree), "nothing is begun where it was"
    with pytest.raises(UsageError, match="other settings: epochs"):
        again(tmp_path / "elsewhere", "--epochs", "99")


def test_that_members_that_the_window_has_begun_go_on_where_they_are_or_are_missed(
    launched: list[Job], begun: Path, tmp_path: Path
) -> None:
    known = cli_ensemble.before(begun)
    assert known is not None
    spec = ensemble.prepare(plans.checked(known.training), ensemble.new_folders(2))
    jobs.save(Job.of(spec), tmp_path / "window")
    again(tmp_path / "window")
    assert launched[0].spec["runs"] == list(spec.runs)
    shutil.rmtree(spec.runs[1])
    with pytest.raises(UsageError, match="The run of member 2 is not in") as refused:
        again(tmp_path / "window")
    assert spec.runs[1] in str(refused.value) and len(launched) == 1


def test_that_a_training_replaces_no_ensemble_of_which_a_member_has_begun_elsewhere(
    launched: list[Job], begun: Path, tmp_path: Path
) -> None:
    known = cli_ensemble.before(begun)
    assert known is not None
    jobs.save(Job.of(replace(known, runs=(known.runs[1], str(tmp_path / "none")))), tmp_path / "not begun")
    jobs.save(Job.of(known), tmp_path / "window")
    end = RunEnded(reason="completed", summary={})
    (tmp_path / "complete").mkdir()
    files.append_line(tmp_path / "complete" / "events.jsonl", events.to_line(end))
    for name in ("window", "complete", "not begun"):
        train = arguments.parse(
            ["train", "--data", "images", "--out", str(tmp_path / name), "--weights", "none", "--quiet"]
        )
        if name == "not begun":
            train()
        else:
            with pytest.raises(UsageError, match="The folder after --out holds a run"):
                train()
    assert len(launched) == 1


def test_that_no_member_begins_from_other_first_weights_than_those_before_it(
    launched: list[Job], tmp_path: Path
) -> None:
    first, other, moved = (tmp_path / f"{name}.safetensors" for name in ("first", "other", "moved"))
    out, end = tmp_path / "out", RunEnded(reason="completed", summary={})
    first.write_text("a")
    other.write_text("b")
    moved.write_text("a")
    line = ["train", "--data", "images", "--out", str(out), "--weights", str(first), "--members", "2", "--quiet"]
    arguments.parse(line)()
    jobs.save(launched.pop(), out)
    again(out, "--weights", str(other))
    files.append_line(out / "member-1" / "events.jsonl", events.to_line(end))
    for weights in (str(other), str(tmp_path / "none.safetensors")):
        with pytest.raises(UsageError, match=r"other settings: weights\."):
            again(out, "--weights", weights)
    with pytest.raises(UsageError, match=r"other settings: weights\."):
        again(out, "--weights", "none")
    again(out, "--weights", str(moved))
    assert len(launched) == 2
    (out / "member-2").mkdir()
    files.append_line(out / "member-2" / "events.jsonl", events.to_line(end))
    again(out, "--weights", str(other))
    assert len(launched) == 3, "checkpoints hold what became of them"
