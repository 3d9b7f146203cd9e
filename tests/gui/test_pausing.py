"""The list is paused and goes on; what failed in it is tried again."""

from __future__ import annotations

from pathlib import Path

from gui.fake_job import FakeJob
from gui.hands import Hands


def count(jobs: list[FakeJob], name: str) -> int:
    """How often the worker was asked for this."""
    return sum(command["command"] == name for command in jobs[0].posted)


def test_that_the_queue_pauses_and_goes_on(hands: Hands, radiographs: list[Path], jobs: list[FakeJob]) -> None:
    jobs[0].hold = {"enhance"}
    hands.drop(radiographs)
    hands.wait(lambda: count(jobs, "enhance") == 2)
    hands.click("Pause the list or go on with it")
    hands.wait(lambda: "Paused" in hands.text("Progress in words"))
    jobs[0].hold = set()
    hands.qtbot.wait(80)
    assert not any("Enhanced" in row for row in hands.rows())
    hands.click("Pause the list or go on with it")
    hands.wait(lambda: all("Enhanced" in row for row in hands.rows()))


def test_that_what_failed_is_tried_again(hands: Hands, tmp_path: Path, jobs: list[FakeJob]) -> None:
    bad = tmp_path / "bad.dcm"
    bad.write_bytes(b"")
    hands.drop([bad])
    hands.wait(lambda: "Failed" in "".join(hands.rows()))
    assert "Copy it anew" in hands.rows()[0]
    opens = count(jobs, "open")
    hands.click("Try again what failed or was cancelled")
    hands.wait(lambda: count(jobs, "open") == opens + 1)
