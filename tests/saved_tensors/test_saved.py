"""Hooks around a step: what is kept, how often, and in which form it comes back."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from fullfield.saved_tensors import saved
from fullfield.saved_tensors.saved import Keeper, Kept


class Copy(Kept):
    """The values as they were, and how often they were asked for."""

    def __init__(self, values: Tensor) -> None:
        self.values, self.taken, self.fetched = values.clone(), 0, 0

    def take(self) -> Tensor:
        self.taken += 1
        return self.values.clone()

    def fetch(self) -> None:
        self.fetched += 1


class Copies(Keeper):
    """Remembers what it was given."""

    def __init__(self, ahead: int = 0) -> None:
        self.kept: list[Copy] = []
        self.settled, self.ahead = 0, ahead

    def wants(self, tensor: Tensor) -> bool:
        return tensor.dim() == 4

    def keep(self, values: Tensor) -> Kept:
        self.kept.append(Copy(values))
        return self.kept[-1]

    def settle(self) -> None:
        self.settled += 1


def block() -> nn.Sequential:
    torch.manual_seed(3)
    return nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.Conv2d(4, 4, 3, padding=1)
    ).double()


def step(module: nn.Module, x: Tensor, keeper: Keeper) -> Tensor:
    module.zero_grad()
    with saved.Saving(module, lambda: keeper).step():
        loss = module(x).square().mean()
    loss.backward()
    return torch.cat([parameter.grad.flatten() for parameter in module.parameters() if parameter.grad is not None])


def test_that_a_storage_that_two_operations_save_is_kept_once() -> None:
    module, keeper = block(), Copies()
    x = torch.rand(2, 3, 8, 8, dtype=torch.float64)
    plain = step(module, x, Never())
    assert torch.equal(step(module, x, keeper), plain)
    # the image, the first convolution's map for BatchNorm, the ReLU's for itself and for the second convolution, and
    # the output for its square
    assert [kept.taken for kept in keeper.kept] == [1, 1, 2, 1]
    assert keeper.settled == 1


def test_that_views_of_a_storage_share_what_is_kept_and_keep_their_strides() -> None:
    keeper = Copies()
    whole = torch.rand(1, 4, 6, 6, dtype=torch.float64).to(memory_format=torch.channels_last).requires_grad_()
    with saved.Saving(nn.Module(), lambda: keeper).step():
        made = whole * 1.0
        loss = (made[:, 1:3].sin() + made[:, :2].cos()).sum()
    loss.backward()
    assert len(keeper.kept) == 1
    wanted = torch.zeros_like(whole)
    wanted[:, 1:3] += whole[:, 1:3].detach().cos()
    wanted[:, :2] -= whole[:, :2].detach().sin()
    assert torch.equal(whole.grad, wanted)


def test_that_a_map_comes_back_with_its_strides() -> None:
    forms: list[tuple[int, ...]] = []

    class Look(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
            ctx.save_for_backward(x)
            return x.sum()

        @staticmethod
        def backward(ctx, gradient: Tensor) -> Tensor:  # type: ignore[no-untyped-def]
            (x,) = ctx.saved_tensors
            forms.append(x.stride())
            return gradient.expand_as(x)

    x = torch.rand(2, 4, 6, 6, requires_grad=True).to(memory_format=torch.channels_last)
    with saved.Saving(nn.Module(), Copies).step():
        value = Look.apply(x)
    value.backward()
    assert forms == [x.stride()]


def test_that_a_storage_changed_in_between_is_kept_anew() -> None:
    keeper = Copies()
    x = torch.rand(1, 1, 4, 4, requires_grad=True)
    with saved.Saving(nn.Module(), lambda: keeper).step():
        made = x * 1.0
        first = made.square().sum()
        with torch.no_grad():
            made.mul_(2)
        second = made.square().sum()
    (first + second).backward()
    assert len(keeper.kept) == 2
    assert torch.allclose(x.grad, 2 * x + 4 * x)


def test_that_what_nobody_can_ask_for_any_more_is_let_go_of() -> None:
    keeper = Forgetful()
    with saved.Saving(nn.Module(), lambda: keeper).step():
        loss = torch.rand(1, 1, 4, 4, requires_grad=True).square().sum()
        assert keeper.alive == 1
    loss.backward()
    assert keeper.alive == 0


def test_that_parameters_and_their_half_precision_copies_are_left_alone() -> None:
    keeper = Copies()
    conv = nn.Conv2d(4, 4, 3)
    with torch.autocast("cpu", torch.bfloat16):
        step(conv, torch.rand(1, 4, 8, 8), keeper)
    assert {kept.values.numel() for kept in keeper.kept} == {4 * 64, 4 * 36}


def test_that_the_one_saved_before_is_fetched_before_it_is_asked_for() -> None:
    keeper = Copies(ahead=1)
    step(block(), torch.rand(2, 3, 8, 8, dtype=torch.float64), keeper)
    assert all(kept.fetched for kept in keeper.kept[:-1])
    assert not keeper.kept[-1].fetched


class Never(Keeper):
    """Keeps nothing."""

    def wants(self, tensor: Tensor) -> bool:
        return False

    def keep(self, values: Tensor) -> Kept:
        raise AssertionError

    def settle(self) -> None:
        pass


class Forgetful(Copies):
    """Counts what is alive."""

    def __init__(self) -> None:
        super().__init__()
        self.alive = 0

    def keep(self, values: Tensor) -> Kept:
        keeper = self
        keeper.alive += 1

        class Counted(Copy):
            def __del__(self) -> None:
                keeper.alive -= 1

        return Counted(values)


def test_that_a_part_fetches_nothing_of_the_part_before_it() -> None:
    keeper = Copies(ahead=2)
    saving = saved.Saving(nn.Module(), lambda: keeper)
    with saving.step():
        made = saving.apart(lambda x: x.sin().sin())(torch.rand(1, 1, 4, 4, requires_grad=True))
        loss = saving.apart(lambda x: x.sin().sin().sum())(made)
    loss.backward()
    assert [kept.fetched > 0 for kept in keeper.kept] == [True, False, True, False]
