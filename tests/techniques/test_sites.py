"""Where a training shall run: what of a device one of its ranks has, and which kinds of devices there are."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from fullfield.hardware import compiler, devices
from fullfield.hardware.devices import Device
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.techniques import here
from fullfield.techniques.site import Card, Several, Site

GPU = Card(
    kind="cuda",
    title="a card",
    total_bytes=8,
    free_bytes=6,
    capability=(8, 0),
    flops_per_second=1e12,
    bytes_per_second=1e11,
)
CPU = Card(kind="cpu", title="the CPU", total_bytes=16, free_bytes=9, flops_per_second=1e11)
SHAPE, COSTS = Shape(height=64, width=64), Costs(Facts(weights={}, buffers=0))


@pytest.mark.parametrize(
    ("card", "sharing", "speed", "share"),
    [(GPU, 1, 2.2e11, 6), (GPU, 2, 1.1e11, 3), (GPU, 4, 0.55e11, 1), (CPU, 1, 1e11, 9), (CPU, 2, 0.5e11, 4)],
)
def test_that_ranks_that_share_a_device_have_each_a_share_of_its_speed_and_of_what_is_free(
    card: Card, sharing: int, speed: float, share: int
) -> None:
    shared = replace(card, sharing=sharing)
    assert shared.speed == pytest.approx(speed) and shared.share_bytes == share
    assert shared.alone == card


def test_that_a_card_that_nothing_more_is_known_of_is_here_and_is_one_ranks_alone() -> None:
    plain = Card(kind="cpu", title="the CPU", total_bytes=2, free_bytes=1)
    assert (plain.present, plain.sharing, plain.speed, plain.context_bytes, plain.slow) == (True, 1, 0.0, 0, ())
    assert not plain.bytes_per_second and plain.capability < (3, 0)


@pytest.mark.parametrize(
    ("cards", "kind", "mixed"),
    [((CPU,), "cpu", False), ((GPU, GPU), "cuda", False), ((GPU, CPU), "cuda", True), ((CPU, CPU, CPU), "cpu", False)],
)
def test_that_a_site_is_of_the_kind_of_its_first_device(cards: tuple[Card, ...], kind: str, mixed: bool) -> None:
    found = Site(devices=cards, shape=SHAPE, costs=COSTS)
    assert (found.ranks, found.kind, found.mixed, found.computers) == (len(cards), kind, mixed, 1)


@pytest.mark.parametrize(
    ("ranks", "listed", "computers", "own"),
    [(2, 2, 1, True), (2, 3, 1, True), (2, 1, 1, False), (2, 0, 1, False), (2, 2, 2, False)],
)
def test_that_each_process_has_a_card_of_its_own_where_as_many_were_named_in_one_computer(
    ranks: int, listed: int, computers: int, own: bool
) -> None:
    several = Several(ranks=ranks, batch=2, network="resnet34", listed=listed, computers=computers)
    assert several.own_cards is own
    assert not Several(ranks=2, batch=2, network="resnet34").own_cards


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Device:
    """With a card that a test makes up; it is returned."""
    monkeypatch.setattr(compiler, "missing", lambda: "There is none.")
    monkeypatch.setattr(devices, "total_host_bytes", lambda: 1000)
    cpu = Device(name="cpu", title="the CPU", kind="cpu", why="", free_bytes=700)
    monkeypatch.setattr(devices, "choose", lambda name: cpu if name == "cpu" else None)
    monkeypatch.setattr(here, "_units", lambda: {"avx512_bf16": True})
    properties = SimpleNamespace(total_memory=500, major=8, minor=6)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda name: properties if name == "cuda:1" else None)
    monkeypatch.setattr(here.cards, "rates", lambda title: (3.0, 2.0) if title == "a card" else None)
    return Device(name="cuda:1", title="a card", kind="cuda", why="", free_bytes=400)


def test_that_this_machines_devices_are_told_as_they_are(machine: Device) -> None:
    gpu, cpu = here.card(machine), here.card(devices.choose("cpu"))
    assert gpu == Card(
        kind="cuda",
        title="a card",
        total_bytes=500,
        free_bytes=400,
        capability=(8, 6),
        flops_per_second=3.0,
        bytes_per_second=2.0,
    )
    assert cpu == Card(kind="cpu", title="the CPU", total_bytes=1000, free_bytes=700, slow=("fp16",))


@pytest.mark.parametrize(
    ("ranks", "on_cpu", "kinds"),
    [(1, (), "g"), (2, (), "gg"), (2, (1,), "gc"), (4, (1, 3), "gcgc")],
)
def test_that_of_several_ranks_those_beside_the_cards_are_on_the_cpu(
    ranks: int, on_cpu: Any, kinds: str, machine: Device
) -> None:
    found = here.site(machine, SHAPE, COSTS, ranks, on_cpu)
    assert "".join({"cuda": "g", "cpu": "c"}[card.kind] for card in found.devices) == kinds
    assert (found.compiler, found.shape, found.costs) == ("There is none.", SHAPE, COSTS)
    assert here.site(machine, SHAPE, COSTS).devices == (here.card(machine),)


@pytest.mark.parametrize(
    ("units", "slow"),
    [
        ({}, ("bf16", "fp16")),
        ({"amx_bf16": True}, ("fp16",)),
        ({"amx_tile": True}, ("fp16",)),
        ({"avx512_bf16": True}, ("fp16",)),
        ({"bf16": True}, ("fp16",)),
        ({"amx_fp16": True}, ("bf16",)),
        ({"fp16": True}, ("bf16",)),
        ({"avx512_fp16": True}, ("bf16", "fp16")),
        ({"bf16": True, "fp16": True}, ()),
        ({"bf16": False, "fp16": False}, ("bf16", "fp16")),
    ],
)
def test_that_a_cpu_is_slow_in_the_formats_that_it_has_no_units_for(
    units: dict[str, bool], slow: tuple[str, ...]
) -> None:
    assert here._slow_on_the_cpu(units) == slow
