"""The cache of decoded files stays within its bound, oldest use first, and never takes what is in use."""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil
import pytest

from fullfield.dicom import eviction

HOUR = 3600.0


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Four entries of 1,000 bytes and a little, used four, three, two and one hours ago."""
    for age in (4, 3, 2, 1):
        entry = tmp_path / f"{age}h"
        entry.mkdir()
        (entry / "pixels.npy").write_bytes(bytes(1000))
        (entry / "header.json").write_text("{}")
        then = time.time() - age * HOUR
        os.utime(entry / "header.json", (then, then))
    return tmp_path


def left(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir()}


def test_that_a_cache_within_its_bound_is_left_alone(cache: Path) -> None:
    eviction.trim(cache, limit=5000)
    assert left(cache) == {"4h", "3h", "2h", "1h"}


def test_that_the_longest_unused_go_first_and_no_more_than_needed(cache: Path) -> None:
    eviction.trim(cache, limit=2500)
    assert left(cache) == {"2h", "1h"}


def test_that_a_use_makes_an_entry_young(cache: Path) -> None:
    eviction.use(cache / "4h")
    eviction.trim(cache, limit=2500)
    assert left(cache) == {"4h", "1h"}


def test_that_what_was_used_just_now_stays_whatever_its_size(cache: Path) -> None:
    eviction.trim(cache, limit=0, keep=2.5 * HOUR)
    assert left(cache) == {"2h", "1h"}


def test_that_a_clock_that_is_set_ahead_takes_nothing_that_was_used_just_now(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eviction.use(cache / "4h")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * 24 * HOUR)
    monkeypatch.setattr(psutil, "boot_time", lambda: now + 24 * HOUR)
    eviction.trim(cache, limit=0)
    assert left(cache) == {"4h"} and eviction.is_trusted(cache / "4h")


def test_that_what_is_dated_in_the_future_goes_first(cache: Path) -> None:
    then = time.time() + 24 * HOUR
    for name in ("2h", "1h"):
        os.utime(cache / name / "header.json", (then, then))
    eviction.trim(cache, limit=2500)
    assert left(cache) == {"4h", "3h"}


def test_that_what_was_used_long_ago_goes_though_its_user_lives(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    eviction.use(cache / "4h")
    then, wall = time.monotonic(), time.time()
    monkeypatch.setattr(time, "monotonic", lambda: then + HOUR)
    monkeypatch.setattr(time, "time", lambda: wall + HOUR)
    eviction.trim(cache, limit=0)
    assert left(cache) == set()


def test_that_an_entry_can_be_given_up_at_once(cache: Path) -> None:
    eviction.remove(cache / "1h")
    assert "1h" not in left(cache)


def test_that_what_killed_decoders_left_is_swept(cache: Path) -> None:
    for name, age in ((".aa-x.part", 2.0), (".bb-x.part", 0.0)):
        (cache / name).mkdir()
        then = time.time() - age * HOUR
        os.utime(cache / name, (then, then))
    eviction.sweep(cache)
    assert left(cache) == {"4h", "3h", "2h", "1h", ".bb-x.part"}
    eviction.sweep(cache, content="bb")
    assert left(cache) == {"4h", "3h", "2h", "1h"}


def test_that_an_entry_from_before_the_machine_started_is_not_trusted(cache: Path) -> None:
    assert eviction.is_trusted(cache / "1h")
    os.utime(cache / "1h" / "pixels.npy", (1.0, 1.0))
    assert not eviction.is_trusted(cache / "1h")


def test_that_an_entry_is_in_use_while_its_user_lives_and_has_marked_it_of_late(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = cache / "1h"
    assert not eviction.is_in_use(entry)
    eviction.mark(entry)
    assert eviction.is_in_use(entry) and eviction.is_in_use(entry, keep=60)
    then = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: then + 61)
    assert not eviction.is_in_use(entry, keep=60) and eviction.is_in_use(entry)
    monkeypatch.setattr(time, "monotonic", lambda: then - 61)
    assert eviction.is_in_use(entry, keep=1), "a count that began anew"
    (mark,) = entry.glob("*.user")
    mark.write_text("another process 1.0")
    assert not eviction.is_in_use(entry)
    mark.write_text("damaged")
    assert not eviction.is_in_use(entry)


def test_that_a_use_is_one_by_its_time_and_by_its_mark(cache: Path) -> None:
    before = (cache / "4h" / "header.json").stat().st_mtime
    eviction.mark(cache / "4h")
    assert (cache / "4h" / "header.json").stat().st_mtime == before
    eviction.use(cache / "4h")
    assert (cache / "4h" / "header.json").stat().st_mtime > before + 3 * HOUR
    eviction.use(cache / "gone")
    assert "gone" not in left(cache)


def test_that_what_is_half_made_is_no_entry_and_a_cache_that_is_not_there_has_none(cache: Path, tmp_path: Path) -> None:
    (cache / "half").mkdir()
    (cache / ".hidden").mkdir()
    eviction.trim(cache, limit=0)
    assert left(cache) == {"half", ".hidden"}
    eviction.trim(tmp_path / "none", limit=0)
    eviction.remove(cache / "gone")


def test_that_a_cache_that_is_just_full_is_left_alone(cache: Path) -> None:
    size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
    eviction.trim(cache, limit=size)
    assert len(left(cache)) == 4
    eviction.trim(cache, limit=size - 1)
    assert left(cache) == {"3h", "2h", "1h"}


def test_that_by_itself_a_cache_keeps_eight_gibibytes_and_what_was_used_in_the_last_ten_minutes(cache: Path) -> None:
    eviction.trim(cache)
    assert len(left(cache)) == 4 and (eviction.LIMIT_BYTES, eviction.KEEP_SECONDS) == (8 << 30, 600.0)
    for name, age in (("2h", 590), ("1h", 610)):
        then = time.time() - age
        os.utime(cache / name / "header.json", (then, then))
    eviction.trim(cache, limit=0)
    assert left(cache) == {"2h"}
