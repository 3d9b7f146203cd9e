"""How a worker ended is told in plain words, from what can be known."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fullfield.errors import FullfieldError
from fullfield.jobs import post_mortem, ranks
from fullfield.jobs.post_mortem import Watch
from fullfield.protocol.events import RunEnded, RunFailed

CRASH = """Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/opt/MUELLER/fullfield/dicom/codecs.py", line 121 in _compressed
  File "/opt/MUELLER/fullfield/dicom/read.py", line 12 in decode
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run whose worker has said what it is."""
    (tmp_path / "worker.json").write_text("{}")
    os.utime(tmp_path / "worker.json", (1000, 1000))
    return tmp_path


def test_that_a_killed_worker_is_told_with_the_likely_reason(folder: Path) -> None:
    assert "killed it" in Watch(folder).explain(-9).detail


def test_that_want_of_memory_is_told_where_the_kernel_counts_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([3, 4])
    monkeypatch.setattr(post_mortem, "_memory_kills", lambda: next(counts))
    assert "no memory was left. Close other programs" in Watch(folder).explain(-9).detail


def test_that_a_native_crash_is_told_with_its_place_and_no_path(folder: Path) -> None:
    (folder / "crash.log").write_text(f"Fatal Python error: Aborted\n\n{CRASH}")
    text = Watch(folder).explain(None).detail
    assert text == "A library crashed (segmentation fault in codecs.py, line 121)."


OTHER = """Thread 0x00007e (most recent call first):
  File "/opt/fullfield/jobs/pulse.py", line 28 in go_on

"""


def test_that_a_crash_is_told_of_the_thread_that_crashed(folder: Path) -> None:
    (folder / "crash.log").write_text(CRASH.replace("Current thread", f"{OTHER}Current thread"))
    assert Watch(folder).explain(None).detail == "A library crashed (segmentation fault in codecs.py, line 121)."


def test_that_a_crash_outside_of_python_is_blamed_on_no_file(folder: Path) -> None:
    own, _, _ = CRASH.partition("  File")
    (folder / "crash.log").write_text(f"{own}  <no Python frame>\n\n{OTHER}")
    assert Watch(folder).explain(None).detail == "A library crashed (segmentation fault)."


def test_that_a_crash_that_names_no_current_thread_is_told_by_the_first_frame(folder: Path) -> None:
    (folder / "crash.log").write_text(CRASH.replace("Current thread", "Thread"))
    assert Watch(folder).explain(None).detail == "A library crashed (segmentation fault in codecs.py, line 121)."


def test_that_the_crash_of_an_earlier_worker_is_not_told_again(folder: Path) -> None:
    (folder / "crash.log").write_text(CRASH)
    os.utime(folder / "crash.log", (900, 900))
    assert "crashed" not in Watch(folder).explain(-9).detail
    os.utime(folder / "crash.log", (1000, 1000))
    assert "crashed" in Watch(folder).explain(-9).detail, "at the same moment it is its own"


@pytest.mark.parametrize("code", [0xC0000000, 0xC0000005, *((-11, -6, -7, -8, -4) if sys.platform == "linux" else ())])
def test_that_a_crash_without_frames_is_told_by_its_exit_code(folder: Path, code: int) -> None:
    assert Watch(folder).explain(code).detail == "A library crashed."


def test_that_a_run_whose_folder_was_deleted_is_told_as_that_and_not_as_a_full_disk(folder: Path) -> None:
    watch = Watch(folder)
    assert "disk is full" in watch.explain(7).detail
    (folder / "worker.json").unlink()
    folder.rmdir()
    died = watch.explain(7)
    assert died.detail.startswith("The folder of the run is gone")
    assert "kept" not in died.hint


def test_that_an_exit_is_told_with_its_code(folder: Path) -> None:
    assert Watch(folder).explain(3).detail == "It ended by itself, with exit code 3."


def test_that_a_worker_that_was_asked_twice_has_been_stopped_and_did_not_die(folder: Path) -> None:
    [ended] = Watch(folder).last_words(130)
    assert isinstance(ended, RunEnded) and ended.reason == "stopped"
    assert [type(event) for event in Watch(folder).last_words(-9)] == [RunFailed, RunEnded]


@pytest.mark.skipif(not hasattr(signal, "SIGSEGV"), reason="no such signal here")
def test_that_a_real_segmentation_fault_is_told(folder: Path) -> None:
    code = (
        "import faulthandler, ctypes, sys, threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        f"stream = open({str(folder / 'crash.log')!r}, 'ab')\nfaulthandler.enable(stream)\nctypes.string_at(0)"
    )
    watch = Watch(folder)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    text = watch.explain(done.returncode).detail.lower()
    assert "a library crashed (" in text and ("segmentation" in text or "access violation" in text)
    assert "threading.py" not in text


def test_that_a_first_process_that_another_one_found_frozen_is_told_as_that(folder: Path) -> None:
    frozen = FullfieldError("The training cannot go on.", detail="Process 1 of 2 has given no sign of life.")
    ranks.tell(folder, 0, frozen, how="frozen")
    assert Watch(folder).explain(-9).detail == "Process 1 of 2 has given no sign of life."


def test_that_a_worker_of_another_process_that_is_gone_where_the_disk_is_full_is_told_as_that(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "It was killed" in Watch(folder).explain(None).detail
    monkeypatch.setattr(post_mortem.shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    assert "most often because the disk is full" in Watch(folder).explain(None).detail
    assert "killed it" in Watch(folder).explain(-9).detail, "what is known goes before"


def test_that_a_disk_that_cannot_be_asked_is_not_said_to_be_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(path: Path) -> None:
        raise OSError

    monkeypatch.setattr(post_mortem.shutil, "disk_usage", gone)
    assert "It was killed" in Watch(folder).explain(None).detail


@pytest.mark.parametrize(
    ("group", "events", "counted"),
    [
        ("1:name=x:/a\n0::/user/run\n", "low 9\noom 8\noom_kill 7\noom_group_kill 6\n", True),
        ("1:name=x:/a\n", "oom_kill 7\n", False),
        ("0::/user/run\n", "low 9\n", False),
        ("0::/user/run\n", "oom_kill x\n", False),
        ("0::/user/other\n", "oom_kill 7\n", False),
    ],
)
def test_that_the_kernels_count_is_read_of_the_group_that_the_process_is_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch, group: str, events: str, counted: bool
) -> None:
    there = {"/proc/self/cgroup": group, "/sys/fs/cgroup/user/run/memory.events": events}

    def read(path: Path) -> str:
        if path.as_posix() not in there:
            raise FileNotFoundError
        return there[path.as_posix()]

    monkeypatch.setattr(Path, "read_text", read)
    watch = Watch(folder)
    assert "no memory was left. Close" not in watch.explain(-9).detail
    there["/sys/fs/cgroup/user/run/memory.events"] = events.replace("oom_kill 7", "oom_kill 8")
    assert ("no memory was left. Close" in watch.explain(-9).detail) is counted
    there["/sys/fs/cgroup/user/run/memory.events"] = "oom_kill 0\n"
    assert "no memory was left. Close" not in Watch(folder).explain(-9).detail
