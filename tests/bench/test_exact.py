"""`bench exact` at its smallest: what is exact is found to be, and what is not is told apart."""

from __future__ import annotations

from functools import partial

import pytest

from fullfield.bench import exact
from fullfield.memory.account import Shape
from fullfield.protocol import event_lines
from fullfield.protocol.events import ExactnessMeasured
from fullfield.techniques import registry
from fullfield.techniques.build import Build
from fullfield.techniques.channels_last import ChannelsLast

NAMES = ("channels_last", "checkpointing")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two techniques at one shape, on the smaller network."""
    monkeypatch.setattr(exact, "_all", lambda: [registry.read(name) for name in NAMES])
    monkeypatch.setattr(exact, "SHAPES", ((192, 192),))
    monkeypatch.setattr(exact, "Shape", partial(Shape, encoder="resnet18"))


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, ExactnessMeasured]:
    """What was written, by technique."""
    found = [event_lines.from_line(line) for line in capsys.readouterr().out.splitlines()]
    return {"+".join(one.techniques): one for one in found if isinstance(one, ExactnessMeasured)}


def test_that_exact_techniques_are_within_the_bounds_and_told_as_events(capsys: pytest.CaptureFixture[str]) -> None:
    assert exact.bench(json=True, quick=True) == 0
    rows = told(capsys)
    assert tuple(rows) == NAMES
    assert all(exact.within(row) for row in rows.values())
    assert 0 < rows["channels_last"].worst_relative_difference < exact.LARGEST  # it did run, in another order
    assert all((row.height, row.width, row.batch) == (192, 192, 1) for row in rows.values())


def test_that_a_disturbed_gradient_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def disturb(technique: ChannelsLast, build: Build) -> None:
        next(build.network.parameters()).register_hook(lambda gradient: gradient * (1 + 1e-9))

    monkeypatch.setattr(ChannelsLast, "apply", disturb)
    assert exact.bench(json=True, quick=True) == 1
    assert [name for name, row in told(capsys).items() if not exact.within(row)] == ["channels_last"]
