"""What decides a result, as it is told to a destination."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from enhance.conftest import MakeDecoded
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.item import settings_hash
from fullfield.image.delivery import Appearance, Delivery
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced, Recipe
from fullfield.image.marks import Disagreement
from fullfield.image.values import Window
from fullfield.protocol.batch import Item

ITEM = Item(index=7, source="a.dcm", target="a_enhanced.dcm")
PLAIN = Request(item=ITEM, kind="raw", format=OutputFormat("png16"), recipe="ab")
USUAL = {"kind": "raw", "recipe": "ab", "format": "png16"}


def test_that_what_is_usual_is_not_in_the_digest_so_that_a_new_choice_does_nothing_again() -> None:
    assert PLAIN.settings == settings_hash(**USUAL)
    assert replace(PLAIN, overwrite=True, anew=True, item=replace(ITEM, index=9)).settings == PLAIN.settings
    looked = Delivery(look=Appearance(after=Window(low=1, high=9)))
    assert replace(PLAIN, delivery=looked).settings == PLAIN.settings, "it is not written"


@pytest.mark.parametrize("name", ["forced", "strict"])
def test_that_a_policy_is_in_the_digest_where_it_is_another(name: str) -> None:
    assert replace(PLAIN, **{name: True}).settings == settings_hash(**USUAL, **{name: True})  # type: ignore[arg-type]


@pytest.mark.parametrize("delivery", [Delivery(displayed=True), Delivery(window=True), Delivery(mark="no")], ids=str)
def test_that_a_delivery_is_in_the_digest_with_all_of_it(delivery: Delivery) -> None:
    assert replace(PLAIN, delivery=delivery).settings == settings_hash(**USUAL, delivery=asdict(delivery))


def test_that_a_request_asks_for_a_whole_dicom_file_that_takes_nobodys_place() -> None:
    usual = Request(item=ITEM)
    assert (usual.kind, usual.format, usual.recipe) == ("auto", OutputFormat.DICOM, "")
    assert not (usual.forced or usual.strict or usual.overwrite or usual.anew)


def test_that_a_verdict_tells_what_was_made_of_which_input(radiograph: MakeDecoded) -> None:
    decoded = radiograph(20, 20)
    recipe = Recipe(method="model", name="m", version="1", sha256="cd" * 32)
    enhanced = Enhanced(pixels=decoded.image.pixels, bits=12, recipe=recipe, method_wanted="other")
    made = Made(request=PLAIN, input="0123456789abcdef", decoded=decoded, enhanced=enhanced)
    done = made.done(number=3)
    assert (done.index, done.input, done.output, done.number) == (7, "0123456789ab", "", 3)
    assert (done.method_wanted, done.disagreement, made.done().number) == ("other", None, 0)
    apart = replace(enhanced, disagreement=Disagreement(cells=decoded.image.pixels.astype("u1"), p99=0.125))
    assert Made(request=PLAIN, input="0", decoded=decoded, enhanced=apart).done().disagreement == 0.125


def test_that_a_result_is_written_in_the_format_that_is_asked_for(radiograph: MakeDecoded, tmp_path: Path) -> None:
    decoded = radiograph(20, 20)
    recipe = Recipe(method="preset", name="m", version="1", sha256="cd" * 32)
    enhanced = Enhanced(pixels=decoded.image.pixels, bits=12, recipe=recipe)
    digest = Made(request=PLAIN, input="0", decoded=decoded, enhanced=enhanced).write(tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG" and len(digest) == 64
