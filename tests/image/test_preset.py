from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.errors import UsageError
from fullfield.image import presets
from fullfield.image.preset import PARAMETERS, Preset


@pytest.fixture
def general() -> Preset:
    return presets.load("general")


def test_that_every_parameter_has_a_unit_a_range_and_a_source() -> None:
    for parameter in PARAMETERS:
        assert parameter.unit
        assert parameter.meaning
        assert parameter.source
        assert parameter.low < parameter.high


def test_that_values_out_of_range_are_told_together_with_their_range(general: Preset) -> None:
    with pytest.raises(UsageError) as caught:
        replace(general, detail_gain=9.0, edges_gains=(0.1, -1.0, 0.0))

    assert "detail.gain: 9 is not within 0 … 4" in caught.value.detail
    assert "edges.gains: -1 is not within 0 … 3" in caught.value.detail


def test_that_the_wrong_number_of_values_is_told(general: Preset) -> None:
    with pytest.raises(UsageError, match=r"noise\.floors: 2 values, wanted 4"):
        replace(general, noise_floors=(0.1, 0.2))


def test_that_the_hash_follows_every_value_and_nothing_else(general: Preset) -> None:
    assert replace(general).sha256() == general.sha256()
    assert replace(general, detail_gain=0.81).sha256() != general.sha256()
    assert replace(general, version="2").sha256() != general.sha256()


def test_that_all_parameters_fit_one_line_of_a_derivation_description(general: Preset) -> None:
    line = general.parameters()

    assert "\n" not in line
    assert all(f"{parameter.key}=" in line for parameter in PARAMETERS)
    assert len(line) < 1024  # Derivation Description (0008,2111) is an ST
