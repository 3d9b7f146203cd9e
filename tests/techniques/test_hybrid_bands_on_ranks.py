"""Hybrid bands of images whose rows are divided among ranks: the plain network's step, the same on each of them."""

from __future__ import annotations

import pytest

from teams import together
from techniques import exactness, on_ranks
from techniques.on_ranks import Case


@pytest.fixture(scope="module")
def small() -> Case:
    return on_ranks.case()


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        (2, "hybrid_bands:rows=32,block_rows=32"),
        (3, "hybrid_bands:rows=32,block_rows=16,nested=layer1+layer3"),
        (3, "hybrid_bands:rows=64,nested=stem+layer1+layer2+layer3+layer4+d1+d2"),
        (2, "hybrid_bands:rows=32,fused=true"),
    ],
)
def test_that_ranks_together_make_the_step_of_the_plain_network(small: Case, ranks: int, text: str) -> None:
    *given, wanted = small
    found = together(ranks, lambda team: on_ranks.step(team, *given, text))
    for one in found:
        exactness.agree(one, wanted)
        assert on_ranks.equal(one, found[0])
