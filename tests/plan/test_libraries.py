"""What a training's process holds beside its tensors, measured by a real process."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from fullfield import interpreter
from fullfield.errors import CannotWrite
from fullfield.plan import libraries
from fullfield.techniques import compose

MIB = 2**20


@pytest.mark.slow
def test_that_a_process_measures_libraries_once_and_the_figure_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    libraries.prepare()
    found = libraries.held(compose.read(libraries.USUAL))
    assert found.measured and 300 * MIB < found.begin < found.whole < 2000 * MIB
    monkeypatch.setattr(libraries, "MODULE", "fullfield.there_is_no_such_module")
    libraries._held.cache_clear()
    libraries._measuring.cache_clear()
    assert libraries.held(compose.read(libraries.USUAL)) == found


class Measuring:
    """A process that has measured, in the place of one that takes ten seconds."""

    printed: bytes | None = b'a line of a library\n{"begin": 1000, "whole": 2000}\n'
    killed = False

    def __init__(self, command: list[str]) -> None:
        self.command = command

    def communicate(self, timeout: float) -> tuple[bytes, None]:
        """What it printed."""
        assert timeout >= 60
        if self.printed is None:
            raise subprocess.TimeoutExpired(self.command, timeout)
        return self.printed, None

    def kill(self) -> None:
        """It has ended."""
        self.killed = True


def test_that_what_was_begun_beforehand_is_what_is_waited_for_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    started: list[list[str]] = []

    def start(command: list[str], *, environment: dict[str, str]) -> Measuring:
        started.append(command)
        return Measuring(command)

    monkeypatch.setattr(libraries.system, "spawn_piped", start)
    found = libraries.Libraries(begin=1000, whole=2000)
    assert libraries.prepare()
    assert len(started) == 1 and tuple(started[0][len(started[0]) - len(libraries.USUAL) :]) == libraries.USUAL
    assert libraries.held(compose.read(libraries.USUAL)) == found
    assert len(started) == 1
    libraries._held.cache_clear()
    libraries._measuring.cache_clear()
    assert not libraries.prepare() and libraries.held(compose.read(libraries.USUAL)) == found
    assert len(started) == 1


def test_that_techniques_without_libraries_of_their_own_share_a_figure() -> None:
    usual = libraries.held(compose.read(libraries.USUAL))
    assert libraries.held(compose.read((*libraries.USUAL, "hybrid_bands", "optimizer_in_backward"))) == usual


@pytest.mark.parametrize("printed", [None, b"", b"{", b'{"begin": 1000}', b'{"begin": "x", "whole": 2000}'])
def test_that_where_it_cannot_be_measured_what_such_a_process_usually_holds_is_reckoned_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: bytes | None
) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    started: list[Measuring] = []

    def start(command: list[str], *, environment: dict[str, str]) -> Measuring:
        prepared = dict(os.environ)
        interpreter.prepare_for_torch(prepared)
        assert environment == prepared, "as a training's process is begun"
        started.append(Measuring(command))
        started[-1].printed = printed
        return started[-1]

    monkeypatch.setattr(libraries.system, "spawn_piped", start)
    found = libraries.held(compose.read(libraries.USUAL))
    assert not found.measured and 600 * MIB < found.begin < found.whole < 1200 * MIB
    assert [one.killed for one in started] == [True] and not list(tmp_path.iterdir())


def test_that_a_process_that_cannot_be_started_is_none_that_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(command: list[str], *, environment: dict[str, str]) -> Measuring:
        raise OSError

    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    monkeypatch.setattr(libraries.system, "spawn_piped", start)
    assert not libraries.prepare()
    assert libraries.held(compose.read(libraries.USUAL)) == libraries.UNMEASURED


def test_that_what_a_process_holds_beyond_that_is_what_it_has_made_and_never_less_than_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    usual = compose.read(libraries.USUAL)
    libraries.keep(libraries.USUAL, libraries.Libraries(begin=1000, whole=2000))
    assert [libraries.more(usual, resident) for resident in (900, 1000, 1300)] == [0, 0, 300]
    freed: list[bool] = []
    monkeypatch.setattr(libraries.devices, "free_cached", lambda: freed.append(True))
    monkeypatch.setattr(libraries.devices, "used_bytes", lambda: 70 * len(freed))
    assert libraries.resident() == 70, "nothing counts that nothing uses any more"


@pytest.mark.parametrize("text", ["{", "[]", '{"begin": 1}', '{"begin": null, "whole": 2}'])
def test_that_a_damaged_figure_is_measured_anew_and_a_full_disk_keeps_nobody_from_planning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    def full(path: Path, text: str) -> None:
        raise CannotWrite("No room.")

    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    libraries.keep(libraries.USUAL, libraries.Libraries(begin=1, whole=2))
    (kept,) = tmp_path.iterdir()
    kept.write_text(text)
    monkeypatch.setattr(libraries.system, "spawn_piped", lambda command, *, environment: Measuring(command))
    monkeypatch.setattr(libraries.files, "write_text", full)
    assert libraries.held(compose.read(libraries.USUAL)) == libraries.Libraries(begin=1000, whole=2000)
    assert kept.read_text() == text
