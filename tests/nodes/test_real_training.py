"""The real training on nodes, each in a network of its own behind a real sshd: one loses its power in the midst of it,
and the other one ends as if nothing had been."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.events import CheckpointSaved, EpochDone, Notice, RunEnded, RunFailed, StepDone
from fullfield.protocol.rank_events import NodesChanged
from nodes.networks import INTERFACE, network
from nodes.servers import SITE, kept
from nodes.test_together import Following

EVERY, EPOCHS, KILLED_AT = 2, 3, 4
WAY = ["banded_loss", "full_bands", "spatial"]


@pytest.mark.training
@pytest.mark.slow
def test_that_a_training_whose_other_node_loses_its_power_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fullfield.protocol.training import from_json
    from nodes import slim, toy
    from training import FakeContext, prepared_phantoms, settings, train

    data = prepared_phantoms(tmp_path / "data", 8, rows=192, columns=192)
    given = {"batch": 2, "epochs": EPOCHS, "validation": 0.25, "checkpoint_steps": EVERY}
    (tmp_path / "net").mkdir()
    monkeypatch.setenv("PYTHONPATH", SITE)
    before = f"TRAINS={slim.__name__}; export TRAINS;"
    with network(tmp_path / "net", "a", "b") as net:
        monkeypatch.setenv("PATH", f"{tmp_path / 'net' / 'bin'}{os.pathsep}{os.environ['PATH']}")
        allowed = {"interface": INTERFACE, "allow_images": True, "allow_unencrypted": True}
        for name in net.names:
            kept(net.address(name), tmp_path / name, name=name, before=before, **allowed)
        job = Job.of(from_json(settings(data, **given, techniques=WAY, place="node:a,b")), nodes="1:2")
        run = Following(launch(job, folder=tmp_path / "run"))
        run.until(lambda event: isinstance(event, NodesChanged | RunEnded))
        while run.step < KILLED_AT and not run.reported(RunEnded):
            run.until(lambda event: isinstance(event, StepDone | RunEnded))
        assert run.reported(NodesChanged)[-1].nodes == ("a", "b") and not run.reported(RunFailed), run.reported(
            RunFailed
        )
        net.cut("b")
        net.send("b", signal.SIGKILL)
        began, last = time.monotonic(), run.step
        run.until(lambda event: isinstance(event, NodesChanged) and event.nodes == ("a",))
        run.until(lambda event: isinstance(event, StepDone))
        print(f"{time.monotonic() - began:.1f} s from the power cut to the next step")
        first = run.step
        run.until(lambda event: isinstance(event, RunEnded))

    assert run.reported(RunEnded)[-1].reason == "completed" and not run.reported(RunFailed), run.reported(Notice)
    assert last - EVERY < first <= last + 2, "no more than what was not saved is done again"
    assert len(run.reported(EpochDone)) == EPOCHS and run.reported(CheckpointSaved)
    with slim.exactly():
        alone = FakeContext(tmp_path / "alone")
        train(settings(data, **given, techniques=WAY[:-1]), alone)
    assert alone.reported(StepDone)[-1].step == run.step
    at = f"checkpoints/step-{run.step:09d}.safetensors"
    wanted, left = toy.saved(alone.folder / at), toy.saved(tmp_path / "run" / at)
    assert (
        wanted.keys() == left.keys() and abs(alone.reported(StepDone)[-1].loss - alone.reported(StepDone)[0].loss) > 1
    )
    for name, one in wanted.items():
        if one.is_floating_point():
            largest = max(float(one.abs().max()), 1e-3)
            assert float((left[name] - one).abs().max()) <= 1e-11 * largest, name
