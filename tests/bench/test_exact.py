"""`bench exact` at its smallest: what is exact is found to be, and what is not is told apart."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch

import narrow
from fleets import fleet
from fullfield.bench import exact, exact_ranks
from fullfield.distribution.team import Team
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
    known: dict[tuple[int, exact_ranks.Like], exact_ranks.Found] = {}

    def measured(*texts: str) -> ExactnessMeasured:
        return together(2, lambda team: exact_ranks._row(list(texts), shape, device, team, known))[1]

    joint = "data_parallel:batch_norm=joint"
    found = measured(joint, "zero:level=3")
    assert exact.within(found) and (found.ranks, found.batch) == (2, 3)
    assert found.worst_relative_difference > 0, "sums come in another order"
    assert not exact.within(replace(found, statistics_difference=2e-11))
    share = exact_ranks.share
    monkeypatch.setattr(exact_ranks, "share", lambda x, y, build: share(x, y * (1 - 1e-9 * build.replicas.rank), build))
    assert not exact.within(measured(joint))


def rows_of_torchs(team: Team) -> dict[str, list[ExactnessMeasured]]:
    """What each of PyTorch's wrappers makes of the narrow network, and what it would make if left to itself."""
    from torch.distributed.fsdp import FSDPModule
    from torch.distributed.optim import ZeroRedundancyOptimizer
    from torch.nn.parallel import DistributedDataParallel

    network = narrow.network(by=8)
    shape = Shape(height=192, width=192, batch=team.size + 1, encoder="resnet18")
    torch.manual_seed(9)
    x = torch.rand(shape.batch, 1, 192, 192, dtype=torch.float64)
    y = 0.7 * x + 0.1 * torch.rand_like(x) + 0.1
    known: dict[tuple[int, exact_ranks.Like], exact_ranks.Found] = {}
    left = {
        "ddp": (DistributedDataParallel, "register_comm_hook"),  # then it takes means
        "fsdp": (FSDPModule, "set_gradient_divide_factor"),
        exact_ranks.TORCHS[-1]: (ZeroRedundancyOptimizer, "_sync_params"),
    }
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_ranks, "given", lambda shape: (network, x, y))
        for text in (exact_ranks.OWN, *exact_ranks.TORCHS):
            row = partial(exact_ranks._row, text.split(), shape, devices.choose("cpu"), team, known)
            found[text] = [row()]
            if text in left:
                with pytest.MonkeyPatch.context() as other:
                    other.setattr(*left[text], lambda *_: None)
                    found[text].append(row())
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_pytorchs_own_ways_are_found_to_be_exact_and_left_to_themselves_are_not(tmp_path: Path) -> None:
    first, second = fleet(2, "bench.test_exact:rows_of_torchs", tmp_path)
    assert first == second and [*first] == [exact_ranks.OWN, *exact_ranks.TORCHS]
    for text, (row, *others) in first.items():
        assert exact.within(row) and (row.ranks, row.batch) == (2, 3), (text, row)
        assert len(others) == (text in exact_ranks.TORCHS)
        assert not any(one.worst_relative_difference < 1e-6 for one in others), (text, others)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_processes_that_share_a_card_are_exact() -> None:
    rows = [(text, 3 if more else 1) for text, more in exact_ranks.OURS]
    found = exact_ranks.ask(rows, 2, device="cuda:0")
    assert len(found) == len(rows) and all(map(exact.within, found)), found
