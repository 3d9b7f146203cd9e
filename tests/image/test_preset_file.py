from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.image import own_presets, presets
from fullfield.image.image import InputKind
from fullfield.image.preset_file import parse, to_toml

TEXT = (files.resource("presets") / "general.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", presets.names())
def test_that_a_shipped_file_documents_every_parameter_as_the_schema_does(name: str) -> None:
    text = (files.resource("presets") / f"{name}.toml").read_text(encoding="utf-8")

    assert to_toml(parse(text, origin=name)) == text
    assert parse(text, origin=name).name == name


def test_that_a_preset_survives_its_file() -> None:
    preset = replace(presets.load("general"), detail_gain=0.123456789, title='A "quoted" title')

    assert parse(to_toml(preset), origin="mine") == preset


def test_that_a_file_with_five_mistakes_shows_five_messages() -> None:
    text = (
        TEXT.replace("gain = 0.8", "gian = 0.8").replace("power = 2", 'power = "two"').replace("toe = 0.01", "toe = 1")
    )
    text = text.replace('kinds = ["processed"]', 'kinds = ["cooked"]').replace("residual = 0.65\n", "")

    with pytest.raises(UsageError) as caught:
        parse(text, origin="mine.toml")

    detail = caught.value.detail
    assert "detail.gian is not a parameter, the nearest is detail.gain" in detail
    assert "detail.gain is missing" in detail
    assert "detail.power: wanted a number" in detail
    assert "detail.toe: 1 is not within 0 … 0.1" in detail
    assert "kinds: wanted a list of raw and processed" in detail
    assert "latitude.residual is missing" in detail
    assert "mine.toml" in caught.value.title


def test_that_a_file_that_is_not_toml_is_told_so() -> None:
    with pytest.raises(UsageError, match="It is not TOML"):
        parse("gain = = 2", origin="mine.toml")


@pytest.mark.parametrize("wrong", ["gain = true", "gain = nan", "gain = [1.0]", "gain = inf"])
def test_that_only_plain_numbers_are_numbers(wrong: str) -> None:
    with pytest.raises(UsageError, match=r"detail\.gain"):
        parse(TEXT.replace("gain = 0.8", wrong), origin="mine.toml")


HOSTILE = {
    "nested lists": "a = " + "[" * 50_000 + "]" * 50_000,
    "nested tables": "a = " + "{a = " * 20_000 + "1" + "}" * 20_000,
    "5,000 digits": "a = " + "9" * 5000,
    "a number past floating point": "[detail]\ngain = 0x" + "f" * 4000,
    "20,000 strange keys": "\n".join(f"key{number} = 1" for number in range(20_000)),
    "a key of 500,000 signs": "k" * 500_000 + " = 1",
    "an escape": 'name = "a\\u001b[31m"',
    "a title of 100,000 signs": 'title = "' + "x" * 100_000 + '"',
    "NUL": "\0",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_that_a_hostile_file_is_refused_in_a_sentence_of_some_length(text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        parse(text, origin="own.toml")
    assert refusal.value.detail.endswith(".") and len(refusal.value.detail) < 8000
    assert "\x1b" not in str(refusal.value)


def test_that_a_hostile_file_among_the_users_presets_stops_no_choice() -> None:
    own_presets.folder().mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(HOSTILE.values()):
        (own_presets.folder() / f"hostile-{number}.toml").write_text(text, encoding="utf-8")
    assert presets.choose(body_part="CHEST", species="", kind=InputKind.PROCESSED, modality="DX").name == "chest"
    assert presets.own() == ()
