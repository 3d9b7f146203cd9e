"""Parting images by patient."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.data import split
from fullfield.errors import InputRefused


def test_that_60_patients_become_48_and_12() -> None:
    parts = split.by_patient([(f"k{n}", f"p{n}") for n in range(60)], fraction=0.2, seed=0)
    assert (len(parts.training), len(parts.validation)) == (48, 12)


def test_that_another_seed_gives_other_parts_and_the_same_seed_the_same() -> None:
    images = [(f"k{n}", f"p{n}") for n in range(60)]
    first = split.by_patient(images, fraction=0.2, seed=0)
    assert split.by_patient(reversed(images), fraction=0.2, seed=0) == first
    assert split.by_patient(images, fraction=0.2, seed=1) != first


@given(st.lists(st.integers(0, 12), min_size=2, max_size=80), st.floats(0.05, 0.8), st.integers(0, 9))
def test_that_no_patient_is_in_both_parts_and_no_image_is_lost(owners: list[int], fraction: float, seed: int) -> None:
    images = [(f"k{n}", f"p{owner}") for n, owner in enumerate(owners)]
    if len(set(owners)) < 2:
        with pytest.raises(InputRefused, match="1 patients"):
            split.by_patient(images, fraction=fraction, seed=seed)
        return
    parts = split.by_patient(images, fraction=fraction, seed=seed)
    owner = dict(images)
    assert not {owner[key] for key in parts.training} & {owner[key] for key in parts.validation}
    assert sorted(parts.training + parts.validation) == sorted(owner)
    assert parts.training
    assert parts.validation


def test_that_patients_are_kept_apart_of_whom_nothing_was_learned() -> None:
    images = [(f"k{n}", f"p{n // 2}") for n in range(60)]
    known = [f"k{n}" for n in range(0, 20, 2)]  # an image each of ten patients
    parts = split.with_some_apart(images, fraction=0.2, seed=0, patients=10, seen=known)
    owner = dict(images)
    apart, rest = ({owner[key] for key in keys} for keys in (parts.apart, parts.training + parts.validation))
    assert len(apart) == 10 and not apart & rest and not apart & {owner[key] for key in known}
    assert sorted(parts.apart + parts.training + parts.validation) == sorted(owner)
    few = split.with_some_apart(images[:14], fraction=0.2, seed=0, patients=10)
    assert len({owner[key] for key in few.apart}) == 3, "half of seven"
    with pytest.raises(InputRefused, match="apart"):
        split.with_some_apart(images[:8], fraction=0.2, seed=0, patients=10, seen=[key for key, _ in images])


def test_that_two_patients_are_counted_as_they_are_and_said_to_be_too_few_for_three_parts() -> None:
    images = [("a", "p"), ("b", "q"), ("c", "q")]
    with pytest.raises(InputRefused, match=r"3 images of 2 patients\..*at least three patients"):
        split.with_some_apart(images, fraction=0.2, seed=0, patients=10)
    parts = split.with_some_apart([*images, ("d", "r")], fraction=0.2, seed=0, patients=10)
    assert parts.training and parts.validation and parts.apart
