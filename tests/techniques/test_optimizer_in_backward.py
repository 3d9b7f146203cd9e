"""The update inside backward: the same bits, no gradient left, and only with what it can go with."""

from __future__ import annotations

import pytest

from fullfield.errors import UsageError
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.techniques import compose, registry
from fullfield.train.update import Update
from techniques.exactness import reference
from techniques.stepping import batch, equal, go, resumes_bit_for_bit, site, state


@pytest.mark.parametrize("optimizer", [(), ("optimizer_offload",), ("optimizer_8bit",)], ids=str)
def test_that_it_ends_with_the_same_bits_and_leaves_no_gradient(optimizer: tuple[str, ...]) -> None:
    after, inside = state(*optimizer), state("optimizer_in_backward", *optimizer)
    one, other = go(after, 3), go(inside, 3)
    assert equal(after.tensors(), inside.tensors())
    assert [step.gradient for step in one] == pytest.approx([step.gradient for step in other], rel=1e-6)
    assert all(parameter.grad is None for parameter in inside.network.parameters())


def test_that_a_restored_training_goes_on_bit_for_bit() -> None:
    resumes_bit_for_bit("optimizer_in_backward")


def test_that_gradients_are_let_go_of_one_by_one() -> None:
    inside = state("optimizer_in_backward")
    parameters = list(inside.network.parameters())
    there: list[int] = []
    for parameter in parameters:
        parameter.register_hook(lambda _: there.append(sum(other.grad is not None for other in parameters)))
    go(inside, 1)
    assert there == [0] * len(parameters)


def test_that_weights_of_the_whole_network_change_inside_backward_as_after_it() -> None:
    from fullfield.techniques.build import begin
    from fullfield.train import step as steps

    images = batch()
    after = []
    for names in ((), ("optimizer_in_backward",)):
        network, _, _ = reference(height=96, width=96)
        build = begin(network.float(), state().build.device)
        compose.apply(compose.read(names), build)
        update = Update(build)
        steps.train_step(build, update, images, loss="ms_ssim", l1=False, rate=0.001)
        after.append(network.state_dict())
    assert equal(*after)


@pytest.mark.parametrize("other", ["accumulate", "precision:format=fp16"])
def test_that_it_goes_with_nothing_that_needs_gradients_to_stay(other: str) -> None:
    with pytest.raises(UsageError, match="do not go together"):
        compose.read(["optimizer_in_backward", other])
    assert compose.read(["optimizer_in_backward", "precision:format=bf16"])


def test_that_gradients_of_weights_are_predicted_to_go() -> None:
    before = MemoryEstimate(shape=Shape(height=64, width=64))
    after = registry.read("optimizer_in_backward").predict(before, site())
    assert after.released and not before.released
