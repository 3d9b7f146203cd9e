"""What a run leaves beside its weights: the card's words, the summary's numbers, the split."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fullfield.data.prepared import Item
from fullfield.errors import ModelError, UsageError
from fullfield.model.card import Card
from fullfield.model.spec import named
from fullfield.plan.spec import TrainSpec
from fullfield.train import result
from fullfield.train.baselines import Baseline
from fullfield.train.build import Parts
from fullfield.train.evaluate import Quality
from fullfield.train.result import Int8
from fullfield.train.state import Best, Progress, State
from training import PROCESSED, RAW

SPEC = TrainSpec(data="/users/jane/images", size=192, encoder="resnet18", weights="none", seed=3, data_licence="free")
QUALITY = Quality(loss=5.0, psnr_db=30.0, fine_sd_ratio=1.0, fine_correlation=0.5)
HELD = (Baseline(name="unprocessed input", quality=replace(QUALITY, loss=9.0)),)
EIGHT = Int8(validation_loss=5.25, validation_loss_fp32=5.0, weight_bytes=2_500_000, weight_bytes_fp32=10_000_000)


def item(number: int, **changes: Any) -> Item:
    given = {"key": f"{number:016x}", "patient": number, "rows": 192, "columns": 176, "mm_per_pixel": 0.2}
    given |= {"modality": "DX", "source_sha256": (f"source {number}",), "sha256": (), "kinds": (RAW,)}
    return Item(**{**given, **changes})


def parts(training: list[Item], validation: list[Item], **more: Any) -> Parts:
    given = {"training": tuple(training), "validation": tuple(validation), "apart": (), "learned": frozenset()}
    return cast(Parts, SimpleNamespace(**{**given, **more}))


def state(**changes: Any) -> State:
    given = {"network": SimpleNamespace(spec=named("resnet18")), "progress": Progress(step=9, epoch=2, skipped=1)}
    given |= {
        "start": "From scratch.",
        "seen": (),
        "threads": 5,
        "build": SimpleNamespace(ranks=SimpleNamespace(size=2)),
    }
    return cast(State, SimpleNamespace(**{**given, **changes}))


DATA = cast(
    Any,
    SimpleNamespace(
        normalisation={"low": 1},
        reviewed={"approved": 2, "adjusted": 1, "rejected": 1, "unreviewed": 3},
        identity="the images",
        input_kind="raw",
        simulated=True,
        reference="phantoms",
        problems=("One is cut.",),
    ),
)


def card(training: list[Item], validation: list[Item], spec: TrainSpec = SPEC, **more: Any) -> Card:
    of = {name: more.pop(name) for name in ("seen", "progress") if name in more}
    return result.card(spec, DATA, parts(training, validation, **more), state(**of), QUALITY, HELD)


def test_that_a_card_says_what_the_network_has_seen_and_what_it_reached() -> None:
    found = card([item(1), item(2)], [item(3)], seen=("before",), learned=frozenset({"first"}))
    assert found.data_sha256 == ("before", "first", "source 1", "source 2", "source 3")
    assert (found.images, found.licence, found.start) == (2, "free", "From scratch.")
    assert found.metrics == {**QUALITY.figures, "epoch": 2.0}
    assert found.baselines == {"unprocessed input": 9.0}
    assert found.normalisation == {"low": 1}
    assert found.reviewed_by == "a user (4 of 7)"
    assert set(found.versions) == {"torch", "segmentation-models-pytorch", "pytorch-msssim", "fullfield"}
    assert found.versions["fullfield"] == result.__version__


@pytest.mark.parametrize(("member", "seeds"), [(0, {"all": 3}), (2, {"all": 3, "member": 2})])
def test_that_a_card_names_the_seeds(member: int, seeds: dict[str, int]) -> None:
    assert card([item(1)], [], replace(SPEC, member=member)).seeds == seeds


@pytest.mark.parametrize(("size", "said"), [("native", "native"), (192, "192")])
def test_that_a_card_says_at_which_size_the_network_has_learned(size: Any, said: str) -> None:
    found = card([item(1), item(2, rows=100), item(3, rows=400, columns=300)], [item(4)], replace(SPEC, size=size))
    assert (found.size, found.name) == (said, f"resnet18-raw-{said}")
    assert found.long_side == 192, "the median of the longer sides"


@pytest.mark.parametrize(
    ("spacings", "found"), [([0.1, 0.2, 0.4], 0.2), ([0.1, None, 0.3], pytest.approx(0.2)), ([None, None], None)]
)
def test_that_a_card_has_the_median_spacing_of_the_images_that_have_one(spacings: list[Any], found: Any) -> None:
    made = card([item(number, mm_per_pixel=one) for number, one in enumerate(spacings)], [item(9, mm_per_pixel=7.0)])
    assert made.mm_per_pixel == found


@pytest.mark.parametrize(
    ("kinds", "said"),
    [([(RAW,)], ("raw", "raw")), ([(PROCESSED,)], ("processed",) * 2), ([(RAW, PROCESSED)], ("any", "both"))],
)
def test_that_a_card_is_for_the_kinds_that_it_has_learned_from(kinds: list[Any], said: tuple[str, str]) -> None:
    held = item(9, kinds=(RAW, PROCESSED), modality="MG")
    found = card([item(number, kinds=one) for number, one in enumerate(kinds)], [held])
    assert (found.input_kind, found.name.split("-")[1]) == said
    assert found.modalities == ("DX",)
    assert card([item(1, modality=""), item(2, modality="CR"), item(3, modality="DX")], []).modalities == ("CR", "DX")


def test_that_a_card_of_a_network_that_was_not_measured_has_no_figures() -> None:
    found = result.card(SPEC, DATA, parts([item(1)], []), state(), None, ())
    assert found.metrics == {"epoch": 2.0} and found.baselines == {}


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({}, "none (automatic)"),
        ({"approved": 0, "unreviewed": 4}, "none (automatic)"),
        ({"approved": 3, "unreviewed": 4}, "a user (3 of 7)"),
        ({"approved": 1, "adjusted": 1, "rejected": 1}, "a user (3 of 3)"),
    ],
)
def test_that_it_is_said_how_many_references_a_user_has_looked_at(counts: dict[str, int], said: str) -> None:
    assert result.reviewed_by(counts) == said


@pytest.mark.parametrize(
    ("given", "public"),
    [("imagenet", "imagenet"), ("none", "none"), ("auto", "a file"), ("/users/jane/a.safetensors", "a file")],
)
def test_that_a_plan_that_is_told_names_no_folder_no_file_and_no_machine(given: str, public: str) -> None:
    spec = replace(SPEC, weights=given, reference="/users/jane/knees.toml", place="local", threads=4, watch=2)
    found = result.public(spec)
    assert found["weights"] == public and found["reference"] == "a preset file"
    assert "jane" not in json.dumps(found) and not {"data", "threads", "device", "watch", "place"} & found.keys()
    assert (found["seed"], found["size"]) == (3, 192)
    assert result.public(SPEC)["reference"] == SPEC.reference


def test_that_a_summary_has_the_runs_numbers_and_its_short_form_what_the_last_event_tells() -> None:
    best = Best(epoch=1, validation_loss=4.5, file="best-1", sha256="12")
    progress = Progress(step=9, epoch=2, skipped=1, best=best, history=[{"epoch": 1.0}])
    listed = parts([item(1), item(2)], [item(3)])
    whole = result.summary(SPEC, DATA, listed, state(progress=progress), list(HELD), "ab", EIGHT)
    assert whole["data"] == {
        "identity": "the images",
        "input_kind": "raw",
        "simulated": True,
        "reference": "phantoms",
        "training": 2,
        "validation": 1,
        "problems": ["One is cut."],
        "reviewed": DATA.reviewed,
    }
    for name, value in {"threads": 5, "ranks": 2, "steps": 9, "epochs": 2, "skipped_steps": 1}.items():
        assert whole[name] == value, name
    assert whole["best"] == {"epoch": 1, "validation_loss": 4.5, "file": "best-1", "sha256": "12"}
    assert whole["baselines"] == {"unprocessed input": HELD[0].quality.figures}
    assert whole["history"] == [{"epoch": 1.0}] and whole["plan"] == result.public(SPEC)
    told = {"epochs": 2, "steps": 9, "best_epoch": 1, "validation_loss": 4.5, "model_sha256": "ab"}
    eight = {"int8_validation_loss": 5.25, "int8_weight_bytes": 2_500_000}
    assert result.short(whole) == {**told, **eight} and whole["weight_bytes"] == 10_000_000
    without = result.summary(SPEC, DATA, listed, state(), [], "ab")
    assert without["best"] is None and not [name for name in without if "int8" in name]
    assert result.short(without) == {**told, "best_epoch": None, "validation_loss": None}


def test_that_the_8_bit_model_is_told_in_words_for_the_user() -> None:
    assert EIGHT.sentence == (
        "As an 8-bit model the validation loss is 5.25, with 32 bits 5.00 (lower is better); "
        "its weights take 2.5 MB instead of 10.0 MB."
    )


def test_that_the_split_lists_the_parts_that_there_are_and_refuses_others_once_begun(tmp_path: Path) -> None:
    listed = parts([item(1), item(2)], [item(3)])
    result.save_split(tmp_path, listed, begun=True)  # its file was deleted
    found = json.loads((tmp_path / "split.json").read_text())
    assert {part: [one["key"] for one in items] for part, items in found.items()} == {
        "training": [item(1).key, item(2).key],
        "validation": [item(3).key],
    }
    assert found["validation"][0]["sha256"] == ["source 3"]
    result.save_split(tmp_path, listed, begun=True)
    others = parts([item(1), item(3)], [item(2)], apart=(item(4),))
    with pytest.raises(UsageError, match="other patients"):
        result.save_split(tmp_path, others, begun=True)
    assert json.loads((tmp_path / "split.json").read_text()) == found
    result.save_split(tmp_path, others)
    assert json.loads((tmp_path / "split.json").read_text())["apart"] == [{"key": item(4).key, "sha256": ["source 4"]}]


@pytest.mark.parametrize(
    ("best", "damaged", "source", "said"),
    [
        (True, False, "best-1", ""),
        (True, True, "last.safetensors", "The model of epoch 1, the best one, is damaged"),
        (False, False, "last.safetensors", "No epoch has a validation loss"),
    ],
)
def test_that_the_model_that_is_left_is_the_best_one_or_the_last(
    best: bool, damaged: bool, source: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, Path]] = []

    def settled(path: Path, settings: dict[str, Any], target: Path) -> str:
        if damaged and path.name == "best-1":
            raise ModelError("Damaged.")
        assert settings == {"data_licence": "free", "reference": "chest", "start": "From scratch."}
        made.append((path.name, target))
        return "its hash"

    monkeypatch.setattr(result.weights, "save", lambda path, *_: made.append((path.name, path)))
    monkeypatch.setattr(result.recarded, "settled", settled)
    found = Best(epoch=1, validation_loss=4.5, file="best-1", sha256="12") if best else None
    last = replace(card([item(1)], []), plan={"reference": "chest"})
    sha256, sentence = result.export(tmp_path, tmp_path, state(progress=Progress(best=found)), last, {})
    assert sha256 == "its hash" and sentence.startswith(said) and bool(sentence) == bool(said)
    assert made == [("last.safetensors", tmp_path / "last.safetensors"), (source, tmp_path / "model.safetensors")]
