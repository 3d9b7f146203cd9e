"""Where a plan is to be run, and how much of it may be taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield import system
from fullfield.hardware import devices, meter, named
from fullfield.hardware.devices import Device
from fullfield.plan import where
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.techniques import here
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import SUSTAINED, Card
from fullfield.techniques.spatial import Spatial

GIB = 1 << 30


@pytest.fixture
def with_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer with cards of 8 GiB and 10 TFLOP/s, 6 GiB of memory for its processor, and 8 cores to spare."""

    def choose(device: str = "auto", *, rank: int = 0) -> Device:
        name = named.of_rank(device, rank)
        kind = name.partition(":")[0]
        return Device(name=name, kind=kind, title=name, why="", free_bytes=(6 if kind == "cpu" else 8) * GIB)

    def card(device: Device) -> Card:
        rates = {} if device.kind == "cpu" else {"flops_per_second": 1e13, "bytes_per_second": 5e11}
        free = device.free_bytes
        return Card(kind=device.kind, title=device.title, total_bytes=free, free_bytes=free, **rates)

    monkeypatch.setattr(devices, "choose", choose)
    monkeypatch.setattr(here, "card", card)
    monkeypatch.setattr(devices, "used_bytes", lambda: GIB)
    monkeypatch.setattr(meter, "context_bytes", lambda name: GIB)
    monkeypatch.setattr(system, "spare_cores", lambda total=None: 8)


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


@pytest.mark.usefixtures("with_cards")
def test_that_who_shares_a_card_has_half_of_it_and_the_processor_that_nobody_shares_is_whole() -> None:
    found = where.targets(Question(height=192, width=192, processes=3, device="cuda:0,cpu"))
    assert [one.device for one in found] == ["cuda:0", "cpu", "cuda:0"]
    assert [one.free_bytes // GIB for one in found] == [4, 6 + 1, 4]
    assert [one.card.sharing for one in found] == [2, 1, 2]
    assert [one.card.speed for one in found] == [SUSTAINED * 1e13 / 2, 6 * where.CORE_FLOPS, SUSTAINED * 1e13 / 2]


@pytest.mark.usefixtures("with_cards")
def test_that_a_device_alone_is_not_the_half_of_one_that_two_share() -> None:
    asked = Question(height=192, width=192, encoder="resnet18", processes=3, device="cuda:0,cuda:1")
    predictor = Predictor(asked, Costing("resnet18", where.NOBODYS))
    assert [one.sharing for one in predictor.site.devices] == [2, 1, 2]
    assert [limit // GIB for limit in predictor.limits] == [4, 8, 4]
    alone = predictor.alone()
    assert (alone.free_bytes // GIB, alone.site.devices[0].sharing) == (8, 1)
    rows = {str(one.technique) for one in Spatial.candidates(predictor.site)}
    assert "spatial:portions=1+2+1" in rows, "whose card two share takes half as much"


@pytest.mark.usefixtures("with_cards")
@pytest.mark.parametrize(("device", "processes", "threads"), [("cpu", 1, 8), ("cpu", 3, 2), ("cuda:0,cpu", 2, 7)])
def test_that_kernels_are_measured_with_the_threads_of_a_training(device: str, processes: int, threads: int) -> None:
    assert where.threads(Question(height=192, width=192, device=device, processes=processes)) == threads
