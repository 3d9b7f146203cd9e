from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.image import presets
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
