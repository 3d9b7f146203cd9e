"""Sets of techniques: order, conflicts, refusals, the strongest effect."""

from __future__ import annotations

import itertools

import pytest

from fullfield.errors import UsageError
from fullfield.memory.account import MemoryEstimate, PartPlan
from fullfield.plan.spec import TrainSpec
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect, Stage
from techniques.exactness import built, reference
from techniques.stepping import site

ALL = list(registry.all_techniques())


def test_that_techniques_come_in_the_order_of_their_application() -> None:
    given = ["optimizer_in_backward", "compile", "precision", "channels_last"]
    names = [technique.name for technique in compose.read(given)]
    assert names == ["channels_last", "precision", "compile", "optimizer_in_backward"]


def test_that_equal_sets_make_equal_settings() -> None:
    one = TrainSpec(data="there", techniques=("optimizer_8bit", "precision:format=bf16"))
    assert one == TrainSpec(data="there", techniques=("precision", "optimizer_8bit"))
    assert one.techniques == ("precision", "optimizer_8bit")
    assert one.to_json()["techniques"] == ["precision", "optimizer_8bit"]


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (["precision", "precision:format=fp16"], "precision is named twice."),
        (["optimizer_8bit", "optimizer_4bit"], "Choose one."),
        (["optimizer_in_backward", "precision:format=fp16"], "Use bf16."),
        (["momentum", "compressed_activations"], "has to be exact."),
        (["quantization", "precision"], "16-bit arithmetic"),
        (["quantization", "precision:format=fp16"], "16-bit arithmetic"),
    ],
)
def test_that_a_conflict_is_told_with_its_reason(given: list[str], word: str) -> None:
    with pytest.raises(UsageError) as reported:
        compose.read(given)
    assert word in reported.value.detail
    with pytest.raises(UsageError, match="Cannot train with these settings"):
        TrainSpec(data="there", techniques=tuple(given))


@pytest.mark.parametrize("form", ["fp32", "tf32"])
def test_that_a_network_for_int8_may_be_trained_in_numbers_of_full_length(form: str) -> None:
    assert len(compose.read(["quantization", f"precision:format={form}"])) == 2


@pytest.mark.parametrize("lone", ["zero", "zero_optimizer", "gradient_compression"])
def test_that_a_technique_that_needs_another_one_is_told_to_be_helped_by_adding_it(lone: str) -> None:
    with pytest.raises(UsageError, match="needs another one") as reported:
        compose.read([lone])
    assert f"{lone} needs " in reported.value.detail
    assert reported.value.hint == "Add it, or leave this one out."
    with pytest.raises(UsageError, match="do not go together"):
        compose.read([lone, "precision", "precision"])


@pytest.mark.parametrize("other", ["recompute", "momentum", "compile"])
@pytest.mark.parametrize("more", ["", ",portions=3+1"])
def test_that_an_option_that_a_technique_does_not_go_with_is_known_beside_any_other_option(
    other: str, more: str
) -> None:
    with pytest.raises(UsageError) as reported:
        compose.read([other, f"data_parallel:batch_norm=joint{more}"])
    assert f"{other} does not go with data_parallel:batch_norm=joint" in reported.value.detail
    assert compose.read([other, f"data_parallel{more and ':portions=3+1'}"])


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(ALL, 2)))
def test_that_of_any_two_the_order_in_which_they_are_given_changes_nothing(one: str, other: str) -> None:
    forward, backward = (compose.ordered(list(map(registry.read, names))) for names in ((one, other), (other, one)))
    assert list(map(str, forward)) == list(map(str, backward))
    assert sorted(compose.conflicts(forward)) == sorted(compose.conflicts(backward))


def test_that_refusals_name_the_technique_and_the_way_out() -> None:
    refused = compose.refusals(compose.read(["precision:format=tf32", "channels_last"]), site())
    assert len(refused) == 1
    assert refused[0].startswith("precision: ") and "Leave it out." in refused[0]


def test_that_the_strongest_effect_counts() -> None:
    assert compose.effect((), site()) == Effect.EXACT
    assert compose.effect(compose.read(["channels_last", "precision"]), site()) == Effect.APPROXIMATE
    assert compose.effect(compose.read(["accumulate", "precision"]), site()) == Effect.MODEL


def test_that_what_is_predicted_of_several_is_what_is_built() -> None:
    techniques = compose.read(["channels_last", "precision", "compile:backend=aot_eager", "optimizer_offload"])
    network, _, _ = reference()
    estimate = compose.predict(techniques, site())
    build = built(network, *techniques)
    assert list(estimate.parts) == [
        PartPlan(name=part.name, takes=part.takes, stages=part.stages, method=part.method) for part in build.chain.parts
    ]
    assert (estimate.precision, estimate.layout, estimate.state) == ("bf16", "channels_last", 0.0)


def test_that_nothing_is_predicted_of_nothing() -> None:
    assert compose.predict((), site()) == MemoryEstimate(shape=site().shape)


def test_that_stages_are_told_apart_by_their_numbers() -> None:
    assert sorted(Stage) == list(Stage)
