"""One network on several devices: rows of one image, or images each, with the result of one device."""

from __future__ import annotations

import contextlib
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
from fullfield.enhance.sharing import Shared
from fullfield.hardware import devices
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Recipe
from fullfield.image.normalise import Normalisation
from fullfield.model.card import FULL_HALO, Card, NetworkSpec

MakeDecoded = Callable[..., Decoded]
HALO = FULL_HALO["resnet18"]
ROWS, COLUMNS = 4 * HALO, 32
RECIPE = Recipe(method="model", name="knee", version="1", sha256="0" * 64)
WAIT = 60.0


class Own(TorchBackend):
    """A device of its own, in fp64, where the order of a sum does not show; and how many rows it has read."""

    def __init__(self) -> None:
        super().__init__(narrow.network(), devices.choose("cpu"))
        torch.set_num_threads(1)
        self._network.double()
        self._dtype, self.read = torch.float64, 0

    def run(self, image: Rows, rows: int, columns: int) -> Iterator[tuple[int, Unit]]:
        self.read += rows
        yield from super().run(image, rows, columns)


def enhancer(backends: Sequence[Backend], said: list[str], *, halo: int | None = None) -> NetworkEnhancer:
    card = Card(name="knee", network=NetworkSpec(encoder="resnet18"), halo=halo)
    return NetworkEnhancer(backends, card, Normalisation(), RECIPE, notice=said.append, off_scale=True)


def test_that_rows_shared_by_two_devices_are_those_of_one(radiograph: MakeDecoded) -> None:
    decoded, said = radiograph(ROWS, COLUMNS), list[str]()
    both = [Own(), Own()]
    shared = enhancer(both, said).enhance(decoded).pixels
    most = ROWS // 2 + HALO
    assert [one.read for one in both] == [most, most]
    assert said == [f"Enhancing on the CPU and the CPU in fp32, each up to {most:,} of the image's rows."]
    whole = output(both[:1], decoded, HALO)
    assert np.array_equal(shared, np.rint(whole * 4095)) and shared.std() > 0
    assert np.abs(output(both, decoded, HALO) - whole).max() <= 1e-12 < np.abs(output(both, decoded, 64) - whole).max()


def output(backends: Sequence[Backend], decoded: Decoded, halo: int) -> NDArray[np.float64]:
    """Before it is made pixels."""
    made = np.zeros((ROWS, COLUMNS))
    cut = tiles.Cut(
        row_spans=tiles.spans(ROWS, len(backends), halo=halo), column_spans=tiles.spans(COLUMNS, 1, halo=halo)
    )

    def store(top: int, left: int, part: Unit) -> None:
        made[top : top + len(part), left : left + part.shape[1]] = part

    network.compute(cut, backends, decoded.image.pixels, normalise.input_table(decoded.image), store)
    return made


class Meeting:
    """A device that answers when so many compute at once: gives back its input."""

    title, precision = "a card", "fp32"

    def __init__(self, barrier: threading.Barrier, pixels: int = 1 << 40) -> None:
        self._barrier, self._pixels = barrier, pixels
        self.computed = list[tuple[int, int]]()

    def capacity(self, budget: int | None = None) -> int:
        return self._pixels

    def run(self, image: Rows, rows: int, columns: int) -> Iterator[tuple[int, Unit]]:
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
            ends = time.monotonic() + WAIT
            while shared.waiting < 2 and time.monotonic() < ends:
                time.sleep(0.01)
            assert len(first) == 4, "nobody else waited"
        for one in taking:
            one.result()
    assert found == [2, 2]


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
