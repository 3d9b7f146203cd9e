"""What a process's heap gives back, and where it is left as it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullfield import heap, interpreter, system

HOLES = """
import os
def held(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
for turn in range(2):  # the usual heap keeps blocks from the second time on
    blocks = [bytearray(6 << 20) for _ in range(40)]
    for block in blocks:
        block[:: 1 << 12] = bytes(len(block) >> 12)
    full = held()
    del blocks[::2], block
print(full - held())
"""
OFFERED = "always [madvise] never\n"


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernel's file, of one with large pages; glibc is new enough, and the user has said nothing."""
    path = tmp_path / "enabled"
    path.write_text(OFFERED)
    monkeypatch.setattr(heap, "_OFFERED", path)
    monkeypatch.setattr(os, "confstr", lambda name: "glibc 2.36", raising=False)
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    return path


@pytest.mark.skipif(not heap.gives_back(), reason="no large pages, or its user keeps the heap otherwise")
def test_that_a_process_begun_with_it_gives_a_block_back_between_others_and_another_does_not() -> None:
    usual = {name: value for name, value in os.environ.items() if name != "GLIBC_TUNABLES"}
    prepared = dict(usual)
    heap.prepare(prepared)
    given_back = [
        int(subprocess.run([sys.executable, "-c", HOLES], env=values, capture_output=True, check=True).stdout)
        for values in (prepared, usual)
    ]
    assert given_back[0] > 100 > 20 > given_back[1], "MiB, of twenty blocks of 6"


def test_that_who_begins_a_process_for_torch_prepares_its_heap_but_no_process_its_own(
    offered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: dict[str, str] = {}
    interpreter.prepare_for_torch(begun)
    assert begun["GLIBC_TUNABLES"] == f"glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold={heap.OWN_BYTES}"
    monkeypatch.setattr(os, "environ", dict(os.environ))
    interpreter.prepare_for_torch(os.environ)
    assert "GLIBC_TUNABLES" not in os.environ, "it is read when a process begins, and would be said untruly"


def test_that_what_a_user_has_said_stays(offered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert heap.gives_back()
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=3")
    begun = dict(os.environ)
    heap.prepare(begun)
    assert begun["GLIBC_TUNABLES"] == "glibc.malloc.check=3" and not heap.gives_back()


@pytest.mark.parametrize("library", ["glibc 2.34", "musl 1.2", "", None, "glibc new"])
def test_that_a_library_that_asks_for_no_large_pages_is_left_alone(
    library: str | None, offered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "confstr", lambda name: library, raising=False)
    begun: dict[str, str] = {}
    heap.prepare(begun)
    assert begun == {} and not heap.gives_back()


def test_that_a_kernel_without_large_pages_is_left_alone(offered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for has, words in ((False, "always madvise [never]"), (True, "[always] madvise never")):
        offered.write_text(words)
        assert heap.gives_back() is has
    offered.unlink()
    assert not heap.gives_back()
    monkeypatch.delattr(os, "confstr", raising=False)
    offered.write_text(OFFERED)
    assert not heap.gives_back()


def test_that_on_another_system_nothing_is_asked_of_the_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "LINUX", False)
    assert heap._function("malloc_trim") is None
    heap.return_freed_memory()
    heap.keep_freed_memory()
