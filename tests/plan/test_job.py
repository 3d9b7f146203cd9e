"""The job "plan": what it begins with, and what it tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.hardware import devices
from fullfield.plan import job, libraries, predicting, where
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question
from fullfield.protocol.events import PlanMade
from fullfield.protocol.plan import CurvePoint, Plan
from fullfield.protocol.planning import PlanSpec
from training import FakeContext


class Begun(Exception):
    """All that comes before torch is imported has been done."""


@pytest.mark.parametrize(
    ("device", "gpu", "measured"), [("cpu", "", True), ("cpu", "RTX 2060", False), ("cuda:0", "", False)]
)
def test_that_libraries_are_measured_from_the_start_where_the_plan_is_for_a_cpu(
    device: str, gpu: str, measured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def torch_comes(threads: int) -> None:
        raise Begun

    monkeypatch.setattr(libraries, "prepare", lambda: asked.append(device))
    monkeypatch.setattr(devices, "compute_with", torch_comes)
    with pytest.raises(Begun):
        job.run(PlanSpec(height=512, width=512, device=device, gpu=gpu), None)  # type: ignore[arg-type]
    assert bool(asked) == measured


def test_that_the_plan_is_told_whole_and_the_run_sums_it_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Question] = []
    chosen, slower = Plan(techniques=("a", "b"), process_bytes=9, peak_bytes=7), Plan(techniques=("c",))
    found = Ladder(plan=chosen, next=(slower,), refused=("Not d.",), curve=(CurvePoint(process_bytes=9),))

    def ladder(question: Question) -> Ladder:
        asked.append(question)
        return found

    threads: list[int] = []
    monkeypatch.setattr(predicting, "ladder", ladder)
    monkeypatch.setattr(where, "threads", lambda question: 3)
    monkeypatch.setattr(devices, "compute_with", threads.append)
    context = FakeContext(tmp_path)
    spec = PlanSpec(height=512, width=256, device="cuda:0", budget=77)
    assert job.run(spec, context) == {"techniques": ["a", "b"], "process_bytes": 9, "peak_bytes": 7}
    (question,) = asked
    assert (question.height, question.width, question.budget, question.trains_here) == (512, 256, 77, False)
    assert threads == [3], "with as many as a training has"
    (told,) = context.reported(PlanMade)
    made = PlanMade(plan=chosen, ladder=(slower,), refused=["Not d."], curve=found.curve)
    assert replace(told, time=0.0) == made
