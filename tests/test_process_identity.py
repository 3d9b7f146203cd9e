"""A process is known by its number and by when it began, whatever the clock is set to meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest

from fullfield import process_identity, system


def set_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let psutil reckon as it does after the clock has been set: the machine's start moves with it."""
    psutil.Process()  # what it has cached of this process is of before
    before = psutil.boot_time()
    module = sys.modules["psutil._pslinux"]
    monkeypatch.setattr(module, "boot_time", lambda: before + seconds)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process's time of creation is noted once")
@pytest.mark.parametrize("step", [1.0, 3.0, -3.0, 3600.0, 31 * 86_400.0])
def test_that_a_clock_that_is_set_leaves_a_living_process_alive(step: float, monkeypatch: pytest.MonkeyPatch) -> None:
    started = process_identity.process_started(os.getpid())
    set_clock(monkeypatch, step)
    assert process_identity.is_alive(os.getpid(), started)


def test_that_a_process_is_alive_until_it_ends_and_another_of_its_number_is_not_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = process_identity.process_started(process.pid)
    assert started and process_identity.is_alive(process.pid, started)
    assert not process_identity.is_alive(process.pid, started + "1")
    assert not process_identity.is_alive(os.getpid(), started)
    process.kill()
    process.wait()
    assert not process_identity.is_alive(process.pid, started) and process_identity.process_started(process.pid) == ""


@pytest.mark.skipif(system.WINDOWS, reason="Windows has no zombies")
def test_that_a_process_that_has_ended_and_was_not_waited_for_is_gone() -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    started = process_identity.process_started(process.pid)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not process_identity.is_alive(process.pid, started)
    process.wait()


def test_that_what_an_older_version_noted_is_understood() -> None:
    now = psutil.Process().create_time()
    assert process_identity.is_alive(os.getpid(), now) and not process_identity.is_alive(os.getpid(), now - 1000)


@pytest.mark.parametrize("pid", [-1, 0, 2**31, 2**70])
def test_that_a_number_that_no_process_has_is_nobodys(pid: int) -> None:
    assert not process_identity.is_alive(pid, "x") and not process_identity.is_alive(pid, 1.0)
    assert pid == 0 or process_identity.process_started(pid) == ""
