"""What the worker on a login node does while its srun waits and works: in the process of the test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fullfield import __version__, files
from fullfield.errors import ExitCode, FullfieldError, Interrupted, MissingPart, UsageError, WorkerDied
from fullfield.jobs import event_log, step
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import local, slurm
from fullfield.jobs.worker import WorkerContext
from fullfield.protocol import event_lines, events
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import PhaseStarted, RunEnded, RunStarted

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no login node of a cluster is a Windows PC")
QUEUED = Job(kind="empty", place="slurm", slurm=("--partition=gpu", "--time=01:00:00"))
Turn = Callable[[], None]


class Cluster:
    """Its srun, which lives for as many turns as there are, of what happens meanwhile, and ends by `code`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.code = folder, 0
        self.turns: list[Turn] = []
        self.wait: Turn = lambda: None
        self.begun: list[tuple[list[str], dict[str, Any]]] = []
        self.called: list[str] = []
        self.says = ""
        self.refuses = False
        monkeypatch.setattr(local, "interpreter", lambda kind: None)
        monkeypatch.setattr(slurm, "time", SimpleNamespace(sleep=self._sleep))
        own = SimpleNamespace(**{name: getattr(subprocess, name) for name in ("DEVNULL", "SubprocessError")})
        own.Popen, own.run = self._begin, self._run
        monkeypatch.setattr(slurm, "subprocess", own)

    def work(self) -> int:
        event_log.path(self.folder).unlink(missing_ok=True)
        return slurm.work(QUEUED, WorkerContext(self.folder, rank=0, world=1))

    def told(self) -> list[Any]:
        lines = event_log.path(self.folder).read_text(encoding="utf-8").splitlines()
        return [replace(event, time=0.0) for line in lines if (event := event_lines.from_line(line)) is not None]

    def begins(self) -> None:
        """The run's step does."""
        (self.folder / step.STARTED).touch()

    def ends(self) -> None:
        """The run's step tells its end."""
        files.append_line(event_log.path(self.folder), events.to_line(RunEnded(reason="completed")))

    def stop(self) -> None:
        files.append_line(self.folder / "commands.jsonl", Stop().to_line())

    def _begin(self, command: list[str], **given: Any) -> Any:
        if self.refuses:
            raise FileNotFoundError
        self.begun.append((command, given))
        assert not (self.folder / step.STARTED).exists(), "of an earlier step"
        os.write(given["stderr"], self.says.encode())

        def wait() -> None:
            self.called.append("wait")
            self.wait()

        return SimpleNamespace(
            poll=lambda: None if self.turns else self.code,
            terminate=lambda: self.called.append("terminate"),
            wait=wait,
            returncode=self.code,
        )

    def _sleep(self, seconds: float) -> None:
        assert seconds == slurm.LOOK_SECONDS
        self.turns.pop(0)()

    def _run(self, command: list[str], *, timeout: float, check: bool) -> None:
        self.called.append(" ".join(command))
        assert timeout == slurm.CANCEL_SECONDS and not check
        raise subprocess.TimeoutExpired(command, timeout)


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    return Cluster(tmp_path, monkeypatch)


def test_that_it_waits_until_the_step_has_told_the_end(cluster: Cluster) -> None:
    (cluster.folder / step.STARTED).touch()
    cluster.turns = [cluster.begins, cluster.ends]
    assert cluster.work() == 0
    started, phase, ended = cluster.told()
    assert started == RunStarted(job="empty", pid=os.getpid(), version=__version__)
    assert isinstance(phase, PhaseStarted) and "queue" in phase.name and isinstance(ended, RunEnded)
    ((command, given),) = cluster.begun
    name = command.pop(5)
    assert command == [
        *("srun", "--partition=gpu", "--time=01:00:00", "--ntasks=1", "--input=none"),
        *(sys.executable, "-P", "-m", "fullfield.jobs.step", str(cluster.folder), str(os.getpid())),
    ]
    assert name.startswith("--job-name=fullfield-") and len(name) == 33
    assert given["env"] == local.environment() and cluster.called == []
    cluster.turns = [cluster.ends]
    cluster.code = 7
    assert cluster.work() == 7
    assert cluster.called == [f"scancel {name.replace('job-', '')}"], "that of a worker before it may still wait"
    assert (cluster.folder / slurm.SAID).read_bytes() == b""


def test_that_a_step_of_another_python_has_its_environment(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "interpreter", lambda kind: Path("/there/python"))
    cluster.turns = [cluster.ends]
    cluster.work()
    ((command, given),) = cluster.begun
    assert command[6:8] == [str(Path("/there/python")), "-P"] and given["env"] == local.environment(
        Path("/there/python")
    )


def test_that_one_that_waits_is_stopped_at_once_and_one_that_works_stops_itself(cluster: Cluster) -> None:
    cluster.turns = [cluster.stop, lambda: None]
    with pytest.raises(Interrupted, match="while it waited in the queue"):
        cluster.work()
    assert cluster.called == ["terminate", "wait"]
    (cluster.folder / slurm.SAID).unlink()
    cluster.called.clear()
    cluster.turns = [cluster.begins, cluster.ends]
    (cluster.folder / "commands.jsonl").unlink()
    cluster.turns.insert(1, cluster.stop)
    assert cluster.work() == 0 and cluster.called == []


def test_that_one_that_began_while_it_was_stopped_says_itself_how_it_ended(cluster: Cluster) -> None:
    cluster.turns, cluster.wait, cluster.code = [cluster.stop, lambda: None], cluster.ends, 130
    assert cluster.work() == ExitCode.INTERRUPTED
    assert cluster.called == ["terminate", "wait"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_that_a_signal_to_the_worker_is_a_stop(cluster: Cluster, number: signal.Signals) -> None:
    cluster.turns = [lambda: signal.raise_signal(number), lambda: None]
    with pytest.raises(Interrupted):
        cluster.work()
    assert (cluster.folder / "commands.jsonl").read_text() == f"{Stop().to_line()}\n"


@pytest.mark.parametrize(
    ("says", "begun", "code", "error", "words"),
    [
        ("", False, 9, FullfieldError, "The cluster does not take the run. srun ended with exit code 9. Look at"),
        ("noise\nsrun: job 7 queued\nsrun: error: x\n", False, 1, FullfieldError, "SLURM says: job 7 queued Look at"),
        ("srun: error: in /srv/mueller\n", False, 1, FullfieldError, "SLURM says: in <path>"),
        ("srun: error: x\n", True, 1, WorkerDied, "It was killed, or the system had no memory left."),
        ("", True, -9, WorkerDied, "Somebody or the system killed it"),
        ("", True, 0, WorkerDied, "It ended by itself, with exit code 0."),
        ("a DUE TO TIME LIMIT b", True, 1, WorkerDied, "Its time there is over. Go on with the run (--resume)"),
    ],
)
def test_that_a_run_without_an_end_is_told_with_why(
    cluster: Cluster, says: str, begun: bool, code: int, error: type[FullfieldError], words: str
) -> None:
    (cluster.folder / "job.json").touch()
    cluster.says, cluster.code, cluster.turns = says, code, [cluster.begins if begun else lambda: None]
    with pytest.raises(FullfieldError) as raised:
        cluster.work()
    assert type(raised.value) is error and words in str(raised.value)


def test_that_a_machine_without_srun_is_no_login_node(cluster: Cluster) -> None:
    cluster.refuses = True
    with pytest.raises(UsageError, match="no command srun: it is no login node"):
        cluster.work()


def test_that_a_run_that_is_ended_is_cancelled_there_too_and_no_other(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "spawn", lambda folder: SimpleNamespace(pid=2**22 + 1))
    killed: list[int] = []
    monkeypatch.setattr("fullfield.system.kill_tree", lambda pid: not killed.append(pid))  # type: ignore[func-returns-value]
    names = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        handle = slurm.launch(QUEUED, folder=folder)
        assert handle.folder == folder
        handle.kill()
        assert killed.pop() == 2**22 + 1, "the worker, too"
        slurm.attach(folder).kill()
        first, second = cluster.called[-2:]
        assert first == second and first.startswith("scancel --name=fullfield-")
        names.append(first)
    assert names[0] != names[1]
    with pytest.raises(UsageError, match="Cannot start 2 processes in the queue"):
        slurm.launch(replace(QUEUED, processes=2), folder=tmp_path / "c")

    def lacks(kind: str) -> None:
        raise MissingPart("Not installed: torch.")

    monkeypatch.setattr(local, "interpreter", lacks)
    with pytest.raises(MissingPart):
        slurm.launch(QUEUED, folder=tmp_path / "c")
    assert not (tmp_path / "c").exists()
