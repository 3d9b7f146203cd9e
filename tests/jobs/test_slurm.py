"""Runs that wait in the queue of a cluster, with a script in the place of srun."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.errors import ExitCode, UsageError
from fullfield.jobs import event_log, step
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.nodes import enhancing, node, together
from fullfield.nodes.node import Node
from fullfield.protocol.events import Event, Notice, PhaseStarted, RunEnded, RunFailed, RunStarted
from nodes.servers import executable, kept, script

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no login node of a cluster is a Windows PC")
QUEUED = Job(kind="empty", place="slurm", slurm=("--partition=gpu", "--time=01:00:00"))
OPTIONS = """echo "$@" >> {folder}/asked
while [ "${{1#--}}" != "$1" ]; do shift; done
"""

Srun = Callable[[str], None]


@pytest.fixture
def srun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Srun:
    """Put a script in the place of srun, which does this with the command of its step."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    executable(tmp_path / "bin" / "scancel", f'echo "scancel $@" >> {tmp_path}/asked')

    def put(does: str) -> None:
        executable(tmp_path / "bin" / "srun", OPTIONS.format(folder=tmp_path) + does.format(folder=tmp_path))

    return put


def asked(folder: Path) -> list[list[str]]:
    return [line.split() for line in (folder / "asked").read_text().splitlines()]


def ended(events: list[Event]) -> tuple[str, str]:
    """How a run ended, and why it failed."""
    failed = [event for event in events if isinstance(event, RunFailed)]
    last = events[-1]
    assert isinstance(last, RunEnded)
    return last.reason, " ".join(failed[0].error.values()) if failed else ""


def test_that_a_run_waits_for_its_turn_and_is_done_in_its_folder_by_another_process(srun: Srun, tmp_path: Path) -> None:
    srun('exec "$@"')
    events = list(launch(QUEUED, folder=tmp_path / "run").events())
    assert [type(event) for event in events[:2]] == [RunStarted, PhaseStarted] and ended(events) == ("completed", "")
    assert any(isinstance(event, Notice) and "1 of 1 processes" in event.text for event in events)
    (words,) = asked(tmp_path)
    assert words[:2] == list(QUEUED.slurm) and {"--ntasks=1", "--input=none"} <= set(words)
    name = next(word for word in words if word.startswith("--job-name="))
    assert "run" not in name and str(tmp_path) not in name, "others see it"
    assert jobs.load(tmp_path / "run").slurm == QUEUED.slurm and not attach(tmp_path / "run").alive()


def test_that_one_that_still_waits_can_be_stopped_or_ended(srun: Srun, tmp_path: Path) -> None:
    srun("exec sleep 300")
    run = launch(QUEUED, folder=tmp_path / "run")
    _until(lambda: (tmp_path / "asked").exists())
    run.stop()
    reason, _ = ended(list(run.events()))
    assert reason == "stopped"
    run = launch(QUEUED, folder=tmp_path / "run")
    _until(lambda: [words[0] == "scancel" for words in asked(tmp_path)] == [False, True, False])
    assert attach(tmp_path / "run").alive()
    run.kill()
    assert not run.alive() and asked(tmp_path)[-1][0] == "scancel"
    names = [word.removeprefix("--job-name=") for word in asked(tmp_path)[-2] if word.startswith("--job-name=")]
    assert asked(tmp_path)[-1][1] == f"--name={names[0]}"


@pytest.mark.parametrize(
    ("does", "how", "words"),
    [
        (
            'echo "srun: error: invalid partition specified: gpu" >&2; exit 1',
            "failed",
            "The cluster does not take the run. SLURM says: invalid partition specified: gpu Look at the options",
        ),
        ("exit 9", "failed", "srun ended with exit code 9."),
        (
            'echo "slurmstepd-a: error: *** STEP 1.0 ON a CANCELLED AT 09:00 DUE TO TIME LIMIT ***" >&2; exit 1',
            "failed",
            "Its time there is over. Go on with the run (--resume)",
        ),
        (
            f"touch {{folder}}/run/{step.STARTED}; exit 137",
            "failed",
            "It was killed, or the system had no memory left.",
        ),
    ],
)
def test_that_what_the_cluster_says_is_told_and_the_run_stays_what_it_was(
    srun: Srun, tmp_path: Path, does: str, how: str, words: str
) -> None:
    srun(does)
    reason, why = ended(list(launch(QUEUED, folder=tmp_path / "run").events()))
    assert reason == how and words in why


def test_that_without_srun_and_for_several_processes_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _, why = ended(list(launch(QUEUED, folder=tmp_path / "run").events()))
    assert "no command srun: it is no login node" in why and '--slurm=""' in why
    with pytest.raises(UsageError, match="One process trains there"):
        launch(replace(QUEUED, processes=2), folder=tmp_path / "two")


def test_that_a_step_stops_and_says_so_when_the_cluster_asks_or_nobody_is_there_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = step.StepContext(tmp_path, 7)
    assert not context.stopping()
    context.ask_to_stop(15, None)
    assert context.stopping() and context.stopping()
    assert event_log.path(tmp_path).read_text().count(step.ENDED) == 1
    alone = step.StepContext(tmp_path, 7)
    monkeypatch.setattr(alone._worker, "silent_seconds", lambda: step.LOST_SECONDS + 1)
    assert alone.stopping()


def test_that_a_step_whose_run_another_worker_has_ends_without_a_word(srun: Srun, tmp_path: Path) -> None:
    """The worker is killed, its srun is not and begins the step once the run has been resumed: it would train, and
    tell, beside the other."""
    srun('[ -e {folder}/second ] || {{ sleep 2; "$@"; echo "code $?" >> {folder}/code; exit; }}; exec "$@"')
    folder = tmp_path / "run"
    first = launch(QUEUED, folder=folder)
    _until(lambda: (tmp_path / "asked").exists())
    worker = jobs.worker(folder)
    assert worker is not None
    os.kill(worker.pid, signal.SIGKILL)
    _until(lambda: not first.alive())
    (tmp_path / "second").touch()
    events = list(launch(QUEUED, folder=folder).events())
    assert ended(events) == ("completed", "")
    assert any(words[0] == "scancel" for words in asked(tmp_path))
    _until(lambda: (tmp_path / "code").exists())
    assert (tmp_path / "code").read_text() == f"code {int(ExitCode.INTERRUPTED)}\n"
    assert event_log.path(folder).read_text().count(type(events[-1]).__name__) == 1


def test_that_a_login_node_puts_what_comes_by_ssh_into_its_queue(
    srun: Srun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path, monkeypatch)
    srun('exec "$@"')
    kept("login", tmp_path / "there", slurm="--partition=gpu '--comment=x'")
    events = list(launch(Job(kind="empty", place="node:gpu"), folder=tmp_path / "here").events())
    assert ended(events) == ("completed", "")
    assert asked(tmp_path)[0][:2] == ["--partition=gpu", "--comment=x"]
    assert any(isinstance(event, Notice) and "the queue of its cluster" in event.text for event in events)
    with pytest.raises(UsageError, match="where nothing is to be computed"):
        enhancing.open_machine(
            "gpu", images_to="login", device="auto", emit=lambda event: None, waits=lambda waiting: None
        )
    with pytest.raises(UsageError, match="srun's options"):
        Node(name="a", address="b", slurm="bash -c x")
    with pytest.raises(UsageError, match="queue decides when and where"):
        together.refuse((node.find("gpu"), Node(name="b", address="b", interface="eth1", allow_unencrypted=True)))


def _until(done: Callable[[], bool], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < ends
        time.sleep(0.05)
