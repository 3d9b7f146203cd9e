from __future__ import annotations

import numpy as np

from fullfield.image import blades


def fields(plane: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> list[tuple[int, int, int, int]]:
    return blades.fields(plane, np.zeros(plane.shape, bool))


def tissue(rows: int, columns: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    random = np.random.default_rng(2)
    waves = 0.3 + 0.2 * np.sin(np.linspace(0, 5, rows))[:, None] * np.cos(np.linspace(0, 4, columns))[None, :]
    return np.asarray(waves + random.normal(0, 0.005, waves.shape), np.float32)


def test_that_blades_of_different_depth_are_cut_away_on_all_sides() -> None:
    plane = np.full((200, 160), 0.95, np.float32)
    plane[70:190, 12:130] = tissue(120, 118)

    (box,) = fields(plane)

    assert np.abs(np.subtract(box, (70, 190, 12, 130))).max() <= 1


def test_that_two_fields_beside_each_other_are_parted_at_their_bar() -> None:
    plane = np.full((150, 220), 0.95, np.float32)
    plane[10:140, 8:100] = tissue(130, 92)
    plane[20:144, 112:210] = tissue(124, 98)

    first, second = fields(plane)

    assert np.abs(np.subtract(first, (10, 140, 8, 100))).max() <= 2
    assert np.abs(np.subtract(second, (20, 144, 112, 210))).max() <= 2


def test_that_a_bright_limb_from_side_to_side_is_no_bar() -> None:
    plane = np.full((150, 220), 0.05, np.float32)
    plane[60:85] = tissue(25, 220) + 0.4

    assert fields(plane) == [(0, 150, 0, 220)]
