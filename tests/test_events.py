"""An event survives the wire, and a reader survives any wire."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.errors import InputRefused
from fullfield.protocol import events
from fullfield.protocol.events import EpochDone, Event, ItemDone, ItemFailed, RunEnded


def all_kinds(base: type[Event] = Event) -> list[type[Event]]:
    return [kind for sub in base.__subclasses__() for kind in (sub, *all_kinds(sub))]


def example(kind: type[Event]) -> Event:
    made = {"int": 3, "float": 2.5, "str": "text", "dict[str, str]": {"title": "t"}, "dict[str, Any]": {"done": 1}}
    made |= {"dict[str, int]": {"a": 1}, "dict[str, float]": {"a": 0.5}, "bool": True, "int | None": None}
    made |= {"list[str]": ["text"], "list[int]": [3], "list[dict[str, Any]]": [{"done": 1}]}
    made |= {"Seconds": 2.5, "Count": 3, "Count | None": None, "list[Count]": [3]}
    made |= {"PlanValues": {"done": 1, "peak_bytes": 3}, "list[PlanValues]": [{"by_kind": {"weights": 3}}]}
    return kind(**{item.name: made[str(item.type)] for item in dataclasses.fields(kind)})


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.__name__)
def test_that_every_event_comes_back_equal(kind: type[Event]) -> None:
    assert events.from_line(events.to_line(example(kind))) == example(kind)


def test_that_the_module_of_events_offers_all_that_it_holds() -> None:
    held = {kind.__name__ for kind in all_kinds() if kind.__module__ == events.__name__}
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
    line = events.to_line(dataclasses.replace(example(EpochDone), train_loss=math.inf))  # type: ignore[type-var]
    assert json.loads(line)["train_loss"] is None
    told = events.from_line(line)
    assert isinstance(told, EpochDone) and math.isnan(told.train_loss)


def test_that_a_newer_workers_kinds_and_fields_are_passed_over() -> None:
    assert events.from_line('{"kind": "FromTheFuture"}') is None
    assert events.from_line('{"kind": "RunEnded", "reason": "completed", "colour": 3}') == RunEnded(reason="completed")


@given(st.text())
def test_that_no_line_brings_a_reader_down(line: str) -> None:
    events.from_line(line)


@given(st.text())
def test_that_a_text_never_breaks_the_line(text: str) -> None:
    line = events.to_line(ItemFailed(input=text, error={"title": text}))
    assert "\n" not in line and "\r" not in line and line.isascii()
    assert events.from_line(line) == ItemFailed(input=text, error={"title": text})
