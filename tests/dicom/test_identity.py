"""UIDs of what this program writes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fullfield.dicom import identity, values
from fullfield.image.values import Window
from originals import RECIPE


def instance(sha256: str = "a", source: str = "1.2.3", pixels: str = "p", version: str = "3") -> str:
    recipe = replace(RECIPE, version=version)
    return identity.instance_uid(source_sha256=sha256, source_instance=source, pixels_sha256=pixels, recipe=recipe)


@given(st.lists(st.text(), max_size=4))
def test_that_every_derived_uid_is_a_uid(parts: list[str]) -> None:
    assert values.is_uid(identity.derived_uid("series", *parts))


def test_that_the_same_source_recipe_and_result_are_the_same_instance() -> None:
    assert instance() == instance()


def test_that_an_instance_depends_on_content_source_result_and_recipe() -> None:
    changed = {instance(), instance("b"), instance(source="1.2.4"), instance(pixels="q"), instance(version="4")}
    assert len(changed) == 5


def test_that_two_parts_never_run_into_one() -> None:
    assert identity.derived_uid("series", "1.2", "3") != identity.derived_uid("series", "1.23", "")


def test_that_a_series_holds_all_images_of_one_series_and_recipe() -> None:
    def series(source: str, sop_class: str, name: str) -> str:
        return identity.series_uid(source_series=source, sop_class=sop_class, recipe=replace(RECIPE, name=name))

    assert series("1.2", "1", "chest") == series("1.2", "1", "chest")
    assert len({series("1.2", "1", "chest"), series("1.3", "1", "chest"), series("1.2", "1", "hand")}) == 3


def test_that_the_program_names_itself_within_the_limits_of_the_file_meta_information() -> None:
    assert values.is_uid(identity.IMPLEMENTATION_CLASS_UID)
    assert 1 <= len(identity.IMPLEMENTATION_VERSION_NAME) <= 16


def test_that_an_instance_depends_on_the_window_that_it_was_given() -> None:
    def shown(window: Window | None) -> str:
        given = {"source_sha256": "a", "source_instance": "1.2.3", "pixels_sha256": "p"}
        return identity.instance_uid(**given, recipe=RECIPE, window=window)

    windows = [None, Window(low=1, high=9), Window(low=2, high=9), Window(low=1, high=8)]
    assert len({*map(shown, windows), shown(Window(low=1, high=9, sigmoid=True))}) == 5
    assert shown(None) == instance()


def test_that_every_part_of_a_recipe_and_of_what_it_is_for_makes_another_series() -> None:
    changed = {"method": "m", "name": "n", "version": "9", "sha256": "0" * 64, "parameters": "p"}
    recipes = [RECIPE, *(replace(RECIPE, **{key: value}) for key, value in changed.items())]
    uids = {identity.series_uid(source_series="1.2", sop_class="1", recipe=recipe) for recipe in recipes}
    assert len(uids | {identity.series_uid(source_series="1.2", sop_class="2", recipe=RECIPE)}) == 7
    assert identity.derived_uid("series", "1") != identity.derived_uid("study", "1")


def test_that_derived_uids_stay_as_archives_know_them() -> None:
    assert identity.derived_uid("series", "1.2", "3") == "2.25.229394182158912863658971239367254318102"
