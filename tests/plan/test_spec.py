"""The training's settings: one value, checked whole."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fullfield.errors import UsageError
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.places import PLACES


def test_that_a_spec_survives_its_json() -> None:
    spec = TrainSpec(data="there", size="native", loss="ms_ssim+l1", seed=7)
    assert specs.from_json(json.loads(json.dumps(spec.to_json()))) == spec


def test_that_a_size_too_small_for_ms_ssim_names_the_nearest_that_works() -> None:
    with pytest.raises(UsageError, match="nearest that works is 192"):
        TrainSpec(data="there", size=160)


def test_that_a_size_too_large_to_be_read_is_refused_before_anything_is() -> None:
    assert TrainSpec(data="there", size=16384).size == 16384
    with pytest.raises(UsageError, match="nearest that works is 16384"):
        TrainSpec(data="there", size=100_000)


@pytest.mark.parametrize("fit", ["0", "0GiB", "much"])
def test_that_a_training_fits_into_an_amount_that_is_one(fit: str) -> None:
    with pytest.raises(UsageError, match="choose an amount of memory such as 4GiB"):
        TrainSpec(data="there", fit=fit)


def test_that_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(UsageError) as reported:
        TrainSpec(data="", size=100, epochs=0, loss="ssim", learning_rate=float("nan"), validation=2.0)
    for name in ("data", "size", "epochs", "loss", "learning_rate", "validation"):
        assert name in reported.value.detail


@pytest.mark.parametrize("field", ["epochs", "batch", "learning_rate", "validation", "seed"])
def test_that_a_number_given_as_text_or_truth_is_refused(field: str) -> None:
    for value in ("4", True, None):
        with pytest.raises(UsageError, match=field):
            specs.from_json({"data": "there", field: value})


def test_that_a_wrong_name_is_met_with_the_nearest_right_one() -> None:
    with pytest.raises(UsageError, match="did you mean 'epochs'"):
        specs.from_json({"data": "there", "epoch": 5})


def test_that_moving_the_data_does_not_hinder_going_on_and_another_seed_does() -> None:
    spec = TrainSpec(data="there")
    assert specs.differences(spec, TrainSpec(data="elsewhere", checkpoint_steps=3)) == []
    assert specs.differences(spec, TrainSpec(data="there", seed=1, size=256)) == ["size", "seed"]


@pytest.mark.parametrize("use_on", ["raw", "processed", "both"])
def test_that_a_training_for_other_images_is_not_gone_on_with(use_on: str) -> None:
    assert specs.differences(TrainSpec(data="there"), TrainSpec(data="there", use_on=use_on)) == ["use_on"]
    assert specs.from_json({"data": "there"}).use_on == "auto"


def test_that_a_model_is_to_be_used_on_images_that_there_are() -> None:
    with pytest.raises(UsageError, match="use_on 'cooked': choose 'auto' or 'raw' or 'processed' or 'both'"):
        TrainSpec(data="there", use_on="cooked")


def test_that_a_training_is_gone_on_with_in_less_memory_unless_its_optimizer_remembers_elsewhere() -> None:
    began = TrainSpec(data="there", fit="8GiB")
    assert specs.differences(began, replace(began, fit="4GiB", techniques=("banded_loss", "recompute"))) == []
    assert specs.differences(replace(began, fit=""), began) == []
    elsewhere = replace(began, techniques=("optimizer_offload",))
    assert specs.differences(elsewhere, began) == ["techniques"]
    assert specs.differences(began, elsewhere, planned=True) == ["techniques"]


def test_that_a_training_that_its_plan_lets_remember_elsewhere_is_gone_on_with_by_what_was_asked() -> None:
    asked = TrainSpec(data="there", fit="4GiB", techniques=("banded_loss",))
    elsewhere = replace(asked, techniques=("banded_loss", "optimizer_offload"))
    assert specs.differences(asked, elsewhere) == specs.differences(replace(asked, fit="2GiB"), elsewhere) == []
    assert specs.differences(elsewhere, elsewhere, planned=True) == []
    assert specs.differences(replace(asked, fit=""), elsewhere) == ["techniques"], "there no plan keeps it"
    low = replace(asked, techniques=("optimizer_4bit",))
    assert specs.differences(asked, low) == ["techniques"], "a plan chooses what is exact alone"


def test_that_how_processes_share_a_training_may_change_when_it_is_gone_on_with() -> None:
    began = TrainSpec(data="there", techniques=("banded_loss",))
    assert specs.differences(began, replace(began, techniques=("banded_loss", "data_parallel"))) == []
    assert specs.differences(began, replace(began, techniques=("accumulate", "data_parallel"))) == ["techniques"]


def test_that_techniques_that_do_not_exist_are_told_with_the_other_mistakes() -> None:
    with pytest.raises(UsageError) as reported:
        TrainSpec(data="there", epochs=0, techniques=("warp",))
    assert "There is no technique 'warp'." in reported.value.detail
    assert "epochs" in reported.value.detail


@pytest.mark.parametrize("given", ["precision", [1], None])
def test_that_techniques_are_a_list_of_texts(given: object) -> None:
    with pytest.raises(UsageError, match="give a list of names"):
        specs.from_json({"data": "there", "techniques": given})


def test_that_a_training_is_moved_from_place_to_place_and_an_unknown_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = TrainSpec(data="/a")
    with pytest.raises(UsageError, match="place 'moon': choose 'local'"):
        TrainSpec(data="/a", place="moon")
    monkeypatch.setitem(PLACES, "moon", "a.module")
    assert specs.differences(TrainSpec(data="/a", place="moon"), begun) == []


def test_that_the_settings_of_an_earlier_version_are_of_this_machine() -> None:
    values = TrainSpec(data="/a").to_json()
    del values["place"]
    assert specs.from_json(values).place == "local"


@pytest.mark.parametrize(("reference", "in_cards"), [("/data/me/Mrs X.TOML", "a preset file"), ("mrs-x", "mrs-x")])
def test_that_of_a_users_preset_neither_name_nor_path_is_told_elsewhere_and_the_images_decide_instead(
    reference: str, in_cards: str
) -> None:
    own = TrainSpec(data="there", reference=reference)
    assert specs.nameless(own.reference) == "a preset file" and specs.nameless("general") == "general"
    assert specs.pathless(own.reference) == in_cards
    assert specs.differences(own, replace(own, reference="a preset file")) == []
    assert specs.differences(own, replace(own, reference="general")) == ["reference"]


def test_that_who_is_left_alone_keeps_what_another_technique_needed() -> None:
    def alone(*techniques: str) -> tuple[str, ...]:
        return specs.alone(TrainSpec(data="there", techniques=techniques))

    assert alone("banded_loss", "full_bands", "spatial") == ("banded_loss", "full_bands")
    assert alone("data_parallel:batch_norm=joint", "zero:level=1") == ()


@pytest.mark.parametrize("licence", ["CC BY\tNC", "one\r\ntwo", "x" * 4097])
def test_that_a_licence_that_no_card_can_hold_is_refused_before_anything_is_trained(licence: str) -> None:
    assert TrainSpec(data="there", data_licence="one\ntwo").data_licence == "one\ntwo"
    with pytest.raises(UsageError, match="data_licence: write at most 4096 characters"):
        TrainSpec(data="there", data_licence=licence)


def test_that_settings_that_name_no_network_have_the_defaults_of_a_unet_and_what_is_given_stays() -> None:
    assert specs.with_defaults({}) == specs.own_defaults("unet") != specs.own_defaults("map")
    (name, *_) = specs.own_defaults("map")
    given = {"network": "map", name: "as it is"}
    assert specs.with_defaults(given) == specs.own_defaults("map") | given
