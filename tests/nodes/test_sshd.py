"""Nodes behind a real ssh server on the loopback: what keeps us out is told in words, and nothing is left there."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from flows.command import fullfield
from fullfield import system
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.nodes import mirror, probe, ssh
from fullfield.nodes.node import Node
from fullfield.nodes.ssh import LineCut, NodeRefused
from fullfield.protocol.events import Event, RunEnded, RunFailed
from nodes.servers import Server, command, kept, left


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for the name of a socket."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def reported(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_that_what_keeps_us_out_is_told_in_words_and_no_host_key_is_accepted_by_us(
    server: Server, address: str, tmp_path: Path
) -> None:
    node = Node(name="gpu", address=address, command="true")
    server.known("")
    with pytest.raises(NodeRefused, match=r"not know its host key yet\. Connect once with ssh -p \d+ 127\.0\.0\.1"):
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


def test_that_a_kept_connection_that_is_dead_holds_up_one_call_and_serves_where_nothing_else_gets_in(
    server: Server, address: str, short: Path
) -> None:
    """A connection that the user's configuration keeps is shared: its ssh is stopped, as one whose network is gone."""
    config = server.config.read_text()
    server.config.write_text(f"{config}ControlMaster auto\nControlPath {short}/%p\nControlPersist 60\n")
    node = Node(name="gpu", address=address, command="sh -c 'echo {}'")
    assert ssh.ask(node, "probe") == {}
    (kept_open,) = [
        one for one in psutil.process_iter(["cmdline"]) if f"{short}/" in " ".join(one.info["cmdline"] or [])
    ]
    try:
        kept_open.suspend()
        with pytest.raises(LineCut, match="does not answer"):
            ssh.ask(node, "probe", seconds=2)
        assert ssh.ask(node, "probe") == {}, "by a connection of its own"
        kept_open.resume()
        (server.folder / "authorized").write_text("")
        with pytest.raises(LineCut, match="does not accept this user's key"):
            ssh.ask(node, "probe")
        assert ssh.ask(node, "probe") == {}, "by the one that is kept"
        kept_open.kill()
        with pytest.raises(NodeRefused, match="does not accept this user's key"):
            ssh.ask(node, "probe")
    finally:
        kept_open.kill()
        server.config.write_text(config)


def test_that_what_a_login_of_this_user_begins_besides_keeps_no_call_out(server: Server, address: str) -> None:
    """Its configuration forwards a port, which another connection of it has, and calls a program of its own there."""
    config = server.config.read_text()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        forwards = f"ExitOnForwardFailure yes\nLocalForward {taken.getsockname()[1]} 127.0.0.1:{server.port}\n"
        server.config.write_text(f"{config}{forwards}RemoteCommand cat\nRequestTTY yes\n")
        try:
            assert ssh.ask(Node(name="gpu", address=address, command="sh -c 'echo {}'"), "probe") == {}
        finally:
            server.config.write_text(config)


def test_that_a_node_is_added_listed_and_refused_without_consent_by_commands(address: str, tmp_path: Path) -> None:
    called = command(tmp_path / "there")
    added = fullfield("node", "add", "gpu", address, "--command", called)
    assert added.code == 0 and "No images go to gpu" in added.err, added
    assert f"gpu  {address} (no images)  ready: " in added.out and "cores" in added.out
    refused = fullfield("train", "--data", tmp_path, "--out", tmp_path / "run", "--on", "gpu")
    assert refused.code == 2 and f"Pixels of your images would go to {address}, and nobody has allowed" in refused.err
    allowed = fullfield("node", "add", "gpu", address, "--allow-images")
    assert allowed.code == 0 and f"gpu  {address}  ready: " in allowed.out, "it is called as before"
    nowhere = fullfield("node", "add", "gpu", "--interface", "none0", "--allow-unencrypted")
    assert nowhere.code == 2 and "not ready" in nowhere.out and "no network interface 'none0'" in nowhere.out
    assert fullfield("node", "add", "gpu", "--interface", system.LOOPBACK).code == 0
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
