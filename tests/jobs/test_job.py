"""What a run's folder says of it, and who may begin or remove it."""

from __future__ import annotations

import json
import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import filelock
import pytest

from fullfield import files, process_identity
from fullfield.errors import CannotWrite, UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job, OtherVersion, Worker
from fullfield.protocol.fleets import Fleet
from fullfield.protocol.small import EmptySpec
from fullfield.protocol.training import Training

OWN = (os.getpid(), process_identity.process_started(os.getpid()))
GONE = (2**22 + 1, "long gone")


def test_that_a_job_is_read_as_it_was_saved_by_its_user_alone(tmp_path: Path) -> None:
    fleet = Fleet(names=("a", "b"), number=1, least=1, most=2, interface="lo", key="k")
    whole = Job(
        kind="train",
        spec={"data": "größe"},
        processes=3,
        place="node:a,b",
        images_to="a,b",
        least=1,
        most=2,
        fleet=fleet,
        slurm=("--x",),
        owner=OWN,
    )
    for job in (whole, Job(kind="empty")):
        jobs.save(job, tmp_path)
        jobs.accept(tmp_path)
        assert jobs.load(tmp_path) == job
        if os.name == "posix":
            assert stat.S_IMODE((tmp_path / "job.json").stat().st_mode) == 0o600


def test_that_a_job_is_of_what_is_asked_at_the_place_that_that_names() -> None:
    job = Job.of(EmptySpec())
    assert job == Job(kind="empty", least=1, most=1)
    assert (Job(kind="empty").least, Job(kind="empty").most) == (0, 0), "all that there are"
    several = Training(data="-", place="node:a,b,c")
    job = Job.of(several, processes=2, nodes="2:3", images_to="a", owner=OWN)
    assert (job.kind, job.place, job.processes, job.least, job.most) == ("train", "node:a,b,c", 2, 2, 3)
    assert (job.images_to, job.owner, job.spec["data"]) == ("a", OWN, "-")
    assert (Job.of(several).least, Job.of(several).most) == (3, 3)
    with pytest.raises(UsageError, match="1 are named"):
        Job.of(EmptySpec(), nodes="2")


@pytest.mark.parametrize("processes", [0, -1])
def test_that_a_run_has_a_process_at_least(processes: int) -> None:
    with pytest.raises(UsageError, match=f"Cannot start a run of {processes} processes"):
        Job(kind="empty", processes=processes)


def test_that_a_fresh_folder_is_this_users_and_tells_when_and_what(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (jobs.new_folder("plan") for _ in range(2))
    assert first != second and first.parent == second.parent == files.runs_folder()
    when, of_day, kind, chance = first.name.split("-")
    assert (kind, len(chance)) == ("plan", 6)
    assert abs(time.mktime(time.strptime(when + of_day, "%Y%m%d%H%M%S")) - time.mktime(time.gmtime())) < 60
    if os.name == "posix":
        assert stat.S_IMODE(first.stat().st_mode) == 0o700

    def full(folder: Path) -> Path:
        if "-plan-" not in folder.name:
            return folder
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "private_folder", full)
    with pytest.raises(files.OwnFolder):
        jobs.new_folder("plan")
    with pytest.raises(CannotWrite, match="No space"):
        jobs.save(Job(kind="empty"), first)


def left(kind: str, *, owner: tuple[int, str] | None = None, hours: float = 1.1) -> Path:
    """What a killed run left, so long ago."""
    folder = jobs.new_folder(kind)
    jobs.save(Job(kind=kind, owner=owner), folder)
    os.utime(folder, (time.time() - 3600 * hours,) * 2)
    return folder


def test_that_what_is_left_of_a_kind_is_removed_where_nobody_is_at_it_or_shows_it(
    private_folders: Path,
) -> None:
    kept = [left("session", owner=OWN), left("session", hours=0.9), left("batch"), left("train")]
    damaged = left("session")
    (damaged / "job.json").write_text("{")
    os.utime(damaged, (0, 0))
    at_work = left("session")
    with filelock.FileLock(at_work / "worker.lock", thread_local=False):
        os.utime(at_work, (0, 0))
        removed = [left("session"), left("session", owner=GONE), damaged]
        jobs.sweep("session")
        assert at_work.exists()
    assert all(folder.exists() for folder in kept) and not any(folder.exists() for folder in removed)


def start(folder: Path, process: tuple[int, str], name: str = "start.json") -> None:
    (folder / name).write_text(json.dumps({"pid": process[0], "started": process[1]}))


def test_that_a_run_is_not_begun_whose_process_was_just_started(tmp_path: Path) -> None:
    jobs.refuse_running(tmp_path)
    start(tmp_path, GONE)
    jobs.refuse_running(tmp_path)
    jobs.note_start(tmp_path, os.getpid())
    with pytest.raises(UsageError, match="It is running already") as refused:
        jobs.refuse_running(tmp_path)
    assert refused.value.title == "Cannot start this run."
    start(tmp_path, GONE, "worker.json")
    jobs.refuse_running(tmp_path)  # it has said itself what it is, and holds no lock


def test_that_a_lock_that_nobody_holds_is_no_worker(tmp_path: Path) -> None:
    for name in ("worker.lock", "worker-1.lock"):
        (tmp_path / name).touch()
    jobs.refuse_running(tmp_path)
    (tmp_path / "worker-2.lock").mkdir()
    jobs.refuse_running(tmp_path)


@pytest.mark.parametrize("name", ["worker.lock", "worker-1.lock"])
def test_that_a_lock_that_is_held_is_one(tmp_path: Path, name: str) -> None:
    words = "running already" if name == "worker.lock" else "has not ended yet"
    with filelock.FileLock(tmp_path / name, thread_local=False, is_singleton=False):
        begun = time.monotonic()
        with pytest.raises(UsageError, match=words):
            jobs.refuse_running(tmp_path, patience=0.1)
        assert time.monotonic() - begun < 20
        with pytest.raises(UsageError, match=words):
            jobs.refuse_running(tmp_path)


def test_that_who_starts_keeps_others_from_it_and_says_where_it_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "START_SECONDS", 0.0)
    with jobs.starting(tmp_path), pytest.raises(UsageError, match="running already"), jobs.starting(tmp_path):
        pass
    with pytest.raises(ZeroDivisionError), jobs.starting(tmp_path):
        raise ZeroDivisionError
    with jobs.starting(tmp_path / "new"):
        assert (tmp_path / "new").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite), jobs.starting(tmp_path / "file"):
        pass


def test_that_a_full_disk_keeps_nobody_from_starting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(target: Path, text: str) -> None:
        raise CannotWrite("No room.")

    monkeypatch.setattr(files, "write_text", full)
    jobs.note_start(tmp_path, 7)
    assert not (tmp_path / "start.json").exists()


def test_that_what_was_asked_can_be_refused_also_where_it_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError

    assert jobs.refuse(tmp_path) is False
    for _ in range(2):
        jobs.save(Job(kind="empty"), tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", kept)
        assert jobs.refuse(tmp_path) is True and (tmp_path / jobs.NEXT).exists()
    assert jobs.refuse(tmp_path) is True and not (tmp_path / jobs.NEXT).exists()
    jobs.accept(tmp_path)
    assert jobs.load(tmp_path) == Job(kind="empty")


@pytest.mark.parametrize(
    ("name", "rank", "found"),
    [
        ("worker.json", 0, "worker.json"),
        ("worker.json", 1, "worker-1.json"),
        ("worker.log", 12, "worker-12.log"),
        ("pulse", 3, "pulse-3"),
    ],
)
def test_that_of_several_each_has_files_of_its_own(name: str, rank: int, found: str) -> None:
    assert jobs.of_rank(name, rank) == found


@pytest.mark.parametrize(
    "text", ["{", "[]", "", '{"pid": 0, "started": "a"}', f'{{"pid": {2**31}, "started": "a"}}', '{"pid": 7}']
)
def test_that_a_file_that_names_no_process_is_no_worker(tmp_path: Path, text: str) -> None:
    assert jobs.worker(tmp_path) is None
    (tmp_path / "worker.json").write_text(text)
    assert jobs.worker(tmp_path) is None
    start(tmp_path, (7, "a"), "worker.json")
    assert jobs.worker(tmp_path) == Worker(pid=7, started="a", world=1)
    for number in (1, 2**31 - 1):
        (tmp_path / "worker-2.json").write_text(json.dumps({"pid": number, "started": 7.5, "world": 3}))
        assert jobs.worker(tmp_path, 2) == Worker(pid=number, started=7.5, world=3)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("{", UsageError, "missing or damaged"),
        ("{}", UsageError, "missing or damaged"),
        ('{"version": 1}', UsageError, "missing or damaged"),
        ('{"version": 1, "kind": "empty", "processes": 0}', UsageError, "missing or damaged"),
        ('{"version": 2, "kind": "empty"}', OtherVersion, "another version"),
        ('{"version": 0}', OtherVersion, "another version"),
    ],
)
def test_that_a_folder_whose_job_cannot_be_run_is_refused_with_why(
    tmp_path: Path, text: str, kind: type[UsageError], words: str
) -> None:
    (tmp_path / "job.json").write_text(text)
    for read in (jobs.load, jobs.asked):
        with pytest.raises(UsageError, match=words) as raised:
            read(tmp_path)
        assert type(raised.value) is kind and tmp_path.name in raised.value.title
    (tmp_path / jobs.NEXT).write_text(json.dumps({"version": 1, "kind": "empty"}))
    assert jobs.asked(tmp_path) == replace(Job(kind="empty"))
