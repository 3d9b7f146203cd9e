"""A session whose images other machines enhance: several at once, and what is asked of one image in its order."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from enhance.own_window import Window
from fullfield.enhance import elsewhere
from fullfield.enhance.elsewhere import Machines
from fullfield.image import multiscale
from fullfield.image.image import Enhanced, Image
from fullfield.image.preset import Preset
from fullfield.protocol.events import ItemDone, ItemEnhanced, ItemFailed, ItemStarted

PLACE = "node:a,b"


class Away:
    """In the place of other machines: an image is enhanced once so many are in hand at once."""

    at_once = 4

    def __init__(self) -> None:
        self.together, self.closed, self.opened = threading.Barrier(1), 0, 0

    def by_preset(self, image: Image, preset: Preset) -> Enhanced:
        self.together.wait(60)
        return multiscale.enhance(image, preset)

    def close(self) -> None:
        self.closed += 1

    def open_machine(self, name: str, **given: Any) -> Away:
        self.opened += 1
        return self


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Away:
    made, module = Away(), ModuleType("away")
    module.open_machine = made.open_machine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "away", module)
    monkeypatch.setitem(elsewhere.MACHINES, "node", "away")
    return made


def test_that_images_on_other_machines_are_enhanced_at_once(
    away: Away, window: Window, pictures: Callable[[int], Path]
) -> None:
    away.together = threading.Barrier(3)
    for index in range(3):
        window.ask("open", index, source=str(pictures(index)), archive="")
        window.ask("enhance", index, choice="general", place=PLACE)
    window.until(ItemEnhanced, 3)
    assert away.opened == 1 and window.of(ItemFailed) == []


def test_that_an_export_waits_for_the_result_of_another_machine_that_it_writes(
    away: Away, window: Window, pictures: Callable[[int], Path], tmp_path: Path
) -> None:
    away.together = threading.Barrier(2)
    window.ask("open", source=str(pictures(0)), archive="")
    window.ask("enhance", choice="general", place=PLACE)
    window.until(ItemStarted)
    window.ask("export", target=str(tmp_path / "out.png"), format="png16")
    window.ask("open", 1, source=str(pictures(1)), archive="")
    window.ask("enhance", 1, choice="general", place=PLACE)
    window.until(ItemDone)
    assert (tmp_path / "out.png").is_file() and window.of(ItemFailed) == []


def test_that_an_image_that_is_opened_in_the_place_of_another_keeps_its_own_result(
    away: Away, window: Window, pictures: Callable[[int], Path]
) -> None:
    away.together = threading.Barrier(2)
    window.ask("open", 2, source=str(pictures(2)), archive="")
    window.ask("open", source=str(pictures(0)), archive="")
    window.ask("enhance", choice="general", place=PLACE)
    window.until(ItemStarted)  # it is away
    window.open(pictures(1))
    window.ask("enhance", 2, choice="general", place=PLACE)
    last = window.until(ItemEnhanced, 3)
    assert last.index == 0 and Path(last.enhanced).is_file()


def test_that_a_machine_that_is_in_use_is_not_closed(away: Away, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "IDLE_SECONDS", -1.0)
    machines = Machines(device="auto", emit=lambda event: None)
    with machines.use(PLACE):
        machines.rest()
        assert away.closed == 0
    machines.rest()
    assert away.closed == 1
