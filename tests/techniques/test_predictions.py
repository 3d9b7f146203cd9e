"""What a step is said to take beside what torch's allocator gives out for it: every technique, on the CPU.

Of a network with half of its channels; `fullfield bench memory` prints the same of the whole one, at more sizes.
"""

from __future__ import annotations

from functools import cache

import pytest
import torch

import narrow
from fullfield.bench import memory
from fullfield.memory.account import Shape
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Stage

narrowed = narrow.networks()

SHAPE = Shape(height=192, width=224, encoder="resnet18")
SETS = [
    (),
    *(
        (name,)
        for name, kind in registry.all_techniques().items()
        if kind.stage <= Stage.SAVED and name not in ("compile", "spatial")
    ),
    ("checkpointing:by=block", "precision:format=bf16"),
    ("hybrid_bands", "banded_loss", "optimizer_in_backward"),
    ("full_bands:rows=32,block_rows=32,limit=11,whole=layer3+layer4", "banded_loss"),
    ("full_bands:rows=32,block_rows=32,limit=6", "banded_loss", "optimizer_in_backward"),
    ("full_bands:rows=64,block_rows=32,limit=28", "banded_loss", "optimizer_in_backward"),
    ("hybrid_bands:rows=64,nested=stem+layer1+layer2+layer3+d1+d2", "banded_loss", "optimizer_in_backward"),
    ("full_bands:rows=32,block_rows=32,tier=host", "banded_loss", "optimizer_in_backward"),
    ("checkpointing", "compressed_activations"),
]
MARGIN = 0.01  # that every plan adds


@cache
def bench() -> memory.Comparison:
    torch.set_num_threads(1)
    return memory.Comparison(SHAPE.encoder)


@pytest.mark.parametrize("texts", SETS, ids=lambda texts: "+".join(texts) or "plain")
def test_that_a_step_takes_what_was_predicted_within_three_percent_and_never_more(texts: tuple[str, ...]) -> None:
    techniques = compose.read(texts)
    refused = compose.refusals(techniques, bench().site(SHAPE))
    if refused:
        pytest.skip(f"impossible on this machine: {refused[0]}")
    found = bench().compare(techniques, SHAPE)
    assert found.measured <= found.predicted * (1 + MARGIN)
    assert found.predicted * (1 + MARGIN) <= 1.03 * found.measured


@pytest.mark.parametrize("text", ["compressed_activations", "offload_activations"])
def test_that_a_map_which_two_parts_keep_in_another_form_is_counted_once(text: str) -> None:
    found = bench().compare(compose.read([text]), Shape(height=512, width=512, encoder=SHAPE.encoder))
    assert found.predicted == pytest.approx(found.measured, rel=0.003)
