"""What results can be exported as."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.image.delivery import Appearance
from fullfield.image.export import NOT_FOR_DIAGNOSIS, OutputFormat
from fullfield.image.values import Window
from fullfield_app.gui.enhance.export_choices import KINDS, Kind, explain, has_mark, kind_of, order, with_mark
from fullfield_app.settings import ExportChoices

LOOK = Appearance(after=Window(low=1, high=2), inverted=True)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)
def test_that_every_kind_can_be_chosen_and_is_told_apart(kind: Kind) -> None:
    choices = ExportChoices(format=kind.format.value, displayed=kind.displayed)
    assert kind_of(choices) is kind
    assert ("As displayed" in explain(choices)) == kind.displayed


def test_that_dicom_is_full_data_whatever_else_was_chosen() -> None:
    choices = ExportChoices(format="dicom", displayed=True, beside=True, mark_png=True, mark_tiff=True)
    ordered = order(choices, Path(), {0: LOOK})
    delivery = ordered.deliveries[0]
    assert (ordered.tail, delivery.displayed, delivery.beside, delivery.mark) == (".dcm", False, False, "")


def test_that_the_mark_is_on_for_png_and_off_for_tiff_until_the_user_says_otherwise() -> None:
    png, tiff = ExportChoices(format="png16"), ExportChoices(format="tiff")
    assert order(png, Path(), {0: LOOK}).deliveries[0].mark == NOT_FOR_DIAGNOSIS
    assert order(tiff, Path(), {0: LOOK}).deliveries[0].mark == ""
    assert not has_mark(with_mark(png, False)) and has_mark(with_mark(tiff, True))
    assert has_mark(replace(with_mark(tiff, False), format="png16"))  # each format keeps its own


def test_that_the_dicom_window_is_only_asked_for_where_it_is_wanted() -> None:
    assert not order(ExportChoices(), Path(), {0: LOOK}).deliveries[0].window
    assert order(ExportChoices(window=True), Path(), {0: LOOK}).deliveries[0].shown_window == LOOK.after
    assert not order(ExportChoices(format="png16", window=True), Path(), {0: LOOK}).deliveries[0].window


def test_that_names_tell_pictures_from_data() -> None:
    seen = ExportChoices(format="tiff", displayed=True)
    assert order(seen, Path(), {}).tail == "-displayed.tiff"
    assert order(replace(seen, beside=True), Path(), {}).tail == "-before-and-after.tiff"
    assert order(ExportChoices(format="tiff", beside=True), Path(), {}).tail == ".tiff"


def test_that_what_will_be_in_the_files_is_said_with_the_mark() -> None:
    assert "Full data" in explain(ExportChoices()) and "mark" not in explain(ExportChoices())
    assert "With the mark" in explain(ExportChoices(format=OutputFormat.PNG16.value))
    assert "Without the mark" in explain(ExportChoices(format=OutputFormat.TIFF.value))
    assert "window as displayed" in explain(ExportChoices(window=True))
