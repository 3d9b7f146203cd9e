"""What is between two nodes: measured on the interface on which they would train, or told why not."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.distribution import elastic, interfaces
from fullfield.errors import UsageError
from fullfield.nodes import between, probe, probing
from fullfield.nodes.node import Node
from fullfield.protocol.plan import MEASURED
from fullfield.protocol.setup_events import LinkProbed
from fullfield.protocol.small import Machine, ProbeSpec
from nodes import networks
from nodes.networks import INTERFACE, network
from nodes.servers import SITE, kept
from training import FakeContext

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")
BITS = 100e6


def pair(there: Path, **changes: str) -> tuple[Node, Node]:
    first, second = (kept(name, there / name, name=name, interface="lo", allow_unencrypted=True) for name in ("a", "b"))
    return first, replace(second, **changes)  # type: ignore[arg-type]


def test_that_the_link_is_measured_and_goes_with_what_each_node_has(there: Path) -> None:
    first, second = between.computers(pair(there))
    own = probe.here()
    assert (first.name, first.cores, first.total_bytes) == ("a", own["cores"], own["total_bytes"]) and not first.link
    assert second.link is not None and second.link.source == MEASURED
    assert second.link.bytes_per_second > 0 and second.link.seconds > 0


def test_that_who_cannot_be_reached_is_told_with_the_interface_and_the_others_are_measured(
    there: Path, tmp_path: Path
) -> None:
    head, other = pair(there, interface="eth9")
    machines = tuple(
        Machine(name=one.name, address=one.address, command=one.command, interface=one.interface)
        for one in (head, other, replace(other, name="c", interface="lo"))
    )
    context = FakeContext(tmp_path / "run")
    probing.run(ProbeSpec(machines=machines, linked=True), context)
    lost, found = context.reported(LinkProbed)
    assert (lost.name, lost.link) == ("b", None) and "no network interface 'eth9'" in lost.error["detail"]
    assert found.name == "c" and found.link is not None


def test_that_a_stranger_is_not_answered_and_a_call_that_does_not_come_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(between, "OPEN_SECONDS", 0.3)
    with (
        elastic.listening(interfaces.address("lo")) as door,
        socket.create_connection(door.getsockname()) as stranger,
    ):
        stranger.sendall(b"x" * 32)
        stranger.sendall((1).to_bytes(8) + b"x")
        stranger.settimeout(5)
        with pytest.raises(TimeoutError):
            between._serve(door, b"k" * 32)
        with contextlib.suppress(ConnectionResetError):
            assert stranger.recv(1) == b""
    monkeypatch.setattr(between.answering, "given", lambda: {"interface": "lo", "key": "k"})
    monkeypatch.setattr(between.answering, "say", lambda values: None)
    with pytest.raises(UsageError, match=r"Over lo there is no way to 127\.0\.0\.1: it takes too long"):
        between.listen()


def test_that_a_stranger_who_says_nothing_does_not_end_it_and_one_who_calls_again_and_again_does_not_prolong_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(between, "ANSWER_SECONDS", 0.1)
    with elastic.listening(interfaces.address("lo")) as door, ThreadPoolExecutor(1) as beside:
        there = door.getsockname()
        with socket.create_connection(there):
            served = beside.submit(between._serve, door, b"k")
            with socket.create_connection(there) as caller:
                caller.sendall(b"k" + bytes(8))
                assert served.exception() is None
        monkeypatch.setattr(between, "OPEN_SECONDS", 0.3)
        served = beside.submit(between._serve, door, b"k")
        while not served.done():
            socket.create_connection(there).close()
        assert isinstance(served.exception(), TimeoutError)


def test_that_over_a_real_interface_a_link_is_as_fast_as_its_cable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "net").mkdir()
    monkeypatch.setenv("PYTHONPATH", SITE)
    with network(tmp_path / "net", "a", "b") as net:
        monkeypatch.setenv("PATH", f"{tmp_path / 'net' / 'bin'}{os.pathsep}{os.environ['PATH']}")
        shape = ("root", "tbf", "rate", f"{BITS:.0f}", "burst", "131072", "latency", "400ms")
        for name in net.names:
            command = ("tc", "-n", net.space(name), "qdisc", "add", "dev", INTERFACE, *shape)
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            if done.returncode:
                pytest.skip(f"tc cannot slow a cable here: {done.stderr[-200:]}")
        first, second = (
            kept(net.address(name), tmp_path / name, name=name, interface=INTERFACE, allow_unencrypted=True)
            for name in net.names
        )
        found = between.measured(first, second)
        assert 0.5 < found.bytes_per_second * 8 / BITS < 1.5, found


def test_that_without_ip_a_test_of_nodes_says_in_one_line_that_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "IP", None)
    with pytest.raises(pytest.skip.Exception, match=r"need what is not here: ip \(iproute2\)"), network(tmp_path, "a"):
        pass
