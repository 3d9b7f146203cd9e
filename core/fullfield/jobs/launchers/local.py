"""Runs on this machine: one process or several ranks, the same worker and files, read from the run's folder."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from fullfield import files, other_python, process_identity, system
from fullfield.errors import UsageError
from fullfield.interpreter import prepare_for_torch
from fullfield.jobs import event_log, own_files, post_mortem, ranks, registry
from fullfield.jobs import job as jobs
from fullfield.jobs.handle import POLL_SECONDS
from fullfield.jobs.job import Job
from fullfield.protocol import event_lines, events
from fullfield.protocol.commands import Command, Stop
from fullfield.protocol.events import Event, RunEnded
from fullfield.training_part import place

WORKER = "fullfield.jobs.worker"
READ_BYTES = 1 << 18  # of events at one poll: an old run has many, and its reader may have other things to do
OF_RANKS = re.compile("(LOCAL_|GROUP_|ROLE_)?(RANK|WORLD_SIZE)|ROLE_NAME|MASTER_(ADDR|PORT)|TORCHELASTIC_.*")
"""Names of the environment by which torchrun tells a process its place among others."""
LAST_SECONDS = 10.0
LINGER_SECONDS = 10.0
START_SECONDS = 60.0


def launch(job: Job, *, folder: Path | None = None) -> LocalJob:
    """See `fullfield.jobs.launch.launch`. The worker is detached; that of a kind that is bound (`registry.BOUND`) ends
    with this process. Where this installation lacks what the job needs, it runs in the environment of the training
    part."""
    refuse_several(job.processes)
    python = interpreter(job.kind)
    spawned = system.spawn_bound if job.kind in registry.BOUND else system.spawn_detached
    return LocalJob(*begun(job, folder, lambda folder: spawned(_command(job, folder, python), environment(python))))


def begun(
    job: Job, folder: Path | None, start: Callable[[Path], system.Process] | None = None
) -> tuple[Path, int, system.Process]:
    """The folder of a run, with `job` left in it for the worker that `start` has started there (None: `spawn`), how
    many bytes of events it had before, and that worker. Raises as `launch`."""
    if job.kind in registry.PASSING:
        jobs.sweep(job.kind)
    with files.in_own_folder("runs") if folder is None else contextlib.nullcontext():
        folder = folder or jobs.new_folder(job.kind)
        own_files.refuse_links(folder)
        with jobs.starting(folder):
            jobs.refuse_running(folder, patience=LINGER_SECONDS)
            jobs.save(job, folder)
            log = folder / "events.jsonl"
            begin = log.stat().st_size if log.exists() else 0
            (folder / jobs.WORKER).unlink(missing_ok=True)
            (folder / "commands.jsonl").unlink(missing_ok=True)
            ranks.forget(folder)
            process = (start or spawn)(folder)
            jobs.note_start(folder, process.pid)
    return folder, begin, process


def spawn(folder: Path) -> system.Process:
    """A worker of this Python, alone at the run in `folder`; detached."""
    return system.spawn_detached([*system.python_command(WORKER), str(folder)], environment())


def environment(python: Path | None = None) -> dict[str, str]:
    """The environment for a worker of our Python, or of `python`, prepared for torch. What another program's torchrun
    has told this one of its place is not the worker's: its own agent tells it that."""
    values = dict(os.environ) if python is None else other_python.environment()
    prepare_for_torch(values)
    return {name: value for name, value in values.items() if not OF_RANKS.fullmatch(name)}


def refuse_several(processes: int) -> None:
    """Raise UsageError where several cannot work together on this system."""
    if processes > 1 and system.alone():
        raise UsageError(
            f"Cannot start {processes} processes that work together.",
            detail=system.alone(),
            hint="Start one process, or train on Linux, or in WSL.",
        )


def ranks_of(module: str, processes: int, python: Path | None = None) -> list[str]:
    """The command that runs a module as so many ranks, to be followed by its arguments.

    Loopback only: torch.distributed has neither authentication nor encryption (PyTorch's SECURITY.md).
    """
    return [*system.python_command("fullfield.distribution.standalone", python), str(processes), module]


def attach(folder: Path) -> LocalJob:
    """See `fullfield.jobs.launch.Launcher`."""
    return LocalJob(folder)


def interpreter(kind: str) -> Path | None:
    """The Python for a worker of this kind; None: our own. Raises MissingPart."""
    if kind not in registry.KINDS:  # the worker says so
        return None
    found = registry.find(kind)
    return place.interpreter(*found.needs, may_need=found.may_need)


def _command(job: Job, folder: Path, python: Path | None) -> list[str]:
    if job.processes == 1:
        return [*system.python_command(WORKER, python), str(folder)]
    return [*ranks_of(WORKER, job.processes, python), str(folder)]


class LocalJob:
    """A run of this machine, followed through the files of its folder. `_tidies`: after its end, its worker may still
    have to remove what lies elsewhere."""

    _tidies = False

    def __init__(self, folder: Path, begin: int = 0, process: system.Process | None = None) -> None:
        self.folder = folder
        self._read, self._process = begin, process
        self._watch = post_mortem.Watch(folder)
        self._last: Event | None = None
        self._ended = self._asked = self._killed = False

    def poll(self) -> list[Event]:
        """See `JobHandle.poll`; a worker that ended without telling its end has it told here."""
        if self._ended:
            return []
        alive = self.alive()  # before reading: what it wrote before it died is still told
        news, more = self._news()
        self._last = news[-1] if news else self._last
        if more:
            return news
        if isinstance(self._last, RunEnded):
            # Found again while it goes on anew, its last event may still be that of the time before.
            self._ended = self._process is not None or not alive
            self._bury()
        elif not alive:
            self._ended = True
            self._bury()
            code = self._process.returncode if self._process is not None and not self._killed else None
            news += [post_mortem.stopped()] if self._killed and self._asked else self._watch.last_words(code)
        return news

    def events(self) -> Iterator[Event]:
        """See `JobHandle.events`."""
        while not self._ended:
            news = self.poll()
            yield from news
            if not news:
                time.sleep(POLL_SECONDS)

    def post(self, command: Command, /) -> None:
        """See `JobHandle.post`."""
        files.append_line(self.folder / "commands.jsonl", command.to_line())
        self._asked = self._asked or isinstance(command, Stop)

    def stop(self) -> None:
        """See `JobHandle.stop`; the command works on every system and for a run that was found again."""
        self.post(Stop())

    def kill(self) -> None:
        """See `JobHandle.kill`; one that had been asked to stop has so been stopped, and the run's events say that."""
        self._killed = True
        gone = self._process is None or system.kill_tree(self._process.pid)
        worker = jobs.worker(self.folder)
        if worker is not None and process_identity.is_alive(worker.pid, worker.started):
            gone = system.kill_tree(worker.pid) and gone
        if self._asked and gone and not event_log.has_ended(self.folder):
            with contextlib.suppress(OSError):  # a full disk: told to those who follow it now
                files.append_line(self.folder / "events.jsonl", events.to_line(post_mortem.stopped()))

    def alive(self) -> bool:
        """See `JobHandle.alive`."""
        if self._process is not None:
            return self._process.poll() is None
        worker = jobs.worker(self.folder)
        return self._is_young() if worker is None else process_identity.is_alive(worker.pid, worker.started)

    def _is_young(self) -> bool:
        """A worker takes a moment to say what it is: until then a fresh job counts as alive."""
        times = []
        for name in (jobs.NEXT, jobs.JOB):
            with contextlib.suppress(OSError):  # deleted meanwhile
                times.append((self.folder / name).stat().st_mtime)
        return any(abs(time.time() - asked) < START_SECONDS for asked in times)

    def _bury(self) -> None:
        """Wait for the process that is about to end, so that nothing of it is left when we go on."""
        if self._process is not None:
            try:
                self._process.wait(LAST_SECONDS)
            except subprocess.TimeoutExpired:
                if not self._tidies:
                    system.kill_tree(self._process.pid)
            if self._process.stdin is not None:
                self._process.stdin.close()

    def _news(self) -> tuple[list[Event], bool]:
        """The next events that are there whole; and whether more may be there already."""
        try:
            with (self.folder / "events.jsonl").open("rb") as stream:
                stream.seek(self._read)
                lines = stream.read(READ_BYTES)
                while len(lines) >= READ_BYTES and b"\n" not in lines and (rest := stream.read(READ_BYTES)):
                    lines += rest
        except FileNotFoundError:
            return [], False
        whole = lines[: lines.rfind(b"\n") + 1]
        self._read += len(whole)
        reported = (event_lines.from_line(line) for line in whole.decode("utf-8", "replace").splitlines())
        return [event for event in reported if event is not None], len(lines) >= READ_BYTES
