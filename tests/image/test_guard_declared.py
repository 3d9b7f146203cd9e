"""Results held against what their method says that it did: pixel by pixel, and that itself judged."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from fullfield.bench import guard_faults
from fullfield.image import declared as forms
from fullfield.image import guard_declared, guards, pyramid
from fullfield.image.declared import Declared
from fullfield.image.guards import Figures
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe
from fullfield.image.pyramid import Plane
from fullfield.model.phantom import phantom

ROWS, COLUMNS, BITS = 340, 292, 12
SHAPE = (352, 320)
MIDDLE = (ROWS // 2, COLUMNS // 2)
RECIPE = Recipe(method="model", name="gains", version="1", sha256="0" * 64)
SEEN = np.linspace(0, 1, 1 << 16, dtype=np.float32)
LIMITS = guards.Limits(
    of={"unlike": 1.2e-3, "dip 0": 0.05, "dip 2": 3e-3, "low": 0.15, "step 0": 2.5, "turned": 2.4e-3}
)
FAULTS = [fault for fault in guard_faults.faults() if fault.make is not None]

LOWERED = [fault for fault in guard_faults.faults() if fault.kind.endswith("under low gains")]


def picture() -> Image:
    noise = np.random.default_rng(0).normal(0, 0.01, (ROWS, COLUMNS))
    values = np.clip(0.15 + 0.7 * phantom(ROWS, COLUMNS, seed=1) + noise, 0.02, 0.98)
    pixels = np.rint(values * 65535).astype(np.uint16)
    return Image(pixels=pixels, bits=16, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)


def said(shape: tuple[int, int] = SHAPE) -> Declared:
    """Gains that differ from place to place and from level to level, and a tone that bends."""
    side, gains, cells = shape, [], [16, 8, 8, 8]
    for level, cell in enumerate(cells):
        rows, columns = (-(-one // cell) for one in side)
        waves = np.add.outer(np.sin(np.arange(rows) / 3), np.cos(np.arange(columns) / 4))
        gains.append(np.asarray((5 + level % 3) * (1 + 0.1 * waves), np.float32))
        side = pyramid.halved(side)
    light = np.linspace(-0.3, 0.3, side[0] * side[1], dtype=np.float32).reshape(side)
    curve = np.array([-4, -1, 0.5, 3], np.float32)
    return Declared(shape=shape, gains=tuple(gains), cells=tuple(cells), curve=curve, light=light)


IMAGE, SAID = picture(), said()
SOUND = guard_faults.rebuilt(IMAGE, SEEN, SAID)


def result(shown: Plane, declared: Declared = SAID) -> Enhanced:
    pixels = np.rint(np.clip(shown, 0, 1) * 4095).astype(np.uint16)
    return Enhanced(pixels=pixels, bits=BITS, recipe=RECIPE, seen=SEEN, declared=declared)


def figures(shown: Plane, image: Image = IMAGE, declared: Declared = SAID) -> Figures:
    return guards.found(image, result(shown, declared)).figures


def test_that_a_result_is_what_its_method_says_to_the_last_bit() -> None:
    found = guards.found(IMAGE, result(SOUND))
    assert found.figures["unlike"] <= 1.01 / 4095 and not LIMITS.objections(found.figures) and not found.marks.any()
    assert {"dip 0", "dip 3", "step 0", "step 1"} <= set(found.figures) and found.figures["turned"] == 0


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_that_whatever_is_done_to_it_after_is_far_beyond_the_limits(fault: guard_faults.Fault) -> None:
    assert fault.make is not None
    made = fault.make(SOUND, np.random.default_rng(1), MIDDLE)
    assert LIMITS.beyond(figures(made)) > 2, fault.name


@pytest.mark.parametrize("finding", guard_faults.REMOVED)
def test_that_a_finding_taken_away_by_half_is_found_and_marked_where_it_was(finding: str) -> None:
    broken = guard_faults.with_finding(IMAGE, finding, MIDDLE)
    faded = (guard_faults.rebuilt(broken, SEEN, SAID) + SOUND) / 2
    found = guards.found(broken, result(faded))
    assert LIMITS.beyond(found.figures) > 2
    assert "in one place it is not what the model itself makes of the image" in LIMITS.objections(found.figures)
    at = np.unravel_index(int(found.marks.max(0).argmax()), found.marks.shape[1:])
    assert abs(at[0] * 16 - MIDDLE[0]) < 80 and abs(at[1] * 16 - MIDDLE[1]) < 80


def test_that_what_is_brighter_was_added_and_what_is_darker_was_taken() -> None:
    spoilt = SOUND.copy()
    spoilt[32:48, 64:80] = np.minimum(spoilt[32:48, 64:80] + 0.03, 1)
    spoilt[160:176, 96:112] = np.maximum(spoilt[160:176, 96:112] - 0.03, 0)
    added, taken = guards.found(IMAGE, result(spoilt)).marks
    assert added[2, 4] == added.max() > 100 and np.count_nonzero(added) == 1
    assert taken[10, 6] == taken.max() > 100 and np.count_nonzero(taken) == 1


@pytest.mark.parametrize("fault", LOWERED, ids=lambda fault: fault.name)
def test_that_gains_that_hide_a_finding_are_found_though_the_picture_is_theirs(fault: guard_faults.Fault) -> None:
    assert fault.lower is not None
    broken = guard_faults.with_finding(IMAGE, fault.finding, MIDDLE)
    hiding = fault.lower(SAID, MIDDLE, 40.0)
    found = guards.found(broken, result(guard_faults.rebuilt(broken, SEEN, hiding), hiding))
    assert found.figures["unlike"] < 3e-4
    assert LIMITS.objections(found.figures) == ("in one place the structure of the image is missing",)
    added, taken = found.marks
    assert not added.any() and taken[MIDDLE[0] // 16, MIDDLE[1] // 16] > 0


def test_that_gains_of_half_on_all_levels_of_a_place_are_low_together() -> None:
    assert LOWERED[0].strength == 0.25 and LOWERED[0].lower is not None
    quarter = LOWERED[0].lower(SAID, MIDDLE, 20.0)
    half = [np.sqrt(gain * low) for gain, low in zip(SAID.gains, quarter.gains, strict=True)]
    found = {
        name: figures(guard_faults.rebuilt(IMAGE, SEEN, declared), declared=declared)
        for name, declared in {
            "sound": SAID,
            "one level": replace(SAID, gains=(half[0], *SAID.gains[1:])),
            "all": replace(SAID, gains=tuple(half)),
        }.items()
    }
    assert found["sound"]["low"] == 0 < found["all"]["low"] - 0.15 and found["one level"]["low"] < 0.1
    assert all(value < 1e-4 for name, value in found["all"].items() if name.startswith("dip"))


def test_that_a_finest_level_out_of_step_with_the_next_one_is_called_soft() -> None:
    soft = replace(SAID, gains=(SAID.gains[0] / 5, *SAID.gains[1:]))
    found = figures(guard_faults.rebuilt(IMAGE, SEEN, soft), declared=soft)
    assert LIMITS.objections(found) == ("fine structure of the image has been softened",)


@pytest.mark.parametrize("wrong", [{"curve": SAID.curve[::-1].copy()}, {"gains": (-SAID.gains[0], *SAID.gains[1:])}])
def test_that_a_tone_that_falls_and_a_gain_below_nothing_are_said(wrong: dict[str, Plane]) -> None:
    turned = replace(SAID, **wrong)
    found = figures(guard_faults.rebuilt(IMAGE, SEEN, turned), declared=turned)
    assert "what is bright and what is dark is not as in the image" in LIMITS.objections(found)


@pytest.mark.parametrize("table", ["curve", "light", "gains"])
def test_that_a_number_that_is_none_is_beyond_all_limits_though_the_picture_is_black_as_said(table: str) -> None:
    plane = SAID.gains[1] if table == "gains" else getattr(SAID, table)
    spoilt = plane.copy()
    spoilt.flat[:] = np.nan
    nowhere = replace(SAID, **{table: (SAID.gains[0], spoilt, *SAID.gains[2:]) if table == "gains" else spoilt})
    found = guards.found(IMAGE, result(np.zeros((ROWS, COLUMNS), np.float32), nowhere))
    assert LIMITS.beyond(found.figures) > 2 and found.marks.max() == 255
    assert "what is bright and what is dark is not as in the image" in LIMITS.objections(found.figures)


def test_that_a_negative_is_looked_at_as_its_method_saw_it() -> None:
    negative = replace(IMAGE, pixels=(65535 - IMAGE.pixels).astype(np.uint16), beam=HighValues.BRIGHT)
    made = replace(result(1 - SOUND), seen=SEEN[::-1].copy())
    assert guards.found(negative, made).figures == pytest.approx(figures(SOUND), abs=1.01 / 4095)
    made.pixels[32:48, 64:80] -= 100  # darker, as bone is here
    assert guards.found(negative, made).marks[0, 2, 4] > 0


def test_that_strips_of_any_height_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = SOUND.copy()
    spoilt[100:105] += np.float32(0.03)
    whole = guards.found(IMAGE, result(spoilt))
    monkeypatch.setattr(guard_declared, "_STRIP", 16 * COLUMNS)
    monkeypatch.setattr(pyramid, "STRIP_BYTES", 64 * COLUMNS)
    strips = guards.found(IMAGE, result(spoilt))
    assert strips.figures == pytest.approx(whole.figures, rel=1e-4, abs=1e-6)
    assert np.array_equal(strips.marks, whole.marks)


def test_that_what_is_no_image_is_black_and_is_not_looked_at() -> None:
    pixels = IMAGE.pixels.copy()
    pixels[:90] = 0
    image = replace(IMAGE, pixels=pixels, padding=(0, 0))
    shown = guard_faults.rebuilt(image, SEEN, SAID)
    shown[:90] = 0
    assert figures(shown, image)["unlike"] < 3e-4
    shown[89, 7] = 0.5
    assert figures(shown, image)["unlike"] == pytest.approx(0.5, abs=1e-3)


def test_that_black_and_white_are_looked_at_to_their_ends() -> None:
    steep = replace(SAID, gains=tuple(6 * gain for gain in SAID.gains), curve=SAID.curve * 4)
    shown = guard_faults.rebuilt(IMAGE, SEEN, steep)
    assert shown.min() < 1e-4 and shown.max() > 1 - 1e-4
    assert figures(shown, declared=steep)["unlike"] < 3e-4
    white = np.unravel_index(int(shown.argmax()), shown.shape)
    shown[white] -= np.float32(0.01)
    assert figures(shown, declared=steep)["unlike"] == pytest.approx(0.01, abs=3e-4)


def test_that_an_image_of_a_few_pixels_is_looked_at_too() -> None:
    small = replace(IMAGE, pixels=IMAGE.pixels[:5, :9].copy())
    declared = said((32, 32))
    shown = guard_faults.rebuilt(small, SEEN, declared)
    assert not LIMITS.objections(figures(shown, small, declared))
    shown[2, 3] += np.float32(0.02)
    assert LIMITS.beyond(figures(shown, small, declared)) > 2


def test_that_a_mean_of_logits_is_the_picture_of_mean_gains() -> None:
    other = replace(SAID, gains=tuple(2 * gain for gain in SAID.gains), curve=SAID.curve + 1)
    first, second = (cv2.log(one / (1 - one)) for one in (SOUND, guard_faults.rebuilt(IMAGE, SEEN, other)))
    both = guard_faults.rebuilt(IMAGE, SEEN, forms.mean([SAID, other]))
    assert np.abs(1 / (1 + np.exp(-(first + second) / 2)) - both).max() < 1e-4
