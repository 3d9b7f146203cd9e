"""The hooks of an update: when they are called, with what, and when not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.train.state import State
from fullfield.train.update import Update
from techniques.stepping import batch, copied, equal, go, state


class Watching:
    """Hooks that remember what they were called with: names of parameters, gradients, and what changed before."""

    def __init__(self, one: State) -> None:
        self._names = {parameter: name for name, parameter in one.network.named_parameters()}
        self.gradients: list[dict[str, Tensor]] = []
        self.updated: list[list[str]] = []
        one.build.gradients.append(self._gradients)
        one.build.updated.append(self._updated)
        one.update.close()
        one.update = Update(one.build)

    @property
    def all(self) -> list[str]:
        return list(self._names.values())

    def _gradients(self, parameters: Sequence[nn.Parameter]) -> None:
        self.gradients.append({self._names[one]: grad(one).clone() for one in parameters})

    def _updated(self, parameters: Sequence[nn.Parameter]) -> None:
        self.updated.append([self._names[one] for one in parameters])


def grad(parameter: nn.Parameter) -> Tensor:
    assert parameter.grad is not None
    return parameter.grad


def hooked(one: State, hook: object) -> State:
    one.build.gradients.append(hook)  # type: ignore[arg-type]
    one.update.close()
    one.update = Update(one.build)
    return one


def spoiled(images: Batch) -> Batch:
    x_NCHW = images.x_NCHW.clone()
    x_NCHW[0, 0, 5, 5] = torch.nan
    return Batch(x_NCHW=x_NCHW, y_NCHW=images.y_NCHW, shapes=images.shapes)


def test_that_gradients_are_called_once_a_step_with_all_of_the_whole_batch_and_updated_after_it() -> None:
    plain, one = state("accumulate"), state("accumulate")
    watching = Watching(one)
    images = batch(3)
    go(plain, 1, images)
    go(one, 1, images)
    (found,) = watching.gradients
    assert equal(found, {name: grad(parameter) for name, parameter in plain.network.named_parameters()})
    assert watching.updated == [watching.all]
    assert equal(plain.tensors(), one.tensors())


def test_that_gradients_are_in_the_losss_own_scale() -> None:
    plain, scaled = state(), state()
    scaled.build.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    watching = Watching(scaled)
    go(plain, 1)
    go(scaled, 1)
    (found,) = watching.gradients
    for name, parameter in plain.network.named_parameters():
        assert torch.allclose(found[name], grad(parameter), rtol=1e-4, atol=1e-7)


def test_that_what_a_hook_makes_of_gradients_is_what_is_told_and_what_updates() -> None:
    def halve(parameters: Sequence[nn.Parameter]) -> None:
        for parameter in parameters:
            grad(parameter).mul_(0.5)

    plain, half = state(), hooked(state(), halve)
    (reported,), (other,) = go(plain, 1), go(half, 1)
    assert other.gradient == pytest.approx(0.5 * reported.gradient, rel=1e-6)
    assert torch.equal(
        half.tensors()["optimizer.exp_avg.0.weight"], 0.5 * plain.tensors()["optimizer.exp_avg.0.weight"]
    )


def test_that_gradients_that_a_hook_leaves_not_finite_skip_the_step() -> None:
    def spoil(parameters: Sequence[nn.Parameter]) -> None:
        grad(parameters[0]).fill_(torch.inf)

    one = hooked(state(), spoil)
    before = {name: value.clone() for name, value in one.network.state_dict().items()}
    (found,) = go(one, 1)
    assert found.skipped
    assert equal(before, one.network.state_dict())


@pytest.mark.parametrize("techniques", [(), ("accumulate",), ("optimizer_in_backward",)], ids=str)
def test_that_nothing_follows_a_step_that_is_skipped(techniques: tuple[str, ...]) -> None:
    one = state(*techniques)
    watching = Watching(one)
    (found,) = go(one, 1, spoiled(batch(2)))
    assert found.skipped
    assert watching.updated == []


def test_that_a_step_that_is_tried_again_with_a_smaller_scale_is_followed_once() -> None:
    one = state()
    one.build.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**40)
    watching = Watching(one)
    next(one.network.parameters()).register_hook(lambda gradient: gradient.half().float())  # overflows at first
    (found,) = go(one, 1)
    assert not found.skipped
    assert len(watching.gradients) > 1
    assert watching.updated == [watching.all]


def test_that_inside_backward_each_gradient_is_seen_before_its_update_and_the_step_is_followed_once() -> None:
    plain, inside = state(), state("optimizer_in_backward")
    watching = Watching(inside)
    go(plain, 1)
    go(inside, 1)
    assert sorted(list(found) for found in watching.gradients) == sorted([name] for name in watching.all)
    seen = {name: value for found in watching.gradients for name, value in found.items()}
    assert equal(seen, {name: grad(parameter) for name, parameter in plain.network.named_parameters()})
    assert [sorted(names) for names in watching.updated] == [sorted(watching.all)]


def test_that_inside_backward_a_parameter_that_was_left_alone_is_not_among_the_updated() -> None:
    inside = state("optimizer_in_backward")
    watching = Watching(inside)
    next(inside.network.parameters()).register_hook(lambda gradient: gradient * torch.inf)
    (found,) = go(inside, 1)
    assert found.spared == 1
    assert [sorted(names) for names in watching.updated] == [sorted(set(watching.all) - {"0.weight"})]


def test_that_inside_backward_a_training_that_ended_after_a_parameter_was_left_alone_goes_on_bit_for_bit() -> None:
    whole, resumed = state("optimizer_in_backward"), state("optimizer_in_backward")
    hook = next(whole.network.parameters()).register_hook(lambda gradient: gradient * torch.inf)
    go(whole, 1)
    hook.remove()
    saved = copied(whole)
    assert "optimizer.exp_avg.0.weight" not in saved
    resumed.restore(saved, whole.fields())
    for one in (whole, resumed):
        go(one, 2)
    assert equal(whole.tensors(), resumed.tensors())


def test_that_inside_backward_updates_from_finite_gradients_are_never_a_skipped_step() -> None:
    def enlarge(parameters: Sequence[nn.Parameter]) -> None:
        grad(parameters[0]).zero_().view(-1)[0] = 1.5e19  # whose square is finite, and twice it is not

    inside = hooked(state("optimizer_in_backward"), enlarge)
    before = copied(inside)["network.1.num_batches_tracked"].clone()
    (found,) = go(inside, 1)
    assert not found.skipped and found.gradient > 1.5e19
    assert copied(inside)["network.1.num_batches_tracked"] == before + 1
