"""What a reader is asked about a pair."""

from __future__ import annotations

import pytest

from fullfield.grading.criteria import GENERAL, MOST, CriteriaSet, fitting, load_all
from fullfield.image import own_presets, presets

SETS = load_all("en")


def test_that_the_general_set_comes_first() -> None:
    assert SETS[0].key == GENERAL


@pytest.mark.parametrize("shipped", SETS, ids=lambda shipped: shipped.key)
def test_that_a_set_is_short_has_a_source_and_ends_with_the_overall_preference(shipped: CriteriaSet) -> None:
    assert 3 <= len(shipped.lines) <= MOST and len(set(shipped.lines)) == len(shipped.lines)
    assert shipped.source and shipped.lines[-1].startswith("Overall")


def test_that_every_set_is_there_in_spanish_too() -> None:
    for english, spanish in zip(SETS, load_all("es"), strict=True):
        assert english.key == spanish.key and len(english.lines) == len(spanish.lines)
        assert not set(english.lines) & set(spanish.lines) and english.source != spanish.source


def test_that_an_unknown_language_is_answered_in_english() -> None:
    assert load_all("fi") == SETS


def test_that_each_part_that_has_a_preset_has_criteria() -> None:
    assert {name.removesuffix("-raw") for name in presets.names()} == {shipped.key for shipped in SETS}


@pytest.mark.parametrize(
    ("body_part", "species", "modality", "key"),
    [
        ("CHEST", "", "DX", "chest"),
        ("HAND", "", "CR", "extremity"),
        ("", "", "MG", "mammography"),
        ("", "", "DX", "general"),
        ("CARPUS", "Canis lupus familiaris", "DX", "veterinary-limb"),
    ],
)
def test_that_criteria_fit_the_part_of_the_body(body_part: str, species: str, modality: str, key: str) -> None:
    assert fitting(body_part=body_part, species=species, modality=modality) == key


def test_that_a_preset_of_the_users_own_leaves_the_criteria_of_its_part() -> None:
    own_presets.save(presets.load("chest"), title="Ours", body_parts=("CHEST",), taken=frozenset())
    assert fitting(body_part="CHEST", species="", modality="DX") == "chest"
