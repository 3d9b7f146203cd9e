"""One network on several devices: rows of one image, or images each, with the result of one device."""

from __future__ import annotations

import contextlib
import copy
import functools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import narrow
from fullfield.enhance import network, tiles
from fullfield.enhance.backends.base import Backend, Rows, Unit
from fullfield.enhance.backends.pytorch import FULL_PRODUCTS, TorchBackend
from fullfield.enhance.network import NetworkEnhancer
from fullfield.enhance.portions import Ended, Portion
from fullfield.enhance.sharing import Shared, compute_all
from fullfield.enhance.tiles import Cut, Tile
from fullfield.hardware import devices
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Recipe
from fullfield.image.normalise import Normalisation
from fullfield.model.card import Card, NetworkSpec
from fullfield.model.network import Network

MakeDecoded = Callable[..., Decoded]
ROWS, COLUMNS = 250, 30
RECIPE = Recipe(method="model", name="knee", version="1", sha256="0" * 64)
WAIT = 60.0


@functools.cache
def whole_network() -> Network:
    return narrow.network()


class Own(TorchBackend):
    """A device of its own, in fp64, where the order of a sum does not show; how many rows it has made; and whether its
    memory runs out in a portion, behind what it was handed by others."""

    def __init__(self, *, short: bool = False) -> None:
        super().__init__(copy.deepcopy(whole_network()), devices.choose("cpu"))
        torch.set_num_threads(1)
        self._network.double()
        self._dtype, self.made = torch.float64, 0
        self._short = self._fails = short
        self._network.stages["layer3"].register_forward_pre_hook(self._look)

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Iterator[tuple[int, Unit]]:
        self._fails = self._short and portion is not None
        for low, values in super().run(image, rows, columns, portion):
            self.made += len(values)
            yield low, values

    def _look(self, *_: object) -> None:
        if self._fails:
            raise MemoryError


def enhancer(backends: Sequence[Backend], said: list[str], *, halo: int | None = None) -> NetworkEnhancer:
    card = Card(name="knee", network=NetworkSpec(encoder="resnet18"), halo=halo)
    return NetworkEnhancer(backends, card, Normalisation(), RECIPE, notice=said.append, off_scale=True)


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are divided of images that no device would divide."""
    monkeypatch.setattr(tiles, "LEAST_PORTION_PIXELS", 1 << 11)


@pytest.mark.usefixtures("small_portions")
@pytest.mark.parametrize(("count", "most"), [(2, 128), (3, 96), (4, 64)])
def test_that_rows_shared_by_devices_are_those_of_one(radiograph: MakeDecoded, count: int, most: int) -> None:
    decoded, said = radiograph(ROWS, COLUMNS), list[str]()
    all_of_them = [Own() for _ in range(count)]
    shared = enhancer(all_of_them, said).enhance(decoded).pixels
    assert max(one.made for one in all_of_them) == most and sum(one.made for one in all_of_them) == tiles.padded(ROWS)
    titles = " and ".join(["the CPU"] * count)
    assert said == [f"Enhancing on {titles} in fp32, each up to {most} of the image's rows."]
    whole = output(all_of_them[:1], decoded, tiles.cheapest(256, 32, halo=0, pixels=1 << 20))
    assert np.array_equal(shared, np.rint(whole * 4095)) and shared.std() > 0
    assert np.abs(output(all_of_them, decoded, tiles.among(count, 256, 32)) - whole).max() <= 1e-12


def output(backends: Sequence[Backend], decoded: Decoded, cut: Cut | None) -> NDArray[np.float64]:
    """Before it is made pixels."""
    assert cut is not None
    rows, columns = decoded.image.pixels.shape
    made = np.zeros((tiles.padded(rows), tiles.padded(columns)))

    def store(top: int, left: int, part: Unit) -> None:
        made[top : top + len(part), left : left + part.shape[1]] = part

    network.compute(cut, backends, decoded.image.pixels, normalise.input_table(decoded.image), store)
    return made[:rows, :columns]


@pytest.mark.usefixtures("small_portions")
@pytest.mark.parametrize("short", [0, 1, 3])
def test_that_memory_that_runs_out_on_one_device_ends_all_and_tiles_follow(radiograph: MakeDecoded, short: int) -> None:
    four, said = [Own(short=number == short) for number in range(4)], list[str]()
    assert_in_tiles(four, radiograph(1000, 32), said)
    assert len(said) == 3 and said[0].endswith("each up to 256 of the image's rows.")
    assert "Memory ran out" in said[1] and "tiles of up to 128 × 32 pixels" in said[2]


def assert_in_tiles(backends: Sequence[Own], decoded: Decoded, said: list[str]) -> None:
    """Of half a portion's pixels, and all that was begun for portions is ended."""
    found = enhancer(backends, said, halo=32).enhance(decoded).pixels
    height = 1024 // len(backends) // 2
    in_tiles = output(backends[:1], decoded, tiles.cheapest(1024, 32, halo=32, pixels=height * 32))
    assert np.array_equal(found, np.rint(in_tiles * 4095))
    assert not any(one.name.startswith("device") for one in threading.enumerate())


@pytest.mark.usefixtures("small_portions")
def test_that_a_thread_that_cannot_begin_leaves_nobody_waiting(
    radiograph: MakeDecoded, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, begun = threading.Thread.start, list[threading.Thread]()

    def all_but_one(thread: threading.Thread) -> None:
        begun.append(thread)
        if len(begun) == 4:
            raise RuntimeError("can't start new thread")
        start(thread)

    decoded, four = radiograph(1000, 32), [Own() for _ in range(4)]
    monkeypatch.setattr(threading.Thread, "start", all_but_one)
    assert_in_tiles(four, decoded, [])


def test_that_fewer_devices_than_portions_are_refused_before_any_begins() -> None:
    cut, begun = tiles.among(2, 4288, 4288), list[Tile]()
    assert cut is not None
    with pytest.raises(ValueError, match="argument 2 is longer"):
        compute_all([Meeting(threading.Barrier(1))], cut, lambda _, tile, portion: begun.append(tile))
    assert not begun


def test_that_the_first_fault_of_a_portion_is_raised_though_others_fail_behind_it() -> None:
    cut = tiles.among(4, 4288, 4288)
    assert cut is not None

    def work(_: Backend, tile: Tile, portion: Portion | None) -> None:
        assert portion is not None
        if not portion.first:
            raise KeyError
        with contextlib.suppress(Ended):
            portion.swap(None, None)
            portion.swap(None, None)
        raise IndexError

    with pytest.raises(KeyError):
        compute_all([Meeting(threading.Barrier(1)) for _ in range(4)], cut, work)


@pytest.mark.usefixtures("small_portions")
def test_that_what_fits_no_device_by_itself_is_divided_among_them_whole(radiograph: MakeDecoded) -> None:
    """Each needs the memory of its own rows alone."""
    both, said = [Own(), Own()], list[str]()
    for one in both:
        one.capacity = lambda budget=None: 128 * 32  # type: ignore[method-assign]
    enhancer(both, said).enhance(radiograph(ROWS, COLUMNS))
    assert "each up to 128 of the image's rows" in said[0]


class Meeting:
    """A device that answers when so many compute at once: gives back its input."""

    title, precision = "a card", "fp32"

    def __init__(self, barrier: threading.Barrier, pixels: int = 1 << 40) -> None:
        self._barrier, self._pixels = barrier, pixels
        self.computed = list[tuple[int, int]]()

    def capacity(self, budget: int | None = None) -> int:
        return self._pixels

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Iterator[tuple[int, Unit]]:
        self.computed.append((rows, columns))
        self._barrier.wait(WAIT)
        yield 0, image(0, rows)

    def is_out_of_memory(self, error: Exception) -> bool:
        return isinstance(error, MemoryError)

    def free(self) -> None:
        pass


def test_that_as_many_images_as_there_are_devices_are_computed_at_once(radiograph: MakeDecoded) -> None:
    barrier = threading.Barrier(2)
    both = [Meeting(barrier), Meeting(barrier)]
    one = enhancer(both, [])
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = [pool.submit(one.enhance, radiograph(96, columns)) for columns in (64, 96)]
    assert [result.result().pixels.shape for result in results] == [(96, 64), (96, 96)]
    assert sorted(each.computed for each in both) == [[(96, 64)], [(96, 96)]]


def test_that_tiles_of_an_image_that_is_too_large_for_one_are_shared(radiograph: MakeDecoded) -> None:
    barrier = threading.Barrier(2)
    both, said = [Meeting(barrier, 160 * 64), Meeting(barrier, 160 * 64)], list[str]()
    decoded = radiograph(384, 64)
    made = enhancer(both, said, halo=32).enhance(decoded)
    wanted = normalise.to_pixels(normalise.to_input(decoded.image, Normalisation()), 12)
    assert np.array_equal(made.pixels, wanted)
    assert [len(each.computed) for each in both] == [2, 2] and "in 4 tiles of up to 160 × 64" in said[0]


def test_that_devices_are_divided_among_those_who_wait() -> None:
    nobody, both = threading.Barrier(1), threading.Barrier(2)
    shared, found = Shared([Meeting(nobody) for _ in range(4)]), list[int]()

    def take() -> None:
        with shared.taken(4) as mine:
            found.append(len(mine))
            both.wait(WAIT)

    with ThreadPoolExecutor(max_workers=2) as pool:
        with shared.taken(4) as first:
            taking = [pool.submit(take) for _ in range(2)]
            until_waiting(shared, 2)
            assert len(first) == 4, "nobody else waited"
        for one in taking:
            one.result()
    assert found == [2, 2]


def until_waiting(shared: Shared, count: int) -> None:
    ends = time.monotonic() + WAIT
    while len(shared.waiting) < count and time.monotonic() < ends:
        time.sleep(0.01)
    assert len(shared.waiting) == count


def test_that_who_wants_all_devices_has_his_turn_though_others_want_one() -> None:
    shared, turns = Shared([Meeting(threading.Barrier(1)) for _ in range(4)]), list[int]()

    def take(least: int) -> None:
        with shared.taken(least, least) as mine:
            turns.append(len(mine))

    with ThreadPoolExecutor(max_workers=4) as pool:
        with shared.taken(1):
            taking = []
            for number, least in enumerate((4, 1, 4, 1)):
                taking.append(pool.submit(take, least))
                until_waiting(shared, number + 1)
        for one in taking:
            one.result(WAIT)
    assert turns == [4, 1, 4, 1]


@pytest.mark.usefixtures("small_portions")
def test_that_images_of_a_batch_that_fit_no_device_by_itself_are_all_divided(radiograph: MakeDecoded) -> None:
    """Also where devices have less while they compute, and an image meets all of them at that."""
    four, said, free = [Own() for _ in range(4)], list[str](), threading.Event()
    for one in four:
        one.capacity = lambda budget=None: 64 * 32 if free.is_set() else 0  # type: ignore[method-assign]
    network_of_four = enhancer(four, said)
    with ThreadPoolExecutor(max_workers=4) as pool:
        with network_of_four._shared.taken(4):
            made = [pool.submit(network_of_four.enhance, radiograph(ROWS, COLUMNS)) for _ in range(4)]
            until_waiting(network_of_four._shared, 4)
            free.set()
        pixels = [one.result().pixels for one in made]
    assert len(said) == 1 and said[0].endswith("each up to 64 of the image's rows.")
    assert sum(one.made for one in four) == 4 * 256, "not a row was computed twice"
    assert all(np.array_equal(one, pixels[0]) for one in pixels)


def test_that_the_first_fault_of_a_device_ends_the_image(radiograph: MakeDecoded) -> None:
    broken = threading.Barrier(3)
    broken.abort()
    both = [Meeting(broken, 160 * 64), Meeting(broken, 160 * 64)]
    with pytest.raises(threading.BrokenBarrierError):
        enhancer(both, [], halo=32).enhance(radiograph(1600, 64))
    assert sum(len(each.computed) for each in both) <= 2


def test_that_products_stay_exact_until_the_last_device_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    one, other = contextlib.ExitStack(), contextlib.ExitStack()
    for each in (one, other):
        each.enter_context(FULL_PRODUCTS)
    one.close()
    assert not torch.backends.cudnn.allow_tf32
    other.close()
    assert torch.backends.cudnn.allow_tf32
