"""A process that is forked from one with the libraries is as one that was executed: see `warm`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import forked
import warm
from nodes.servers import ASKS

STATE = """
import faulthandler, json, os, resource, signal, sys, threading
fds = {name: f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")}
told = {
    "arguments": sys.argv,
    "command": sys.orig_argv,
    "folder": os.getcwd(),
    "first": sys.path[0],
    "name": __name__,
    "environment": dict(os.environ),
    "leads": os.getsid(0) == os.getpid(),
    "signals": {int(number): str(signal.getsignal(number)) for number in signal.valid_signals()},
    "input": sys.stdin.read(),
    "streams": [(one.encoding, one.errors, one.line_buffering) for one in (sys.stdin, sys.stdout, sys.stderr)],
    "threads": threading.active_count(),
    "faults": faulthandler.is_enabled(),
    "limit": resource.getrlimit(resource.RLIMIT_FSIZE),
    "open": sorted(name for name, path in fds.items() if os.path.lexists(path) and os.readlink(path) != os.devnull),
}
print(json.dumps(told))
print("for people", file=sys.stderr)
sys.exit(3)
"""

LIMIT = 1 << 26  # bytes of a file
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / forked.SCRIPTS[0]
    path.write_text(STATE)
    return path


def test_that_it_has_the_same_arguments_streams_signals_and_end(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    given: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "ONLY_HERE": "ä"}, "start_new_session": True}
    reported: list[Any] = []
    command = [sys.executable, str(script), "a", "b c"]
    of_node = [sys.executable, "-I", "-S", ASKS, warm.address(), *command]
    limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))}
    for way, words, more in (
        (warm.Asked, command, {}),
        (forked.Executed, command, {}),
        (forked.Executed, of_node, limited),
        (forked.Executed, command, limited),
    ):
        monkeypatch.setattr(subprocess, "Popen", way)
        done = subprocess.run(words, input="in", capture_output=True, text=True, check=False, **given, **more)
        assert (done.returncode, done.stderr) == (3, "for people\n"), done.stderr
        reported.append(json.loads(done.stdout))
    assert reported[0] == reported[1] and reported[1]["open"] == ["0", "1", "2"]
    assert reported[2] == reported[3] and reported[3]["limit"] == [LIMIT, LIMIT]


def test_that_it_is_waited_for_and_killed(tmp_path: Path) -> None:
    (tmp_path / forked.SCRIPTS[0]).write_text("import time; time.sleep(600)")
    process = subprocess.Popen([sys.executable, str(tmp_path / forked.SCRIPTS[0])])
    assert isinstance(process, warm.Asked) and process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.05)
    process.kill()
    assert process.wait(60) == -signal.SIGKILL


@pytest.mark.training
@pytest.mark.parametrize("left", ["", "4"])
def test_that_its_network_is_as_narrow_as_the_tests_of_its_file_have_it(left: str, tmp_path: Path) -> None:
    (tmp_path / forked.SCRIPTS[0]).write_text(
        "from fullfield.model.network import NetworkSpec, build\n"
        "print(build(NetworkSpec(encoder='resnet18')).get_parameter('stages.stem.conv1.weight').shape[0])\n"
    )
    environment = {**os.environ, **({warm.NARROW: left} if left else {})}
    command = [sys.executable, str(tmp_path / forked.SCRIPTS[0])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert int(done.stdout) == (16 if left else 64)
