"""Adam's moments on the host: the same bits as torch's Adam, in pieces, and no byte of them on the device."""

from __future__ import annotations

import pytest
import torch

from fullfield.host_tier.host import ledger
from fullfield.memory import allocator
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.optim import host_adam
from fullfield.optim.host_adam import HostAdam
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.build import adam, begin
from fullfield.train.update import Update
from techniques.stepping import copied, equal, go, resumes_bit_for_bit, site, state, whole_network

CPU = torch.device("cpu")
LAYOUTS = pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last], ids=str)


@LAYOUTS
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_that_pieces_make_the_same_bits_as_torchs_adam(layout: torch.memory_format, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    start = torch.randn(16, 12, 3, 3, dtype=dtype).to(memory_format=layout)
    one, other = (torch.nn.Parameter(start.clone()) for _ in range(2))
    whole, pieces = adam([one]), HostAdam([other], chunk_bytes=1024)
    for _ in range(3):
        gradient = torch.randn_like(start)
        for parameter, optimizer in ((one, whole), (other, pieces)):
            parameter.grad = gradient.clone()
            optimizer.step()
    assert torch.equal(one, other)


def test_that_a_gradient_of_another_layout_changes_nothing() -> None:
    start = torch.randn(8, 4, 3, 3)
    one, other = (torch.nn.Parameter(start.clone()) for _ in range(2))
    for parameter, layout in ((one, torch.contiguous_format), (other, torch.channels_last)):
        parameter.grad = (start**2).to(memory_format=layout)
        HostAdam([parameter], chunk_bytes=1 << 20).step()
    assert torch.equal(one, other)


class Room:
    """Of the host tier, beside a device that keeps no values."""

    def __init__(self, shape: torch.Size, dtype: torch.dtype, device: torch.device) -> None:
        self.tensor, self.device = torch.empty(shape, dtype=dtype), device

    def read(self, first: int, last: int, *, axis: int) -> torch.Tensor:
        return torch.empty(last - first, device=self.device)

    def write(self, first: int, last: int, values: torch.Tensor, *, axis: int) -> None:
        assert values.device == self.device


def test_that_it_is_computed_where_the_weights_are_and_takes_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    monkeypatch.setattr(host_adam, "HostTensor", Room)
    monkeypatch.setattr(
        host_adam, "adam", lambda *lists, **how: seen.update(one.device.type for each in lists for one in each)
    )
    weight = torch.nn.Parameter(torch.empty(64, device="meta"))
    weight.grad = torch.empty_like(weight)
    HostAdam([weight], chunk_bytes=64).step()
    assert seen == {"meta"}


def test_that_a_training_with_it_is_the_plain_one() -> None:
    plain, moved = state(), state("optimizer_offload")
    go(plain, 3)
    go(moved, 3)
    assert equal(plain.network.state_dict(), moved.network.state_dict())


@pytest.mark.parametrize("others", [(), ("optimizer_in_backward",), ("channels_last",)], ids=str)
def test_that_a_restored_training_goes_on_bit_for_bit(others: tuple[str, ...]) -> None:
    resumes_bit_for_bit("optimizer_offload", *others)


@pytest.mark.parametrize("layouts", [((), ("channels_last",)), (("channels_last",), ())], ids=str)
def test_that_a_training_goes_on_in_another_layout_with_the_moments_that_it_had(
    layouts: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    before, after = (state(*layout, "optimizer_offload") for layout in layouts)
    go(before, 2)
    after.restore(copied(before), before.fields())
    assert equal(after.tensors(), before.tensors())


@pytest.mark.parametrize("layout", [(), ("channels_last",)], ids=str)
def test_that_a_checkpoint_with_moments_as_they_lay_is_read(layout: tuple[str, ...]) -> None:
    before, after = (state(*layout, "optimizer_offload") for _ in range(2))
    go(before, 2)
    flat = {
        name: host_adam._as_it_lies(value) if ".exp_avg" in name else value for name, value in copied(before).items()
    }
    after.restore(flat, before.fields())
    assert equal(after.tensors(), before.tensors())


def test_that_its_memory_is_what_was_predicted() -> None:
    technique = registry.read("optimizer_offload:chunk=2")
    build = begin(whole_network(), CPU)
    technique.apply(build)
    update = Update(build)
    update.begin(0.01)
    for parameter in build.network.parameters():
        parameter.grad = torch.zeros_like(parameter)
    before = ledger.live
    kept = allocator.peak(update.finish, CPU).kept
    taken = allocator.peak(update.finish, CPU).peak
    estimate = technique.predict(MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18")), site())
    weights = sum(parameter.nbytes for parameter in build.network.parameters())
    assert estimate.state == 0.0
    assert kept < 0.001 * weights
    assert ledger.live - before == pytest.approx(estimate.host_state * weights, rel=0.03)
    assert taken == pytest.approx(estimate.update * weights, rel=0.03)


def test_that_the_host_gets_its_room_back() -> None:
    before = ledger.live
    moved = state("optimizer_offload")
    go(moved, 1)
    assert ledger.live > before
    assert all(value.isfinite().all() for value in copied(moved).values() if value.is_floating_point())
    del moved
    assert ledger.live == before


def test_that_it_is_exact_and_goes_with_no_other_place_for_the_optimizer() -> None:
    assert compose.effect(compose.read(["optimizer_offload"]), site()) == Effect.EXACT
    for other in ("optimizer_8bit", "optimizer_4bit"):
        assert compose.conflicts([registry.read("optimizer_offload"), registry.read(other)])
