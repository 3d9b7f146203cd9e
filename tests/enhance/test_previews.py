"""Previews of an image that is open: which part they show, and the files that they leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance import previews as module
from fullfield.enhance.previews import Previews
from fullfield.image.preview import Preview as Prepared
from fullfield.protocol.events import Event, ItemPreviewed
from fullfield.protocol.session_commands import Preview

Region = tuple[int, int, int, int]
Ask = Callable[[int, Region], ItemPreviewed]
DEEPEST = 2  # of an image of this size
WHOLE = (0, 256, 0, 192)


@pytest.fixture
def ask(radiograph: MakeDecoded, tmp_path: Path) -> Ask:
    """`ask(level, region)`: what is told of a part of the only image."""
    told: list[Event] = []
    decoded = radiograph(256, 192)
    previews = Previews(lambda index: None if index else decoded, told.append, tmp_path)

    def answered(level: int, region: Region) -> ItemPreviewed:
        previews.answer(Preview(index=0, serial=len(told), level=level, region=region, choice="general"))
        assert isinstance(told[-1], ItemPreviewed) and told[-1].serial == len(told) - 1
        return told[-1]

    return answered


def test_that_of_a_part_that_is_asked_for_too_small_the_same_part_comes_at_the_smallest_size(ask: Ask) -> None:
    found, wanted = ask(DEEPEST + 1, (12, 20, 4, 12)), ask(DEEPEST, (24, 40, 8, 24))
    assert (found.level, found.top, found.left) == (DEEPEST, 24, 8)
    assert np.load(found.preview).shape == (16, 16)
    assert np.array_equal(np.load(found.preview), np.load(wanted.preview))


def test_that_a_part_at_a_size_that_there_is_comes_at_that_size(ask: Ask) -> None:
    for level in range(DEEPEST + 1):
        found = ask(level, (16, 32, 8, 40))
        assert (found.level, found.top, found.left) == (level, 16, 8)
        assert np.load(found.preview).shape == (16, 32)


def test_that_the_last_previews_stay_and_a_long_move_of_a_slider_does_not_fill_the_disk(
    ask: Ask, tmp_path: Path
) -> None:
    left = [Path(ask(DEEPEST, (0, 8, 0, 8)).preview) for _ in range(30)]
    there = [path for path in left if path.exists()]
    assert 2 <= len(there) < 15 and there == left[-len(there) :]
    assert sorted(tmp_path.iterdir()) == sorted(there)


class Counted:
    """Previews of two images, of which it is counted how often one is made ready."""

    def __init__(self, radiograph: MakeDecoded, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        images = {index: radiograph(128, 96 + index) for index in range(2)}
        self.told, self.ready = list[Event](), 0
        self.previews = Previews(images.get, self.told.append, folder)

        def made(*given: object) -> Prepared:
            self.ready += 1
            return Prepared(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(module, "Prepared", made)

    def ask(self, index: int = 0, **asked: object) -> None:
        fields = {"serial": 0, "level": 0, "region": (0, 8, 0, 8), "choice": "general"} | asked
        self.previews.answer(Preview(index=index, **fields))  # type: ignore[arg-type]


@pytest.fixture
def counted(radiograph: MakeDecoded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(radiograph, tmp_path, monkeypatch)


def test_that_an_image_is_made_ready_once_while_it_is_looked_at(counted: Counted) -> None:
    counted.ask()
    counted.ask(changes=(("detail.gain", 0.5),))
    counted.ask(choice="chest")
    assert (counted.ready, len(counted.told)) == (1, 3)
    counted.ask(kind="raw", choice="general-raw")
    counted.ask(1)
    counted.ask(0)
    assert (counted.ready, len(counted.told)) == (4, 6)


def test_that_what_is_forgotten_is_made_ready_anew_and_what_is_another_image_stays(counted: Counted) -> None:
    counted.ask()
    counted.previews.forget(1)
    counted.ask()
    assert counted.ready == 1
    counted.previews.forget(0)
    counted.ask()
    assert counted.ready == 2


@pytest.mark.parametrize("asked", [{"index": 5}, {"choice": "some.safetensors"}, {"choice": "no such preset"}], ids=str)
def test_that_what_cannot_be_previewed_is_passed_over(counted: Counted, asked: dict[str, object]) -> None:
    counted.ask(**asked)  # type: ignore[arg-type]
    assert counted.told == []


def test_that_an_image_without_grey_values_has_no_preview(radiograph: MakeDecoded, tmp_path: Path) -> None:
    told: list[Event] = []
    flat = radiograph(64, 64, pixels=np.zeros((64, 64), np.uint16))
    previews = Previews(lambda index: flat, told.append, tmp_path)
    previews.answer(Preview(index=0, serial=0, level=0, region=(0, 8, 0, 8), choice="general"))
    assert told == []


def test_that_a_preview_that_fails_ends_nothing(
    radiograph: MakeDecoded, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Event] = []
    previews = Previews(lambda index: radiograph(64, 64), told.append, tmp_path / "gone")
    previews.answer(Preview(index=0, serial=0, level=0, region=(0, 8, 0, 8), choice="general"))
    assert told == [] and "a preview failed" in caplog.text
