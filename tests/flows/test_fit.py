"""A training that shall fit: planned before it runs, and going on where memory runs out all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

import warm
from fullfield import files
from fullfield.model.phantom import phantom
from fullfield.protocol import event_lines
from fullfield.protocol.events import Event, PlanMade, RunEnded, RungTaken

narrowed = warm.narrow()
SIZE = 256
CRASHING = """
import ctypes, sys
from fullfield.jobs import worker
from fullfield.train import step

whole, done = step.train_step, []

def crashing(*given, **named):
    if len(done) == {steps}:
        ctypes.string_at(0)
    done.append(1)
    return whole(*given, **named)

step.train_step = crashing
sys.exit(worker.main(sys.argv[1:]))
"""
"""A worker that ends after some steps as native libraries do where an allocation fails: by a segmentation fault."""


def reported(run: Path, text: str, tmp_path: Path, **given: str) -> list[Event]:
    """The events of a worker that runs `text` instead of its module."""
    script = tmp_path / "worker.py"
    script.write_text(text)
    environment = {**os.environ, **given}
    subprocess.run([sys.executable, str(script), str(run)], env=environment, check=False, timeout=500)
    lines = (run / "events.jsonl").read_text(encoding="utf-8").splitlines()
    return [event for event in map(event_lines.from_line, lines) if event is not None]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run of two small epochs on phantoms, to be fitted into what is free."""
    images = tmp_path / "images"
    images.mkdir()
    for number in range(3):
        pixels = np.rint(phantom(SIZE, SIZE, seed=number) * 255).astype(np.uint8)
        Pillow.fromarray(pixels).save(images / f"{number:03d}.png")
    spec = {
        "data": str(images),
        "size": SIZE,
        "epochs": 1,
        "encoder": "resnet18",
        "weights": "none",
        "device": "cpu",
        "threads": 1,
        "fit": "auto",
        "validation": 0.34,
        "calibrate_halo": False,
    }
    folder = tmp_path / "run"
    folder.mkdir()
    files.write_text(folder / "job.json", json.dumps({"kind": "train", "spec": spec, "version": 1}))
    return folder


@pytest.mark.training
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a crash may open a dialog")
def test_that_a_training_that_died_before_it_had_saved_anything_is_gone_on_with_by_the_next_rung(
    run: Path, tmp_path: Path
) -> None:
    job = json.loads((run / "job.json").read_text(encoding="utf-8"))
    job["spec"] |= {"checkpoint_steps": 1, "techniques": [], "epochs": 2}
    files.write_text(run / "job.json", json.dumps(job))
    received = reported(run, CRASHING.format(steps=1), tmp_path)
    assert not [event for event in received if isinstance(event, RunEnded)], "it died without a word"
    received = reported(run, CRASHING.format(steps=0), tmp_path)
    assert not [event for event in received if isinstance(event, RungTaken)], "the first one had saved a step"
    received = reported(run, CRASHING.format(steps=100), tmp_path)
    (fallen,) = [event for event in received if isinstance(event, RungTaken)]
    (plan,) = [event for event in received if isinstance(event, PlanMade)]
    assert fallen.died and fallen.step == 1
    assert tuple(fallen.before) == plan.plan.techniques
    assert tuple(fallen.techniques) in [one.techniques for one in plan.ladder]
    assert fallen.peak_bytes < fallen.peak_bytes_before
    assert isinstance(received[-1], RunEnded) and received[-1].reason == "completed"
