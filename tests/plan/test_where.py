"""Where a plan is to be run, and how much of it may be taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield import system
from fullfield.hardware import devices, links, measured_links, meter, named
from fullfield.hardware.devices import Device
from fullfield.plan import where
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import MEASURED, LinkPlan
from fullfield.protocol.setup_events import Present
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


def measured(seconds: float, rate: float) -> LinkPlan:
    return LinkPlan(name="", seconds=seconds, bytes_per_second=rate, source=MEASURED)


def test_that_between_computers_the_longest_wait_and_the_lowest_rate_that_were_measured_hold() -> None:
    nodes = (
        Computer(name="a"),
        *(Computer(name=name, link=measured(*of)) for name, of in (("b", (1e-3, 1e9)), ("c", (1e-5, 1e6)))),
    )
    asked = Question(height=192, width=192, nodes=nodes, device="cpu")
    found = where.link(asked)
    assert (found.name, found.seconds, found.bytes_per_second, found.source) == ("nodes", 1e-3, 1e6, MEASURED)
    assert where.link(replace(asked, nodes=nodes[:1])) == links.INSIDE
    assert where.link(replace(asked, nodes=(nodes[0], Computer(name="b")))) == links.BETWEEN
    assert where.link(replace(asked, link="10GbE")) == links.find("10GbE"), "what is said holds"


@pytest.mark.usefixtures("with_cards")
@pytest.mark.parametrize(
    ("device", "kind", "apart"), [("cpu", "cpu", False), ("cuda:0,cuda:1", "cuda", True), ("cuda:0,cpu", "", False)]
)
def test_that_between_devices_of_this_computer_it_is_what_was_measured_between_as_many(
    device: str, kind: str, apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Question(height=192, width=192, device=device, processes=2)
    assert where.link(asked) == links.INSIDE
    own = links.of_sums(1e-3, 0.101, 4 << 20, 2)
    measured_links.keep(kind or named.MIXED, 2, own, apart=apart)
    found = where.link(asked)
    assert found == measured_links.known(kind or named.MIXED, 2, apart=apart) != links.INSIDE
    assert where.link(replace(asked, processes=3)) == links.INSIDE
    assert where.link(replace(asked, processes=1)) == links.INSIDE, "one has nothing to say"
    if device == "cpu":
        assert where.link(replace(asked, nodes=(Computer(name="a"),))) == links.INSIDE, "another computer's"
        assert where.link(replace(asked, device="auto", processes=1, cards="RTX 3060 x2")) == links.INSIDE


def test_that_a_card_that_cannot_be_asked_has_the_context_of_most(monkeypatch: pytest.MonkeyPatch) -> None:
    card = Card(kind="cuda", title="a card", total_bytes=8 * GIB, free_bytes=6 * GIB)
    chosen = Device(name="cuda:0", kind="cuda", title="a card", why="", free_bytes=0)
    monkeypatch.setattr(devices, "choose", lambda device="auto", *, rank=0: chosen)
    monkeypatch.setattr(here, "card", lambda device: card)
    for known, context in ((None, 400 << 20), (0, 400 << 20), (7, 7)):
        monkeypatch.setattr(meter, "context_bytes", lambda name, known=known: known)
        found = asked(device="cuda:0")
        assert (found.card.context_bytes, found.device, found.free_bytes) == (context, "cuda:0", 6 * GIB)


def test_that_only_a_processor_beside_cards_is_among_them() -> None:
    one, other = (
        where.targets(Question(height=192, width=192, cards=cards)) for cards in ("RTX 3060 x2", "RTX 3060, cpu")
    )
    assert not where.mixed(one) and where.mixed(other)
    assert [
        where.threads(Question(height=192, width=192, cards=cards)) for cards in ("RTX 3060 x2", "RTX 3060, cpu")
    ] == [
        max(1, system.spare_cores() // 2),
        max(1, system.spare_cores() - 1),
    ]


def node(name: str, title: str = "", **changes: int) -> Computer:
    card = Present(name="cuda:0", title=title, total_bytes=12 * GIB)
    return Computer(name=name, cards=(card,) if title else (), **changes)  # type: ignore[arg-type]


def test_that_the_processor_of_a_computer_has_the_speed_of_its_cores_and_the_memory_that_it_tells() -> None:
    nodes = (node("a", cores=8, free_bytes=5, total_bytes=9), node("b", cores=0, free_bytes=7))
    found = where.targets(Question(height=192, width=192, nodes=nodes, device="cpu"))
    assert [one.card.flops_per_second for one in found] == [8 * where.CORE_FLOPS, where.CORE_FLOPS]
    assert [one.card.total_bytes for one in found] == [9, 7] and [one.free_bytes for one in found] == [5, 7]
    assert 1e10 < where.CORE_FLOPS < 1e11


@pytest.mark.usefixtures("with_cards")
def test_that_cards_like_that_of_the_computer_that_trains_here_are_known_as_well() -> None:
    nodes = (node("a", "cuda:0"), node("b", "cuda:0"), node("c", "RTX 3060"))
    asked = Question(height=192, width=192, nodes=nodes, device="cuda:0", trains_here=True)
    own, like, other = where.targets(asked)
    assert [one.card.present for one in (own, like, other)] == [True, True, False]
    assert [one.card.context_bytes for one in (own, like, other)] == [GIB, GIB, where.CONTEXT_BYTES]
    assert [one.card.capability for one in (own, like, other)] == [own.card.capability] * 2 + [(8, 6)]
    assert own.card.flops_per_second == 1e13, "its own"
    assert [one.free_bytes // GIB for one in (own, like, other)] == [8, 12, 12]
    assert not any(one.card.present for one in where.targets(replace(asked, trains_here=False)))


@pytest.mark.usefixtures("with_cards")
def test_that_the_processor_that_trains_here_has_the_speed_of_its_cores_and_its_own_memory() -> None:
    nodes = (node("a", cores=4, free_bytes=GIB, total_bytes=GIB), node("b", cores=2, free_bytes=GIB, total_bytes=GIB))
    asked = Question(height=192, width=192, nodes=nodes, device="cpu", trains_here=True)
    own, other = where.targets(asked)
    assert [one.card.flops_per_second / where.CORE_FLOPS for one in (own, other)] == [4, 2]
    assert [one.free_bytes // GIB for one in (own, other)] == [7, 1]
