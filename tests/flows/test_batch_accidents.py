"""Kills and interrupts of a batch: what is done stays, what is not is done later, nothing is half there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import samples
from flows.command import COMMAND, VERDICTS, batch, contents

MANY = 12


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Of half a size: they last so long that the batch is met in the midst of them."""
    base = tmp_path / "many"
    base.mkdir()
    for number in range(MANY):
        name = samples.NAMES[number % len(samples.NAMES)]
        (base / f"{number:03d}.dcm").write_bytes(samples.content(name, by=2))
    return base


@pytest.fixture
def running(many: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [*COMMAND, "--batch", str(many), "-o", str(tmp_path / "out"), "--json", "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield process
        process.kill()


def wait_for(process: subprocess.Popen[str], count: int) -> list[dict[str, object]]:
    """The verdicts until `count` are done."""
    assert process.stdout is not None
    done = []
    for line in process.stdout:
        event = json.loads(line)
        if event["kind"] in VERDICTS:
            done.append(event)
            if len(done) == count:
                break
    return done


def worker_of_the_batch() -> psutil.Process:
    (path,) = Path(os.environ["FULLFIELD_RUNS"]).glob("*/worker.json")
    return psutil.Process(json.loads(path.read_text())["pid"])


def test_that_an_interrupt_keeps_what_is_done_and_says_130(
    running: subprocess.Popen[str], many: Path, tmp_path: Path
) -> None:
    wait_for(running, 2)
    running.send_signal(signal.SIGINT)
    output = running.communicate(timeout=60)[0]
    assert running.returncode == 130
    assert json.loads(output.splitlines()[-1])["kind"] == "RunEnded"
    kept = len(contents(tmp_path / "out"))
    assert 2 <= kept < MANY
    rest = batch(many, tmp_path / "out")
    assert rest.code == 0 and len(rest.of("ItemSkipped")) == kept and len(rest.of("ItemDone")) == MANY - kept


def test_that_a_kill_of_everything_leaves_nothing_half_written(
    running: subprocess.Popen[str], many: Path, tmp_path: Path
) -> None:
    wait_for(running, 3)
    worker = worker_of_the_batch()
    running.kill()
    for process in [*worker.children(recursive=True), worker]:
        process.kill()
    worker.wait(10)
    left = contents(tmp_path / "out")
    rest = batch(many, tmp_path / "out")
    assert rest.code == 0
    assert len(rest.of("ItemDone")) + len(rest.of("ItemSkipped")) == MANY
    after = contents(tmp_path / "out")
    assert len(after) == MANY and {name: after[name] for name in left} == left


def test_that_a_killed_worker_costs_one_image_at_most(
    running: subprocess.Popen[str], many: Path, tmp_path: Path
) -> None:
    done = wait_for(running, 3)
    worker_of_the_batch().kill()
    rest = wait_for(running, MANY - len(done))
    assert running.wait(60) in (0, 8)
    assert len({event["input"] for event in [*done, *rest]}) == MANY
    failed = [event for event in rest if event["kind"] == "ItemFailed"]
    assert len(failed) <= 1
    assert len(contents(tmp_path / "out")) >= MANY - 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_that_a_worker_that_another_program_asks_to_stop_is_told_as_a_stop(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    wait_for(running, 1)
    worker_of_the_batch().terminate()
    told = [json.loads(line) for line in running.communicate(timeout=60)[0].splitlines()]
    assert running.returncode == 130 and told[-1]["reason"] == "stopped" and told[-1]["summary"]["skipped"]
    assert any("Another program asked" in event.get("text", "") for event in told)


def test_that_a_worker_that_hangs_is_ended_and_its_image_named(many: Path, tmp_path: Path) -> None:
    command = [
        *COMMAND,
        "--batch",
        str(many),
        "-o",
        str(tmp_path / "out"),
        "--json",
        "--jobs",
        "1",
        "--timeout",
        "1",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        done = wait_for(process, 3)
        worker_of_the_batch().suspend()
        rest = wait_for(process, MANY - len(done))
        assert process.wait(60) == 8
    (failed,) = [event for event in rest if event["kind"] == "ItemFailed"]
    assert "longer than 1 second" in str(failed["error"])
    assert len(contents(tmp_path / "out")) == MANY - 1


def test_that_a_caller_who_stops_reading_does_not_stop_the_work(many: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "--batch", str(many), "-o", str(tmp_path / "out"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        process.wait(120)
    deadline = time.monotonic() + 60
    while len(contents(tmp_path / "out")) < MANY and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(contents(tmp_path / "out")) == MANY
