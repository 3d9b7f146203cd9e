"""`bench native` at the smallest size: a real step in a process of its own, and its row."""

from __future__ import annotations

import json
import math

import pytest

from fullfield.bench import native
from fullfield.plan.plan import Ladder
from fullfield.protocol.plan import Plan

PLAN = Plan(
    size=(192, 192),
    batch=1,
    techniques=(),
    exact=True,
    process_bytes=4000 << 20,
    peak_bytes=500 << 20,
    allocator_bytes=500 << 20,
    optimizer_bytes=0,
    host_bytes=0,
    flop_factor=1.0,
    time_factor=1.0,
    by_kind={},
    peak_at="",
)


def test_that_a_planned_step_is_run_and_told_with_what_its_process_grew_by(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(native, "QUICK", (192,))
    monkeypatch.setattr(native, "BUDGETS", ("2GiB",))
    monkeypatch.setattr(native.predicting, "ladder", lambda asked: Ladder(plan=PLAN, next=(), refused=()))
    native.bench(json=True, quick=True)
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["bench"], row["size"], row["budget"]) == ("native", 192, "2GiB")
    assert row["predicted_MiB"] == round((PLAN.peak_bytes - native.weights()) / native.MIB)
    assert row["process_MiB"] == 4000 and 0 < row["grown_MiB"] < row["held_MiB"] < 4000
    assert row["ratio"] == pytest.approx(row["grown_MiB"] / row["predicted_MiB"], abs=0.01)
    assert math.isfinite(row["loss"])
