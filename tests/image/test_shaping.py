"""How much of its work a preset is left with, by how processed the source already is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import multiscale, phantom, preset_file, presets, shaping
from fullfield.image.bands import Level
from fullfield.image.image import Image, InputKind
from fullfield.image.phantom import PhantomKind
from fullfield.image.preset import UNBOUNDED, Preset

GENERAL = presets.load("general")
ANY = {"detail.usual": UNBOUNDED, "detail.usual_together": UNBOUNDED}
ALWAYS = GENERAL.adjusted(ANY)


def fraction(image: Image) -> NDArray[np.float64]:
    return np.asarray(image.pixels / image.top)


def again(image: Image, preset: Preset) -> tuple[float, float]:
    """RMS of what the first and the second enhancement change."""
    first = multiscale.enhance(image, preset)
    once = replace(image, pixels=first.pixels, bits=first.bits)
    second = multiscale.enhance(once, preset)
    twice = replace(image, pixels=second.pixels, bits=second.bits)
    changes = (fraction(once) - fraction(image), fraction(twice) - fraction(once))
    one, other = (float(np.sqrt((change**2).mean())) for change in changes)
    return one, other


@pytest.mark.parametrize("kind", [PhantomKind.HAND, PhantomKind.LIMB])
def test_that_a_result_fed_in_again_changes_little(kind: PhantomKind) -> None:
    image = phantom.processed(kind, longer=1024)

    first, second = again(image, GENERAL)
    _, without = again(image, ALWAYS)

    assert second < 0.65 * first
    assert second < 0.75 * without


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (PhantomKind.CHEST, "chest"),
        (PhantomKind.CHEST, "general"),
        (PhantomKind.SKULL, "skull"),
        (PhantomKind.SKULL, "dental"),
        (PhantomKind.SKULL, "general"),
        (PhantomKind.HAND, "extremity"),
        (PhantomKind.LIMB, "extremity"),
        (PhantomKind.LIMB, "general"),
    ],
)
def test_that_a_source_that_was_not_processed_gets_all_of_it(kind: PhantomKind, name: str) -> None:
    image, preset = phantom.processed(kind, longer=1024), presets.load(name)

    found, whole = (multiscale.enhance(image, given).pixels for given in (preset, preset.adjusted(ANY)))

    assert np.array_equal(found, whole)


def test_that_a_hand_of_which_nobody_says_what_it_is_gets_nearly_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []
    share = shaping.share
    monkeypatch.setattr(shaping, "share", lambda *given, **named: shares.append(share(*given, **named)) or shares[-1])

    multiscale.enhance(phantom.processed(PhantomKind.HAND, longer=1024), GENERAL)

    assert 0.85 < shares[0] <= 1


def test_that_a_raw_source_counts_as_not_processed() -> None:
    raw = [preset for preset in map(presets.load, presets.names()) if preset.kinds == (InputKind.RAW,)]

    assert raw and {(preset.detail_usual, preset.detail_usual_together) for preset in raw} == {(UNBOUNDED, UNBOUNDED)}


def levels(middle: float, texture: float) -> list[Level]:
    """Six levels, the finest first, whose coarsest are as strong as 0.2."""
    strong = (0.01, middle, middle, 0.15, 0.2, 0.2)
    return [Level(percentile=percentile, median=texture) for percentile in strong]


def test_that_edges_or_texture_alone_do_not_tell_of_processing() -> None:
    shares = [
        shaping.share(GENERAL, levels(middle, texture))
        for middle, texture in ((0.05, 0.001), (0.15, 0.001), (0.05, 0.01), (0.15, 0.01))
    ]

    assert shares[:3] == [1, 1, 1]
    assert shares[3] == pytest.approx(0.2)


def test_that_of_a_known_part_of_the_body_edges_and_texture_together_tell() -> None:
    known = GENERAL.adjusted({"detail.usual": UNBOUNDED, "detail.usual_together": 0.5})
    shares = [shaping.share(known, levels(0.05, texture)) for texture in (0.003, 0.008, 0.009, 0.03)]

    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1 and 0.2 < shares[2] < shares[1] < 1 and shares[3] == pytest.approx(0.2)
    assert shaping.share(GENERAL, levels(0.05, 0.009)) == 1


def test_that_a_chest_by_other_processors_is_changed_little_and_a_source_in_full() -> None:
    chest, preset = phantom.processed(PhantomKind.CHEST, longer=1024), presets.load("chest")
    strong = preset.adjusted({"detail.gain": 4.0} | ANY)
    processed = chest
    for _ in range(2):
        made = multiscale.enhance(processed, strong)
        processed = replace(chest, pixels=made.pixels, bits=made.bits)

    assert multiscale.enhance(chest, preset).recipe.left == 1
    assert multiscale.enhance(processed, preset).recipe.left < 0.5


def test_that_the_share_is_the_same_in_another_tone() -> None:
    once, twice = levels(0.09, 0.0042), levels(0.18, 0.0084)
    for place, level in enumerate(twice[3:], 3):
        twice[place] = replace(level, percentile=2 * level.percentile)

    assert shaping.share(GENERAL, once, 2.0) == pytest.approx(shaping.share(GENERAL, twice))
    assert 0.4 < shaping.share(GENERAL, once) < 1


def test_that_what_the_file_tells_is_certain() -> None:
    assert shaping.share(GENERAL, levels(0.05, 0.001)) == 1
    assert shaping.share(GENERAL, levels(0.05, 0.001), enhanced=True) == pytest.approx(0.2)


def test_that_noise_alone_is_not_taken_for_processing() -> None:
    assert shaping.share(GENERAL, levels(0.04, 0.1)) == 1


def test_that_a_users_preset_from_before_is_read_and_keeps_all_of_its_work() -> None:
    text = "\n".join(line for line in preset_file.to_toml(GENERAL).splitlines() if not line.startswith("usual"))
    read = preset_file.parse(text, origin="mine")

    assert (read.detail_usual, read.detail_usual_together) == (UNBOUNDED, UNBOUNDED)


@pytest.mark.parametrize(("name", "median"), [("mammography", 0.68), ("general", 0.82), ("chest", 0.82)])
def test_that_the_median_of_a_bright_picture_leaves_room_above_it(name: str, median: float) -> None:
    seen = shaping.Seen(low=0.08, median=median, most=0.9, high=0.99, ground=0.07, guarded=True)
    curve = shaping.curve(presets.load(name), seen, InputKind.PROCESSED)

    at_median, at_high = curve.apply(np.array([[seen.median, seen.high]], np.float32))[0]

    assert 0.3 < at_median < 0.6 < at_high < 1


@pytest.mark.parametrize(
    ("median", "most"), [(0.3, 0.5), (0.45, 0.7), (0.6, 0.95), (0.82, 0.9)], ids=["dark", "even", "wide", "bright"]
)
@pytest.mark.parametrize("kind", list(InputKind))
def test_that_every_step_of_brightness_makes_a_picture_brighter(kind: InputKind, median: float, most: float) -> None:
    general = replace(GENERAL, kinds=tuple(InputKind))
    seen = shaping.Seen(low=0.08, median=median, most=most, high=0.99, ground=0.07, guarded=True)
    steps = 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7

    shown = [
        shaping.curve(replace(general, gradation_median=step), seen, kind).apply(np.array([[median]], np.float32))[0, 0]
        for step in steps
    ]

    assert min(*np.diff(shown[:2]), *np.diff(shown[2:])) > 3 / 255  # between the presets' own two, some stay
    assert shown[-1] < 0.95


@pytest.mark.parametrize("kind", list(InputKind))
@pytest.mark.parametrize("steps", [(0.2, 0.25, 0.3, 0.35, 0.4), (0.45, 0.5, 0.55, 0.6, 0.7, 0.8)])
def test_that_brightness_goes_on_where_the_usual_picture_is_brighter_than_wanted(
    kind: InputKind, steps: tuple[float, ...]
) -> None:
    general = replace(GENERAL, kinds=tuple(InputKind))
    seen = shaping.Seen(low=0.3, median=0.87, most=0.93, high=0.95, ground=0.28, guarded=True)  # a film: 0.62 is asked
    places = np.array([[seen.low, seen.median, seen.high]], np.float32)

    shown = [
        shaping.curve(replace(general, gradation_median=step), seen, kind).apply(places.copy())[0] for step in steps
    ]

    assert np.diff([median for _, median, _ in shown]).min() > 3 / 255
    assert all(low < 0.1 and median < high - 0.03 for low, median, high in shown)


def test_that_the_median_of_a_dark_picture_is_where_the_preset_wants_it() -> None:
    preset = presets.load("mammography")  # which leaves it where it is
    seen = shaping.Seen(low=0.0, median=0.45, most=0.7, high=1.0, ground=0.0, guarded=True)

    found = shaping.curve(preset, seen, InputKind.PROCESSED).apply(np.array([[seen.median]], np.float32))[0, 0]

    assert found == pytest.approx(0.45, abs=0.02)


def test_that_a_raw_image_is_brought_up_where_much_is_bright_and_a_processed_one_stays_as_dark_as_it_is() -> None:
    preset = replace(presets.load("chest-raw"), kinds=tuple(InputKind))
    seen = shaping.Seen(low=0.12, median=0.3, most=0.51, high=0.59, ground=0.12, guarded=False)

    raw, processed = (
        shaping.curve(preset, seen, kind).apply(np.array([[seen.median]], np.float32))[0, 0]
        for kind in (InputKind.RAW, InputKind.PROCESSED)
    )

    assert processed < 0.3 < 0.32 < raw < 0.36


def test_that_thin_tissue_of_a_raw_image_is_shown_and_a_makers_tone_is_kept() -> None:
    preset = replace(presets.load("general-raw"), kinds=tuple(InputKind))
    seen = shaping.Seen(low=0.0, median=0.62, most=0.8, high=0.98, ground=0.0, guarded=True)
    fifth = np.array([[0.2]], np.float32)

    raw, processed = (
        shaping.curve(preset, seen, kind).apply(fifth.copy())[0, 0] for kind in (InputKind.RAW, InputKind.PROCESSED)
    )
    wanted = shaping.curve(replace(preset, gradation_slope=12.0), seen, InputKind.RAW).apply(fifth.copy())[0, 0]

    assert processed < 0.07 < 0.14 < raw
    assert wanted < 0.02


@pytest.mark.parametrize("median", [0.66, 0.7, 0.78])
def test_that_thin_tissue_is_shown_no_lighter_than_leaves_room_above_the_median(median: float) -> None:
    preset = replace(presets.load("general-raw"), kinds=tuple(InputKind))
    seen = shaping.Seen(low=0.0, median=median, most=(median + 1) / 2, high=0.98, ground=0.0, guarded=True)

    raw, processed = (
        shaping.curve(preset, seen, kind).apply(np.array([[0.2, median]], np.float32))[0]
        for kind in (InputKind.RAW, InputKind.PROCESSED)
    )

    assert raw[0] > 1.5 * processed[0]
    assert processed[1] < raw[1] < 0.56


@pytest.mark.parametrize(
    ("name", "kind"),
    [("general", InputKind.RAW), ("general", InputKind.PROCESSED), ("chest-raw", InputKind.RAW)],
)
def test_that_images_that_hardly_differ_are_shown_alike(name: str, kind: InputKind) -> None:
    preset = replace(presets.load(name), kinds=tuple(InputKind))
    seen = [
        shaping.Seen(low=0.0, median=median, most=(median + 1) / 2, high=0.98, ground=0.0, guarded=True)
        for median in np.linspace(0.45, 0.8, 351)
    ]
    places = np.linspace(0, 1, 21, dtype=np.float32)[None, :]

    shown = np.concatenate([shaping.curve(preset, one, kind).apply(places.copy()) for one in seen])

    assert np.abs(np.diff(shown, axis=0)).max() < 0.004  # a display's level; in steps of the slope it was up to 0.03


@pytest.mark.parametrize("lifted", [0.01, 0.07, 0.24])
@pytest.mark.parametrize("name", [name for name in presets.names() if presets.load(name).guard_reach > 0])
def test_that_keeping_direct_exposure_dark_makes_no_edge_of_a_slope(name: str, lifted: float) -> None:
    slope = np.linspace(-0.1, 0.7, 801, dtype=np.float32)[None, :]

    taken = shaping.guard(slope, np.ones_like(slope), presets.load(name), lifted)

    assert taken[slope <= 0] == pytest.approx(lifted)
    assert np.diff(slope - taken).max() < 2 * np.diff(slope).max()
