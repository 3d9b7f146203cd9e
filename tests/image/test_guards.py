"""What was drawn into a result, and what was hidden in it, on results that are rebuilt from their image's own bands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from fullfield.bench import guard_faults
from fullfield.image import guard_levels, guards
from fullfield.image.guards import Figures
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe
from fullfield.image.pyramid import Plane
from fullfield.model.phantom import phantom

ROWS, COLUMNS, BITS = 340, 292, 12
RECIPE = Recipe(method="model", name="gains", version="1", sha256="0" * 64)
SEEN = np.linspace(0, 1, 1 << 16, dtype=np.float32)
FAULTS = [fault for fault in guard_faults.faults() if fault.make is not None]


def picture() -> Image:
    """Sixteen bits, so that the table is a straight line."""
    noise = np.random.default_rng(0).normal(0, 0.01, (ROWS, COLUMNS))
    values = np.clip(0.15 + 0.7 * phantom(ROWS, COLUMNS, seed=1) + noise, 0.02, 0.98)
    pixels = np.rint(values * 65535).astype(np.uint16)
    return Image(pixels=pixels, bits=16, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)


def rebuilt(image: Image) -> Plane:
    """By smooth gains of the image's own bands."""
    x, bands = SEEN[image.pixels], []
    while min(x.shape) > 12:
        small = cv2.pyrDown(x)
        bands.append(x - cv2.pyrUp(small, dstsize=x.shape[::-1]))
        x = small
    z = 5 * (x - np.float32(0.5))
    for level, band in reversed(list(enumerate(bands))):
        places = np.linspace(0, 3, band.shape[1], dtype=np.float32)
        gain = (5 + level % 3) * (1 + np.float32(0.3) * np.sin(places))[None]
        z = cv2.pyrUp(z, dstsize=band.shape[::-1]) + gain * band
    return np.asarray(1 / (1 + np.exp(-z)), np.float32)


IMAGE = picture()
SOUND = rebuilt(IMAGE)


def result(shown: Plane, image: Image = IMAGE) -> Enhanced:
    pixels = np.rint(np.clip(shown, 0, 1) * 4095).astype(np.uint16)
    return Enhanced(pixels=pixels, bits=BITS, recipe=RECIPE, seen=SEEN)


def figures(shown: Plane, image: Image = IMAGE) -> Figures:
    return guards.found(image, result(shown, image)).figures


BROKEN = guard_faults.with_finding(IMAGE, "fracture line", (ROWS // 2, COLUMNS // 2))
LIMITS = guards.limits_of([figures(SOUND), figures(rebuilt(BROKEN), BROKEN)])


def test_that_gains_of_the_images_own_bands_explain_it() -> None:
    found = figures(SOUND)
    assert found["drawn 0"] < 2e-3 and found["spot 0"] < 0.02, found
    assert found["drawn 1"] < 0.02 and found["turned coarse" if "turned coarse" in found else "turned 2"] < 1e-3, found


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_that_what_is_drawn_or_hidden_is_noticed(fault: guard_faults.Fault) -> None:
    assert fault.make is not None
    made = fault.make(SOUND, np.random.default_rng(1), (ROWS // 2, COLUMNS // 2))
    assert LIMITS.beyond(figures(made)) > 1, fault.name


def test_that_a_fracture_that_was_taken_away_is_noticed_and_marked_there() -> None:
    found = guards.found(BROKEN, result(SOUND, BROKEN))
    assert LIMITS.beyond(found.figures) > 1
    added, taken = found.marks
    at = np.unravel_index(int((added.astype(int) + taken).argmax()), added.shape)
    assert abs(at[0] * 16 - ROWS // 2) < 80 and abs(at[1] * 16 - COLUMNS // 2) < 80


def test_that_an_inverted_result_is_said_to_be_one() -> None:
    assert "what is bright and what is dark is not as in the image" in LIMITS.objections(figures(1 - SOUND))


def test_that_a_negative_is_looked_at_as_its_method_saw_it() -> None:
    negative = replace(IMAGE, pixels=(65535 - IMAGE.pixels).astype(np.uint16), beam=HighValues.BRIGHT)
    made = replace(result(1 - SOUND), seen=SEEN[::-1].copy())
    found = guards.found(negative, made).figures
    assert found == pytest.approx(figures(SOUND), rel=0.05, abs=1e-3)


def test_that_strips_of_any_height_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = figures(SOUND)
    monkeypatch.setattr(guard_levels, "_STRIP", 32 * COLUMNS)
    assert figures(SOUND) == pytest.approx(whole, rel=1e-3, abs=1e-6)


def test_that_what_is_no_image_is_not_looked_at() -> None:
    pixels = IMAGE.pixels.copy()
    pixels[:90] = 0
    shown = SOUND.copy()
    shown[:90] = np.random.default_rng(3).uniform(0.2, 0.8, (90, COLUMNS))
    assert LIMITS.beyond(figures(shown, replace(IMAGE, pixels=pixels))) > 5
    assert LIMITS.beyond(figures(shown, replace(IMAGE, pixels=pixels, padding=(0, 0)))) < 1.5


def test_that_a_ramp_whose_steps_nobody_sees_has_nothing_to_soften_or_to_turn() -> None:
    ramp = np.add.outer(np.arange(600), np.arange(500)).astype(np.uint16)
    image = Image(pixels=ramp, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    table = np.clip(np.arange(1 << 16) / np.float32(1098), 0, 1).astype(np.float32)
    found = guards.found(image, replace(result(np.float32(0.81) * table[ramp]), seen=table)).figures
    assert "soft 0" not in found and found["turned 0"] == 0 and found["drawn 0"] < 1e-3
    limits = guards.read_limits(guards.MAP)
    assert not limits.objections(found)


def test_that_an_image_of_a_few_pixels_has_no_figures() -> None:
    small = replace(IMAGE, pixels=IMAGE.pixels[:30, :30].copy())
    found = guards.found(small, result(SOUND[:30, :30], small))
    assert found.figures == {} and LIMITS.beyond(found.figures) == 0


def test_that_limits_of_some_methods_leave_those_of_others_in_their_file(tmp_path: Path) -> None:
    one, other = (guards.Limits(of={"drawn 0": value}) for value in (0.25, 0.5))
    guards.write_limits(tmp_path / "limits.json", {guards.PRESET: one, "0" * 64: one})
    guards.write_limits(tmp_path / "limits.json", {guards.PRESET: other})
    kept = json.loads((tmp_path / "limits.json").read_text())
    assert kept == {guards.PRESET: {"drawn 0": 0.5}, "0" * 64: {"drawn 0": 0.25}}


def test_that_a_figure_that_is_no_number_is_beyond_all_and_said_first() -> None:
    limits = guards.Limits(of={"drawn 0": 1.0, "spot 0": 1.0, "soft 0": 1.0})
    found = {"drawn 0": 3.0, "spot 0": np.nan, "soft 0": 0.5}
    said = ("in one place it shows what the image does not have", "it shows texture that the image does not have")
    assert limits.beyond(found) == np.inf and limits.objections(found) == said


def test_that_limits_hold_for_nearly_all_sound_results() -> None:
    random = np.random.default_rng(2)
    sound = [{"spot 0": value, "drawn 0": other} for value, other in np.exp(random.normal(0, 1, (400, 2)))]
    limits = guards.limits_of(sound)
    beyond = [limits.beyond(one) for one in sound]
    assert sum(one > 1 for one in beyond) <= 8 and sum(one > 0.5 for one in beyond) >= 4
    assert limits.objections({"spot 0": 1e3}) == ("in one place it shows what the image does not have",)
