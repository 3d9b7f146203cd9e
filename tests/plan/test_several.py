"""Plans of several computers: every rank by what its own one has, and by what is between them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from fullfield.errors import UsageError
from fullfield.hardware import devices, links
from fullfield.plan import predicting, where
from fullfield.plan import question as questions
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.plan.sets import Sets
from fullfield.protocol import specs
from fullfield.protocol.computers import Computer
from fullfield.protocol.plan import MEASURED, LinkPlan
from fullfield.protocol.planning import PlanSpec
from fullfield.protocol.setup_events import Present
from fullfield.techniques import here

GIB = 1 << 30
FAST, SLOW = (LinkPlan(name="", seconds=1e-4, bytes_per_second=rate, source=MEASURED) for rate in (1e10, 1e5))


def node(name: str, gib: float, *, link: LinkPlan | None = None, cards: tuple[float, ...] = ()) -> Computer:
    own = tuple(
        Present(name=f"cuda:{number}", title="NVIDIA GeForce RTX 3060", total_bytes=12 * GIB, free_bytes=int(one * GIB))
        for number, one in enumerate(cards)
    )
    free = int(gib * GIB)
    return Computer(name=name, cards=own, cores=8, free_bytes=free, total_bytes=2 * free, link=link)


def asked(*nodes: Computer, **changes: Any) -> Question:
    return Question(height=192, width=192, encoder="resnet18", nodes=nodes, **changes)


def test_that_every_rank_is_planned_with_the_memory_of_its_own_node() -> None:
    found = where.targets(asked(node("a", 8), node("b", 3), node("c", 5), processes=2))
    assert [one.free_bytes / GIB for one in found] == [4, 4, 1.5, 1.5, 2.5, 2.5], "those of one node share what it has"
    assert [one.card.title for one in found][::2] == ["a", "b", "c"]
    assert {one.device for one in found} == {devices.CPU}


def test_that_where_fewer_train_each_place_is_planned_for_the_smallest_that_may_stand_there() -> None:
    nodes = (node("a", 8), node("b", 6), node("c", 3), node("d", 5))
    limits = [[one.free_bytes // GIB for one in where.targets(asked(*nodes, together=count))] for count in (1, 2, 3, 4)]
    assert limits == [[8], [8, 3], [8, 3, 3], [8, 6, 3, 5]], "a leads always; b, c and d keep their order"


def test_that_the_node_that_leads_lends_no_other_one_its_own_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    card = replace(here.card(devices.choose("cpu")), free_bytes=40 * GIB)
    monkeypatch.setattr(here, "card", lambda device: card)
    monkeypatch.setattr(devices, "used_bytes", lambda: GIB)
    head, other = where.targets(asked(node("a", 2), node("b", 3), trains_here=True))
    assert head.free_bytes == 41 * GIB, "it trains, and is asked itself"
    assert other.free_bytes == other.card.free_bytes == 3 * GIB


def test_that_cards_are_taken_as_the_node_itself_takes_them() -> None:
    pair = (node("a", 8, cards=(4, 6)), node("b", 8, cards=(5,)))
    found = where.targets(asked(*pair, processes=2))
    assert [one.free_bytes / GIB for one in found] == [4, 6, 2.5, 2.5], "two processes share the one card"
    assert found[0].card.title == "a, NVIDIA GeForce RTX 3060" and found[0].card.capability == (8, 6)
    named = where.targets(asked(*pair, device="cuda:0"))
    assert [one.free_bytes // GIB for one in named] == [4, 5]
    assert {one.card.kind for one in where.targets(asked(*pair, device="cpu"))} == {"cpu"}
    with pytest.raises(UsageError, match=r"Cannot train on cuda:1 of b\. It has cuda:0"):
        where.targets(asked(*pair, device="cuda:1"))
    with pytest.raises(UsageError, match=r"On a there is a card, on b there is none.*--device cpu"):
        asked(pair[0], node("b", 8))


def test_that_the_slowest_of_the_links_that_were_measured_is_what_a_plan_reckons_with() -> None:
    found = where.link(asked(node("a", 8), node("b", 8, link=FAST), node("c", 8, link=SLOW)))
    assert (found.bytes_per_second, found.source) == (1e5, MEASURED)
    assert where.link(asked(node("a", 8), node("b", 8))) == links.BETWEEN, "as long as nobody has measured it"


@pytest.mark.usefixtures("traced")
def test_that_a_node_that_is_too_small_is_named_with_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    of = Sets.of
    monkeypatch.setattr(Sets, "of", lambda self, tier: islice(of(self, tier), 1))  # none fits; each would be traced
    question = asked(node("a", 8), node("b", 0.5, link=FAST), batch=2)
    with pytest.raises(UsageError, match=r"takes .* on b, which has 512\.0 MiB for it\.") as found:
        predicting.answer(question, Predictor(question))
    assert "on a," not in found.value.detail


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize(("link", "pays"), [(FAST, True), (SLOW, False)])
def test_that_a_second_processor_halves_the_step_where_the_link_lets_it(link: LinkPlan, pays: bool) -> None:
    question = asked(node("a", 8), node("b", 8, link=link), batch=2, techniques=("banded_loss",))
    predictor = Predictor(question)
    plan = predicting.answer(question, predictor).plan
    assert predictor.plain_seconds == predictor.plain_flops / (8 * where.CORE_FLOPS) > 0.0
    assert plan.alone is not None and plan.alone.name == "of them (a)" and plan.alone.pays == pays
    assert (1.5 < plan.alone.times < 2.0) == pays and (plan.waiting > 0.5) != pays


@pytest.mark.usefixtures("traced")
def test_that_a_plan_of_machines_says_what_each_smaller_number_of_them_would_do() -> None:
    first, *others = (node(name, 8, link=FAST) for name in "abcd")
    question = asked(first, *others, batch=4, techniques=("banded_loss",))
    plan = predicting.answer(question, Predictor(question)).plan
    assert [one.computers for one in plan.fewer] == [3, 2]
    three, two = (one.times for one in plan.fewer)
    assert 1.5 < two < 2.1 and abs(three - two) < 0.2, "of 4 images one rank of 3 takes 2, as each of 2"
    small = replace(question, nodes=(first, *others[:2], node("d", 0.5, link=FAST)))
    assert [one.times for one in predicting.answer(small, Predictor(small)).plan.fewer] == [0.0, 0.0], "d may be one"
    slow = replace(question, nodes=(first, *(replace(one, cores=2) for one in others)))
    times = [one.times for one in predicting.answer(slow, Predictor(slow)).plan.fewer]
    assert 0.9 < times[0] < 1.1 < times[1] < 2.1, "of 3 the quick one takes 2, while each slow one takes 1"
    named = replace(question, techniques=("banded_loss", "data_parallel:batch_norm=joint,portions=1+1+1+1"))
    assert predicting.answer(named, Predictor(named)).plan.fewer == (), "fewer have other portions"
    for more in ({"together": 3}, {"nodes": (first, others[0])}):
        asked_less = replace(question, **more)  # type: ignore[arg-type]
        assert predicting.answer(asked_less, Predictor(asked_less)).plan.fewer == ()


def test_that_the_question_goes_to_the_planner_as_it_is() -> None:
    spec = PlanSpec(
        height=192, width=192, nodes=(node("a", 8, cards=(4,)), node("b", 3, link=FAST, cards=(2,))), together=2
    )
    assert specs.read("plan", specs.to_fields(spec)) == spec
    assert questions.judged(spec).ranks == 2
    for wrong in ({"gpu": "RTX 3060"}, {"together": 3}, {"processes": 33}):
        with pytest.raises(UsageError, match=r"these nodes|66 processes"):
            questions.judged(replace(spec, **wrong))  # type: ignore[arg-type]
