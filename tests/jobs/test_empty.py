"""The job that does nothing but meet tells how many it has met."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fullfield.distribution import meet
from fullfield.jobs import empty
from fullfield.protocol.events import Notice
from fullfield.protocol.small import EmptySpec
from training import FakeContext


def test_that_each_counts_as_one_wherever_they_compute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def met(world: int, device: str, *, apart: bool) -> Iterator[Any]:
        assert (device, apart) == ("cpu", False), "ranks without cards meet, too"
        yield SimpleNamespace(agree=lambda values: [world * value for value in values])

    monkeypatch.setattr(meet, "met", met)
    context = FakeContext(tmp_path)
    context.world = 3
    assert empty.run(EmptySpec(), context) == {"ranks": 3}
    (notice,) = context.reported(Notice)
    assert replace(notice, time=0.0) == Notice(text="3 of 3 processes have met.")
