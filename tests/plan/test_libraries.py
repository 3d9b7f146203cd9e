"""What a training's process holds beside its tensors, measured by a real process."""

from __future__ import annotations

from pathlib import Path

import pytest

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

    def __init__(self, command: list[str]) -> None:
        self.command = command

    def communicate(self, timeout: float) -> tuple[bytes, None]:
        """What it printed."""
        return b'a line of a library\n{"begin": 1000, "whole": 2000}\n', None

    def kill(self) -> None:
        """It has ended."""


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
