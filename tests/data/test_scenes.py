"""Scenes: what is drawn, exposed, stored and wanted of them. All of them small."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fullfield.data.scenes import detector, latent, makers, targets
from fullfield.data.scenes.canvas import NativeCanvas
from fullfield.data.scenes.detector import QUANTA, Counted, Exposure
from fullfield.data.scenes.latent import PARTS, Latent
from fullfield.data.scenes.makers import Maker
from fullfield.image import tone
from fullfield.image.phantoms.shapes import Canvas

SIZE = 160


def flat(attenuation: float = 1.0, side: int = 96, spacing: float = 0.15) -> Latent:
    """A slab of one density."""
    none = np.zeros((side, side), bool)
    plane = np.full((side, side), attenuation, np.float32)
    return Latent(part="knee", attenuation=plane, spacing_mm=spacing, metal=none, bone=none)


@pytest.mark.parametrize("part", PARTS)
def test_that_every_part_is_drawn_the_same_by_its_seed_and_shows_anatomy(part: str) -> None:
    first, again, other = (latent.draw(part, seed, longer=SIZE) for seed in (4, 4, 5))

    assert first.attenuation.tobytes() == again.attenuation.tobytes()
    assert first.attenuation.tobytes() != other.attenuation.tobytes()
    assert max(first.attenuation.shape) == SIZE
    assert np.isfinite(first.attenuation).all() and first.attenuation.min() >= 0
    assert first.anatomy.mean() > 0.1
    assert 0.2 < float(np.median(first.attenuation[first.anatomy])) < 6
    assert 2000 <= latent.native(part, 4) <= 4300


def test_that_the_native_canvas_draws_the_solids_of_the_plain_one() -> None:
    fine, plain = (kind((300, 240), 0.05) for kind in (NativeCanvas, Canvas))
    points, radii = [(-4.0, -3.0), (0.0, 1.0), (3.0, 5.0)], [0.9, 1.4, 1.1]

    ellipsoids = [c.ellipsoid((1, -2), (3, 2, 1.5), degrees=30) for c in (fine, plain)]
    slabs = [c.slab((-1, 2), (4, 1), 2.0, edge=0.3, degrees=-20) for c in (fine, plain)]
    tubes = [c.tube(points, radii, shell=[0.2, 0.4]) for c in (fine, plain)]

    assert np.allclose(*ellipsoids, atol=1e-3)
    assert np.allclose(*slabs, atol=1e-5)
    assert np.corrcoef(tubes[0].ravel(), tubes[1].ravel())[0, 1] > 0.98
    assert tubes[0].sum() == pytest.approx(tubes[1].sum(), rel=0.03)


def test_that_noise_is_that_of_the_stated_dose() -> None:
    scene = flat()
    plain = Exposure(scatter=0.0, blur=0.001, electronic=0.0)
    for kerma in (1.0, 4.0):
        counts = detector.expose(scene, replace(plain, kerma=kerma), noise=1).counts[16:-16, 16:-16]
        assert counts.mean() == pytest.approx(QUANTA * kerma * scene.spacing_mm**2, rel=0.03)
        assert counts.std() == pytest.approx(np.sqrt(counts.mean()), rel=0.06)


def test_that_twins_of_one_noise_differ_by_the_signal_alone() -> None:
    scene = flat()
    more = scene.attenuation.copy()
    more[40:50, 40:50] += 0.3
    way = Exposure(blur=0.001)

    one = detector.expose(scene, way, noise=3)
    other = detector.expose(replace(scene, attenuation=more), way, noise=3, level=scene.attenuation)

    changed = np.abs(one.counts / other.counts - 1)
    assert changed[44:46, 44:46].min() > 0.1
    assert np.median(changed[:30]) < 1e-3


def test_that_blades_a_marker_and_a_dead_rim_are_where_the_truth_says() -> None:
    scene = flat(0.5, side=240)
    way = Exposure(blades=(0.1, 0.15, 0.1, 0.2), marker=("L", 0.1, 0.2), border=40, scatter=0.0)

    found = detector.expose(scene, way, noise=0)

    inside = found.opened & ~found.marks
    assert 0.4 < found.opened.mean() < 0.6
    assert found.marks.any()
    assert np.median(found.counts[~found.opened]) < 0.05 * np.median(found.counts[inside])
    assert np.median(found.counts[found.marks]) < 0.3 * np.median(found.counts[inside])
    assert (found.counts[:2] == 0.5).all()


@pytest.mark.parametrize("linear", [True, False])
def test_that_a_raw_image_gives_the_attenuation_back(linear: bool) -> None:
    scene = flat(side=64)
    scene = replace(scene, attenuation=np.tile(np.linspace(0.2, 3.0, 64, dtype=np.float32), (64, 1)))
    counted = detector.expose(scene, Exposure(kerma=500.0, scatter=0.0, blur=0.001), noise=0)

    image = makers.raw(counted, Maker(bits=16, linear=linear), scene.spacing_mm)

    seen = tone.curve(image)(image.pixels)
    slope = np.polyfit(makers.logarithm(counted)[20].astype(float), seen[20].astype(float), 1)
    assert np.corrcoef(seen.ravel(), makers.logarithm(counted).ravel())[0, 1] > 0.999
    assert slope[0] > 0


@pytest.mark.parametrize("curve", makers.CURVES)
def test_that_every_display_curve_rises_with_density(curve: str) -> None:
    ramp = np.tile(np.linspace(0.1, 3.0, 96, dtype=np.float32), (40, 1))
    opened = np.ones(ramp.shape, bool)
    counted = Counted(counts=np.exp(-ramp) * 1e6, attenuation=ramp, opened=opened, marks=~opened, open_beam=1e6)

    shown = makers.processed(counted, Maker(curve=curve), 0.15)

    assert (np.diff(shown.pixels[0].astype(int)) >= 0).all()
    assert shown.pixels.max() > 0.95 * shown.top and shown.pixels.min() < 0.05 * shown.top


def test_that_the_wanted_output_shows_the_anatomy_whatever_the_blades_cover() -> None:
    scene = latent.draw("knee", 2, longer=320)
    bladed = detector.expose(scene, Exposure(blades=(0.1, 0.1, 0.1, 0.1)), noise=0)
    bare = detector.expose(scene, Exposure(), noise=0)

    wanted, whole = (targets.made(scene, counted, seed=1) for counted in (bladed, bare))

    seen = scene.anatomy & bladed.opened
    assert 0.3 < np.median(wanted[seen]) < 0.6
    assert abs(np.median(wanted[seen]) - np.median(whole[seen])) < 0.1
    assert wanted[0, 0] == pytest.approx(1, abs=0.01)
    assert np.median(wanted[scene.air & bladed.opened]) < 0.1


def test_that_the_choice_lies_within_what_its_candidates_made() -> None:
    scene = latent.draw("foot", 2, longer=256)
    counted = detector.expose(scene, Exposure(), noise=0)
    two = targets.CANDIDATES[:2]

    alone = [targets.made(scene, counted, seed=1, candidates=(one,)) for one in two]
    both = targets.made(scene, counted, seed=1, candidates=two)

    assert np.abs(alone[0] - alone[1]).max() > 0.02
    assert (both >= np.minimum(*alone) - 1e-4).all() and (both <= np.maximum(*alone) + 1e-4).all()
    assert not np.allclose(both, alone[0], atol=1e-3) or not np.allclose(both, alone[1], atol=1e-3)
