"""Images of a batch divided among processes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from fullfield.distribution import share
from fullfield.distribution.team import Team
from fullfield.memory import account
from fullfield.memory.costs import Costs, Facts
from fullfield.model.network import NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.techniques import build as builds
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.data_parallel import DataParallel
from fullfield.techniques.site import Card, Site
from techniques.stepping import site


def of_ranks(count: int, weights: dict[str, int]) -> Site:
    one = site("cpu")
    return replace(one, devices=one.devices * count, costs=Costs(Facts(weights=weights, buffers=0)))


def test_that_one_process_has_nobody_to_share_with() -> None:
    reason = DataParallel().refuse(of_ranks(1, {"a": 1}))
    assert reason is not None and "--processes" in reason.hint
    assert DataParallel().refuse(of_ranks(2, {"a": 1})) is None


def test_that_the_processes_of_a_training_become_replicas_and_share_no_rows() -> None:
    with torch.device("meta"):
        network = network_of(NetworkSpec(encoder="resnet18"))
    build = builds.begin(network, torch.device("meta"), ranks=Team(1, 3))
    DataParallel().apply(build)
    assert build.replicas is build.ranks and build.replicas.size == 3 and build.team.size == 1


@pytest.mark.parametrize("other", ["recompute", "momentum", "compile"])
def test_that_what_cannot_gather_statistics_goes_with_those_of_each_process_alone(other: str) -> None:
    joint = registry.read("data_parallel:batch_norm=joint")
    assert any("data_parallel:batch_norm=joint" in text for text in compose.exclusions([registry.read(other), joint]))
    assert not compose.exclusions([registry.read(other), DataParallel()])


def test_that_joint_statistics_are_exact_and_those_of_each_alone_change_the_model() -> None:
    here = of_ranks(2, {"a": 1})
    assert registry.read("data_parallel:batch_norm=joint").effect_on(here) is Effect.EXACT
    assert DataParallel().effect_on(here) is Effect.MODEL


def test_that_ranges_found_by_each_process_alone_are_refused() -> None:
    together = compose.conflicts([*compose.read(["quantization"]), DataParallel()])
    assert any("ranges" in sentence for sentence in together)


def test_that_images_are_dealt_to_who_has_least_for_its_portion_and_in_turn_where_all_are_alike() -> None:
    assert share.dealt(5, (1, 1)) == [0, 1, 0, 1, 0]
    assert share.dealt(8, (3, 1)) == [0, 0, 0, 1] * 2 and share.dealt(2, (3, 1)) == [0, 0]
    assert share.dealt(4, (1, 3)) == [1, 1, 0, 1]
    first, second = (Team(rank, 2).portioned((3, 1)) for rank in range(2))
    assert (first.images(5), second.images(5), first.counts(5)) == ([0, 1, 2, 4], [3], [4, 1])


def test_that_portions_are_of_all_processes_and_groups_that_share_rows_take_theirs_together() -> None:
    named = registry.read("data_parallel:batch_norm=joint,portions=3+1")
    reason = named.refuse(of_ranks(3, {"a": 1}))
    assert reason is not None and "2 portions are named" in reason.text and named.refuse(of_ranks(2, {"a": 1})) is None
    four = of_ranks(4, {"a": 1})
    four = replace(four, shape=replace(four.shape, batch=4))
    grid = ["banded_loss", "spatial:processes=2", "data_parallel:batch_norm=joint,portions=4+2+1+1"]
    assert not compose.refusals(compose.read(grid), four)
    found = compose.predict(compose.read(grid), four)
    assert found.images == (3, 1) and found.joint == 2
    assert [(found.of(rank).shape.batch, found.of(rank).place) for rank in range(4)] == [(3, 0), (3, 1), (1, 0), (1, 1)]
    steps = account.unlike(found, 4)
    assert [(one.shape.batch, one.rows, list(ranks)) for one, ranks in steps] == [
        *((1, 48, [2]), (1, 48, [3])),
        *((3, 48, [0]), (3, 48, [1])),
    ]
    alike = compose.predict(compose.read([*grid[:2], "data_parallel"]), four)
    assert [(one.shape.batch, list(ranks)) for one, ranks in account.unlike(alike, 4)] == [(2, [0, 2]), (2, [1, 3])]


def test_that_unlike_devices_are_proposed_images_by_their_speed() -> None:
    pair = of_ranks(2, {"a": 1})
    fast, slow = (replace(pair.devices[0], kind="cuda", flops_per_second=rate) for rate in (3e12, 1e12))
    pair = replace(pair, devices=(fast, slow), shape=replace(pair.shape, batch=4))
    joint = "data_parallel:batch_norm=joint"
    assert [str(one.technique) for one in DataParallel.candidates(pair)] == [joint, f"{joint},portions=3+1"]
    alike = replace(pair, devices=(fast, fast))
    assert [str(one.technique) for one in DataParallel.candidates(alike)] == [joint]
    few = replace(pair, shape=replace(pair.shape, batch=2))
    assert [str(one.technique) for one in DataParallel.candidates(few)] == [joint]
    many = replace(pair, devices=(fast, slow) * 10, shape=replace(pair.shape, batch=20))
    assert [str(one.technique) for one in DataParallel.candidates(many)] == [joint], "portions are 16 at most"


def test_that_unlike_groups_of_devices_and_such_of_unlike_memory_are_proposed_images_by_what_they_can() -> None:
    one = of_ranks(4, {"a": 1})
    fast, slow = (replace(one.devices[0], kind="cuda", flops_per_second=rate) for rate in (3e12, 1e12))
    joint = "data_parallel:batch_norm=joint"

    def proposed(*cards: Card, batch: int = 4) -> list[str]:
        site = replace(one, devices=cards, shape=replace(one.shape, batch=batch))
        return [str(candidate.technique) for candidate in DataParallel.candidates(site)]

    assert proposed(fast, fast, slow, slow) == [joint, f"{joint},portions=3+3+1+1"]
    assert proposed(fast, slow, fast, slow) == [joint], "the slower one of each group decides"
    assert proposed(fast, fast, slow, slow, batch=2) == [joint]
    small = replace(fast, free_bytes=fast.free_bytes // 3)
    assert proposed(fast, small) == [joint, f"{joint},portions=3+1"]


def test_that_a_prediction_is_of_the_images_that_each_rank_has() -> None:
    pair = of_ranks(2, {"a": 1})
    pair = replace(pair, shape=replace(pair.shape, batch=5))
    texts = ["data_parallel:batch_norm=joint,portions=3+1"]
    found = compose.predict(compose.read(texts), pair)
    assert found.images == (4, 1) and found.shape.batch == 4
    assert [found.of(rank).shape.batch for rank in range(2)] == [4, 1]
    assert [(one.shape.batch, list(ranks)) for one, ranks in account.unlike(found, 2)] == [(1, [1]), (4, [0])]
    alike = compose.predict(compose.read(["data_parallel"]), pair)
    assert [alike.of(rank).shape.batch for rank in range(2)] == [3, 2], "of five without portions"
    few = replace(pair, shape=replace(pair.shape, batch=2))
    none = compose.predict(compose.read(texts), few)
    assert none.images == (2, 0) and none.of(1).shape.batch == 1, "a stand-in"
    micro = compose.predict(compose.read(["data_parallel:portions=3+1", "accumulate:images=2"]), pair)
    assert [(one.shape.batch, one.waiting) for one in map(micro.of, range(2))] == [(2, 2), (1, 0)]
