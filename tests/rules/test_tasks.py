"""The list of tasks and the tests that play them."""

from __future__ import annotations

import re

from support import ROOT
from tasks.listed import TASKS

MARK = re.compile(r'@pytest\.mark\.task\("([^"]+)"\)')


def test_that_every_listed_task_is_played_once_and_there_are_thirty_at_least() -> None:
    played = [
        key
        for path in sorted((ROOT / "tests" / "tasks").glob("test_*.py"))
        for key in MARK.findall(path.read_text("utf-8"))
    ]
    assert sorted(played) == sorted(TASKS)
    assert len(TASKS) >= 30
