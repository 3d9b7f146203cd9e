"""What a model file says about itself."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model.card import Card, NetworkSpec


def full_card() -> Card:
    return Card(
        name="knee-512",
        network=NetworkSpec(encoder="resnet18"),
        input_kind="raw",
        modalities=("CR", "DX"),
        normalisation={"low_percent": 0.1},
        size="512",
        long_side=512,
        mm_per_pixel=0.81,
        data_sha256=("ab", "cd"),
        licence="the clinic's own",
        plan={"epochs": 50},
        metrics={"validation_loss": 5.5, "psnr_db": math.nan},
        versions={"fullfield": "1", "torch": "2"},
        seeds={"split": 0, "weights": 1},
        halo=256,
        start="from scratch",
        created="2025-01-01",
    )


def test_that_a_card_survives_json_with_a_metric_that_is_not_finite() -> None:
    back = Card.from_json(json.loads(json.dumps(full_card().to_json(), allow_nan=False)))
    assert math.isnan(back.metrics["psnr_db"])
    assert back.to_json() == full_card().to_json()


def test_that_a_pair_counts_as_one_image_that_a_model_was_trained_on() -> None:
    files = tuple(map(str, range(50)))
    assert Card(name="new", data_sha256=files, images=24).trained_on == 24
    assert Card(name="old", data_sha256=files, plan={"reference": "pairs"}).trained_on == 25
    assert Card(name="old", data_sha256=files).trained_on == 50
    assert Card.from_json(Card(name="new", images=24).to_json()).images == 24
    assert "images" not in Card(name="old").to_json()
    for wrong in (1.5, -1, None):
        with pytest.raises((ValueError, TypeError)):
            Card.from_json({**full_card().to_json(), "images": wrong})


def test_that_a_field_of_a_later_version_is_passed_over_and_a_later_format_is_not() -> None:
    values = full_card().to_json()
    assert Card.from_json({**values, "mood": "good"}).name == "knee-512"
    with pytest.raises(ValueError, match="format"):
        Card.from_json({**values, "format": 2})


@pytest.mark.parametrize(
    "wrong",
    [
        {"input_kind": "cooked"},
        {"mm_per_pixel": 0.0},
        {"mm_per_pixel": math.inf},
        {"long_side": 0},
        {"halo": 100},
        {"halo": -32},
    ],
)
def test_that_an_impossible_card_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Card(name="x", **wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ["knee"]},
        {"name": "x" * 5_000_000},
        {"name": "knee\x1b[31m"},
        {"name": "knee\nof a stranger"},
        {"name": " "},
        {"start": "\x07" * 10},
        {"licence": 4},
        {"long_side": 10**30},
        {"long_side": 1_000_000},
        {"long_side": 512.5},
        {"long_side": True},
        {"mm_per_pixel": "0.1"},
        {"size": "as it comes"},
        {"modalities": "CR"},
        {"modalities": ["CR", {}]},
        {"data_sha256": ["x"] * 600_000},
        {"normalisation": {"low_percent": 99, "high_percent": 1}},
        {"normalisation": {"low_percent": math.nan}},
        {"normalisation": {"high_percent": "much"}},
        {"plan": {"epochs": 10**400}},
        {"plan": {"note\x1b]0;owned\x07": 1}},
        {"metrics": {"psnr_db": "much"}},
        {"seeds": {"split": "0"}},
        {"versions": {"torch": 2}},
        {"for_tests": 1},
        {"network": ["resnet18"]},
        {"halo": True},
    ],
    ids=lambda wrong: "-".join(wrong),
)
def test_that_a_foreign_card_s_fields_are_held_to_types_lengths_and_signs(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Card.from_json({**full_card().to_json(), **wrong})


def test_that_a_card_nested_beyond_reason_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"a": deep}
    with pytest.raises(ValueError, match="deeper"):
        Card.from_json({**full_card().to_json(), "plan": deep})


def test_that_a_card_is_read_without_the_tensors(model_file: Path, tmp_path: Path) -> None:
    header = tmp_path / "header.safetensors"
    content = model_file.read_bytes()
    header.write_bytes(content[: 8 + int.from_bytes(content[:8], "little")])
    assert cards.read(header).name == "seeded-resnet18-3"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a safetensors"),
        (b"\0" * 64, "not a safetensors"),
        (b"\xff" * 64, "not a safetensors"),
        (b"PK\x03\x04" + b"\0" * 64, "PyTorch or pickle"),
        (pickle.dumps({"weights": list(range(64))}), "PyTorch or pickle"),
        ((1000).to_bytes(8, "little") + b"{}", "cut short"),
        ((2).to_bytes(8, "little") + b"{}", "no card"),
    ],
)
def test_that_a_file_of_another_kind_is_refused_with_the_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelError) as error:
        cards.verify(content)
    assert reason in error.value.detail
    assert error.value.hint
    if reason != "no card":
        with pytest.raises(ModelError, match=reason):
            cards.read(path)


@pytest.mark.parametrize("byte", range(0, 256, 8))
def test_that_a_header_of_any_length_is_a_header(byte: int) -> None:
    from safetensors.numpy import save

    def made(filling: int) -> bytes:
        return save({"x": np.zeros(1, np.float32)}, metadata={"filling": "x" * filling})

    base = int.from_bytes(made(0)[:8], "little")
    content = made((byte - base) % 256)
    assert content[0] == byte
    with pytest.raises(ModelError, match="no card"):
        cards.verify(content)


def test_that_a_card_cannot_imitate_its_own_seal(tmp_path: Path) -> None:
    from safetensors.numpy import save

    quoted = Card(name='{"seal":"' + "f" * 64 + '"', plan={"fullfield": '{"seal":"' + "e" * 64})
    content = bytearray(save({}, metadata=cards.metadata(quoted)))
    cards.seal(content)
    assert cards.verify(content) == quoted
