"""The cache of prepared training data stays small."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fullfield.data import eviction

DAY = 86_400.0
USES = """
import sys
from pathlib import Path
from fullfield.data import eviction
eviction.use(Path(sys.argv[1]))
print("used", flush=True)
sys.stdin.read()
"""


def entry(name: str, days: float, size: int = 100) -> Path:
    """An entry of `size` bytes that was last used `days` ago."""
    folder = eviction.cache() / (name * 32)
    folder.mkdir()
    (folder / "0.input.npy").write_bytes(bytes(size))
    os.utime(folder, (time.time() - days * DAY,) * 2)
    return folder


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path / "cache"))


def test_that_what_was_not_used_for_a_month_goes_and_the_one_in_use_stays() -> None:
    old, mine, recent = entry("a", 31), entry("b", 31), entry("c", 29)
    eviction.trim(mine)
    assert [path.exists() for path in (old, mine, recent)] == [False, True, True]


def test_that_the_oldest_go_first_when_all_take_too_much() -> None:
    oldest, older, recent = entry("a", 9), entry("b", 8), entry("c", 7)
    eviction.trim(recent, limit=250)
    assert [path.exists() for path in (oldest, older, recent)] == [False, True, True]


def test_that_what_another_training_may_read_stays_whatever_its_size() -> None:
    used, mine = entry("a", 9), entry("b", 0)
    eviction.use(used)
    eviction.trim(mine, limit=1)
    assert used.exists() and mine.exists()


def test_that_a_clock_a_month_ahead_takes_nothing_from_a_living_training() -> None:
    used, theirs, left = entry("a", 0), entry("b", 0), entry("c", 0)
    eviction.use(used)
    training = subprocess.Popen(
        [sys.executable, "-c", USES, str(theirs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert training.stdout is not None and training.stdout.readline()
    for folder in (used, theirs, left):
        os.utime(folder, (time.time() - 31 * DAY,) * 2)  # the clock has been set 31 days ahead
    eviction.trim(entry("d", 0))
    assert [folder.exists() for folder in (used, theirs, left)] == [True, True, False]
    training.communicate()
    eviction.trim(entry("e", 0))
    assert used.exists() and not theirs.exists(), "its training has ended"


def test_that_a_folder_that_is_no_entry_stays() -> None:
    other = eviction.cache() / "notes"
    other.mkdir()
    os.utime(other, (0, 0))
    eviction.trim(entry("a", 0))
    assert other.exists()


def test_that_a_folder_outside_the_cache_is_not_touched(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    os.utime(own, (1000, 1000))
    eviction.use(own)
    assert own.stat().st_mtime == 1000
