"""Where a plan is to be run, and how much of it may be taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.hardware import devices
from fullfield.plan import where
from fullfield.plan.question import Question
from fullfield.techniques import here

GIB = 1 << 30


def asked(**changes: object) -> where.Target:
    found = where.targets(Question(height=192, width=192, encoder="resnet18", **changes))  # type: ignore[arg-type]
    assert len(found) == int(str(changes.get("processes", 1)))
    return found[0]


def test_that_on_a_cpu_what_this_process_holds_is_free_for_the_training_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card = replace(here.card(devices.choose("cpu")), free_bytes=5 * GIB)
    monkeypatch.setattr(here, "card", lambda device: card)
    monkeypatch.setattr(devices, "used_bytes", lambda: GIB)
    found = asked(device="cpu")
    assert (found.card, found.device, found.free_bytes) == (card, "cpu", 6 * GIB)


def test_that_processes_on_one_device_share_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    card = replace(here.card(devices.choose("cpu")), free_bytes=6 * GIB)
    monkeypatch.setattr(here, "card", lambda device: card)
    monkeypatch.setattr(devices, "used_bytes", lambda: GIB)
    assert asked(device="cpu", processes=3).free_bytes == 3 * GIB


def test_that_of_a_card_that_is_only_named_all_is_free() -> None:
    found = asked(gpu="RTX 3060")
    assert not found.card.present and found.device == where.NOBODYS
    assert found.free_bytes == found.card.total_bytes > 11 * GIB
    assert found.card.context_bytes == where.CONTEXT_BYTES
