"""Which machine is opened for a place, and for how long it stays open."""

from __future__ import annotations

import sys
import time
from types import ModuleType
from typing import Any

import pytest

from fullfield.enhance import elsewhere
from fullfield.enhance.elsewhere import IDLE_SECONDS, Machines
from fullfield.errors import UsageError


class Opened:
    """A machine that says how it was opened."""

    def __init__(self, name: str, **given: Any) -> None:
        self.name, self.given, self.closed = name, given, 0

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Opened]:
    """All that were."""
    made, module = list[Opened](), ModuleType("opening")

    def open_machine(name: str, **given: Any) -> Opened:
        made.append(Opened(name, **given))
        return made[-1]

    module.open_machine = open_machine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "opening", module)
    monkeypatch.setitem(elsewhere.MACHINES, "node", "opening")
    return made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def machines() -> Machines:
    return Machines(device="cuda:1", emit=print, waits=bool)


def test_that_this_computer_is_no_machine_and_what_is_no_place_is_refused(opened: list[Opened]) -> None:
    assert machines().find("local") is None
    with pytest.raises(UsageError, match="Cannot enhance images at 'moon:crater'") as refused:
        machines().find("moon:crater")
    assert "local" in refused.value.hint
    with pytest.raises(UsageError, match="Cannot enhance images at") as long:
        machines().find("x" * 500)
    assert len(long.value.title) < 100 and opened == []


def test_that_a_machine_is_opened_once_for_a_place_and_an_address(opened: list[Opened]) -> None:
    every = machines()
    assert every.find("node:a") is every.find("node:a")
    assert every.find("node:a", "192.0.2.1") is not every.find("node:a")
    assert every.find("node:b") is not every.find("node:a")
    assert [(one.name, one.given["images_to"]) for one in opened] == [("a", ""), ("a", "192.0.2.1"), ("b", "")]
    assert opened[0].given == {"images_to": "", "device": "cuda:1", "emit": print, "waits": bool}


def test_that_a_machine_of_which_nothing_was_asked_for_a_while_is_closed_and_opened_anew(
    opened: list[Opened], clock: list[float]
) -> None:
    every = machines()
    every.find("node:a")
    clock[0] += 60
    every.find("node:b")
    clock[0] += IDLE_SECONDS - 59.9
    every.rest()
    assert [one.closed for one in opened] == [1, 0]
    every.find("node:a")
    assert len(opened) == 3
    clock[0] += IDLE_SECONDS
    every.rest()
    assert [one.closed for one in opened] == [1, 1, 0], "exactly as long is not longer"


def test_that_a_machine_rests_from_the_end_of_its_use(opened: list[Opened], clock: list[float]) -> None:
    every = machines()
    with every.use("node:a") as one, every.use("node:a"):
        assert one is opened[0]
        clock[0] += 10 * IDLE_SECONDS
        every.rest()
    assert one.closed == 0  # type: ignore[union-attr]
    every.rest()
    assert opened[0].closed == 0, "it was used just now"
    clock[0] += IDLE_SECONDS + 1
    every.rest()
    assert opened[0].closed == 1
    with every.use("local") as here:
        assert here is None


def test_that_a_machine_that_is_used_twice_is_in_use_until_both_are_done(
    opened: list[Opened], clock: list[float]
) -> None:
    every = machines()
    with every.use("node:a"):
        with every.use("node:a"):
            pass
        clock[0] += IDLE_SECONDS + 1
        every.rest()
        assert opened[0].closed == 0


def test_that_one_that_cannot_be_opened_is_not_in_use(opened: list[Opened], clock: list[float]) -> None:
    every = machines()
    with pytest.raises(UsageError), every.use("moon:crater"):
        pass
    assert not +every._used


def test_that_all_are_closed_at_the_end(opened: list[Opened]) -> None:
    every = machines()
    for place in ("node:a", "node:b"):
        every.find(place)
    every.close()
    assert [one.closed for one in opened] == [1, 1]
    every.close()
    assert [one.closed for one in opened] == [1, 1]
