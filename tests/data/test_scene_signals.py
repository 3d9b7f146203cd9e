from __future__ import annotations

import numpy as np
import pytest

from fullfield.data.scenes import latent, signals
from fullfield.data.scenes.signals import DISC, EDGE, FRACTURE, Signal


def test_that_a_full_run_has_two_hundred_signals_of_every_kind() -> None:
    every = (
        *signals.discs(),
        *signals.nodules(),
        *signals.fractures(),
        *signals.edges(),
        *signals.specks(),
    )

    assert len(every) == len(set(every)) == 200
    assert {one.kind for one in every} == set(signals.KINDS)
    assert {one.contrast < 0 for one in every if one.kind in (FRACTURE, EDGE)} == {True}


@pytest.mark.parametrize(
    "signal", [Signal(kind=DISC, size=0.5, contrast=0.2), Signal(kind=FRACTURE, size=0.2, contrast=-0.1)]
)
def test_that_a_signal_smaller_than_two_pixels_keeps_its_weight_on_any_pixels(signal: Signal) -> None:
    weights = [float(signals.stamp(signal, spacing).sum()) * spacing**2 for spacing in (0.05, 0.1, 0.14, 0.2)]

    assert np.sign(weights).tolist() == [np.sign(signal.contrast)] * 4
    assert weights == pytest.approx([weights[0]] * 4, rel=0.12)


def test_that_a_disc_is_as_large_in_millimetres_as_it_says() -> None:
    picture = signals.stamp(Signal(kind=DISC, size=6.0, contrast=0.1), 0.2)

    assert picture.max() == pytest.approx(0.1)
    assert float(picture.sum()) * 0.2**2 == pytest.approx(0.1 * np.pi * 9, rel=0.02)


def test_that_signals_lie_apart_and_where_they_may() -> None:
    scene = latent.draw("knee", 1, longer=480)
    some = tuple(Signal(kind=DISC, size=2.0 + number, contrast=0.1) for number in range(8))

    placed = signals.place(some, scene.anatomy, scene.spacing_mm, np.random.default_rng(0))
    added = signals.added(scene, placed) - scene.attenuation

    assert len(placed) == 8
    assert all(scene.anatomy[one.row, one.column] for one in placed)
    apart = [np.hypot(a.row - b.row, a.column - b.column) * scene.spacing_mm - a.signal.reach - b.signal.reach
             for n, a in enumerate(placed) for b in placed[:n]]  # fmt: skip
    assert min(apart) > 2
    assert added.max() == pytest.approx(0.1, rel=0.02) and not added[~scene.anatomy].any()
