"""What a process's heap gives back, and where it is left as it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullfield import heap, interpreter, system
from fullfield.jobs.launchers import local

HOLES = """
import os, sys
from fullfield import heap
heap.give_back_at_once(int(sys.argv[1]))
def held(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
for turn in range(2):  # the usual heap keeps blocks from the second time on
    blocks = [bytearray(12 << 20) for _ in range(24)]
    for block in blocks:
        block[:: 1 << 12] = bytes(len(block) >> 12)
    full = held()
    del blocks[::2], block
print(full - held())
"""
OFFERED = "always [madvise] never\n"


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernel's folder, of one with large pages; glibc is new enough, and the user has said nothing."""
    (tmp_path / "enabled").write_text(OFFERED)
    (tmp_path / "hpage_pmd_size").write_text("2097152\n")
    monkeypatch.setattr(heap, "_OFFERED", tmp_path)
    monkeypatch.setattr(os, "confstr", lambda name: "glibc 2.36", raising=False)
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    return tmp_path


@pytest.mark.skipif(not heap._has_large_pages(), reason="no large pages, or another C library")
def test_that_a_block_between_others_goes_back_at_once_in_large_steps_of_a_process_with_large_pages() -> None:
    prepared = dict[str, str]()
    heap.prepare(prepared)
    unprepared = {name: value for name, value in os.environ.items() if name not in prepared}
    given_back = {
        (pixels, environment is unprepared): int(
            subprocess.run(
                [sys.executable, "-c", HOLES, str(pixels)], capture_output=True, check=True, env=environment
            ).stdout
        )
        for pixels in (heap.SMALL, heap.SMALL + 1)
        for environment in (unprepared, {**unprepared, **prepared})
    }
    assert given_back.pop((heap.SMALL + 1, False)) > 100 > 20 > max(given_back.values()), "MiB, of twelve blocks of 12"


def test_that_processes_for_torch_and_workers_begin_with_large_pages(offered: Path) -> None:
    begun: dict[str, str] = {}
    interpreter.prepare_for_torch(begun)
    assert begun["GLIBC_TUNABLES"] == local.environment()["GLIBC_TUNABLES"] == "glibc.malloc.hugetlb=1"


def test_that_what_a_user_has_said_stays(offered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=3")
    begun = dict(os.environ)
    heap.prepare(begun)
    assert begun["GLIBC_TUNABLES"] == "glibc.malloc.check=3" and not heap.gives_back()


def test_that_a_process_that_has_begun_otherwise_does_not_say_that_it_has_large_pages(
    offered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for names, (value, _) in interpreter._BEFORE_TORCH.items():
        monkeypatch.setenv(names[0], value)  # this process stays as it is
    interpreter.prepare_for_torch()
    assert not heap.gives_back()
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    assert heap.gives_back()


@pytest.mark.parametrize("library", ["glibc 2.34", "musl 1.2", "", None, "glibc new"])
def test_that_a_library_that_asks_for_no_large_pages_is_left_alone(
    library: str | None, offered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "confstr", lambda name: library, raising=False)
    begun: dict[str, str] = {}
    heap.prepare(begun)
    assert begun == {} and not heap.gives_back()


def test_that_a_kernel_without_such_pages_is_left_alone(offered: Path) -> None:
    for has, words, size in (
        (False, "always madvise [never]", 2 << 20),
        (True, "[always] madvise never", 2 << 20),
        (False, OFFERED, 512 << 20),
    ):
        (offered / "enabled").write_text(words)
        (offered / "hpage_pmd_size").write_text(str(size))
        begun: dict[str, str] = {}
        heap.prepare(begun)
        assert (begun != {}) is has
    (offered / "hpage_pmd_size").unlink()
    heap.prepare(begun := {})
    assert begun == {}


def test_that_on_another_system_nothing_is_asked_of_the_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "LINUX", False)
    assert heap._function("malloc_trim") is None
    heap.return_freed_memory()
    heap.keep_freed_memory()
