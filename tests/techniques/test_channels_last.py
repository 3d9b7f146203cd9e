"""Channels side by side: the same numbers, and every large map laid out so."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from fullfield.memory.account import MemoryEstimate, PartPlan, Shape
from fullfield.model.chain import Chain, Part
from fullfield.techniques import registry
from fullfield.train.step import laid_out
from techniques.exactness import agree, built, gradients, reference
from techniques.stepping import copied, go, resumes_bit_for_bit, site, state


def squared(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


@pytest.mark.parametrize("count", [1, 2])
def test_that_gradients_and_statistics_are_those_of_the_plain_network(count: int) -> None:
    network, x, y = reference(batch=count, height=64, width=96)
    build = built(network, registry.read("channels_last"))
    agree(gradients(build, laid_out(x, build.layout), y, squared), gradients(built(network), x, y, squared))


def test_that_every_map_that_is_made_has_its_channels_side_by_side() -> None:
    network, x, _ = reference(height=64, width=64)
    build = built(network, registry.read("channels_last"))
    seen: dict[str, bool] = {}

    def watched(part: Part) -> Part:
        def run(*maps: Tensor) -> Tensor:
            made = part.run(*maps)
            seen[part.name] = made.is_contiguous(memory_format=torch.channels_last)
            return made

        return replace(part, run=run)

    Chain([watched(part) for part in build.chain.parts])(laid_out(x, build.layout))
    assert all(seen.values()), seen


def test_that_an_image_is_not_copied_to_be_laid_out() -> None:
    x = torch.rand(2, 1, 8, 6)
    laid = laid_out(x, torch.channels_last)
    assert torch.equal(laid, x) and laid.data_ptr() == x.data_ptr()
    assert laid.stride() == (48, 1, 6, 1)


def test_that_a_training_goes_on_bit_for_bit_and_stays_laid_out() -> None:
    resumes_bit_for_bit("channels_last")
    one, other = state("channels_last"), state("channels_last")
    go(one, 1)
    other.restore(copied(one), one.fields())
    weight = dict(other.network.named_parameters())["3.weight"]
    assert weight.is_contiguous(memory_format=torch.channels_last)


def test_that_parts_stay_as_they_are_and_the_layout_is_predicted() -> None:
    network, _, _ = reference()
    technique = registry.read("channels_last")
    after = technique.predict(MemoryEstimate(shape=Shape(height=64, width=64, encoder="resnet18")), site())
    assert list(after.parts) == [
        PartPlan(name=part.name, takes=part.takes, stages=part.stages, method=part.method)
        for part in built(network, technique).chain.parts
    ]
    assert after.layout == "channels_last"
