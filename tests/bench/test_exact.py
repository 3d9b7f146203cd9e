"""`bench exact` at its smallest: what is exact is found to be, and what is not is told apart."""

from __future__ import annotations

from functools import partial

import pytest
import torch

import narrow
from fullfield.bench import exact, exact_ranks
from fullfield.hardware import devices
from fullfield.memory.account import Shape
from fullfield.protocol import event_lines
from fullfield.protocol.events import ExactnessMeasured
from fullfield.techniques import registry
from fullfield.techniques.build import Build
from fullfield.techniques.channels_last import ChannelsLast
from teams import together

narrowed = narrow.networks()

NAMES = ("channels_last", "checkpointing")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two techniques at one shape, on the smaller network, and no processes beside this one."""
    monkeypatch.setattr(exact_ranks, "measurements", lambda *, quick: iter(()))
    monkeypatch.setattr(exact, "_all", lambda: [registry.read(name) for name in NAMES])
    monkeypatch.setattr(exact, "SHAPES", ((192, 192),))
    monkeypatch.setattr(exact, "Shape", partial(Shape, encoder="resnet18"))


def reported(capsys: pytest.CaptureFixture[str]) -> dict[str, ExactnessMeasured]:
    """What was written, by technique."""
    found = [event_lines.from_line(line) for line in capsys.readouterr().out.splitlines()]
    return {"+".join(one.techniques): one for one in found if isinstance(one, ExactnessMeasured)}


def test_that_exact_techniques_are_within_the_bounds_and_told_as_events(capsys: pytest.CaptureFixture[str]) -> None:
    assert exact.bench(json=True, quick=True) == 0
    rows = reported(capsys)
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
    assert [name for name, row in reported(capsys).items() if not exact.within(row)] == ["channels_last"]


def test_that_processes_together_are_found_to_be_exact_and_a_share_that_is_not_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    device, shape = devices.choose("cpu"), Shape(height=192, width=192, batch=3, encoder="resnet18")
    x = torch.rand(3, 1, 192, 192, dtype=torch.float64)
    given = narrow.network(by=2), x, 0.7 * x + 0.1 * torch.rand_like(x) + 0.1
    monkeypatch.setattr(exact_ranks, "given", lambda shape: given)
    known: dict[tuple[int, bool], exact_ranks.Found] = {}

    def measured(*texts: str) -> ExactnessMeasured:
        return together(2, lambda team: exact_ranks._row(list(texts), shape, device, team, known))[1]

    joint = "data_parallel:batch_norm=joint"
    found = measured(joint, "zero:level=3")
    assert exact.within(found) and (found.ranks, found.batch) == (2, 3)
    assert found.worst_relative_difference > 0, "sums come in another order"
    share = exact_ranks.share
    monkeypatch.setattr(exact_ranks, "share", lambda x, y, build: share(x, y * (1 - 1e-9 * build.replicas.rank), build))
    assert not exact.within(measured(joint))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_processes_that_share_a_card_are_exact() -> None:
    rows = [(text, 3 if more else 1) for text, more in exact_ranks.QUICK]
    found = exact_ranks.ask(rows, 2, device="cuda:0")
    assert len(found) == len(rows) and all(map(exact.within, found)), found
