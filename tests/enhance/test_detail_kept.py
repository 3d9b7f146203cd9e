"""Off its scale a network draws at its own, and what is finer is the image's own detail."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from fullfield.enhance import detail_kept
from fullfield.enhance.backends.base import Rows, Unit
from fullfield.enhance.network import NetworkEnhancer
from fullfield.enhance.portions import Portion
from fullfield.image import measure
from fullfield.image.cache import Decoded
from fullfield.image.image import Recipe
from fullfield.image.normalise import Normalisation
from fullfield.model.card import Card
from fullfield.model.phantom import phantom

MakeDecoded = Callable[..., Decoded]


def logit(x: Unit) -> Unit:
    return np.log(x / (1 - x))


class Curve:
    """A backend that makes of every value a steeper one, and remembers what it saw."""

    title, precision = "the CPU", "fp32"

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def capacity(self, budget: int | None = None) -> int:
        return 1 << 40

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Iterator[tuple[int, Unit]]:
        self.seen.append((rows, columns))
        yield 0, 1 / (1 + np.exp(-8 * (image(0, rows) - np.float32(0.5))))

    def is_out_of_memory(self, error: Exception) -> bool:
        return False

    def free(self) -> None: ...


def enhanced(decoded: Decoded, backend: Curve, *, off_scale: bool = False) -> tuple[Unit, tuple[str, ...], str]:
    card = Card(name="knee", mm_per_pixel=0.4, input_kind="any")
    recipe = Recipe(method="model", name="knee", version="1", sha256="0" * 64, parameters="U-Net")
    enhancer = NetworkEnhancer((backend,), card, Normalisation(), recipe, notice=lambda text: None, off_scale=off_scale)
    made = enhancer.enhance(decoded)
    return made.pixels.astype(np.float32) / np.float32(4095), made.warnings, made.recipe.parameters


def test_that_an_image_four_times_finer_is_drawn_at_a_quarter_with_its_own_detail(radiograph: MakeDecoded) -> None:
    decoded, backend = radiograph(512, 384, spacing_mm=(0.1, 0.1)), Curve()
    found, (warning,), recipe = enhanced(decoded, backend)
    own = Curve()
    plain, (other,), _ = enhanced(decoded, own, off_scale=True)

    assert backend.seen == [(128, 96)] and own.seen == [(512, 384)]
    assert found.shape == plain.shape
    assert (
        "4.0 times finer than the model's 0.4" in warning
        and "1/4 of the image's size" in warning
        and "own detail" in warning
    )
    assert "drawn at 1/4 of the image's size, finer detail kept" in recipe
    assert "details may be wrong" in other
    assert np.abs(detail_kept.reduced(found, 2) - detail_kept.reduced(plain, 2)).mean() < 0.02
    ratio, correlation = measure.finest_band(found, plain)  # such a network draws the image's own detail at every scale
    assert 0.4 < ratio < 1 and correlation > 0.9


def test_that_an_image_of_the_model_s_scale_is_drawn_as_it_is(radiograph: MakeDecoded) -> None:
    decoded, backend = radiograph(128, 96, spacing_mm=(0.4, 0.4)), Curve()
    found, warnings, recipe = enhanced(decoded, backend)
    assert backend.seen == [(128, 96)] and warnings == () and recipe == "U-Net"
    assert np.array_equal(found, enhanced(decoded, Curve(), off_scale=True)[0])


def test_that_worms_of_the_network_s_own_scale_never_become_finer_ones_where_the_image_is_smooth() -> None:
    y, x = np.mgrid[:256, :320].astype(np.float32)
    smooth = (0.3 + 0.3 * y / 256 + 0.2 * x / 320).astype(np.float32)
    small = detail_kept.reduced(smooth, 2)
    worms = small + np.float32(0.1) * np.random.default_rng(0).standard_normal(small.shape).astype(np.float32)

    made = logit(detail_kept.kept(smooth, np.clip(worms, 0.05, 0.95), 2))

    inner = made[16:-16, 16:-16]  # the pyramid's mirrored border is a bend of a slope
    finer = inner - cv2.GaussianBlur(inner, (0, 0), 1.0)
    assert np.abs(finer).max() < 0.1 * np.abs(logit(np.clip(worms, 0.05, 0.95)) - logit(small)).max()


def test_that_fine_detail_where_the_network_sees_none_is_as_much_stronger_as_elsewhere_in_the_image() -> None:
    chance = np.random.default_rng(0)
    x = np.full((256, 512), 0.5, np.float32)
    x[:, :256] += 0.2 * phantom(256, 256, seed=1) + 0.02 * chance.standard_normal((256, 256)).astype(np.float32)
    x[:, 320:] += np.float32(0.01) * (np.indices((256, 192)).sum(0) % 2 * 2 - 1)  # half the size it has no trace
    small = detail_kept.reduced(x, 1)

    for steeper in (2, 4):
        made = logit(detail_kept.kept(x, 1 / (1 + np.exp(-steeper * (small - np.float32(0.5)))), 1))

        def stronger(columns: slice, made: Unit = made) -> float:
            before, after = (plane - cv2.GaussianBlur(plane, (0, 0), 1.0) for plane in (x, made))
            return float(after[64:-64, columns].std() / before[64:-64, columns].std())

        assert stronger(slice(384, 448)) == pytest.approx(stronger(slice(64, 192)), rel=0.1)
        assert 0.7 * steeper < stronger(slice(384, 448)) < steeper  # a little less than coarser detail


@pytest.mark.parametrize("shape", [(1, 300), (40, 33)])
def test_that_any_shape_is_kept(shape: tuple[int, int]) -> None:
    x = phantom(*shape, seed=1)
    assert detail_kept.kept(x, detail_kept.reduced(x, 3), 3).shape == shape


@pytest.mark.parametrize(("drawn", "wanted"), [(0.25, 0.25), (0.0, 1 / 512), (1.0, 511 / 512), (0.5, 0.5)])
def test_that_where_nothing_is_finer_the_picture_is_what_was_drawn_to_its_ends(drawn: float, wanted: float) -> None:
    even = np.full((96, 64), 0.5, np.float32)
    made = detail_kept.kept(even, np.full((24, 16), drawn, np.float32), 2)
    assert made.shape == (96, 64) and np.allclose(made, wanted, atol=1e-6)


def test_that_a_side_is_halved_as_often_as_is_asked_and_rounded_up() -> None:
    x = np.zeros((101, 64), np.float32)
    assert [detail_kept.reduced(x, levels).shape for levels in range(4)] == [(101, 64), (51, 32), (26, 16), (13, 8)]


def test_that_detail_that_the_network_turns_around_is_left_out() -> None:
    """A gain is never less than nothing."""
    x = phantom(128, 128, seed=3)
    small = detail_kept.reduced(x, 1)
    made = detail_kept.kept(x, 1 - small, 1)
    plain = detail_kept.kept(np.full_like(x, 0.5), 1 - small, 1)
    assert np.abs(made - plain).max() < 1e-5


def test_that_the_means_of_cells_at_the_edge_are_of_what_there_is() -> None:
    plane = np.arange(20, dtype=np.float32).reshape(4, 5)
    found = detail_kept._means(plane, 2)
    wanted = [[3.0, 5.0, 6.5], [13.0, 15.0, 16.5]]
    assert found.tolist() == wanted
