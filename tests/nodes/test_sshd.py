"""Nodes behind a real ssh server on the loopback: what keeps us out is told in words, and a training there is at home
here."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

import warm
from flows.command import fullfield
from fullfield.data import prepared
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.nodes import mirror, probe, ssh
from fullfield.nodes.node import Node
from fullfield.nodes.ssh import LineCut, NodeRefused
from fullfield.protocol import event_lines
from fullfield.protocol.commands import PAUSE
from fullfield.protocol.events import EpochDone, Event, Notice, RunEnded, RunFailed, RunStarted, SampleWritten
from fullfield.protocol.training import from_json
from nodes.servers import Server, command, kept, left
from training import prepared_phantoms, settings

narrowed = warm.narrow()
SECRET = "Doe-John-19700101"


def reported(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_that_what_keeps_us_out_is_told_in_words_and_no_host_key_is_accepted_by_us(
    server: Server, address: str, tmp_path: Path
) -> None:
    node = Node(name="gpu", address=address, command="true")
    server.known("")
    with pytest.raises(NodeRefused, match=r"does not know its host key yet\. Connect once with ssh 127\.0\.0\.1"):
        probe.there(node)
    assert (server.folder / "known_hosts").read_text() == ""
    server.known((server.folder / "stranger.pub").read_text())
    with pytest.raises(NodeRefused, match=r"host key is not the one that this computer knows.*nothing is sent"):
        probe.there(node)
    server.known(server.key)
    shutil.copyfile(server.folder / "stranger.pub", server.folder / "authorized")
    with pytest.raises(NodeRefused, match="does not accept this user's key"):
        probe.there(node)
    with pytest.raises(LineCut, match="Nothing listens there"):
        probe.there(Node(name="gpu", address="127.0.0.1:1"))
    shutil.copyfile(server.folder / "user.pub", server.folder / "authorized")
    with pytest.raises(NodeRefused, match="There is no Fullfield on the node gpu"):
        probe.there(Node(name="gpu", address=address, command=f"'$(touch {tmp_path}/x);' fullfield"))
    assert not (tmp_path / "x").exists()


def test_that_a_node_is_added_listed_and_refused_without_consent_by_commands(address: str, tmp_path: Path) -> None:
    called = command(tmp_path / "there")
    added = fullfield("node", "add", "gpu", address, "--command", called)
    assert added.code == 0 and "No images go to gpu" in added.err, added
    assert f"gpu  {address} (no images)  ready: " in added.out and "cores" in added.out
    refused = fullfield("train", "--data", tmp_path, "--out", tmp_path / "run", "--on", "gpu")
    assert refused.code == 2 and f"Pixels of your images would go to {address}, and nobody has allowed" in refused.err
    allowed = fullfield("node", "add", "gpu", address, "--allow-images")
    assert allowed.code == 0 and f"gpu  {address}  ready: " in allowed.out, "it is called as before"
    unknown = fullfield("node", "add", "other", "-oProxyCommand=x")
    assert unknown.code == 2
    assert fullfield("node", "remove", "gpu").code == 0
    assert "No node is known" in fullfield("node", "list").err


@pytest.mark.training("torch")
def test_that_two_processes_of_a_run_meet_there_and_nothing_of_it_is_left(address: str, tmp_path: Path) -> None:
    kept(address, tmp_path / "there")
    events = list(launch(Job(kind="empty", processes=2, place="node:gpu"), folder=tmp_path / "run").events())
    assert reported(events, RunEnded)[-1].summary == {"ranks": 2}, reported(events, RunFailed)
    assert left(tmp_path / "there") == [] and mirror.read(tmp_path / "run").id == ""


@pytest.mark.training
@pytest.mark.slow
def test_that_a_training_there_is_at_home_here_also_after_this_computer_was_switched_off(
    address: str, tmp_path: Path, private_folders: Path
) -> None:
    there, run = tmp_path / "there", tmp_path / f"run-{SECRET}"
    shutil.copytree(private_folders / "cache", there / "cache")
    node = kept(address, there, allow_images=True)
    data = prepared_phantoms(tmp_path / f"data-{SECRET}", 3, rows=192, columns=192)
    prepared.save(replace(data, problems=(f"The file {SECRET}.dcm is broken.",)))
    job = Job.of(
        from_json(settings(data, epochs=500, encoder="mobilenet_v2", validation=0.3, techniques=[], place="node:gpu"))
    )
    first = until(launch(job, folder=run), EpochDone)
    worker = jobs.worker(run)
    assert worker is not None
    os.kill(worker.pid, signal.SIGKILL)
    handle = attach(run)
    assert handle.alive()
    until(handle, EpochDone, count=len(reported(first, EpochDone)) + 1)
    worker = jobs.worker(run)
    assert worker is not None
    for child in psutil.Process(worker.pid).children(recursive=True):
        child.kill()  # ssh
    until(handle, Notice, saying="The line to the node gpu is cut")
    until(handle, Notice, saying="The line to the node gpu is back")
    handle.post(PAUSE)
    events = list(handle.events())
    assert reported(events, RunEnded)[-1].reason == "paused", reported(events, RunFailed)

    note = mirror.read(run)
    away = there / "cache" / "nodes" / "runs" / note.id
    theirs = event_log.path(away / "run").read_bytes()
    ours = event_log.path(run).read_bytes()
    begun = b"".join(line for line in ours.splitlines(keepends=True) if b"The line to the node" not in line)
    assert begun.endswith(theirs) and note.read == len(theirs), "no event is lost or comes twice"
    assert len(reported(list(lines(ours)), RunStarted)) == 2, "of the worker here, and of that there"
    for path in away.rglob("run/checkpoints/*.*"):
        assert (run / "checkpoints" / path.name).read_bytes() == path.read_bytes()
    assert (run / reported(list(lines(ours)), SampleWritten)[-1].sample).is_file()
    assert (run / "model.safetensors").is_file() and (run / "node-worker.log").is_file()
    for path in left(there / "cache" / "nodes"):
        assert SECRET not in str(path) and SECRET.encode() not in path.read_bytes(), path
    ssh.ask(node, "forget", note.id)
    assert left(there / "cache" / "nodes") == []

    handle = launch(job, folder=run)  # its checkpoints go there again
    first = until(handle, Notice, saying="Going on after step")
    assert not reported(first, EpochDone)
    handle.stop()
    handle.kill()
    ended = list(handle.events())
    assert reported(ended, RunEnded)[-1].reason == "stopped", reported(ended, RunFailed)


def until(handle: JobHandle, kind: type[Event], *, count: int = 1, saying: str = "") -> list[Event]:
    """The events up to the one of a kind that makes so many of them, whose text (of notices) says this."""
    events: list[Event] = []
    for event in handle.events():
        events.append(event)
        if sum(saying in getattr(one, "text", "") for one in reported(events, kind)) == count:
            return events
    raise AssertionError(reported(events, RunFailed))


def lines(content: bytes) -> Iterator[Event]:
    return (event for line in content.decode().splitlines() if (event := event_lines.from_line(line)) is not None)
