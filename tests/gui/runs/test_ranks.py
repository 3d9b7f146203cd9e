"""The page of a run of several processes: a row of each, who waits for whom, and which one was lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.protocol.events import RunEnded, RunFailed
from fullfield.protocol.rank_events import RankLost
from fullfield.runs.rank_curves import RankSnapshot
from fullfield_app.gui.runs import rank_strip, rank_words
from gui import fake_run
from gui.fake_run import begun, epoch
from gui.runs.desk import STORY, Desk

TWO = [
    RankSnapshot(rank=0, waiting=0.02, peak_bytes=10, predicted_bytes=20, budget_bytes=30),
    RankSnapshot(rank=1, waiting=0.4, peak_bytes=12, predicted_bytes=20, budget_bytes=30),
]


def test_that_each_process_is_shown_with_its_memory_its_phase_and_how_long_it_waits(desk: Desk) -> None:
    run = desk.has([*begun(), *fake_run.ranks(3), *epoch(1)], alive=True)
    desk.begin()
    desk.open(run)
    page = desk.panel._page
    assert page._memories.isTabVisible(1)
    page._memories.setCurrentWidget(page._ranks)
    assert desk.text("Who waits for whom") == (
        "Process 2 waits 40\u00a0% of the time for the others; process 1 is the slowest."
    )
    assert desk.text("Row of process 2, title") == "Process 2 · The CPU"
    assert "waits 40\u00a0%" in desk.text("Row of process 2, what it does")
    assert "backward" in desk.text("Row of process 2, what it does")
    assert desk.text("Row of process 3, memory") == "most 2.5 GiB, predicted 2.8 GiB"
    assert "2.2 GiB" in desk.says("Row of process 2, drawn")
    legend = desk.says("Processes of the run, legend")
    assert all(word in legend for word in ("held", "predicted peak", "budget", "waits for others"))
    assert not desk.widget("Memory of the last minute only").isVisible()


def test_that_a_run_of_one_process_shows_nothing_of_processes(desk: Desk) -> None:
    run = desk.has(STORY, alive=True)
    desk.begin()
    desk.open(run)
    assert not desk.panel._page._memories.isTabVisible(1)


def test_that_a_lost_process_is_said_and_no_waiting_any_more(desk: Desk) -> None:
    lost = RankLost(rank=1, world=2, how="killed", after_seconds=0.4)
    error = {"title": "The training cannot go on.", "detail": "Process 2 of 2 ended without a word.", "hint": ""}
    ended = [lost, RunFailed(error=error), RunEnded(reason="failed")]
    run = desk.has([*begun(), *fake_run.ranks(2), *epoch(1), *ended])
    desk.begin()
    desk.open(run)
    page = desk.panel._page
    page._memories.setCurrentWidget(page._ranks)
    assert desk.text("Who waits for whom") == "Process 2 ended without a word: killed, or crashed."
    assert desk.text("Row of process 2, what it does") == "ended without a word: killed, or crashed"
    assert desk.widget("Row of process 2, what it does").objectName() == "trouble"
    assert "waits" not in desk.text("Row of process 1, what it does")
    assert "Process 2 of 2 ended without a word." in desk.text("What happened, in full")


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        ((0.02, 0.05), "No process waits long for the others."),
        ((0.4, 0.45), "Each process waits about 45\u00a0% of the time for what the others send."),
        ((0.5, 0.1), "Process 1 waits 50\u00a0% of the time for the others; process 2 is the slowest."),
        ((0.5, None), ""),
    ],
)
def test_that_the_sentence_is_of_who_waits_most(waiting: tuple[float | None, ...], said: str) -> None:
    ranks = [replace(rank, waiting=share) for rank, share in zip(TWO, waiting, strict=True)]
    assert rank_words.of_all(ranks, live=True) == said
    assert rank_words.of_all(ranks, live=False) == ""


def test_that_strips_have_one_scale_and_a_far_budget_flattens_none() -> None:
    assert rank_strip.highest(TWO) == pytest.approx(30 * rank_strip.HEADROOM)
    far = [replace(rank, budget_bytes=1000) for rank in TWO]
    assert rank_strip.highest(far) == pytest.approx(20 * rank_strip.HEADROOM)
    assert rank_strip.highest([]) == 0.0
