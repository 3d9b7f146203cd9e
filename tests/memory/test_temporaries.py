"""What kernels take for themselves, which no trace sees: it depends on more than shapes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from fullfield.memory import allocator, operations, temporaries
from fullfield.memory.operations import Operation
from fullfield.memory.temporaries import DIRECT, Temporaries

BACKWARD = Operation(
    name="aten::convolution_backward",
    weight=(16, 32, 3, 3),
    padding=(0, 1),
    outputs=(False, True),
    dtype="float32",
    sliced=(False, False),
    pixels=64 * 64,
    rows=64,
)


def taken(operation: Operation) -> int:
    found = Temporaries("cpu")
    found.require([operation])
    return found.of(operation)


def test_that_a_gradient_that_is_rows_of_a_larger_one_costs_its_copy() -> None:
    torch.set_num_threads(1)
    copied = taken(replace(BACKWARD, sliced=(True, False))) - taken(BACKWARD)
    assert copied >= 0.9 * 16 * 62 * 64 * 4


def test_that_what_is_told_of_many_pixels_is_what_they_take() -> None:
    torch.set_num_threads(1)
    pixels = 8 * DIRECT
    image = torch.rand(1, 32, pixels // 256, 256)
    weight, gradient = torch.rand(16, 32, 3, 3), torch.rand(1, 16, pixels // 256 - 2, 256)

    def run() -> tuple[Tensor, ...]:
        found: tuple[Tensor, ...] = torch.ops.aten.convolution_backward(
            gradient, image, weight, None, [1, 1], [0, 1], [1, 1], False, [0, 0], 1, [False, True, False]
        )
        return found

    run()
    measured = allocator.peak(run, torch.device("cpu")).peak - weight.nbytes
    assert abs(taken(replace(BACKWARD, pixels=pixels)) - measured) <= 0.02 * measured


def test_that_a_convolution_of_one_channel_is_measured_by_the_kernel_that_large_images_get() -> None:
    torch.set_num_threads(1)
    loss = replace(BACKWARD, weight=(1, 1, 11, 1), padding=(0, 0), outputs=(True, False), pixels=512 * 512)
    image, weight, gradient = torch.rand(1, 1, 512, 512), torch.rand(1, 1, 11, 1), torch.rand(1, 1, 502, 512)

    def run() -> tuple[Tensor, ...]:
        found: tuple[Tensor, ...] = torch.ops.aten.convolution_backward(
            gradient, image, weight, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, False, False]
        )
        return found

    run()
    measured = allocator.peak(run, torch.device("cpu")).peak - image.nbytes  # of its gradient
    assert measured >= 6 * image.nbytes, "oneDNN makes eight or sixteen channels of one"
    assert abs(taken(loss) - measured) <= 0.02 * measured


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pixels at which a card was asked, which has room for 100,000 of them."""
    asked: list[int] = []

    def called(operation: Operation, pixels: int, device: torch.device) -> Any:
        return pixels

    def taken(calls: list[Any], device: torch.device) -> list[int]:
        assert device.type == "cuda"
        asked.extend(calls)
        if calls[0] > 100_000:
            raise RuntimeError("CUDA out of memory.")
        return [calls[0] * (3 if calls[0] > 50_000 else 2)]  # another algorithm for large ones

    monkeypatch.setattr(temporaries, "_call", called)
    monkeypatch.setattr(temporaries.allocator, "temporaries", taken)
    return asked


@pytest.mark.parametrize(
    ("pixels", "tried", "wanted"),
    [(40_000, [40_000], 80_000), (90_000, [90_000], 270_000), (320_000, [320_000, 160_000, 80_000], 960_000)],
)
def test_that_a_card_is_asked_at_the_size_that_runs_or_the_largest_that_fits(
    measured: list[int], pixels: int, tried: list[int], wanted: int
) -> None:
    found = Temporaries("cuda:0")
    operation = replace(BACKWARD, pixels=pixels)
    found.require([operation])
    assert measured == tried
    assert found.of(operation) == wanted
    found.require([operation])
    assert measured == tried, "once"


def test_that_a_card_is_asked_about_a_band_and_a_square_of_as_many_pixels_apart(measured: list[int]) -> None:
    found = Temporaries("cuda:0")
    found.require([replace(BACKWARD, pixels=40_000, rows=rows) for rows in (200, 20, 200)])
    assert measured == [40_000, 40_000]
    on_cpu = Temporaries("cpu")
    assert on_cpu._key(BACKWARD) == on_cpu._key(replace(BACKWARD, rows=8)), "there pixels alone count"


def test_that_what_is_measured_for_a_card_has_the_rows_of_the_step_or_a_share_of_them() -> None:
    image, weight = torch.empty(1, 8, 12, 400, device="meta"), torch.empty(4, 8, 3, 3, device="meta")
    asked = (None, [2, 2], [1, 1], [1, 1], False, [0, 0], 1)
    band = operations.of(torch.ops.aten.convolution.default, (image, weight, *asked))
    assert (band.pixels, band.rows) == (6 * 200, 6)
    assert temporaries.sides(band, band.pixels, own=True) == (6, 200)
    assert temporaries.sides(band, band.pixels // 2, own=True) == (3, 200)
    assert temporaries.sides(band, band.pixels, own=False) == (30, 40)
    assert temporaries.sides(band, band.pixels // 10, own=True) == (1, 120)  # of fewer pixels than a row


def test_that_what_does_not_fit_at_any_size_is_an_error(measured: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(calls: list[Any], device: torch.device) -> list[int]:
        raise RuntimeError("CUDA out of memory.")

    monkeypatch.setattr(temporaries.allocator, "temporaries", full)
    with pytest.raises(RuntimeError, match="out of memory"):
        Temporaries("cuda:0").require([replace(BACKWARD, pixels=320_000)])


def test_that_rows_with_channels_last_are_measured_as_the_whole_image_is() -> None:
    image, weight = torch.empty(1, 8, 6, 4, device="meta"), torch.empty(4, 8, 3, 3, device="meta")
    weight = weight.contiguous(memory_format=torch.channels_last)
    asked = (None, [1, 1], [0, 1], [1, 1], False, [0, 0], 1)
    rows = operations.of(torch.ops.aten.convolution.default, (image[:, :, 1:], weight, *asked))
    assert rows.channels_last and rows.sliced == (False,)
    two = operations.of(torch.ops.aten.convolution.default, (image.expand(2, 8, 6, 4)[:, :, 1:], weight, *asked))
    assert two.sliced == (True,), "of two images they are two pieces"


class Measured:
    """A CPU whose operations take so many bytes for each pixel, and some at least."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, each: int = 3, least: int = 100) -> None:
        self.asked: list[int] = []
        self._each, self._least = each, least
        monkeypatch.setattr(temporaries, "_call", lambda operation, pixels, device: pixels)
        monkeypatch.setattr(temporaries.allocator, "temporaries", self._taken)

    def _taken(self, calls: list[Any], device: torch.device) -> list[int]:
        assert device.type == "cpu"
        self.asked.extend(calls)
        return [self._least + self._each * pixels for pixels in calls]


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({"pixels": 4096}, [4096]),
        ({"pixels": 4097}, [2048, 4096]),
        ({"pixels": 1024, "weight": (512, 512, 1, 2)}, [1024]),  # large weights compete with few pixels
        ({"pixels": 1025, "weight": (512, 512, 1, 2)}, [512, 1024]),
        ({"pixels": 1025, "weight": (512, 512, 1, 1)}, [1025]),
        ({"pixels": 65536, "weight": (16, 3, 3, 3), "groups": 3}, [65536]),  # of nine channels
        ({"pixels": 65537, "weight": (16, 3, 3, 3), "groups": 3}, [32768, 65536]),
        ({"pixels": 65536, "weight": (16, 10, 3, 3)}, [2048, 4096]),
        ({"pixels": 4097, "name": "aten::native_batch_norm_backward", "weight": ()}, [2048, 4096]),
    ],
    ids=str,
)
def test_that_small_operations_are_measured_as_they_are_and_of_large_ones_the_line(
    changed: dict[str, Any], asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, found = Measured(monkeypatch), Temporaries("cpu")
    operation = replace(BACKWARD, **changed)
    found.require([operation, operation])
    assert measured.asked == asked
    assert found.of(operation) == 100 + 3 * operation.pixels
    found.require([operation])
    assert measured.asked == asked, "once"


def test_that_an_operation_that_takes_less_for_more_pixels_is_said_to_take_no_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Measured(monkeypatch, each=-1, least=10_000)
    found, operation = Temporaries("cpu"), replace(BACKWARD, pixels=8192)
    found.require([operation])
    assert found.of(operation) == 10_000 - 4096


def test_that_an_operation_that_takes_nothing_is_said_to_take_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for least in (0, -5):
        Measured(monkeypatch, each=0, least=least)
        found = Temporaries("cpu")
        found.require([BACKWARD])
        assert found.of(BACKWARD) == 0


def test_that_what_is_not_measured_takes_nothing_and_what_is_not_known_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = Measured(monkeypatch)
    other = replace(BACKWARD, name="aten::add")
    for device, operations_ in (("none", [BACKWARD, other]), ("cpu", [other])):
        found = Temporaries(device)
        found.require(operations_)
        assert [found.of(one) for one in operations_] == [0] * len(operations_)
    assert measured.asked == []
    with pytest.raises(KeyError):
        Temporaries("cpu").of(BACKWARD)


def test_that_what_was_measured_is_known_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    measured, first = Measured(monkeypatch), Temporaries("cpu")
    first.require([BACKWARD, replace(BACKWARD, pixels=9000, rows=90)])
    again = Temporaries("cpu", first.to_fields())
    again.require([BACKWARD, replace(BACKWARD, pixels=9000)])
    assert measured.asked == [4096, 2048] and again.of(BACKWARD) == 100 + 3 * 4096
    assert list(again.to_fields().values()) == [{"4096": 12388, "2048": 6244}]


@pytest.mark.parametrize(
    ("images", "pixels", "wanted"),
    [(1, 4096, (64, 64)), (1, 24, (4, 6)), (2, 24, (3, 4)), (2, 25, (1, 13)), (1, 7, (1, 7)), (1, 1, (1, 1))],
)
def test_that_a_cpu_is_asked_about_images_as_square_as_can_be(
    images: int, pixels: int, wanted: tuple[int, int]
) -> None:
    assert temporaries.sides(replace(BACKWARD, images=images), pixels, own=False) == wanted


@pytest.mark.parametrize(
    "name", ["aten::convolution", "aten::convolution_backward", "aten::native_batch_norm_backward"]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_that_what_is_measured_is_the_operation_itself(name: str, dtype: str) -> None:
    asked = Operation(
        name=name,
        weight=(6, 4, 3, 5) if "conv" in name else (),
        stride=2 if "conv" in name else 1,
        padding=(1, 2) if "conv" in name else (),
        outputs={"aten::convolution": ()}.get(name, (True, True) if "conv" in name else (True, True, False)),
        dtype=dtype,
        channels=0 if "conv" in name else 8,
        sliced=((True,) if name == "aten::convolution" else (True, True)) if "conv" in name else (),
        images=2,
        pixels=2 * 8 * 10,
        rows=8,
        groups=2 if "conv" in name else 1,
    )
    seen: list[Operation] = []

    class Seen(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func._schema.name == name:
                seen.append(operations.of(func, args))
                assert "norm" not in name or args[7] is True, "as in a training"
            return func(*args, **(kwargs or {}))

    call = temporaries._call(asked, asked.pixels, torch.device("cpu"))()
    with Seen():
        call()
    assert seen == [asked]
