"""How fast a device trains is measured on that device alone, and is not known where its memory is full."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from fullfield.hardware import rate


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The cards that were waited for, on a machine that says it has some."""
    asked: list[Any] = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda device=None: asked.append(device))
    return asked


def test_that_measuring_the_processor_touches_no_card(waited: list[Any]) -> None:
    assert rate.flops_per_second("cpu") > 0
    assert not waited


def test_that_the_card_that_computes_is_waited_for(waited: list[Any]) -> None:
    x = torch.ones(2, requires_grad=True)
    rate._seconds(torch.nn.Identity(), x, "cuda:1")
    assert waited == ["cuda:1"]


@pytest.mark.parametrize("error", [torch.OutOfMemoryError("CUDA out of memory."), MemoryError()])
def test_that_the_speed_of_a_full_card_is_not_known(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def full(*_: object) -> float:
        raise error

    monkeypatch.setattr(rate, "_seconds", full)
    assert rate.flops_per_second("cpu") == 0.0


def test_that_any_other_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> float:
        raise RuntimeError("illegal memory access")

    monkeypatch.setattr(rate, "_seconds", broken)
    with pytest.raises(RuntimeError, match="illegal"):
        rate.flops_per_second("cpu")
