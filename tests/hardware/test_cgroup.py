"""Limits of memory in a container, by the files that Linux has for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.hardware import cgroup, devices
from fullfield.hardware.cgroup import Limit

GIB = 2**30


def group(folder: Path, **values: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in values.items():
        (folder / name.replace("__", ".")).write_text(value)


def member(root: Path, line: str) -> None:
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(line + "\n")


def test_that_the_tightest_group_of_version_2_counts_less_what_it_takes_and_cannot_give_back(tmp_path: Path) -> None:
    member(tmp_path, "0::/clinic/run")
    clinic = tmp_path / "sys/fs/cgroup/clinic"
    group(clinic, memory__max=f"{4 * GIB}", memory__current=f"{3 * GIB}", memory__stat=f"anon 5\ninactive_file {GIB}\n")
    group(clinic / "run", memory__max="max", memory__current=f"{GIB}", memory__stat="inactive_file 0\n")
    assert cgroup.memory(tmp_path) == Limit(total=4 * GIB, left=2 * GIB)


def test_that_a_group_of_version_1_counts_and_its_largest_number_is_no_limit(tmp_path: Path) -> None:
    member(tmp_path, "4:memory:/box")
    files = {"memory__usage_in_bytes": f"{GIB}", "memory__stat": f"total_inactive_file {GIB // 2}\n"}
    box = tmp_path / "sys/fs/cgroup/memory/box"
    group(box, memory__limit_in_bytes="9223372036854771712", **files)
    assert cgroup.memory(tmp_path) is None
    group(box, memory__limit_in_bytes=f"{2 * GIB}")
    assert cgroup.memory(tmp_path) == Limit(total=2 * GIB, left=3 * GIB // 2)


def test_that_a_container_that_sees_its_own_group_as_the_root_is_limited(tmp_path: Path) -> None:
    member(tmp_path, "0::/../outside/that/is/not/here")
    root = tmp_path / "sys/fs/cgroup"
    group(root, memory__max=f"{GIB}", memory__current="0", memory__stat="inactive_file 0\n")
    assert cgroup.memory(tmp_path) == Limit(total=GIB, left=GIB)


def test_that_without_such_files_nothing_is_limited(tmp_path: Path) -> None:
    assert cgroup.memory(tmp_path) is None


def test_that_what_is_free_on_a_cpu_is_what_the_container_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "memory", lambda: Limit(total=3 << 20, left=1 << 20))
    assert devices.free_bytes("cpu") == 1 << 20
    assert devices.total_host_bytes() == 3 << 20
