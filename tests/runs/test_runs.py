"""The trainings of a user: found, listed, named, deleted, and what became of each."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from fullfield import files, process_identity, system
from fullfield.errors import CannotWrite, UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.protocol import events, fields
from fullfield.protocol.ensembles import EnsembleSpec, MemberReported
from fullfield.protocol.events import EpochDone, Event, MemorySampled, RunEnded, RunFailed, RunStarted, StepDone
from fullfield.protocol.training import Training
from fullfield.runs import digest, reading, runs
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import Label, Shelf, State

NOBODY = {"pid": 2**22 + 1, "started": 0.0}
STARTED = RunStarted(job="train", pid=1, time=100.0)
STEP = StepDone(epoch=1, step=1, steps=4, loss=9.0, seconds=1.0, time=101.0)
EPOCH = EpochDone(
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
)


def me() -> dict[str, object]:
    return {"pid": os.getpid(), "started": process_identity.process_started(os.getpid())}


def leave(*reported: Event, number: int = 0, worker: dict[str, object] | None = None, **spec: object) -> Path:
    """A run's folder as a worker leaves it."""
    folder = files.runs_folder() / f"20260101-00000{number}-train-abc"
    jobs.save(Job(kind="train", spec={"data": "/somewhere", "size": 512, "techniques": ["recompute"], **spec}), folder)
    (folder / "worker.json").write_text(json.dumps(worker or NOBODY))
    (folder / "events.jsonl").write_text("".join(events.to_line(event) + "\n" for event in reported))
    return folder


@pytest.mark.parametrize(
    ("reported", "worker", "state"),
    [
        ([STARTED], None, State.DIED),
        ([STARTED, STEP], None, State.DIED),
        ([STARTED, STEP, RunEnded(reason="paused")], None, State.PAUSED),
        ([STARTED, STEP, RunEnded(reason="stopped")], None, State.STOPPED),
        ([STARTED, STEP, RunEnded(reason="completed")], None, State.COMPLETED),
        ([STARTED, RunFailed(error={"title": "No."}), RunEnded(reason="failed")], None, State.FAILED),
        ([STARTED], "me", State.PREPARING),
        ([STARTED, STEP], "me", State.RUNNING),
        ([STARTED, STEP, RunEnded(reason="paused"), STARTED], "me", State.PREPARING),
    ],
)
def test_that_the_state_of_a_run_follows_from_its_last_word_and_its_worker(
    reported: list[Event], worker: str | None, state: State
) -> None:
    folder = leave(*reported, worker=me() if worker else None)
    found = runs.find(folder)
    assert found is not None and found.state is state


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process's time of creation is noted once")
@pytest.mark.parametrize("step", [3.0, -3.0, 3600.0])
def test_that_a_run_goes_on_though_the_clock_is_set(step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, before = leave(STARTED, STEP, worker=me()), psutil.boot_time()
    monkeypatch.setattr(sys.modules["psutil._pslinux"], "boot_time", lambda: before + step)
    found = runs.find(folder)
    assert found is not None and found.state is State.RUNNING and runs.unfinished() == ([folder], [])


def test_that_an_ensemble_is_listed_with_what_its_members_are_asked_and_at_start_they_go_with_it() -> None:
    member, other = leave(STARTED, STEP, worker=me(), number=1), leave(STARTED, STEP, worker=me(), number=2)
    folder = files.runs_folder() / "20260101-000009-ensemble-000000"
    spec = EnsembleSpec(training=Training(data="/data", size=96), runs=(str(member), str(folder.with_name("none"))))
    jobs.save(Job.of(spec), folder)
    (folder / jobs.WORKER).write_text(json.dumps(me()))
    reported = MemberReported(member=1, members=2, place="local", state="completed", epoch=2, epochs=2)
    (folder / "events.jsonl").write_text(events.to_line(reported) + "\n")
    found = Shelf().listed()[0]
    assert (found.folder, found.spec, found.state) == (folder, fields.of(spec.training), State.RUNNING)
    assert found.members[0] == member and (found.digest.epoch, found.digest.epochs) == (1, 2)
    assert runs.unfinished() == ([folder, other], [])
    (folder / jobs.WORKER).write_text(json.dumps({"pid": 2**22 + 1, "started": 0.0}))
    os.utime(folder / jobs.JOB, (1, 1))
    assert runs.unfinished() == ([other, member], [folder]), "nobody follows it"


def test_that_the_worker_of_an_older_version_is_known() -> None:
    folder = leave(STARTED, STEP, worker={"pid": os.getpid(), "started": psutil.Process().create_time()})
    found = runs.find(folder)
    assert found is not None and found.state is State.RUNNING


def test_that_a_list_holds_the_figures_of_each_run_the_newest_first() -> None:
    memory = MemorySampled(seconds=1.0, step=1, phase="forward", border=True, host_bytes=2 << 30)
    leave(STARTED, STEP, memory, EPOCH, RunEnded(reason="completed", time=110.0), number=1)
    leave(STARTED, RunEnded(reason="stopped"), number=2, size=1024)
    newest, oldest = Shelf().listed()
    assert (newest.spec["size"], newest.state) == (1024, State.STOPPED)
    digest = oldest.digest
    assert (digest.best_loss, digest.best_epoch, digest.epoch, digest.epochs) == (7.0, 1, 1, 2)
    assert (digest.peak_bytes, digest.on_card, digest.seconds) == (2 << 30, False, 10.0)
    assert oldest.techniques == ("recompute",)


def test_that_a_long_state_is_read_once_and_again_when_it_has_gone_on() -> None:
    folder = leave(STARTED, STEP, EPOCH, RunEnded(reason="paused"))
    first = runs.find(folder)
    read: list[Path] = []

    def tell(folder: Path) -> RunSnapshot:
        read.append(folder)
        return reading.read(folder)

    assert runs.find(folder, tell) == first and read == []
    files.append_line(folder / "events.jsonl", events.to_line(RunEnded(reason="stopped")))
    again = runs.find(folder, tell)
    assert again is not None and again.state is State.STOPPED and read == [folder]
    (folder / "digest.json").write_text("[")
    assert runs.find(folder, tell) == again and len(read) == 2


def test_that_running_and_died_runs_are_found_at_start_and_a_death_is_told_once() -> None:
    running = leave(STARTED, STEP, worker=me(), number=1)
    died = leave(STARTED, STEP, number=2)
    leave(STARTED, STEP, RunEnded(reason="paused"), number=3)
    assert runs.unfinished() == ([running], [died])
    runs.see(died)
    assert runs.unfinished() == ([running], [])
    files.append_line(died / "events.jsonl", events.to_line(STARTED))  # gone on with, and dead again
    assert runs.unfinished() == ([running], [died])


def test_that_a_run_is_named_and_deleted_and_never_while_it_runs() -> None:
    folder, running = leave(STARTED, number=1), leave(STARTED, worker=me(), number=2)
    runs.rename(folder, Label(name="Knees, 2048", notes="second try"))
    assert runs.label(folder) == Label(name="Knees, 2048", notes="second try") and runs.label(running) == Label()
    if os.name == "posix":
        assert (folder / "label.json").stat().st_mode & 0o077 == 0
    with pytest.raises(UsageError, match="running"):
        runs.remove(running)
    runs.remove(folder)
    assert [run.folder for run in Shelf().listed()] == [running]


def test_that_a_run_that_is_being_deleted_is_not_listed() -> None:
    folder = leave(STARTED, number=1)
    folder.rename(folder.with_name(f".gone-{folder.name}"))
    assert runs.folders() == []


def test_that_what_a_deletion_left_goes_when_runs_are_listed() -> None:
    folder = leave(STARTED, number=1)
    (folder / "samples").mkdir()
    (folder / "samples" / "input.npy").write_bytes(b"pixels")
    gone = folder.rename(folder.with_name(f".gone-{folder.name}"))
    assert Shelf().listed() == [] and not gone.exists()


def test_that_a_run_that_cannot_be_deleted_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = leave(STARTED)

    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(system, "rename", refuse)
    with pytest.raises(CannotWrite) as caught:
        runs.remove(folder)
    assert caught.value.title == "Cannot delete this run." and "Permission denied" in caught.value.detail
    assert [run.folder for run in Shelf().listed()] == [folder]


def test_that_a_run_whose_folder_is_gone_is_deleted() -> None:
    folder = leave(STARTED)
    runs.remove(folder)
    runs.remove(folder)
    assert runs.folders() == []


def test_that_nothing_is_kept_of_a_run_that_another_window_has_deleted() -> None:
    folder = leave(STARTED, STEP)
    runs.remove(folder)
    runs.see(folder)
    with pytest.raises(CannotWrite, match="deleted"):
        runs.rename(folder, Label(name="Knees"))
    digest.of_run(folder, reading.read)
    assert not folder.exists()


def test_that_a_full_disk_keeps_nobody_from_looking_at_a_run() -> None:
    died = leave(STARTED, STEP)
    (died / "seen.json").mkdir()  # no file can be written there
    runs.see(died)
    assert runs.unfinished() == ([], [died])


def test_that_what_was_predicted_beforehand_is_part_of_the_state() -> None:
    folder = leave(STARTED, STEP)
    reading.predict(folder, {"peak_bytes": 5, "techniques": ["x"]}, budget_bytes=9)
    reported = reading.read(folder)
    assert reported.memory.predicted_bytes == 5 and reported.memory.budget_bytes == 9


def test_that_a_folder_of_another_version_or_kind_is_passed_over() -> None:
    folder = leave(STARTED)
    (folder / "job.json").write_text('{"version": 99}')
    other = files.runs_folder() / "20260101-000000-train-def"
    jobs.save(Job(kind="empty"), other)
    assert Shelf().listed() == []


def test_that_a_resumed_run_is_asked_for_what_it_was_asked_before() -> None:
    folder = leave(STARTED)
    assert runs.resumed(folder) == jobs.load(folder)
    assert runs.resumed(folder, watch=3).spec == {**jobs.load(folder).spec, "watch": 3}


def test_that_listing_runs_imports_nothing_that_computes() -> None:
    code = "import sys, fullfield.runs.runs; sys.exit(bool({'torch', 'pydicom', 'cv2', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_a_run_that_goes_on_is_read_on_from_where_it_was() -> None:
    folder = leave(STARTED, STEP, worker=me())
    shelf = Shelf()
    assert [run.digest.epoch for run in shelf.listed()] == [0]
    with (folder / "events.jsonl").open("a") as stream:
        stream.write(events.to_line(EPOCH) + "\n" + events.to_line(RunEnded(reason="paused")))  # not whole yet
    assert [(run.digest.epoch, run.state) for run in shelf.listed()] == [(1, State.RUNNING)]
    (folder / "events.jsonl").open("a").write("\n")
    assert [run.state for run in shelf.listed()] == [State.PAUSED]
