"""Encoders of other blocks than basic ones: their steps in bands are the plain network's, in every form, at any size.

Sizes are those that the network takes, multiples of 32; rows of a band divide none of them.
"""

from __future__ import annotations

from functools import cache, lru_cache

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.bench import memory
from fullfield.memory.account import MemoryEstimate, PartPlan, Shape
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.stages import LAYERS
from fullfield.techniques import compose, full_bands, registry
from support import without_compiler
from techniques.exactness import Found, agree, built, found, gradients, reference
from techniques.stepping import site

OTHERS = tuple(name for name, encoder in ENCODERS.items() if not encoder.basic)
FORMS = (
    "hybrid_bands:rows=44,block_rows=14",
    "hybrid_bands:rows=24,block_rows=7,nested=",
    f"hybrid_bands:rows=36,nested={'+'.join(LAYERS)},fused=true",
    f"hybrid_bands:rows=36,block_rows=14,nested=stem+d2+{'+'.join(LAYERS)}",
    "full_bands:rows=23,keep=fewest,limit=0",
    "full_bands:rows=23,block_rows=23,limit=40",
    "full_bands:rows=17,keep=stages,tier=host",
    "full_bands:rows=9,keep=blocks",
)
WHOLE = 1, 192, 224
BY = {"resnet50": 4, "mobilenet_v2": 1}  # of so many channels one is left; see below
# Of MobileNetV2 with a quarter of its channels hybrid bands differ by 2.0e-11 at 256 × 352, where the plain network
# moves by 1.1e-11 when its input moves by one rounding (decision 037): not proven there.


@pytest.fixture(autouse=True)
def one_thread_and_low_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(full_bands, "ROW", 0)  # of small images each map of a deep block would be one band


def squared(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


@lru_cache(maxsize=2)
def plain(encoder: str, batch: int, height: int, width: int, *, whole: bool) -> Found:
    """A step of the plain network on what `reference` gives, with the loss or with `squared`: once for all forms."""
    network, x, y = reference(encoder, batch, height, width, by=BY[encoder] if whole else 4)
    return gradients(built(network), x, y, None if whole else squared)


def test_that_there_are_encoders_of_other_blocks() -> None:
    assert {"resnet50", "mobilenet_v2"} <= set(OTHERS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hybrid_bands:rows=44,block_rows=14", "full_bands:rows=23"])
@pytest.mark.parametrize("encoder", OTHERS)
def test_that_a_whole_step_with_its_loss_is_that_of_the_plain_network(encoder: str, name: str) -> None:
    network, x, y = reference(encoder, *WHOLE, by=BY[encoder])
    wanted = plain(encoder, *WHOLE, whole=True)
    assert 0 < wanted.value < 1
    agree(gradients(built(network, registry.read(name)), x, y), wanted)


@pytest.mark.parametrize("encoder", OTHERS)
@pytest.mark.parametrize("form", FORMS)
def test_that_every_form_is_exact_for_two_images_in_one_step(encoder: str, form: str) -> None:
    network, x, y = reference(encoder, 2, 64, 96)
    wanted = plain(encoder, 2, 64, 96, whole=False)
    agree(gradients(built(network, registry.read(form)), x, y, squared), wanted)


@pytest.mark.parametrize("encoder", OTHERS)
@pytest.mark.parametrize("form", FORMS[:1] + FORMS[3:4])
def test_that_running_statistics_are_constants_in_evaluation(encoder: str, form: str) -> None:
    network, x, y = reference(encoder, 1, 64, 64)
    network.eval()
    agree(gradients(built(network, registry.read(form)), x, y, squared), gradients(built(network), x, y, squared))


@pytest.mark.parametrize("encoder", OTHERS)
@pytest.mark.parametrize("form", FORMS[:1] + FORMS[3:4])
def test_that_frozen_stages_get_no_gradient_and_the_others_the_same(encoder: str, form: str) -> None:
    network, x, y = reference(encoder, 2, 64, 96)
    steps = [built(network, registry.read(form)), built(network)]
    for step in steps:
        for name in ("stem", "layer2", "d3"):
            step.network.stages[name].requires_grad_(False)
    mine, other = (gradients(step, x, y, squared) for step in steps)
    agree(mine, other)


@pytest.mark.parametrize("encoder", OTHERS)
@pytest.mark.parametrize("form", FORMS)
def test_that_the_prediction_is_of_the_parts_that_are_made(encoder: str, form: str) -> None:
    technique = registry.read(form)
    before = MemoryEstimate(shape=Shape(height=64, width=64, encoder=encoder))
    made = [
        PartPlan(name=part.name, takes=part.takes, stages=part.stages, method=part.method)
        for part in built(reference(encoder)[0], technique).chain.parts
    ]
    assert list(technique.predict(before, site(shape=before.shape)).parts) == made


@pytest.mark.parametrize("encoder", OTHERS)
def test_that_what_is_written_for_basic_blocks_says_so(encoder: str) -> None:
    refused = compose.refusals(compose.read(["recompute"]), site(shape=Shape(height=64, width=64, encoder=encoder)))
    assert len(refused) == 1 and encoder in refused[0] and "hybrid_bands" in refused[0]


def test_that_momentum_says_that_blocks_which_change_their_images_cannot_be_run_backwards() -> None:
    texts = [
        compose.refusals(compose.read(["momentum"]), site(shape=Shape(height=64, width=64, encoder=encoder)))
        for encoder in ("resnet50", "mobilenet_v2")
    ]
    assert texts[0] == [] and "mobilenet_v2" in texts[1][0]


@pytest.mark.parametrize("text", ["checkpointing", "checkpointing:by=block", "momentum"])
def test_that_techniques_of_whole_modules_take_bottlenecks_too(text: str) -> None:
    network, x, y = reference("resnet50", 1, 64, 64)
    build = built(network, registry.read(text))
    value = squared(build.chain(x), y)
    value.backward()
    if text != "momentum":  # another function
        agree(found(build.network, value), gradients(built(network), x, y, squared))
    assert all(one.grad is not None for one in build.network.parameters())


MARGIN = 0.01  # that every plan adds
SETS = (
    (),
    ("hybrid_bands",),
    ("hybrid_bands", "banded_loss", "optimizer_in_backward"),
    ("hybrid_bands:nested=layer1+layer2+layer3+layer4,fused=true",),
    ("full_bands",),
    ("checkpointing",),
    ("channels_last",),
)


@cache
def bench(encoder: str, by: int) -> memory.Comparison:
    return memory.Comparison(encoder)


@pytest.mark.slow
@pytest.mark.parametrize("encoder", OTHERS)
@pytest.mark.parametrize("texts", SETS, ids=lambda texts: "+".join(texts) or "plain")
def test_that_a_step_takes_what_was_predicted_within_three_percent_and_never_more(
    encoder: str, texts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_compiler(monkeypatch)
    # Of bottlenecks in bands up to 1.7 % are not foreseen, the larger a share the narrower they are.
    by = 1 if encoder == "resnet50" and len(texts) == 1 and texts[0].startswith("hybrid_bands") else 4
    with narrow.everywhere(by):
        reported = bench(encoder, by).compare(compose.read(texts), Shape(height=192, width=224, encoder=encoder))
    assert reported.measured <= reported.predicted * (1 + MARGIN)
    assert reported.predicted * (1 + MARGIN) <= 1.03 * reported.measured
