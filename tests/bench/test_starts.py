"""What `bench memory` counts of kernels that are started: the count, and what it ends with."""

from __future__ import annotations

import json

import pytest
import torch

import narrow
from fullfield.bench import memory, starts
from fullfield.bench.starts import LOSS, Started
from fullfield.hardware import compiler
from fullfield.kernels import msssim_kernel
from fullfield.kernels.plain_loss import structure
from fullfield.memory.account import Shape

narrowed = narrow.networks()


def test_that_views_are_left_out_and_what_the_loss_asks_for() -> None:
    x = torch.rand(1, 1, 192, 192)
    with Started(but=LOSS) as mode:
        structure(x, x.relu()[:, :, ::1])
    assert mode.count == 1
    with Started() as mode:
        structure(x, x)
    assert mode.count > 10


def test_that_a_step_in_bands_starts_more_than_a_whole_one_also_where_the_loss_would_be_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiler, "missing", lambda: "")
    monkeypatch.setattr(msssim_kernel, "fault", lambda device: "")
    monkeypatch.setattr(starts, "SHAPE", Shape(height=192, width=192, encoder="resnet18"))
    assert starts.counted(("hybrid_bands", "banded_loss")) > starts.counted(("banded_loss",)) > 100


@pytest.mark.parametrize(("more", "code"), [(0, 0), (1, 1)])
def test_that_a_kernel_too_many_fails_the_bench(
    more: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is measured; the second technique starts too many, or just not."""
    counts = {"hybrid_bands": 1, "full_bands": starts.MOST["full_bands"] + more}
    monkeypatch.setattr(memory, "SHAPES", ())
    monkeypatch.setattr(starts, "counted", lambda texts: counts[texts[0]])
    assert memory.bench(json=True, quick=False) == code
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["bench"], row["techniques"], row["starts"]) for row in rows] == [
        ("starts", f"{name}+banded_loss", count) for name, count in counts.items()
    ]
    assert memory.bench(json=True, quick=True) == 0
    assert capsys.readouterr().out == ""
