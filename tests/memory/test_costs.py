"""What is known of a network and of its parts: values that are added, read and looked up, and no torch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.memory.costs import Costs, Facts, Key, MapForm, Moment, PartCost, Work, from_fields, to_fields

WORK = Work(flops=1, moved=2, starts=3, sent=4, passed=5, messages=6, shared=7, collectives=8)
FACTS = Facts(
    weights={"stem": 14, "layer1": 7, "head": 0},
    buffers=10,
    parameters={"stages.stem.a": 8, "stages.stem.b": 6, "stages.layer1.a": 7},
    channels=12,
)
MOMENT = Moment(bytes=9, holds=(True, False), makes=False, gradients=2, workspace=3, host=4, operation="cat")
COST = PartCost(
    forward=(MOMENT,),
    saved=MOMENT,
    backward=(MOMENT, replace(MOMENT, makes=True, receives=True)),
    left=MOMENT,
    in_place=(False, True),
    gradients=(5, 6),
    map_bytes=100,
    flops_forward=10,
    flops_backward=20,
    moved=2,
    starts=3,
    sent=4,
    passed=5,
    messages=6,
    shared=7,
    collectives=8,
    form=MapForm(shape=(1, 2, 3, 4), stride=(24, 12, 4, 1), dtype="bfloat16", needs_gradient=False, coded=True),
)


def test_that_work_is_added_and_multiplied_figure_by_figure() -> None:
    twice = Work(flops=2, moved=4, starts=6, sent=8, passed=10, messages=12, shared=14, collectives=16)
    assert WORK + WORK == WORK.times(2) == twice
    assert WORK + WORK.times(-1) == Work()
    assert vars(Work()) == dict.fromkeys(vars(WORK), 0)
    assert WORK.times(0.4).collectives == 3, "to whole numbers"


def test_that_the_work_of_a_part_is_that_of_its_forward_and_of_its_backward() -> None:
    assert COST.work == replace(WORK, flops=30)
    brief = {name: value for name, value in vars(COST).items() if name not in vars(WORK)}
    assert PartCost(**brief).work == Work(flops=30)


def test_that_of_what_is_not_said_nothing_is_there() -> None:
    moment = Moment(bytes=1, holds=(), makes=False)
    assert (moment.receives, moment.gradients, moment.workspace, moment.host) == (False, 0, 0, 0)
    facts = Facts(weights={}, buffers=0)
    assert (facts.tensors, facts.largest, facts.channels, facts.statistics.shared) == (0, 0, 0, 0)
    assert (MapForm().needs_gradient, MapForm().coded) == (True, False)


def test_that_every_value_of_a_cost_survives_being_written() -> None:
    assert from_fields(to_fields(COST)) == COST


@pytest.mark.parametrize(
    "less",
    [
        {"bytes": 8},
        {"gradients": 3},  # that may go
        {"host": 3},
        {"holds": (False, False)},
        {"makes": False},
        {"receives": False},
    ],
    ids=str,
)
def test_that_a_moment_covers_what_is_no_more_than_it_in_anything(less: dict[str, object]) -> None:
    most = replace(MOMENT, makes=True, receives=True)
    fewer = replace(most, **less)  # type: ignore[arg-type]
    assert most.covers(most) and most.covers(fewer) and not fewer.covers(most)


def test_that_a_moment_with_more_gradients_may_shrink_below_another_one() -> None:
    much = replace(MOMENT, bytes=20, gradients=9)
    little = replace(MOMENT, bytes=10, gradients=3)
    assert not much.covers(little), "without its gradients and their weights it has 2 bytes, and the other one 4"
    assert much.covers(replace(little, gradients=4)) and not little.covers(much)


def test_that_a_parameter_belongs_to_the_stage_that_its_name_begins_with() -> None:
    assert FACTS.stage("stages.layer1.0.conv.weight") == "layer1"
    assert FACTS.by_stage(["stages.stem.b", "stages.layer1.a"]) == {"stem": 6, "layer1": 7, "head": 0}
    assert FACTS.by_stage(FACTS.parameters) == FACTS.weights


def test_that_backward_has_the_gradients_of_what_stands_last_first() -> None:
    assert FACTS.backward() == (("layer1", 7), ("stem", 6), ("stem", 8))


def test_that_running_statistics_are_two_sums_of_two_eight_byte_numbers_a_channel() -> None:
    assert FACTS.statistics == Work(shared=12 * 2 * 8, collectives=2)


def test_that_what_is_not_known_is_traced_once_and_known_to_all_who_share_it() -> None:
    asked: list[str] = []

    def trace(key: Key) -> PartCost:
        asked.append(str(key))
        return COST

    key = Key(part="stem", method="plain", variant="resnet34:1x32x32/fp32")
    plain = Costs(FACTS)
    with pytest.raises(KeyError, match=r"resnet34:1x32x32/fp32\|stem\|plain"):
        plain.of(key)
    tracing = plain.traced_by(trace)
    assert tracing.facts is FACTS
    assert tracing.of(key) is tracing.of(key) is plain.of(key) is COST
    assert asked == ["resnet34:1x32x32/fp32|stem|plain"]


def test_that_costs_are_their_own_where_they_begin_with_known_ones() -> None:
    known = {"a|b|plain": COST}
    costs = Costs(FACTS, known, lambda key: COST)
    costs.of(Key(part="c", method="plain", variant="a"))
    assert list(known) == ["a|b|plain"] and list(costs.known) == ["a|b|plain", "a|c|plain"]
    assert costs.of(Key(part="b", method="plain", variant="a")) is COST
