"""A plan of a card and the CPU together: each one's speed, memory, portion, and what it keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield import system
from fullfield.errors import UsageError
from fullfield.hardware import cards, devices, links, measured_links, named
from fullfield.memory.costs import Costs, Facts
from fullfield.plan import predicting, where
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.protocol.computers import Computer
from fullfield.protocol.setup_events import Present
from fullfield.techniques import compose, registry
from fullfield.techniques.here import card as present
from fullfield.techniques.site import SUSTAINED, Site
from techniques.stepping import site

TECHNIQUES = ("banded_loss", "spatial:portions=3+1", "hybrid_bands")


def question(**changes: object) -> Question:
    given = {"height": 192, "width": 192, "encoder": "resnet18", "cards": "GTX 1650, cpu", **changes}
    return Question(**given)  # type: ignore[arg-type]


def of_both() -> Site:
    """A card with units for short numbers, and this CPU."""
    one = site("cuda", (8, 0))
    cpu = replace(present(devices.choose("cpu")), flops_per_second=1e11, slow=("fp16",))
    return replace(one, devices=(replace(one.devices[0], flops_per_second=1e13, bytes_per_second=5e11), cpu))


def test_that_the_cpu_behind_cards_has_the_speed_of_the_cores_that_their_processes_leave_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system, "spare_cores", lambda total=None: 9)
    card, cpu = where.targets(question())
    assert (card.card.title, card.device, cpu.card.title, cpu.device) == ("GTX 1650", where.NOBODYS, "the CPU", "cpu")
    assert cpu.card.speed == cpu.card.flops_per_second == 8 * where.CORE_FLOPS
    assert card.card.speed == SUSTAINED * card.card.flops_per_second
    assert cpu.free_bytes > 0 and cpu.card.total_bytes == devices.total_host_bytes()


@pytest.mark.usefixtures("traced")
def test_that_who_was_asked_about_cards_alone_reckons_a_cpu_beside_them_by_its_own_costs() -> None:
    cards_alone = Predictor(question(cards="GTX 1650 x2"))
    assert cards_alone.of(question())._of_cpu is Predictor(question())._of_cpu is not cards_alone._costing


@pytest.mark.parametrize("text", ["cpu", "cpu, RTX 2070", "RTX 2070, cpu x2"])
def test_that_the_cpu_is_named_once_and_behind_cards(text: str) -> None:
    with pytest.raises(UsageError, match="RTX 2070, cpu"):
        where.targets(question(cards=text))


def test_that_several_computers_have_cards_or_processors() -> None:
    with pytest.raises(UsageError, match=r"of each\. Between computers either.*auto or cpu, or one .*--on a"):
        question(cards="", device="cuda:0,cpu", nodes=(Computer(name="a"), Computer(name="b")))


def test_that_on_one_other_computer_a_card_and_the_processor_are_planned_as_here() -> None:
    card = Present(name="cuda:0", title="NVIDIA GeForce RTX 3060", total_bytes=12 << 30, free_bytes=8 << 30)
    node = Computer(name="gpu", cards=(card,), cores=9, free_bytes=6 << 30, total_bytes=16 << 30)
    asked = question(cards="", device="cuda:0,cpu", nodes=(node,), processes=3)
    first, cpu, third = where.targets(asked)
    assert (first.card.title, cpu.card.title) == ("gpu, NVIDIA GeForce RTX 3060", "gpu, the CPU") and third == first
    assert (first.free_bytes >> 30, cpu.free_bytes >> 30) == (4, 6), "two share the card, and nobody the processor"
    assert cpu.card.speed == 6 * where.CORE_FLOPS and first.card.speed == SUSTAINED * cards.rates(card.title)[0] / 2
    assert where.link(asked) == links.INSIDE
    with pytest.raises(UsageError, match=r"Cannot train on cuda:1,cpu of gpu\. It has cuda:0"):
        where.targets(replace(asked, device="cuda:1,cpu"))


@pytest.mark.usefixtures("traced")
def test_that_a_plan_for_one_other_computer_says_what_its_card_and_its_processor_take() -> None:
    card = Present(name="cuda:0", title="NVIDIA GeForce RTX 3060", total_bytes=12 << 30, free_bytes=8 << 30)
    node = Computer(name="gpu", cards=(card,), cores=9, free_bytes=6 << 30, total_bytes=16 << 30)
    asked = question(cards="", device="cuda:0,cpu", nodes=(node,), processes=2, techniques=TECHNIQUES)
    plan = predicting.answer(asked, Predictor(asked)).plan
    assert [one.rows for one in plan.devices] == [144, 48] and plan.devices[1].library_bytes > 0
    assert plan.alone is not None and plan.alone.name == "of them (gpu, NVIDIA GeForce RTX 3060)"


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("device", ["cuda:0", "cuda:0,cpu"])
def test_that_one_alone_may_take_what_its_device_has_and_not_what_the_smallest_rank_has(device: str) -> None:
    def asked(card_bytes: int) -> Question:
        card = Present(name="cuda:0", title="NVIDIA GeForce RTX 3060", total_bytes=12 << 30, free_bytes=card_bytes)
        node = Computer(name="gpu", cards=(card,), cores=2, free_bytes=1 << 29, total_bytes=16 << 30)
        named = ("banded_loss", "spatial")
        return question(cards="", device=device, nodes=(node,), processes=2, techniques=named)

    takes = Predictor(asked(8 << 30)).alone().plan(compose.read(["banded_loss"])).process_bytes
    enough, little = asked(takes * 5 // 4), asked(takes - 1)
    predictor = Predictor(enough)
    assert predictor.free_bytes < takes, "a rank has less"
    alone = predicting.answer(enough, predictor).plan.alone
    assert alone is not None and alone.times > 0.0 and alone.techniques == ("banded_loss",)
    alone = predicting.answer(little, Predictor(little)).plan.alone
    assert alone is not None and alone.times == 0.0


def test_that_portions_by_speed_are_proposed_and_the_slower_device_decides_the_time() -> None:
    both = of_both()
    both = replace(both, shape=replace(both.shape, height=512, width=512))
    found = {str(one.technique) for one in registry.all_techniques()["spatial"].candidates(both)}
    assert "spatial:portions=15+1" in found and "spatial" in found


def test_that_the_first_rank_alone_remembers_what_the_optimizer_does() -> None:
    facts = Facts(weights={"head": 100}, buffers=8, parameters={"stages.head.weight": 100})
    both = replace(of_both(), costs=Costs(facts))
    found = compose.predict(compose.read(["banded_loss", "spatial"]), both)
    assert found.owned is not None and not found.owned.gradients
    assert [dict(one) for one in found.owned.by_rank] == [{"head": 100}, {"head": 0}]
    assert found.exchanged.shared == (100 + 8) // 2, "weights and statistics go from one to all"
    alike = replace(both, devices=both.devices[:1] * 2)
    assert compose.predict(compose.read(["banded_loss", "spatial"]), alike).owned is None


def test_that_a_plan_reckons_each_device_in_its_own_way() -> None:
    plan = Predictor(question(techniques=TECHNIQUES)).plan(compose.read(TECHNIQUES))
    card, cpu = plan.devices
    assert (card.rows, cpu.rows) == (144, 48) and card.name == "GTX 1650" and cpu.name == "the CPU"
    assert card.optimizer_bytes > 0 and cpu.optimizer_bytes == 0
    assert (card.library_bytes, card.context_bytes) == (0, where.CONTEXT_BYTES)
    assert cpu.library_bytes > 0 and cpu.context_bytes == 0
    assert "(3 TFLOP/s, 128 GB/s)" in plan.notes[-1] and "The CPU is taken to compute 30 GFLOP/s." in plan.notes[-1]
    assert plan.time_factor > 1 and 0 < plan.waiting < 1 and plan.link is not None
    alone = Predictor(question(techniques=TECHNIQUES)).alone()
    assert [one.title for one in alone.site.devices] == ["GTX 1650"], "it is the faster one"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("precision:format=tf32", "round to tf32 at other places"),
        ("precision:format=bf16", "round to bf16 at other places"),
        ("ddp", "devices of one kind"),
        ("zero_optimizer", "devices of one kind"),
        ("fsdp", "devices of one kind"),
    ],
)
def test_that_what_one_of_them_has_not_is_refused_in_words(text: str, said: str) -> None:
    reason = registry.read(text).refuse(of_both())
    assert reason is not None and said in f"{reason.text} {reason.hint}"


def test_that_they_talk_over_the_host_and_what_was_measured_is_kept_for_such_a_pair() -> None:
    kind = named.kind("cuda:0,cpu", 2, "cuda")
    assert not measured_links.apart("cuda:0,cpu", 2, kind) and measured_links.apart("cuda:0,cuda:1", 2, "cuda")
    link = links.of_sums(1e-3, 0.101, 4 << 20, 2)
    measured_links.keep(kind, 2, link, apart=False)
    assert measured_links.known(kind, 2, apart=False) is not None
    assert measured_links.known("cuda", 2, apart=False) is None
