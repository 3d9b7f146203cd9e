"""An event survives the wire, and a reader survives any wire."""

from __future__ import annotations

import dataclasses
import json
import logging
import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fullfield
import fullfield_app
from fullfield.errors import InputRefused
from fullfield.protocol import event_lines, events
from fullfield.protocol.event_lines import EVENTS
from fullfield.protocol.events import EpochDone, Event, ItemDone, ItemFailed, PlanMade, RunEnded
from fullfield.protocol.plan import Plan
from protocol.made import values

EPOCH = EpochDone(
    epoch=1,
    epochs=2,
    train_loss=1.0,
    validation_loss=1.0,
    psnr_db=30.0,
    fine_sd_ratio=1.0,
    fine_correlation=1.0,
    learning_rate=0.1,
    seconds=1.0,
)


@given(st.one_of(*map(values, EVENTS)))
def test_that_every_event_comes_back_equal(event: Event) -> None:
    assert event_lines.from_line(events.to_line(event)) == event


def test_that_every_event_is_in_the_list_wherever_its_class_stands() -> None:
    roots = (Path(fullfield.__file__).parent, Path(fullfield_app.__file__).parent)
    sources = "\n".join(path.read_text(encoding="utf-8") for root in roots for path in root.rglob("*.py"))
    defined = set(re.findall(r"^class (\w+)\((?:Item)?Event\):", sources, re.MULTILINE)) - {"ItemEvent"}
    assert {kind.__name__ for kind in EVENTS} == defined and len(EVENTS) == len(defined)


@pytest.mark.parametrize("kind", ["PlanRefused", "CheckMade"])
def test_that_a_reader_knows_events_of_modules_that_it_never_imported(kind: str) -> None:
    fields = {"number": 1, "error": {"title": "t"}, "key": "k", "title": "t", "verdict": "good", "text": "t"}
    code = (
        "import sys\nfrom fullfield.protocol import event_lines\n"
        "print(type(event_lines.from_line(sys.argv[1])).__name__)"
    )
    line = json.dumps({"kind": kind, **fields})
    reported = subprocess.run([sys.executable, "-c", code, line], capture_output=True, text=True, check=True)
    assert reported.stdout.strip() == kind


def test_that_an_event_that_cannot_be_read_is_logged_once_by_its_name_and_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_lines.unread, "counts", Counter())
    lines = ['{"kind": "FromTheFuture", "file": "MUELLER"}', '{"kind": "StepDone", "epoch": "MUELLER"}']
    with caplog.at_level(logging.WARNING):
        assert [event_lines.from_line(line) for line in lines * 2] == [None] * 4
    assert event_lines.unread.counts == {"FromTheFuture": 2, "StepDone": 2}
    assert len(caplog.records) == 2 and "MUELLER" not in caplog.text


def test_that_a_plan_of_an_older_run_is_read_with_what_it_told() -> None:
    line = '{"kind":"PlanMade","plan":{"techniques":["recompute"],"peak_bytes":5,"colour":1},"budget_bytes":7}'
    assert event_lines.from_line(line) == PlanMade(plan=Plan(techniques=("recompute",), peak_bytes=5), budget_bytes=7)


def test_that_a_plan_keeps_the_names_that_other_programs_read() -> None:
    reported = json.loads(events.to_line(PlanMade(plan=Plan(size=(512, 640), by_kind={"weights": 3}))))
    names = (
        "allocator_bytes alone batch by_kind context_bytes device devices estimate exact fewer flop_factor host_bytes"
    )
    names += " library_bytes link loader_bytes notes optimizer_bytes peak_at peak_bytes process_bytes reason"
    names += " reserved_bytes size techniques time_factor waiting"
    assert sorted(reported["plan"]) == names.split()
    assert reported["plan"]["size"] == [512, 640] and reported["ladder"] == []


def test_that_the_module_of_events_offers_all_that_it_holds() -> None:
    held = {kind.__name__ for kind in EVENTS if kind.__module__ == events.__name__}
    assert held <= set(events.__all__)


def test_that_the_fields_other_programs_read_are_kept() -> None:
    done = json.loads(events.to_line(ItemDone(index=0, input="a", output="b", seconds=1.5, peak_bytes=7)))
    assert {key: done[key] for key in ("kind", "input", "output", "seconds", "peak_bytes")} == {
        "kind": "ItemDone",
        "input": "a",
        "output": "b",
        "seconds": 1.5,
        "peak_bytes": 7,
    }
    failed = json.loads(events.to_line(events.failed(0, "a", InputRefused("t", detail="d", hint="h"))))
    assert failed["error"] == {"title": "t", "detail": "d", "hint": "h"}


def test_that_a_loss_that_is_not_finite_is_null_on_the_wire_and_nan_for_the_reader() -> None:
    line = events.to_line(dataclasses.replace(EPOCH, train_loss=math.inf))
    assert json.loads(line)["train_loss"] is None
    reported = event_lines.from_line(line)
    assert isinstance(reported, EpochDone) and math.isnan(reported.train_loss)


def test_that_an_epoch_that_an_earlier_version_told_without_the_losses_by_kind_is_read() -> None:
    told = {name: value for name, value in events.to_fields(EPOCH).items() if name != "loss_by_kind"}
    assert event_lines.from_line(json.dumps(told)) == EPOCH


def test_that_a_newer_workers_kinds_and_fields_are_passed_over() -> None:
    assert event_lines.from_line('{"kind": "FromTheFuture"}') is None
    assert event_lines.from_line('{"kind": "RunEnded", "reason": "completed", "colour": 3}') == RunEnded(
        reason="completed"
    )


@given(st.text())
def test_that_no_line_brings_a_reader_down(line: str) -> None:
    event_lines.from_line(line)


@given(st.text())
def test_that_a_text_never_breaks_the_line(text: str) -> None:
    line = events.to_line(ItemFailed(input=text, error={"title": text}))
    assert "\n" not in line and "\r" not in line and line.isascii()
    assert event_lines.from_line(line) == ItemFailed(input=text, error={"title": text})
