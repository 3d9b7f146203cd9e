"""One damaged run folder costs its own line in the list, and nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launchers.local import LocalJob
from fullfield.protocol import events
from fullfield.protocol.events import (
    EpochDone,
    MemorySampled,
    PlanMade,
    RunEnded,
    RungTaken,
    RunStarted,
    SampleWritten,
    StepDone,
)
from fullfield.protocol.plan import Plan
from fullfield.report import content
from fullfield.runs import digest, reading, runs
from fullfield.runs.runs import Label, Shelf, State

STORY = (
    RunStarted(job="train", pid=1, time=100.0),
    PlanMade(plan=Plan(peak_bytes=5, techniques=("recompute",), by_kind={"weights": 3}), time=100.0),
    StepDone(epoch=1, step=1, steps=4, loss=9.0, seconds=1.0, time=101.0),
    MemorySampled(seconds=1.0, step=1, phase="forward", border=True, host_bytes=1 << 30, time=101.0),
    RungTaken(text="t", before=["recompute"], techniques=["recompute"], step=1, left=1, time=102.0),
    SampleWritten(epoch=1, image=0, images=1, sample="s", input="i", reference="r", time=103.0),
    EpochDone(
        epoch=1,
        epochs=2,
        train_loss=8.0,
        validation_loss=7.0,
        psnr_db=30.0,
        fine_sd_ratio=1.0,
        fine_correlation=0.9,
        learning_rate=1e-3,
        seconds=4.0,
        time=104.0,
    ),
    RunEnded(reason="paused", time=105.0),
)
FILES = ("job.json", "events.jsonl", "worker.json", "label.json", "seen.json", "digest.json", "prediction.json")
DEEP = "[" * 10_000 + "]" * 10_000
CONTENTS = {
    "null": "null",
    "list": "[]",
    "object": "{}",
    "text": '"x"',
    "negative": "-1",
    "huge": "1e400",
    "deep": DEEP,
}
VALUES = (None, [], {}, "x", -1, True, 2**63, 1e300, [1], {"a": None})


def leave(name: str) -> Path:
    """A paused training with all the files that a run has."""
    folder = files.runs_folder() / f"20260101-000001-train-{name}"
    jobs.save(Job(kind="train", spec={"data": "/somewhere", "size": 512, "techniques": ["recompute"]}), folder)
    (folder / "worker.json").write_text(json.dumps({"pid": 2**22 + 1, "started": 0.0}))
    (folder / "events.jsonl").write_text("".join(events.to_line(event) + "\n" for event in STORY))
    runs.rename(folder, Label(name=name))
    runs.see(folder)
    reading.predict(folder, {"peak_bytes": 5})
    runs.find(folder)  # leaves its digest
    return folder


def read_all(folder: Path) -> State | None:
    """Everything that a list, a notice at the start and a handle read; the state in the list. Nothing may raise."""
    listed = {run.folder: run.state for run in Shelf().listed()}
    assert listed[files.runs_folder() / "20260101-000001-train-good"] is State.PAUSED
    runs.unfinished()
    LocalJob(folder).alive()
    LocalJob(folder).kill()
    return listed.get(folder)


@pytest.fixture
def run() -> Path:
    leave("good")
    return leave("bad")


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("name", FILES)
def test_that_a_damaged_file_costs_its_own_run_at_most(run: Path, name: str, content: str) -> None:
    (run / name).write_text(CONTENTS[content])
    state = read_all(run)
    assert state is (State.DAMAGED if name == "job.json" else State.DIED if name == "events.jsonl" else State.PAUSED)


@pytest.mark.parametrize("name", [*FILES, "worker.lock"])
def test_that_a_folder_in_a_files_place_costs_its_own_run_at_most(run: Path, name: str) -> None:
    (run / name).unlink(missing_ok=True)
    (run / name).mkdir()
    if name == "events.jsonl":
        (run / "digest.json").unlink()
    damaged = name in ("job.json", "events.jsonl")
    assert read_all(run) is (State.DAMAGED if damaged else State.PAUSED)
    runs.remove(run)
    assert not run.exists()


@pytest.mark.parametrize("event", STORY, ids=lambda event: type(event).__name__)
def test_that_a_field_of_a_wrong_type_costs_its_own_line(run: Path, event: events.Event) -> None:
    place, whole = STORY.index(event), [events.to_line(one) for one in STORY]
    for field in (*json.loads(whole[place]), "plan.by_kind", "plan.peak_bytes", "plan.techniques"):
        for value in VALUES:
            values = json.loads(whole[place])
            inner = values.get("plan", {}) if "." in field else values
            inner[field.rpartition(".")[2]] = value
            lines = [*whole[:place], json.dumps(values), *whole[place + 1 :]]
            (run / "events.jsonl").write_text("\n".join(lines) + "\n")
            (run / "digest.json").unlink(missing_ok=True)
            reported = reading.read(run)
            assert digest.of_state(reported).epoch in (0, 1, True), "a line that is wrong is passed over"
    assert read_all(run) is not State.DAMAGED


@pytest.mark.parametrize("spec", [{"size": []}, {"techniques": 3}, {"techniques": [None]}, {"epochs": "many"}])
def test_that_settings_of_a_wrong_type_are_told_as_damage(run: Path, spec: dict[str, object]) -> None:
    values = json.loads((run / "job.json").read_text())
    (run / "job.json").write_text(json.dumps({**values, "spec": {**values["spec"], **spec}}))
    assert read_all(run) is State.DAMAGED


def test_that_a_list_in_the_place_of_the_settings_is_told_as_damage(run: Path) -> None:
    (run / "job.json").write_text(json.dumps({"version": 1, "kind": "train", "spec": [1]}))
    assert read_all(run) is State.DAMAGED


@pytest.mark.parametrize("where", ["the events", "the folder"])
def test_that_what_may_not_be_read_is_told_as_damage(run: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    denied(monkeypatch, lambda path: run in path.parents and (where == "the folder" or path.name == "events.jsonl"))
    if where == "the events":
        (run / "digest.json").unlink()
    assert read_all(run) is State.DAMAGED


def denied(monkeypatch: pytest.MonkeyPatch, to: Callable[[Path], bool]) -> None:
    """The system denies these files to this user (the tests may run as one who may read everything)."""
    for name in ("open", "stat", "read_bytes"):
        allowed = getattr(Path, name)

        def ask(path: Path, *given: object, allowed: Callable[..., object] = allowed, **named: object) -> object:
            if to(path) and (allowed is not stat or path.name != "digest.json"):
                raise PermissionError(13, os.strerror(13))
            return allowed(path, *given, **named)

        monkeypatch.setattr(Path, name, ask)


stat = Path.stat


def test_that_whatever_goes_wrong_with_one_run_the_others_are_listed(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = runs.find

    def break_down(folder: Path, *given: object) -> object:
        if folder == run:
            raise RuntimeError("a mistake of ours")
        return find(folder, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "find", break_down)
    assert {one.state for one in Shelf().listed()} == {State.PAUSED, State.DAMAGED}


def test_that_a_damaged_run_is_no_notice_at_the_start(run: Path) -> None:
    (run / "events.jsonl").write_text(events.to_line(STORY[0]) + "\n")
    assert runs.unfinished() == ([], [run])
    (run / "job.json").write_text("null")
    assert runs.unfinished() == ([], [])


def test_that_a_report_of_a_damaged_run_says_so(run: Path) -> None:
    (run / "job.json").write_text(DEEP)
    with pytest.raises(UsageError, match="damaged"):
        content.gather(run, images=False)
    with pytest.raises(UsageError, match="missing or damaged"):
        runs.resumed(run)


def test_that_an_end_that_is_no_state_of_a_run_is_no_end(run: Path) -> None:
    with (run / "events.jsonl").open("a") as stream:
        stream.write(events.to_line(RunEnded(reason="running")) + "\n")
    assert read_all(run) is State.DIED
