"""Which values a setting of a training may have, as they are told to who asks for others; and what is read of them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.errors import UsageError
from fullfield.hardware import named
from fullfield.image.method import SHIPPED
from fullfield.model.families.registry import FAMILIES
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec

WHOLE = {
    "epochs": (1, 100_000),
    "batch": (1, 4096),
    "seed": (0, 2**63 - 1),
    "threads": (0, 4096),
    "l1_steps": (0, 10**6),
    "watch": (0, 10**6),
    "checkpoint_steps": (0, 10**9),
    "size": (192, 16384),
}
REAL = {
    "learning_rate": (1e-8, 1.0),
    "warm_up": (0.0, 0.9),
    "freeze_batch_norm": (0.0, 1.0),
    "validation": (0.01, 0.9),
    "checkpoint_seconds": (0.0, 1e9),
}


def mistake(**given: Any) -> str:
    with pytest.raises(UsageError, match="Cannot train with these settings") as refused:
        TrainSpec(**{"data": "there", **given})
    return refused.value.detail


@pytest.mark.parametrize("name", WHOLE)
def test_that_a_whole_number_is_taken_from_its_least_to_its_most(name: str) -> None:
    low, high = WHOLE[name]
    for value in (low, high):
        assert getattr(TrainSpec(data="there", **{name: value}), name) == value  # type: ignore[arg-type]
    for value in (low - 1, high + 1, 200.0, True, None, "200"):
        said = mistake(**{name: value})
        assert said.startswith(f"{name} {value!r}: ") and said.count(": ") == 1
        if name != "size":
            assert said.endswith(f"choose a whole number from {low} to {high}.")


@pytest.mark.parametrize("name", REAL)
def test_that_a_number_is_taken_from_its_least_to_its_most(name: str) -> None:
    low, high = REAL[name]
    for value in (low, high):
        assert getattr(TrainSpec(data="there", **{name: value}), name) == value  # type: ignore[arg-type]
    for value in (math.nextafter(low, -1.0), math.nextafter(high, 2 * high), math.nan, True, None, "0.5"):
        assert mistake(**{name: value}) == f"{name} {value!r}: choose a number from {low:g} to {high:g}."


@pytest.mark.parametrize("name", ["data", "weights", "encoder", "reference", "device"])
def test_that_a_text_is_not_empty(name: str) -> None:
    for value in ("", 7, None):
        assert f"{name}: is empty." in mistake(**{name: value})


@pytest.mark.parametrize("name", ["augment", "review", "compare", "calibrate_halo"])
def test_that_a_switch_is_on_or_off(name: str) -> None:
    for value in (True, False):
        assert getattr(TrainSpec(data="there", **{name: value}), name) is value  # type: ignore[arg-type]
    for given in (0, None, "true"):
        assert mistake(**{name: given}) == f"{name} {given!r}: choose true or false."


@pytest.mark.parametrize(
    ("name", "value", "choices"),
    [
        ("loss", "ssim", "'ms_ssim' or 'ms_ssim+l1' or 'ms_ssim+l1+bands'"),
        ("network", "vgg", " or ".join(map(repr, FAMILIES))),
        ("schedule", "linear", "'cosine' or 'constant'"),
        ("use_on", "cooked", "'auto' or 'raw' or 'processed' or 'both'"),
        ("place", "moon", "'local' or 'node'"),
    ],
)
def test_that_one_of_a_few_is_chosen_and_others_are_met_with_these(name: str, value: str, choices: str) -> None:
    assert mistake(**{name: value}) == f"{name} {value!r}: choose {choices}."
    assert TrainSpec(data="there", place="node:gpu").place == "node:gpu"


def test_that_a_loss_and_weights_are_for_the_network_that_they_are_for() -> None:
    assert TrainSpec(data="there", network="map", loss="ms_ssim+l1+bands").loss == "ms_ssim+l1+bands"
    assert "rebuild the image's bands" in mistake(network="unet", loss="ms_ssim+l1+bands")
    assert TrainSpec(data="there", network="unet", weights="imagenet").weights == "imagenet"
    assert "ImageNet's are for the U-Net" in mistake(network="map", weights="imagenet")
    assert [specs.losses_of_bands(loss) for loss in specs.LOSSES] == [False, False, True]


@pytest.mark.parametrize("fit", ["", "auto", "4GiB", "1"])
def test_that_it_fits_into_an_amount_or_into_what_is_free(fit: str) -> None:
    assert TrainSpec(data="there", fit=fit).fit == fit
    assert "fit '-1': choose an amount of memory" in mistake(fit="-1")


def test_that_members_of_an_ensemble_draw_other_numbers_and_all_others_by_their_seed() -> None:
    drawn = [TrainSpec(data="there", seed=seed, member=member).chance for seed in (3, 4) for member in (0, 1, 2)]
    assert len(set(drawn)) == 6 and drawn[0] == 3 and drawn[3] == 4
    assert all(0 <= one < 2**63 for one in drawn)
    assert drawn[1] == 4139233964602531, "a member that is trained anew is the same one"


def test_that_as_many_processes_train_as_devices_are_listed_and_else_the_usual_number() -> None:
    found = [specs.processes(device, 3) for device in ("auto", "cpu", "cuda:1", "cuda:0,cuda:1", "cuda:0,cpu")]
    assert found == [3, 3, 3, 2, 2] and specs.processes("auto") == 1
    assert named.meant("cuda:0,cuda:1", 1) == 2


def test_that_what_is_asked_by_hand_comes_to_the_usual_and_none_is_none() -> None:
    assert specs.with_the_usual(["none"]) == ()
    assert specs.with_the_usual([]) == ("banded_loss",)
    assert specs.with_the_usual(["recompute"]) == ("banded_loss", "recompute")
    assert specs.with_the_usual(["recompute", "banded_loss:x=1"]) == ("recompute", "banded_loss:x=1")


def test_that_what_processes_share_is_decided_where_no_plan_decides_it() -> None:
    asked = TrainSpec(data="there", batch=2)
    assert specs.shared(asked, 1) == asked.techniques
    assert any(text.startswith("data_parallel") for text in specs.shared(asked, 2))
    fitted = TrainSpec(data="there", batch=2, fit="4GiB")
    assert specs.shared(fitted, 2) == fitted.techniques, "that is the planner's to choose"
    dealt = TrainSpec(data="there", fit="4GiB", techniques=("banded_loss", "data_parallel"))
    with pytest.raises(UsageError):
        specs.shared(dealt, 2)
    rows = TrainSpec(data="there", fit="4GiB", techniques=("banded_loss", "spatial"))
    assert specs.shared(rows, 2) == rows.techniques


@pytest.mark.parametrize("weights", ["auto", "imagenet", "none", SHIPPED])
def test_that_of_weights_no_path_goes_to_other_machines(weights: str, tmp_path: Path) -> None:
    assert specs.fileless(weights) == weights
    assert specs.fileless(str(tmp_path / "mueller.pth")) == "a file"


def test_that_weights_of_another_file_are_no_other_training_and_of_none_they_are() -> None:
    first, second, none = (TrainSpec(data="there", weights=weights) for weights in ("a.pth", "b.pth", "none"))
    assert specs.differences(first, second) == [] and specs.differences(first, none) == ["weights"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data", "elsewhere"),
        ("checkpoint_steps", 7),
        ("checkpoint_seconds", 7.0),
        ("data_licence", "CC0"),
        ("device", "cpu"),
        ("calibrate_halo", False),
        ("watch", 2),
        ("place", "node:gpu"),
    ],
)
def test_that_what_changes_no_number_hinders_nobody_from_going_on(name: str, value: Any) -> None:
    assert specs.differences(TrainSpec(data="there"), TrainSpec(**{"data": "there", name: value})) == []


def test_that_settings_that_were_others_are_named() -> None:
    specs.refuse_changed([])
    with pytest.raises(UsageError, match="begun with other settings: size, seed"):
        specs.refuse_changed(["size", "seed"])


@pytest.mark.parametrize(
    ("asked", "reported"),
    [
        ((), "It was begun with banded_loss, which is not asked for now."),
        (("banded_loss", "lamb", "data_parallel"), "It was begun without lamb."),
        (("banded_loss", "model_parallel"), "It was begun without model_parallel."),
        (("ema",), "It was begun with banded_loss, which is not asked for now. It was begun without ema."),
    ],
)
def test_that_of_other_techniques_it_is_said_which_and_how_to_go_on(asked: tuple[str, ...], reported: str) -> None:
    then, now = TrainSpec(data="there", batch=2), TrainSpec(data="there", batch=2, techniques=asked)
    with pytest.raises(UsageError) as refused:
        specs.refuse_changed(specs.differences(now, then), now, then)
    assert refused.value.detail == f"It was begun with other settings: techniques. {reported}"
    assert refused.value.hint.startswith("With --techniques left out it goes on with those that it has. Go on with")
    planned = replace(then, fit="auto", techniques=("optimizer_offload",))
    with pytest.raises(UsageError, match="It was begun with optimizer_offload") as refused:
        specs.refuse_changed(specs.differences(now, planned), now, planned)
    assert "--techniques" not in refused.value.hint


@pytest.mark.parametrize(
    ("batch", "own", "changed"), [(1, (), []), (1, ("accumulate",), ["techniques"]), (2, ("accumulate",), [])]
)
def test_that_what_several_do_with_a_batch_is_what_one_alone_does_with_it(
    batch: int, own: tuple[str, ...], changed: list[str]
) -> None:
    asked = TrainSpec(data="there", batch=batch, techniques=("banded_loss", *own))
    divided = TrainSpec(data="there", batch=batch, techniques=("banded_loss", "model_parallel"))
    assert specs.differences(asked, divided) == specs.differences(divided, asked) == changed
