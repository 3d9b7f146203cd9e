"""The engine: folding, precision, capacity, and the ways in which memory runs out."""

from __future__ import annotations

import copy
import os

import pytest
import torch
from torch import nn

from fullfield import heap
from fullfield.enhance.backends import pytorch
from fullfield.enhance.backends.pytorch import TorchBackend
from fullfield.hardware import devices
from fullfield.hardware.devices import Device
from fullfield.memory import allocator
from fullfield.model.card import NetworkSpec
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.network import Network
from fullfield.model.phantom import phantom
from fullfield.model.seeded import seeded

CPU = Device(name="cpu", kind="cpu", title="the CPU", why="", free_bytes=8 << 30)
GIB = 1 << 30


@pytest.fixture(scope="module")
def network() -> Network:
    return seeded(NetworkSpec(encoder="resnet18"), seed=1)


@pytest.fixture
def backend(network: Network) -> TorchBackend:
    made = TorchBackend(copy.deepcopy(network), CPU)
    torch.set_num_threads(1)
    return made


def test_that_folding_leaves_no_batch_norm_and_the_function_as_it_was(network: Network) -> None:
    folded = pytorch.fold(copy.deepcopy(network))
    assert not any(isinstance(module, nn.BatchNorm2d) for module in folded.modules())
    x = torch.from_numpy(phantom(96, 96, seed=2))[None, None].double()
    with torch.inference_mode():
        exact = pytorch.fold(copy.deepcopy(network).double())(x) - copy.deepcopy(network).double()(x)
        rounded = folded(x.float()) - network(x.float())
    assert exact.abs().max() < 1e-11
    assert rounded.abs().max() < 1e-4


def test_that_the_output_comes_from_top_to_bottom_and_the_callers_modes_stay(backend: TorchBackend) -> None:
    picture = phantom(96, 64, seed=2)
    next_row = 0
    for low, part in backend.run(lambda low, high: picture[low:high], 96, 64):
        assert low == next_row
        assert not torch.is_inference_mode_enabled()
        next_row += part.shape[0]
    assert next_row == 96


def test_that_each_pixel_takes_no_more_than_is_told_of_it_with_momentum_blocks_too() -> None:
    made = TorchBackend(seeded(NetworkSpec(encoder="resnet50", momentum=0.9), seed=1), CPU)
    torch.set_num_threads(1)
    told = GIB / (made.capacity(2 * GIB) - made.capacity(GIB))

    def taken(side: int) -> int:
        picture = phantom(side, side, seed=2)

        def run() -> list[object]:
            return [None for _ in made.run(lambda low, high: picture[low:high], side, side)]

        run()
        return allocator.peak(run, torch.device("cpu")).peak

    assert 0 < (taken(640) - taken(512)) / (640**2 - 512**2) <= told


def test_that_capacity_grows_with_the_budget_and_is_never_negative(backend: TorchBackend) -> None:
    assert backend.capacity(0) == 0
    assert backend.capacity(GIB) < backend.capacity(2 * GIB)


def test_that_the_largest_radiograph_fits_whole_below_three_gibibytes(
    backend: TorchBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "used_bytes", lambda: GIB)
    monkeypatch.setattr(devices, "free_bytes", lambda name: 64 * GIB)
    assert 4288 * 4288 < backend.capacity() < 2 * GIB // 64


def test_that_what_images_before_have_freed_is_not_counted_as_used(
    backend: TorchBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [GIB]
    monkeypatch.setattr(devices, "free_bytes", lambda _: 8 * GIB)
    monkeypatch.setattr(devices, "used_bytes", lambda: GIB + sum(kept))
    monkeypatch.setattr(heap, "return_freed_memory", kept.clear)
    first = backend.capacity()
    kept.append(GIB)
    assert backend.capacity() == first == backend.capacity(2 * GIB)


def test_that_little_free_memory_means_little_capacity(backend: TorchBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "free_bytes", lambda name: GIB // 2)
    assert backend.capacity() * 64 < GIB // 2


def test_that_a_process_that_is_large_already_may_still_work_in_tiles(
    backend: TorchBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "used_bytes", lambda: 5 * GIB)
    monkeypatch.setattr(devices, "free_bytes", lambda name: 64 * GIB)
    assert 1 << 20 < backend.capacity() < 1 << 23


def test_that_fp32_is_the_rule() -> None:
    assert pytorch.choose_precision("fp32", CPU) == ("fp32", "")


def test_that_bf16_is_used_where_it_was_asked_for_and_is_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytorch, "bf16_gain", lambda device: 4.0)
    precision, sentence = pytorch.choose_precision("bf16", CPU)
    assert precision == "bf16"
    assert "tiles do not equal the whole image" in sentence


def test_that_bf16_on_a_machine_where_it_is_slow_becomes_fp32_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytorch, "bf16_gain", lambda device: 0.2)
    precision, sentence = pytorch.choose_precision("bf16", CPU)
    assert precision == "fp32"
    assert "not faster than fp32 (× 0.2)" in sentence


def test_that_the_gain_of_bf16_is_measured() -> None:
    assert pytorch.bf16_gain(CPU) > 0


def test_that_bf16_is_near_fp32_with_its_head_in_fp32(network: Network, backend: TorchBackend) -> None:
    coarse = TorchBackend(copy.deepcopy(network), CPU, "bf16")
    torch.set_num_threads(1)
    picture = phantom(64, 64, seed=2)
    outputs = [
        torch.cat([torch.from_numpy(part) for _, part in each.run(lambda low, high: picture[low:high], 64, 64)])
        for each in (backend, coarse)
    ]
    assert outputs[1].dtype == torch.float32
    assert 0 < (outputs[0] - outputs[1]).abs().mean() < 0.05


def test_that_one_core_is_left_to_the_window(network: Network) -> None:
    TorchBackend(copy.deepcopy(network), CPU)
    assert torch.get_num_threads() == max(1, (os.cpu_count() or 1) - 1)
    torch.set_num_threads(1)


@pytest.mark.parametrize(
    ("free", "used", "budget"),
    [(10.0, 1.0, 2.0), (1.0, 0.0, 0.8), (64.0, 5.0, 0.5), (64.0, 2.75, 0.5), (0.5, 5.0, 0.4), (64.0, 2.0, 1.0)],
)
def test_that_a_cpu_takes_four_fifths_of_what_is_free_within_three_gibibytes_of_the_process_or_half_a_one(
    free: float, used: float, budget: float, backend: TorchBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "used_bytes", lambda: int(used * GIB))
    monkeypatch.setattr(devices, "free_bytes", lambda name: int(free * GIB))
    assert backend.capacity() == backend.capacity(int(budget * GIB))


def test_that_what_a_pixel_takes_counts_beyond_what_every_image_takes(network: Network) -> None:
    fixed, each = 192 << 20, ENCODERS["resnet18"].inference_bytes
    for precision, size in (("fp32", each), ("bf16", each // 2)):
        made = TorchBackend(copy.deepcopy(network), CPU, precision)
        torch.set_num_threads(1)
        found = [made.capacity(fixed + more) for more in (0, size - 1, size, 10 * size)]
        assert found == [0, 0, 1, 10]
    assert (made.title, made.precision) == ("the CPU", "bf16")


def test_that_several_cards_are_told_with_what_they_have_free() -> None:
    card = Device(name="cuda:0", kind="cuda", title="RTX 3070", why="chosen", free_bytes=6 * GIB)
    assert pytorch._why([card]) == "chosen"
    assert pytorch._why([card, card]) == (
        "2 GPUs share the work: RTX 3070 with 6.0 GiB free, RTX 3070 with 6.0 GiB free."
    )


@pytest.mark.parametrize(("gain", "precision"), [(1.29, "fp32"), (1.3, "bf16")])
def test_that_bf16_is_worth_its_rounding_where_it_is_a_third_faster(
    gain: float, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytorch, "bf16_gain", lambda device: gain)
    assert pytorch.choose_precision("bf16", CPU)[0] == precision
