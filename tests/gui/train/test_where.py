"""Where a training runs: devices are ticked, the plan and the job follow, and a sentence says what comes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QSpinBox

from fullfield.hardware.named import is_several
from fullfield.protocol.plan import ESTIMATED, MEASURED, AlonePlan, FewerPlan, LinkPlan, Plan, RankPlan
from fullfield.protocol.setup_events import MachineProbed, PlanReady, Present
from fullfield_app import settings
from fullfield_app.gui import numbers
from fullfield_app.gui.train import places, plan_facts, remembered, where_words
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.techniques import chosen
from gui.fake_setup import GIB, PROCESSOR
from gui.hands import Hands
from gui.train.desk import Setup, box, ready, tick

CARDS = tuple(
    Present(name=f"cuda:{number}", title="NVIDIA GeForce GTX 1650", total_bytes=4 * GIB, free_bytes=3 * GIB)
    for number in range(3)
)
SENTENCE = "What the planner makes of the devices"


def machine(*devices: Present, **changes: object) -> MachineProbed:
    kind = devices[0].name.partition(":")[0]
    given = {"cores": 4, "total_bytes": 0, "free_bytes": 0, "title": "", "why": "", **changes}
    return MachineProbed(device=kind, devices=devices, **given)  # type: ignore[arg-type]


def test_that_one_processor_is_one_line_and_several_processes_on_it_reach_plan_job_and_settings(
    hands: Hands, setup: Setup, data: Path
) -> None:
    ready(hands, data)
    where = hands.widget("Where it runs")
    assert not hands.sees(SENTENCE) and not box(hands, "Train on The CPU").isVisible()
    assert where.height() <= hands.widget("Card to plan for").height() + 4
    count, batch = (hands.widget(name) for name in ("Processes on The CPU", "Images per step"))
    assert isinstance(count, QSpinBox) and count.maximum() == 4
    assert isinstance(batch, QSpinBox)
    batch.setValue(2)
    count.setValue(2)
    hands.wait(lambda: hands.sees(SENTENCE))
    asked = setup.asked()
    assert (asked["processes"], asked["device"]) == (2, "auto")
    assert asked["techniques"] is None and asked["always"] == ["banded_loss"], "the planner says what they share"
    assert hands.text(SENTENCE) == (
        "2 images of 512×512 over 2 processes: 4.0 GiB each, about 1.9 × as fast as one; 98.0 MiB travel per step "
        "(40 ms of 1.5 s over a link that was measured)."
    )
    tick(hands, "Go on with less when memory runs out")
    assert "no plan yet" in hands.text("Why it cannot start")
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    job = setup.last("train").job
    assert job.processes == 2 and job.spec["techniques"] == ["banded_loss", "data_parallel:batch_norm=joint"]
    kept, _ = settings.load()
    assert remembered.recall(kept).processes == 2


def test_that_cards_are_ticked_one_by_one_and_the_last_one_stays(hands: Hands, setup: Setup) -> None:
    setup.devices = (*CARDS, PROCESSOR)
    hands.window._pages["train"]._plans.planning.start()  # type: ignore[attr-defined]
    name = "Train on NVIDIA GeForce GTX 1650 ({})".format
    hands.wait(lambda: hands.sees(name(1)))
    assert [box(hands, name(number)).isChecked() for number in (1, 2, 3)] == [True, False, False]
    tick(hands, name(3))
    hands.wait(lambda: (setup.asked()["processes"], setup.asked()["device"]) == (2, "cuda:0,cuda:2"))
    hands.wait(lambda: "over 2 cards" in hands.text(SENTENCE))
    tick(hands, name(2))
    hands.wait(lambda: (setup.asked()["processes"], setup.asked()["device"]) == (3, "auto"))
    tick(hands, "Train on The CPU")
    hands.wait(lambda: (setup.asked()["processes"], setup.asked()["device"]) == (4, "cuda:0,cuda:1,cuda:2,cpu"))
    for number in (1, 2, 3):
        tick(hands, name(number))
    hands.wait(lambda: (setup.asked()["processes"], setup.asked()["device"]) == (1, "cpu"))
    hands.wait(lambda: hands.text("Whose memory").startswith("of the computer's"))
    assert not box(hands, name(1)).isChecked()
    tick(hands, "Train on The CPU")
    assert box(hands, "Train on The CPU").isChecked(), "it runs somewhere"
    assert not hands.sees(SENTENCE)


def test_that_the_processor_is_ticked_beside_a_card_and_a_sentence_says_whether_both_pay(
    hands: Hands, setup: Setup, data: Path
) -> None:
    setup.devices = (CARDS[0], PROCESSOR)
    hands.window._pages["train"]._plans.planning.start()  # type: ignore[attr-defined]
    ready(hands, data)
    card, processor = "Train on NVIDIA GeForce GTX 1650", "Train on The CPU"
    hands.wait(lambda: hands.sees(card))
    tick(hands, processor)
    hands.wait(lambda: (setup.asked()["processes"], setup.asked()["device"]) == (2, "cuda:0,cpu"))
    assert box(hands, card).isChecked() and box(hands, processor).isChecked()
    assert not hands.sees("Processes on The CPU"), "beside a card one trains there"
    hands.wait(lambda: hands.sees(SENTENCE))
    assert "over a card and the processor: 4.0 GiB each, about 1.9\u00a0× as fast as one" in hands.text(SENTENCE)
    assert hands.text("Whose memory").startswith("of the card's"), "a card is the fullest"
    tick(hands, card)
    hands.wait(lambda: (setup.asked()["processes"], setup.asked()["device"]) == (1, "cpu"))
    assert hands.sees("Processes on The CPU") and not hands.sees(SENTENCE)
    tick(hands, card)
    batch = hands.widget("Images per step")
    assert isinstance(batch, QSpinBox)
    batch.setValue(2)
    hands.wait(lambda: hands.widget("Start the training").isEnabled())
    hands.click("Start the training")
    hands.wait(lambda: any(job.job.kind == "train" for job in setup.jobs))
    job = setup.last("train").job
    assert (job.processes, job.spec["device"]) == (2, "cuda:0,cpu") and is_several(str(job.spec["device"]))
    kept, _ = settings.load()
    assert places.ticked(machine(CARDS[0], PROCESSOR), remembered.recall(kept)) == ("cuda:0", "cpu")


@pytest.mark.parametrize(
    ("device", "processes", "ticks"),
    [
        ("auto", 1, ("cuda:0",)),
        ("auto", 3, ("cuda:0", "cuda:1", "cuda:2")),
        ("cuda:2", 1, ("cuda:2",)),
        ("cuda:0,cuda:2", 2, ("cuda:0", "cuda:2")),
        ("cuda:0,cpu", 2, ("cuda:0", "cpu")),
        ("cuda:0,cuda:1,cuda:2,cpu", 4, ("cuda:0", "cuda:1", "cuda:2", "cpu")),
        ("cpu", 4, ("cpu",)),
    ],
)
def test_that_ticks_and_form_say_the_same(device: str, processes: int, ticks: tuple[str, ...]) -> None:
    here = machine(*CARDS, PROCESSOR)
    form = replace(Choices().with_value("device", device), processes=processes)
    assert places.ticked(here, form) == ticks and places.possible(here, form) == form
    assert places.with_ticks(here, Choices(), ticks, processes) == form


def test_that_a_form_of_another_computer_is_made_one_of_this_one_and_one_device_shares_nothing() -> None:
    shared = replace(Choices(), processes=3, chosen=chosen(("banded_loss", "spatial", "hybrid_bands")))
    alone = places.possible(machine(PROCESSOR, alone="There is no way to talk."), shared)
    assert alone.processes == 1 and alone.chosen.texts == ("banded_loss", "hybrid_bands")
    gone = places.possible(machine(CARDS[0], PROCESSOR), shared.with_value("device", "cuda:1"))
    assert (gone.value("device"), gone.processes) == ("auto", 1)
    lonely = machine(*CARDS, PROCESSOR, alone="There is no way to talk.")
    assert {(place.most, place.reason) for place in places.places(lonely, Choices())} == {(1, lonely.alone)}
    assert places.toggled(lonely, Choices(), "cuda:1", True).value("device") == "cuda:1", "one in place of the other"


def test_that_a_computer_that_cannot_be_one_of_several_says_so_where_it_is_ticked_among_machines() -> None:
    among = Choices().with_value("place", "node:local,gpu")
    [row] = places.places(machine(PROCESSOR, alone="There is no way to talk."), among)
    assert row.ticked and row.reason == "There is no way to talk." and row.most == 1
    [row] = places.places(machine(PROCESSOR, alone="There is no way to talk."), Choices())
    assert not row.reason, "alone it trains"
    [unknown] = places.places(None, among)
    assert unknown.ticked and places.toggled(None, among, unknown.key, False).value("place") == "node:gpu"


def test_that_the_sentence_says_where_more_do_not_pay_where_one_does_not_hold_it_and_how_the_link_is_known() -> None:
    ranks = tuple(RankPlan(rank=rank, process_bytes=(rank + 1) * GIB, sent_bytes=GIB) for rank in range(4))
    plan = Plan(techniques=("banded_loss", "full_bands", "spatial"), size=(4288, 4096), devices=ranks, waiting=0.5)
    plan = replace(plan, link=LinkPlan(source=ESTIMATED), alone=AlonePlan(times=0.8))

    def said(plan: Plan) -> str:
        return where_words.sentence(plan_facts.of(PlanReady(number=1, plan=plan), on_cpu=False), on_cpu=False)

    text = said(plan)
    assert text.startswith("One image of 4096×4288 over 4 cards: 1.0 GiB to 4.0 GiB each, no faster than one; ")
    assert "(0 ms over a link that is estimated)" in text
    assert " More of them do not pay here. The link is the limit: compressed gradients, which" in text
    mixed = said(replace(plan, devices=(*ranks[:3], replace(ranks[3], library_bytes=GIB))))
    assert "over 3 cards and the processor: " in mixed and " Together they do not pay here. " in mixed
    alone = said(replace(plan, alone=AlonePlan(), waiting=0.0))
    assert "which one alone does not hold" in alone and alone.endswith("estimated).")
    assert said(replace(plan, devices=ranks[:1])) == ""


def test_that_the_memory_is_called_the_computers_where_the_processor_beside_a_card_is_the_fullest(
    hands: Hands, setup: Setup
) -> None:
    ranks = tuple(RankPlan(rank=rank, process_bytes=(rank + 1) * GIB, library_bytes=rank * GIB) for rank in range(2))
    plan = Plan(size=(512, 512), devices=ranks, process_bytes=2 * GIB, library_bytes=GIB)
    facts = plan_facts.of(PlanReady(number=1, plan=plan), on_cpu=True)
    hands.window._pages["train"]._start.plan.show_facts(facts, on_cpu=True)  # type: ignore[attr-defined]
    assert hands.text("Whose memory") == "of the computer's memory"


def test_that_of_machines_it_says_what_each_takes_what_the_link_carries_and_why_more_do_not_pay() -> None:
    ranks = tuple(RankPlan(rank=rank, process_bytes=3 * GIB) for rank in range(3))
    plan = Plan(size=(512, 512), techniques=("data_parallel",), devices=ranks, waiting=0.62)
    plan = replace(plan, link=LinkPlan(bytes_per_second=11.25e6, source=MEASURED), alone=AlonePlan(times=0.4))

    def said(plan: Plan, *, unlinked: str = "", seconds: float = 0.0, limits: tuple[int, ...] = (8 * GIB,) * 3) -> str:
        facts = plan_facts.of(PlanReady(number=1, plan=plan, limits=limits), on_cpu=True)
        return where_words.on_machines(facts, ("a", "b", "c"), epoch_seconds=seconds, unlinked=unlinked)

    assert said(plan, seconds=42.3) == (
        "On a, b and c: 3.0 GiB of 8.0 GiB free each, about 42 s an epoch, no faster than one; the link between them "
        "carries 11.2 MB/s, measured. More machines do not pay here: "
        f"{numbers.percent(62)} of a step is waiting for the link."
    )
    fewer = (FewerPlan(computers=3, times=1.31), FewerPlan(computers=2))
    assert said(replace(plan, fewer=fewer)).endswith(
        "waiting for the link. 3 of them, by those with least memory, take 1.31 × as long as all. "
        "No plan for 2 of them fits."
    )
    assert said(replace(plan, waiting=0.1)).endswith("what all of them do again takes longer than it saves.")
    unknown = replace(plan, link=LinkPlan(bytes_per_second=1e8), alone=AlonePlan(times=2.0))
    assert said(unknown, unlinked="There is no way to it.").endswith(
        "the link between them is taken to carry 100 MB/s. There is no way to it."
    )


def test_that_the_light_is_that_of_the_fullest_machine_and_not_of_the_least_memory() -> None:
    ranks = tuple(RankPlan(rank=rank, process_bytes=size * GIB) for rank, size in enumerate((6, 1)))
    plan = Plan(size=(512, 512), devices=ranks, process_bytes=6 * GIB)

    def light(*limits: int) -> plan_facts.Light:
        limits = tuple(one * GIB for one in limits)
        reported = PlanReady(number=1, plan=plan, free_bytes=min(limits), limits=limits)
        return plan_facts.of(reported, on_cpu=True).light

    assert light(8, 2) == plan_facts.Light.ROOM and light(8, 1) == plan_facts.Light.TIGHT
    assert light(5, 8) == plan_facts.Light.NO
