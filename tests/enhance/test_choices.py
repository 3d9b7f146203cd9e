"""What is said of a result, and of how it was chosen."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance import choose
from fullfield.image.image import Enhanced, Recipe
from fullfield.image.preset import Preset


def made() -> Enhanced:
    recipe = Recipe(method="preset", name="general", version="1", sha256="0" * 64, parameters="gain 1")
    return Enhanced(pixels=np.zeros((2, 2), np.uint16), bits=12, recipe=recipe, warnings=("before",))


def test_that_a_sentence_more_comes_behind_the_others_and_none_changes_nothing() -> None:
    enhanced = made()
    assert choose.with_warning(enhanced, "") is enhanced
    assert choose.with_warning(enhanced, "after").warnings == ("before", "after")


def test_that_a_recipe_says_where_the_user_has_told_the_kind() -> None:
    enhanced = made()
    assert choose.with_kind_said(enhanced, "auto") is enhanced
    said = choose.with_kind_said(enhanced, "raw").recipe.parameters
    assert said == "input taken for raw as the user says; gain 1"
    bare = replace(enhanced, recipe=replace(enhanced.recipe, parameters=""))
    assert choose.with_kind_said(bare, "raw").recipe.parameters == "input taken for raw as the user says"


def test_that_what_members_of_an_ensemble_say_alike_is_told_once() -> None:
    told: list[str] = []
    once = choose._Once(told.append)
    for text in ("a", "a", "b", "a"):
        once(text)
    assert told == ["a", "b", "a"]


@pytest.mark.parametrize(("there", "here", "most"), [(None, 3, 3), (8, 3, 8), (2, 3, 3)])
def test_that_presets_are_computed_by_the_machine_that_is_asked_and_as_many_at_once_as_fit_somewhere(
    there: int | None, here: int, most: int, radiograph: MakeDecoded, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Away:
        at_once = there

        def by_preset(self, image: object, preset: Preset) -> Enhanced:
            asked.append(preset.name)
            return made()

    monkeypatch.setattr(choose, "presets_at_once", lambda: here)
    away = Away() if there else None
    guarded = choose.open_choice("general", device="cpu", notice=print, elsewhere=away)  # type: ignore[arg-type]
    assert guarded.at_once == most
    if there:
        with contextlib.suppress(Exception):  # what it says it made is no result of this image
            guarded.enhance(radiograph(40, 40))
        assert asked == ["general"]


def test_that_a_file_that_changes_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "x"
    assert choose._state(path) is None
    path.write_bytes(b"one")
    before = choose._state(path)
    assert before == choose._state(path) is not None
    path.write_bytes(b"other")
    assert choose._state(path) != before
