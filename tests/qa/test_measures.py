"""The rows of one image: what is told of a method beside its figures."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from fullfield.enhance.enhancer import by_preset
from fullfield.image import presets
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Recipe
from fullfield.qa import measures, objects, plates, table
from fullfield.qa.figures import FIGURES, KEY
from fullfield.qa.measures import Method, Row
from fullfield.qa.objects import What


def test_that_the_key_says_what_every_figure_is_and_no_other() -> None:
    assert list(dict.fromkeys(re.sub(r"_at_[\d.]+$", "_at", name) for name in FIGURES)) == list(KEY)


@pytest.mark.parametrize("turned", [False, True])
def test_that_an_edge_s_row_says_in_which_direction_it_is_measured_and_with_which_pixels(turned: bool) -> None:
    given = next(iter(plates.subjects(dose=2.5, seed=0)))
    image = given.image
    pixels = np.repeat(image.pixels, 2, axis=0)[: image.pixels.shape[0]]
    spacing = (image.spacing_mm or (0.0, 0.0))[0]
    plane, sides = (pixels.T, (spacing, spacing / 2)) if turned else (pixels, (spacing / 2, spacing))
    image = replace(image, pixels=np.ascontiguousarray(plane), spacing_mm=sides)
    row = next(measures.rows(replace(given, decoded=replace(given.decoded, image=image)), ()))

    assert row.direction == ("vertical" if turned else "horizontal")
    assert row.spacing_mm == spacing and row.shows == ("edge, vertical" if turned else "edge")


def test_that_an_edge_stands_over_the_flat_field_of_its_own_size_of_pixels() -> None:
    curve = np.array([0.0, 0.5]), np.array([1.0, 1.0])
    edge = Row(
        what=What.EDGE,
        name="edge",
        kind="raw",
        equipment="Maker X1",
        method="auto",
        spacing_mm=0.1,
        figures={"step_gain": 2.0, "mtf_transfer_at_0.5": 1.0},
        curves={"mtf_transfer": curve},
    )
    flats = [
        replace(edge, what=What.FLAT, name=f"{pitch} mm", spacing_mm=pitch, figures={"noise_transfer_at_0.5": 1.0})
        for pitch in (0.1, 0.2)
    ]
    (found,) = table.signal_over_noise((edge, *flats))
    assert found.flat == "0.1 mm" and found.values == {0.5: 4.0}
    assert not table.signal_over_noise((edge, flats[1]))


def test_that_what_a_method_alone_shows_black_or_white_is_told_where_it_is_measured() -> None:
    def general(decoded: Decoded) -> Enhanced:
        return by_preset(decoded, presets.fitting("general", kind=decoded.image.kind, body_part="", species=""))

    def hard(decoded: Decoded) -> Enhanced:
        shown = objects.shown(decoded.image)
        made = np.clip(0.5 + 40 * (shown - np.median(shown)), 1 / 4095, 4094 / 4095)  # its ends stay free: a preset's
        recipe = Recipe(method="preset", name="hard", version="1", sha256="")
        return Enhanced(pixels=np.rint(made * 4095).astype(np.uint16), bits=12, recipe=recipe)

    for subject in plates.subjects(dose=2.5, seed=0):
        both = (Method(name="general", enhance=general), Method(name="hard", enhance=hard))
        rows = {row.method: row for row in measures.rows(subject, both)}
        assert rows["general"].figures["clipped"] < 0.001 and not rows["general"].remarks
        if subject.what is What.FLAT:
            assert rows["hard"].figures["clipped"] > 0.1 and "is clipped" in rows["hard"].remarks[0]
