"""Several processes train together: what one alone would make of the same groups of images; and how they end."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
from safetensors.torch import load_file

import warm
from fullfield.hardware import measured_links
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.plan.totals import MARGIN_SHARE
from fullfield.protocol.events import (
    CheckpointSaved,
    EpochDone,
    Event,
    Notice,
    PlanMade,
    RunEnded,
    RunFailed,
    StepDone,
    StepProfiled,
)
from fullfield.protocol.rank_events import LinkMeasured, RankLost
from fullfield.protocol.training import from_json
from training import prepared_phantoms, settings

pytestmark = [
    pytest.mark.training,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works"),
]
SIDE = 192
narrowed = warm.narrow()


def job(folder: Path, processes: int, images: int = 5, **given: Any) -> Job:
    data = prepared_phantoms(folder / "data", images, rows=SIDE, columns=SIDE)
    values = settings(
        data, batch=2, validation=0.3, l1_steps=0, loss="ms_ssim+l1", schedule="constant", warm_up=0.0, **given
    )
    return Job.of(from_json(values), processes=processes)


def reported(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def reachable(run: Path) -> set[str]:
    """The addresses at which the processes of a run, and what began them, take connections and messages."""
    worker = jobs.worker(run)
    assert worker is not None
    agent = psutil.Process(worker.pid).parent()
    assert agent is not None
    every = [one for each in (agent, *agent.children(recursive=True)) for one in each.net_connections()]
    return {one.laddr.ip for one in every if one.status in (psutil.CONN_LISTEN, psutil.CONN_NONE)}


def test_that_two_processes_train_as_one_that_takes_an_image_at_a_time_and_one_can_go_on(tmp_path: Path) -> None:
    alone = list(launch(job(tmp_path, 1, epochs=2, techniques=["accumulate"]), folder=tmp_path / "alone").events())
    handle = launch(job(tmp_path, 2, epochs=3), folder=tmp_path / "two")
    first: list[Event] = []
    for event in handle.events():
        first.append(event)
        if isinstance(event, EpochDone) and event.epoch == 2:
            assert reachable(handle.folder) == {"127.0.0.1"}, "by this computer alone"
            handle.stop()
    assert any("data_parallel" in notice.text for notice in reported(first, Notice))
    assert reported(first, RunEnded)[-1].reason == "stopped"
    (link,) = reported(first, LinkMeasured)
    kept = measured_links.known("cpu", 2, apart=False)
    assert kept is not None and (kept.seconds, kept.bytes_per_second) == (link.seconds, link.bytes_per_second)
    assert link.seconds > 0 and link.bytes_per_second > 0
    for one, other in zip(reported(alone, EpochDone), reported(first, EpochDone), strict=True):
        assert other.train_loss == pytest.approx(one.train_loss, rel=1e-3)
    rest = list(launch(job(tmp_path, 1, epochs=3), folder=tmp_path / "two").events())
    assert reported(rest, RunEnded)[-1].reason == "completed", reported(rest, RunFailed)
    assert any("groups of images now: 2, before: 1." in notice.text for notice in reported(rest, Notice))
    summary = json.loads((tmp_path / "two" / "summary.json").read_text())
    assert summary["ranks"] == 1 and summary["epochs"] == 3


def test_that_two_processes_that_share_weights_and_statistics_train_as_one_with_the_whole_batch(tmp_path: Path) -> None:
    alone, two = (
        list(launch(job(tmp_path, count, epochs=1, techniques=techniques), folder=tmp_path / f"{count}").events())
        for count, techniques in ((1, []), (2, ["data_parallel:batch_norm=joint", "zero:level=3"]))
    )
    ((one,), (other,)) = (reported(events, EpochDone) for events in (alone, two))
    assert other.train_loss == pytest.approx(one.train_loss, rel=1e-4)
    assert other.validation_loss == pytest.approx(one.validation_loss, rel=1e-2)
    left = [load_file(tmp_path / run / "last.safetensors") for run in ("1", "2")]
    assert all(torch.allclose(value, left[0][name], rtol=0.1, atol=1e-2) for name, value in left[1].items())


@pytest.mark.whole
def test_that_two_processes_with_parts_of_the_network_train_as_one_that_takes_an_image_at_a_time(
    tmp_path: Path,
) -> None:
    alone, two = (
        list(launch(job(tmp_path, count, 6, epochs=1, techniques=[name]), folder=tmp_path / f"{count}").events())
        for count, name in ((1, "accumulate"), (2, "model_parallel"))
    )
    ((one,), (other,)) = (reported(events, EpochDone) for events in (alone, two))
    assert other.train_loss == pytest.approx(one.train_loss, rel=1e-5)
    assert other.validation_loss == pytest.approx(one.validation_loss, rel=1e-3)
    assert any("each waits for others 33% of the time" in notice.text for notice in reported(two, Notice))
    (plan,), profiled = reported(two, PlanMade), reported(two, StepProfiled)
    first, second = (device.allocator_bytes for device in plan.plan.devices)
    assert first > second and {step.rank for step in profiled} == {0, 1}, "most weights are in the encoder"
    for step in profiled:
        taken = step.before_bytes + max(step.forward_bytes, step.backward_bytes)
        assert 0.97 < taken * (1 + MARGIN_SHARE) / (first, second)[step.rank] < 1.0005


def test_that_a_process_that_is_killed_ends_the_run_in_words_and_leaves_none(tmp_path: Path) -> None:
    handle = launch(job(tmp_path, 2, epochs=500), folder=tmp_path / "run")
    events: list[Event] = []
    other = 0
    for event in handle.events():
        events.append(event)
        if isinstance(event, StepDone) and not other:
            worker = jobs.worker(handle.folder, 1)
            assert worker is not None
            other = worker.pid
            os.kill(other, signal.SIGKILL)
    (failed,) = reported(events, RunFailed)
    assert "Process 2 of 2 ended without a word" in failed.error["detail"]
    assert [(lost.rank, lost.world, lost.how) for lost in reported(events, RankLost)] == [(1, 2, "killed")]
    assert not psutil.pid_exists(other) and not handle.alive()
    assert not reported(events, CheckpointSaved) or any(handle.folder.glob("checkpoints/step-*"))
