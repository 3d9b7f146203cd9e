"""How much a run has told, and whether the last it told is its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield import files
from fullfield.jobs import event_log
from fullfield.protocol import events
from fullfield.protocol.events import Event, Notice, RunEnded, RunFailed, RunStarted
from fullfield.protocol.rank_events import NodesChanged


def test_that_a_run_without_events_has_told_nothing_and_has_not_ended(tmp_path: Path) -> None:
    assert event_log.size(tmp_path) == 0
    assert not event_log.has_ended(tmp_path)
    event_log.path(tmp_path).touch()
    assert not event_log.has_ended(tmp_path)


@pytest.mark.parametrize("count", [0, 1, 2000])
def test_that_a_run_has_ended_where_its_last_event_is_an_end(count: int, tmp_path: Path) -> None:
    notice = events.to_line(Notice(text="Größe: 3 µm."))
    for line in [notice] * count:
        files.append_line(event_log.path(tmp_path), line)
    assert event_log.size(tmp_path) == count * len(f"{notice}\n".encode())
    assert not event_log.has_ended(tmp_path)
    files.append_line(event_log.path(tmp_path), events.to_line(RunEnded(reason="completed")))
    assert event_log.has_ended(tmp_path)
    files.append_line(event_log.path(tmp_path), notice)  # it was resumed
    assert not event_log.has_ended(tmp_path)


def test_that_the_last_event_of_a_kind_is_that_of_the_last_start(tmp_path: Path) -> None:
    assert event_log.last_of(tmp_path, NodesChanged) is None
    begun = RunStarted(job="train", pid=1, version="1")
    named = Notice(text='"NodesChanged" and "RunStarted"')
    for told, nodes in (
        ((begun, NodesChanged(nodes=("a",)), NodesChanged(nodes=("a", "b")), named), ("a", "b")),
        ((RunEnded(reason="failed"), begun, named), None),
        ((NodesChanged(nodes=("b",)),), ("b",)),
    ):
        for event in told:
            files.append_line(event_log.path(tmp_path), events.to_line(event))
        found = event_log.last_of(tmp_path, NodesChanged)
        assert (found.nodes if found is not None else None) == nodes


BEGUN, FAILED = RunStarted(job="train", pid=1, version="1"), RunFailed(error={"title": "No."}, exit_code=9)


@pytest.mark.parametrize(
    ("told", "failed"),
    [
        ([BEGUN, FAILED, RunEnded(reason="failed")], True),
        ([FAILED, RunEnded(reason="failed")], True),
        ([BEGUN, FAILED], False),
        ([BEGUN, FAILED, Notice(text="x")], False),
        ([BEGUN, RunEnded(reason="stopped")], False),
        ([FAILED, RunEnded(reason="failed"), BEGUN, RunEnded(reason="stopped")], False),
        ([FAILED, RunEnded(reason="failed"), BEGUN], False),
        ([RunEnded(reason="stopped")], False),
        ([], False),
    ],
)
def test_that_a_run_has_failed_by_what_it_told_just_before_its_end(
    told: list[Event], failed: bool, tmp_path: Path
) -> None:
    for event in told:
        files.append_line(event_log.path(tmp_path), events.to_line(event))
    found = event_log.failure(tmp_path)
    assert (found is not None and found.error == FAILED.error and found.exit_code == 9) is failed
    assert found is None or failed


def test_that_the_last_event_of_a_kind_is_also_found_before_the_last_start_where_it_may_be(tmp_path: Path) -> None:
    for event in (NodesChanged(nodes=("a",)), BEGUN, NodesChanged(nodes=("b",)), BEGUN):
        files.append_line(event_log.path(tmp_path), events.to_line(event))
    assert event_log.last_of(tmp_path, NodesChanged) is None
    found = event_log.last_of(tmp_path, NodesChanged, ever=True)
    assert found is not None and found.nodes == ("b",)
    last = event_log.last(tmp_path)
    assert isinstance(last, RunStarted) and event_log.last(tmp_path / "none") is None


REFUSED = RunFailed(error={"title": "No."}, exit_code=2, refused=True)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ([BEGUN, RunEnded(reason="completed")], "completed"),
        ([BEGUN, RunEnded(reason="completed"), BEGUN, REFUSED, RunEnded(reason="failed")], "completed"),
        ([RunEnded(reason="paused"), *[BEGUN, REFUSED, RunEnded(reason="failed")] * 2], "paused"),
        ([BEGUN, RunEnded(reason="completed"), BEGUN, FAILED, RunEnded(reason="failed")], "failed"),
        ([BEGUN, BEGUN, REFUSED, RunEnded(reason="failed")], None),
        ([BEGUN, RunEnded(reason="paused"), BEGUN, Notice(text="x")], None),
        ([], None),
    ],
)
def test_that_a_start_that_was_refused_changes_nothing_of_how_a_run_has_ended(
    told: list[Event], reason: str | None, tmp_path: Path
) -> None:
    for event in told:
        files.append_line(event_log.path(tmp_path), events.to_line(event))
    found = event_log.end(tmp_path)
    assert (found.reason if found is not None else None) == reason
