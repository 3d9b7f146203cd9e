"""Models that do not travel: the one that ships, of which every node of this version has its own, and 8-bit ones."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import map_file
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.model import shipped
from fullfield.protocol.events import Notice, RunFailed, StepDone
from fullfield.protocol.training import from_json
from nodes import paced
from nodes.servers import SITE, kept, left
from training import prepared_phantoms, settings

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    """A training on the node "gpu" from the model that ships, where one does."""
    monkeypatch.setenv("PYTHONPATH", SITE)
    map_file.write(shipped.folder() / "shipped.safetensors")
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    return Job.of(from_json(settings(data, weights="shipped", techniques=[], place="node:gpu")))


def trains(more: str = "") -> str:
    return f"TRAINS={paced.__name__}; export TRAINS; {more}"


def test_that_a_training_there_starts_from_the_nodes_own_copy_of_the_model_that_ships(
    job: Job, there: Path, tmp_path: Path
) -> None:
    kept("gpu", there, before=trains(), allow_images=True)
    handle = launch(job, folder=tmp_path / "run")
    for event in handle.events():
        assert not isinstance(event, RunFailed), event
        if isinstance(event, StepDone):
            break
    (asked,) = there.rglob("run/job.json")
    assert json.loads(asked.read_text())["spec"]["weights"] == "shipped"
    assert not [path for path in left(there) if path.suffix == ".safetensors"]
    handle.stop()
    assert list(handle.events())


def test_that_an_eight_bit_model_stays_there_and_that_is_said_before(job: Job, there: Path, tmp_path: Path) -> None:
    kept("gpu", there, before=trains(), allow_images=True)
    handle = launch(replace(job, spec={**job.spec, "techniques": ["quantization"]}), folder=tmp_path / "run")
    reported = []
    for event in handle.events():
        reported.append(event)
        if isinstance(event, StepDone):
            (away,) = there.rglob("run")
            (away / "model-int8.pt2").write_bytes(b"a program")
            handle.stop()
    assert [one for one in reported if isinstance(one, Notice) and one.text.startswith("The 8-bit model")]
    assert not (tmp_path / "run" / "model-int8.pt2").exists() and (tmp_path / "run" / "node-worker.log").exists()


def test_that_a_node_with_another_model_that_ships_is_refused(job: Job, there: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    map_file.write(other / "shipped.safetensors", name="another")
    kept("gpu", there, before=trains(f"FULLFIELD_WEIGHTS={other}; export FULLFIELD_WEIGHTS;"), allow_images=True)
    (failed,) = [one for one in launch(job, folder=tmp_path / "run").events() if isinstance(one, RunFailed)]
    assert failed.error["title"] == "On the node gpu: Cannot start from the model that ships."
    assert "another file than that of the computer that asks" in failed.error["detail"]
