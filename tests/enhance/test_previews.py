"""Previews of an image that is open: which part they show, and the files that they leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance.previews import Previews
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
