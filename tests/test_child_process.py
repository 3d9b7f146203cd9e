"""What a parent hears of a child that it does not trust."""

from __future__ import annotations

import queue
import subprocess
import sys

import pytest

from fullfield import child_process


def heard(code: str) -> list[bytes]:
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        child_process._pump(child, lines)
        child.kill()
    return [lines.get_nowait() for _ in range(lines.qsize())]


def test_that_lines_come_whole_and_an_empty_one_says_that_the_child_is_gone() -> None:
    assert heard("print('a'); print('b' * 100_000)") == [b"a\n", b"b" * 100_000 + b"\n", b""]


def test_that_a_line_without_end_is_not_read_into_memory_but_taken_for_a_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(child_process, "_LONGEST_LINE", 1 << 16)
    assert heard("import sys\nwhile True: sys.stdout.write('x' * 4096)") == [b""]
