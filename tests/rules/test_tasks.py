"""The list of tasks and the tests that play them."""

from __future__ import annotations

import re

from support import ROOT
from tasks.listed import TASKS

FOLDER = ROOT / "tests" / "tasks"
MARK = re.compile(r'@pytest\.mark\.task\("([^"]+)"\)')
NO_HAND = re.compile(r"\.(setFocus|close|trigger|emit|setCurrent\w+|setValue|setChecked|setText|itemText)\(")
SET_UP = {"conftest.py"}  # opens and ends what the tasks are played on
CLIPBOARD = "QApplication.clipboard().setText"  # what a user has copied elsewhere, to paste


def test_that_every_listed_task_is_played_once_and_there_are_thirty_at_least() -> None:
    played = [key for path in sorted(FOLDER.glob("test_*.py")) for key in MARK.findall(path.read_text("utf-8"))]
    assert sorted(played) == sorted(TASKS)
    assert len(TASKS) >= 30


def test_that_tasks_are_played_by_mouse_and_keys_alone() -> None:
    found = {
        path.name: calls
        for path in sorted(FOLDER.glob("*.py"))
        if path.name not in SET_UP and (calls := NO_HAND.findall(path.read_text("utf-8").replace(CLIPBOARD, "")))
    }
    assert found == {}
