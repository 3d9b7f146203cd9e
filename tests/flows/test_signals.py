"""Ctrl-C at any moment: no traceback, and the exit code of an interruption, or of the end where that came first."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.command import COMMAND
from fullfield import process_identity
from fullfield.files import resource
from fullfield.runs import runs
from fullfield.runs.runs import State

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
PHANTOMS = resource("phantoms")
TRAIN = ("train", "--data", PHANTOMS, "--epochs", 500, "--size", 192, "--encoder", "resnet18", "--weights", "none")
ON_CPU = ("--device", "cpu", "--threads", 1, "--json")
COMMANDS = {
    "train": (*TRAIN, "--out", "run", *ON_CPU),
    "batch": ("--batch", PHANTOMS, "-o", "out", "--json"),
    "plan": ("plan", "--size", "256", "--batch", "3000", "--device", "cpu", "--json"),
    "bench": ("bench", "memory", "--quick", "--json"),
    "report": ("report", "run", "-o", "run.html"),
}
AT_IMPORT = """
import os, signal, sys

class Interrupting:
    def __init__(self, left):
        self.left = left

    def find_spec(self, *given):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGINT)

from fullfield_app.__main__ import main
sys.meta_path.insert(0, Interrupting(int(sys.argv.pop(1))))
sys.exit(main())
"""


def folders(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "FULLFIELD_RUNS": str(tmp_path / "runs")}


@pytest.mark.parametrize("place", [1, 2, 5, 20, 60])
@pytest.mark.parametrize("command", COMMANDS)
def test_that_an_interrupt_during_the_imports_of_a_command_ends_it_silently(
    command: str, place: int, tmp_path: Path
) -> None:
    arguments = [sys.executable, "-c", AT_IMPORT, str(place), *map(str, COMMANDS[command])]
    done = subprocess.run(
        arguments, cwd=tmp_path, env=folders(tmp_path), capture_output=True, text=True, timeout=300, check=False
    )
    assert "Traceback" not in done.stderr and (done.returncode == 130 or place == 60), done.stderr
    assert not list((tmp_path / "runs").glob("*/worker.json"))


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.05, 0.3, 1.0, 3.0])
@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=() if name == "batch" else pytest.mark.training) for name in COMMANDS]
)
def test_that_an_interrupt_at_any_moment_leaves_neither_a_traceback_nor_a_worker(
    command: str, delay: float, tmp_path: Path
) -> None:
    """The command is up once it has loaded itself; what Python does before is Python's."""
    process = subprocess.Popen(
        [sys.executable, "-c", UP, *map(str, COMMANDS[command])],
        cwd=tmp_path,
        env=folders(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "up\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, reported = process.communicate(timeout=300)
    assert "Traceback" not in reported, reported
    finished = {"report": ("That folder holds no training", 2), "batch": ("6 enhanced, 0 skipped, 0 failed", 0)}
    said, code = finished.get(command, ("nothing that it could finish", 0))
    # One that is done ends with its own code, or, as Python puts itself away, by the signal: a shell's 130, too.
    assert process.returncode in ((130, code, -signal.SIGINT) if said in reported else (130,)), reported
    left = [json.loads(path.read_text()) for path in tmp_path.rglob("worker.json")]
    assert not any(process_identity.is_alive(worker["pid"], worker["started"]) for worker in left)


UP = """
import sys
from fullfield_app.__main__ import main
from fullfield_app import interrupts
interrupts.end_at_once()
print("up", flush=True)
sys.exit(main())
"""


@pytest.mark.slow
@pytest.mark.training
def test_that_a_second_interrupt_is_told_as_a_stop(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "20260101-000000-train-abc"
    arguments = [*TRAIN, "--out", run, *ON_CPU]
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        env=folders(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    assert json.loads(process.stdout.readline())["kind"] == "RunStarted"
    process.send_signal(signal.SIGINT)
    assert "again to stop at once" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, reported = process.communicate(timeout=300)
    assert (process.returncode, reported) == (130, "Training stopped.\n")
    kinds = [json.loads(line)["kind"] for line in out.splitlines()]
    assert kinds[-1] == "RunEnded" and "RunFailed" not in kinds
    found = runs.find(run)
    assert found is not None and found.state is State.STOPPED


@pytest.mark.slow
@pytest.mark.training
def test_that_a_second_signal_to_the_worker_itself_is_told_as_a_stop(tmp_path: Path) -> None:
    arguments = [*TRAIN, "--out", tmp_path / "run", *ON_CPU]
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        env=folders(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    worker = json.loads(process.stdout.readline())["pid"]
    while json.loads(process.stdout.readline())["kind"] != "StepDone":
        pass
    for _ in range(2):
        os.kill(worker, signal.SIGTERM)
        time.sleep(0.05)  # two at once would be one
    _, reported = process.communicate(timeout=300)
    assert process.returncode == 130 and "unexpectedly" not in reported and reported.endswith("Training stopped.\n")
