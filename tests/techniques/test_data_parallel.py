"""Images of a batch divided among processes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from fullfield.distribution.team import Team
from fullfield.memory.costs import Costs, Facts
from fullfield.model.network import NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.techniques import build as builds
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.data_parallel import DataParallel
from fullfield.techniques.site import Site
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
