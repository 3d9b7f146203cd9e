"""Who keeps what, and how rank 0 has it all."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.distribution.owners import Owners, balanced, is_there, united
from fullfield.distribution.team import ALONE, Team
from fullfield.model.network import NetworkSpec, build
from teams import together

CPU = torch.device("cpu")
GIVEN: list[dict[str, Tensor]] = [
    {"weight": torch.arange(6.0).reshape(2, 3)},
    {},
    {
        "step": torch.tensor(3.0, dtype=torch.float64),
        "codes": torch.arange(4, dtype=torch.uint8).reshape(2, 2),
        "half": torch.tensor([0.5, -2.0], dtype=torch.bfloat16),
        "none": torch.empty(0, 3),
        "last": torch.arange(24.0).reshape(1, 2, 3, 4).to(memory_format=torch.channels_last),
    },
]


@pytest.mark.parametrize("encoder", ["resnet18", "resnet34"])
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_that_every_rank_owns_as_many_bytes_as_another(encoder: str, ranks: int) -> None:
    with torch.device("meta"):
        sizes = {name: one.nbytes for name, one in build(NetworkSpec(encoder=encoder)).named_parameters()}
    found = balanced(sizes, ranks)
    loads = [sum(sizes[name] for name in sizes if found[name] == rank) for rank in range(ranks)]
    assert found.keys() == sizes.keys() and found == balanced(dict(reversed(sizes.items())), ranks)
    assert all(0.95 < load * ranks / sum(loads) < 1.05 for load in loads)


def test_that_rank_0_has_what_all_ranks_give() -> None:
    first, second, third = together(3, lambda team: united(team, GIVEN[team.rank], CPU))
    assert second == {} and third.keys() == GIVEN[2].keys()
    assert first.keys() == {"weight", *GIVEN[2]}
    for name, one in {**GIVEN[0], **GIVEN[2]}.items():
        assert first[name].dtype == one.dtype and first[name].shape == one.shape and torch.equal(first[name], one)


def test_that_a_rank_that_is_alone_has_what_it_gives() -> None:
    assert united(ALONE, GIVEN[2], CPU) == GIVEN[2]


def test_that_a_rank_keeps_what_it_owns_and_what_all_have() -> None:
    owners = Owners(ranks=Team(1, 2), by_name={"a": 0, "b": 1}, weights=frozenset({"a"}))
    assert [owners.mine(name) for name in "ab"] == [False, True]
    assert [owners.keeps(name) for name in "abc"] == [False, True, True]


def test_that_a_tensor_without_storage_is_not_there() -> None:
    tensor = torch.ones(3)
    assert is_there(tensor) and is_there(torch.empty(0))
    tensor.untyped_storage().resize_(0)
    assert tensor.shape == (3,) and not is_there(tensor)
