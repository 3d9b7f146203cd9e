"""A training on a node with a network, a disk and a kernel of its own behind a real sshd, through all that befalls it:
each is told in words, and no event is lost or comes twice."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield import __version__, files
from fullfield.data import prepared
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.model import card
from fullfield.nodes import mirror, ssh, withheld
from fullfield.protocol import event_lines
from fullfield.protocol.commands import PAUSE
from fullfield.protocol.events import (
    CheckpointSaved,
    EpochDone,
    Event,
    Notice,
    RunEnded,
    RunFailed,
    SampleWritten,
    StepDone,
)
from fullfield.protocol.training import from_json
from nodes import lengthy
from nodes.networks import Network, network
from nodes.servers import SITE, kept, left
from training import prepared_phantoms, settings

SECRET = "Doe-John-19700101"
LICENCE = f"Of {SECRET}'s clinic, for its own use."
PRESET = f"knees-of-{SECRET}"
SAID = f"the conventional processor ({PRESET} 1.0.2, general 1.0.0)"
DIGITS = re.compile(rb'("model_sha256": ?)"[0-9a-f]{64}"')  # of a model that has the licence here
DISK, LITTLE = 24 << 20, 300 << 10


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    with network(tmp_path_factory.mktemp("net"), "gpu") as made:
        yield made


@pytest.fixture
def there(net: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folders of the node, on a disk of DISK bytes, which is there before its sshd is."""
    monkeypatch.setenv("PYTHONPATH", SITE)
    monkeypatch.setenv("PATH", f"{net.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", disk], capture_output=True, check=False
    )
    if made.returncode != 0:
        pytest.skip(f"no disk can be made here: {made.stderr[-200:].decode()}")
    net.reboot("gpu")
    try:
        yield disk
    finally:
        net.end("gpu")
        subprocess.run(["umount", disk], check=True)


def test_that_a_run_is_refused_where_a_fullfield_of_another_version_answers(
    net: Network, there: Path, tmp_path: Path
) -> None:
    kept(net.address("gpu"), there, executed=True, before="VERSION=99.0; export VERSION;")
    *_, failed, ended = launch(Job(kind="empty", place="node:gpu"), folder=tmp_path / "run").events()
    assert isinstance(failed, RunFailed) and isinstance(ended, RunEnded) and failed.exit_code == 2
    assert failed.error["detail"] == f"It has Fullfield 99.0, and this computer has {__version__}."
    assert left(there) == []


class Run:
    """A training on the node, followed from here."""

    def __init__(self, job: Job, folder: Path, there: Path) -> None:
        self.folder, self._job, self._there = folder, job, there
        self.start()

    def start(self) -> None:
        """Start it, or go on with it."""
        self._follow(launch(self._job, folder=self.folder))

    def _follow(self, handle: JobHandle) -> None:
        self.handle, self._news = handle, handle.events()
        self.events: list[Event] = []

    def close_and_open(self) -> None:
        """What mirrors it is killed, and somebody finds it again."""
        worker = jobs.worker(self.folder)
        assert worker is not None
        os.kill(worker.pid, signal.SIGKILL)
        self._follow(attach(self.folder))
        assert self.handle.alive()

    def until(self, wanted: Callable[[Event], bool]) -> None:
        for event in self._news:
            self.events.append(event)
            if wanted(event):
                return
        raise AssertionError(self.events[-10:])

    def told(self, words: str) -> str:
        """What says so, as soon as something does."""
        self.until(lambda event: words in getattr(event, "text", ""))
        return str(getattr(self.events[-1], "text", ""))

    def next(self, kind: type[Event]) -> None:
        self.until(lambda event: isinstance(event, kind))

    def ended(self, *reasons: str) -> dict[str, Any]:
        """The summary of its end; of a failed one, the error before it."""
        self.events += self._news
        *_, before, end = self.events
        assert isinstance(end, RunEnded) and end.reason in reasons, self.events[-5:]
        return before.error if isinstance(before, RunFailed) else end.summary

    @property
    def away(self) -> Path:
        """Its folder on the node."""
        return self._there / "cache" / "nodes" / "runs" / mirror.read(self.folder).id / "run"

    def whole(self) -> None:
        """Each of the node's events is here, once and in order, and each step is one of them."""
        told = event_log.path(self.away).read_bytes().splitlines(keepends=True)
        words = withheld.Words(texts=mirror.read(self.folder).texts)
        theirs = [line for line in told if line.endswith(b"\n")]  # not what a full disk has cut
        theirs = [DIGITS.sub(rb"\1", words.lines_here(self.folder, line)) for line in theirs]
        ours = DIGITS.sub(rb"\1", event_log.path(self.folder).read_bytes()).splitlines(keepends=True)
        of_node, at = set(theirs), 0
        assert [line for line in ours if line in of_node] == theirs and len(of_node) == len(theirs)
        for event in map(event_lines.from_line, (line.decode() for line in theirs)):
            if isinstance(event, Notice) and (begun := re.match(r"Going on after step (\d+)", event.text)):
                at = int(begun[1])
            if isinstance(event, StepDone):
                at += 1
                assert event.step == at

    def is_at_home(self, sha256: str) -> None:
        """The model and what tells of it have the licence and the preset's name, of which nothing lies on the node, nor
        any other name or path."""
        for name in ("model", "last"):
            found = card.read(self.folder / f"{name}.safetensors")
            assert found.licence == LICENCE and found.plan["reference"] == PRESET
        summary = json.loads((self.folder / "summary.json").read_text(encoding="utf-8"))
        assert summary["plan"]["data_licence"] == LICENCE and summary["plan"]["reference"] == PRESET
        assert summary["data"]["reference"] == SAID
        assert summary["model_sha256"] == sha256 == files.sha256(self.folder / "model.safetensors")
        for path in left(self._there):
            assert SECRET not in str(path) and SECRET.encode() not in path.read_bytes(), path


def fill(path: Path, *, leave: int = 0) -> None:
    """Write a file that leaves so much free on its disk."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as stream:
        stream.write(bytes(max(0, shutil.disk_usage(path).free - leave)))
        while not leave:
            stream.write(bytes(4096))


@pytest.mark.training
@pytest.mark.slow
def test_that_a_training_there_lives_through_all_that_befalls_it_and_no_event_is_lost_or_comes_twice(
    net: Network, there: Path, tmp_path: Path, private_folders: Path
) -> None:
    shutil.copytree(private_folders / "cache", there / "cache")
    before = f"TRAINS={lengthy.__name__}; export TRAINS;"
    node, full = kept(net.address("gpu"), there, before=before, executed=True, allow_images=True), there / "full"
    data = prepared_phantoms(tmp_path / f"data-{SECRET}", 3, rows=192, columns=192)
    prepared.save(replace(data, problems=(f"The file {SECRET}.dcm is broken.",), reference=SAID))
    given = {"epochs": 500, "validation": 0.3, "techniques": [], "checkpoint_steps": 2, "place": "node:gpu"}
    given |= {"data_licence": LICENCE, "reference": PRESET}
    fill(full, leave=LITTLE)
    run = Run(Job.of(from_json(settings(data, **given))), tmp_path / f"run-{SECRET}", there)
    reported = run.ended("failed")
    assert reported["title"] == "On the node gpu: A file cannot be written.", "the disk is full before all has arrived"
    assert reported["detail"] == "The system says: No space left on device." and "what has arrived is kept" in str(
        reported["hint"]
    )
    full.unlink()
    run.start()
    sent, whole = map(float, re.findall(r"\d+\.\d", run.told("MB were sent to the node gpu")))
    assert 0 < sent < whole
    assert run.told("images of").endswith(f"; reference: {SAID}.")
    run.next(StepDone)
    run.close_and_open()
    run.next(EpochDone)

    net.limit("gpu", "4mbit")
    come = net.received("gpu")
    (run.away / lengthy.ASKED).touch()
    while net.received("gpu") < come + len(lengthy.LONG) // 2:
        time.sleep(0.02)
    net.cut("gpu")  # in mid event
    assert lengthy.LONG in event_log.path(run.away).read_text()
    assert lengthy.LONG not in event_log.path(run.folder).read_text()
    assert "not responding. The run goes on there" in run.told("The line to the node gpu is cut")
    net.limit("gpu", "1gbit")
    net.heal("gpu")
    run.told("The line to the node gpu is back")
    run.told(lengthy.LONG)
    run.handle.post(PAUSE)
    summary = run.ended("paused")
    run.whole()
    run.is_at_home(summary["model_sha256"])
    for path in run.away.rglob("checkpoints/*.*"):
        assert (run.folder / "checkpoints" / path.name).read_bytes() == path.read_bytes()
    (*_, sample) = (event for event in run.events if isinstance(event, SampleWritten))
    assert (run.folder / sample.sample).is_file() and (run.folder / "node-worker.log").is_file()
    ssh.forget(node, mirror.read(run.folder).id)
    assert left(there / "cache" / "nodes") == []

    run.start()  # its checkpoints go there again
    run.told("Going on after step")
    assert not any(isinstance(event, EpochDone) for event in run.events)
    run.next(StepDone)
    fill(full)
    why = run.ended("died", "failed")["detail"]  # as there was room for its last word or not
    assert "No space left on device" in why or "most often because the disk is full" in why
    run.whole()
    full.unlink()

    run.start()
    run.told("Going on after step")
    run.next(CheckpointSaved)
    net.reboot("gpu")
    assert run.ended("died")["title"] == "The node that did this run was started anew."
    run.whole()

    run.start()
    run.told("Going on after step")
    run.next(StepDone)
    run.handle.stop()
    summary = run.ended("stopped")
    run.whole()
    run.is_at_home(summary["model_sha256"])
