"""`fullfield train --device cuda:0,cpu --processes 2`, as its user runs it, on a few phantoms."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from fullfield.protocol import event_lines
from fullfield.protocol.events import EpochDone, Event, PlanMade, RunEnded, RunFailed, StepDone, StepProfiled
from fullfield.protocol.rank_events import LinkMeasured, RankStarted
from training import prepared_phantoms

SIDE, COUNT = 512, 8
BANDS = ("hybrid_bands", "spatial:portions=3+1")
IMAGES = ("data_parallel:batch_norm=joint",)
cards = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")


def ran(folder: Path, data: Path, *options: str) -> tuple[int, list[Event]]:
    """The exit code and the events of a run by these options of the command line."""
    command = [sys.executable, "-m", "fullfield_app", "train", "--data", str(data), "--out", str(folder)]
    command += ["--size", str(SIDE), "--epochs", "2", "--batch", "2", "--weights", "none", "--encoder", "resnet18"]
    command += ["--l1-steps", "0", "--no-calibrate-halo", "--data-licence", "phantoms", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280)
    log = folder / "events.jsonl"
    assert log.exists(), done.stdout + done.stderr
    lines = log.read_text(encoding="utf-8").splitlines()
    events = [one for one in map(event_lines.from_line, lines) if one is not None]
    return done.returncode, events


def trained(folder: Path, data: Path, *options: str) -> list[Event]:
    """The events of such a run that is done."""
    code, events = ran(folder, data, *options)
    assert code == 0, [one for one in events if isinstance(one, RunFailed)]
    return events


def reported(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.gpu
@cards
def test_that_a_card_and_the_cpu_train_what_the_card_alone_does(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", COUNT, rows=SIDE, columns=SIDE).folder
    alone = trained(tmp_path / "alone", data, "--device", "cuda:0")
    together = ("--device", "cuda:0,cpu", "--processes", "2", "--techniques")
    for number, techniques in enumerate((BANDS, IMAGES)):
        both = trained(tmp_path / f"both{number}", data, *together, *techniques)
        check(alone, both)


def check(alone: list[Event], both: list[Event]) -> None:
    """The same losses, and a plan of both devices. What was measured is printed."""
    assert [one.device for one in sorted(reported(both, RankStarted), key=lambda one: one.rank)] == ["cuda:0", "cpu"]
    assert reported(both, RunEnded)[-1].reason == "completed"
    for one, other in zip(reported(alone, EpochDone), reported(both, EpochDone), strict=True):
        assert other.train_loss == pytest.approx(one.train_loss, rel=1e-2)
    (made,) = reported(both, PlanMade)
    assert [one.name for one in made.plan.devices][1] == "the CPU"
    (link,) = reported(both, LinkMeasured)
    print(f"\nlink: {link.seconds * 1e6:.0f} µs a message, {link.bytes_per_second / 1e6:.0f} MB/s")
    for name, events in (("alone", alone), ("both", both)):
        print(name, "seconds of steps:", [one.seconds for one in reported(events, StepDone)])
    for one in reported(both, StepProfiled):
        print("profiled", one)
    for device in made.plan.devices:
        print("planned", device.name, device.process_bytes, device.allocator_bytes, device.rows)


@pytest.mark.training
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_a_list_that_begins_with_the_cpu_is_refused_in_words(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", COUNT, rows=192, columns=192).folder
    code, events = ran(tmp_path / "run", data, "--device", "cpu,cuda:0", "--processes", "2")
    (failed,) = reported(events, RunFailed)
    assert code == 2 and "cuda:0,cpu" in failed.error["hint"] and "cpu,cuda:0" in failed.error["title"]
