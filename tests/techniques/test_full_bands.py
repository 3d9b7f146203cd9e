"""Full bands: the plain network's step, whatever waits for backward and wherever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from fullfield.bands.nodes import Node
from fullfield.bands.passes import Passes
from fullfield.bands.spans import Bands
from fullfield.host_tier import host
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.model.chain import plain
from fullfield.model.network import Network
from fullfield.techniques import full_bands
from fullfield.techniques.full_bands import FullBands, Options
from techniques import exactness, stepping

D3_ROWS, D3_ROW = 16, 2 * 16 * 24  # of two images of 64 × 96 pixels and a narrow network: how many, values in one


def _squares(prediction: Tensor, wanted: Tensor) -> Tensor:
    return (prediction - wanted).square().mean()


@pytest.fixture(scope="module")
def small() -> tuple[Network, Tensor, Tensor]:
    torch.set_num_threads(1)
    return exactness.reference("resnet18", 2, 64, 96)


@pytest.fixture(autouse=True)
def as_at_native_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands of deep blocks have no more rows than they are told: of small images each would be one band."""
    monkeypatch.setattr(full_bands, "ROW", 0)


@pytest.mark.parametrize(
    "options",
    [
        Options(rows=16, keep="blocks"),
        Options(rows=16, keep="stages", tier="host"),
        Options(rows=24, keep="fewest"),
        Options(rows=8, keep="fewest", tier="host"),
        Options(rows=16, limit=12.0, whole=("layer4", "d1")),
        Options(rows=16, block_rows=16, limit=28.0),
        Options(rows=16, block_rows=8, limit=16.0),
        Options(rows=16, limit=8.0),
        Options(rows=16, limit=0.5),
        Options(rows=16, limit=0.5, tier="host"),
    ],
    ids=str,
)
def test_that_every_choice_has_the_gradients_and_statistics_of_the_plain_network(
    small: tuple[Network, Tensor, Tensor], options: Options
) -> None:
    network, x, y = small
    mine = exactness.gradients(exactness.built(network, FullBands(options)), x, y, _squares)
    exactness.agree(mine, exactness.gradients(exactness.built(network), x, y, _squares))


@pytest.mark.parametrize("limit", [0.5, 16.0])
def test_that_bands_that_are_higher_where_the_image_is_narrower_compute_the_same(
    small: tuple[Network, Tensor, Tensor], limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, x, y = small
    counts: list[set[int]] = []
    made = Passes.__init__

    def noted(self: Passes, nodes: Sequence[Node], bands: Bands, *rest: Any) -> None:
        made(self, nodes, bands, *rest)
        if bands.heights[nodes[-1]] == D3_ROWS:
            counts[-1].add(bands.count)

    monkeypatch.setattr(Passes, "__init__", noted)
    technique = FullBands(Options(rows=16, block_rows=4, limit=limit))
    wanted = exactness.gradients(exactness.built(network), x, y, _squares)
    for row in (0, 2 * D3_ROW):  # four rows in a band, and eight
        monkeypatch.setattr(full_bands, "ROW", row)
        counts.append(set())
        exactness.agree(exactness.gradients(exactness.built(network, technique), x, y, _squares), wanted)
    assert 2 not in counts[0] and 2 in counts[1]


def test_that_a_whole_step_with_its_loss_is_that_of_the_plain_network() -> None:
    torch.set_num_threads(1)
    network, x, y = exactness.reference("resnet34", 1, 192, 224)
    mine = exactness.gradients(exactness.built(network, FullBands(Options(rows=32))), x, y)
    exactness.agree(mine, exactness.gradients(exactness.built(network), x, y))


def test_that_under_autocast_it_is_as_close_to_the_truth_as_plain_autocast_is(
    small: tuple[Network, Tensor, Tensor],
) -> None:
    network, x, y = small
    truth = exactness.gradients(exactness.built(network), x, y, _squares)
    found = []
    for techniques in ((FullBands(Options(rows=16)),), ()):
        build = exactness.built(network, *techniques)
        build.network.float()
        build.around.append(lambda: torch.autocast("cpu", torch.bfloat16))
        found.append(exactness.gradients(build, x.float(), y.float(), _squares))
    mine, plain_autocast = (_apart(each, truth) for each in found)
    assert mine < 1.2 * plain_autocast


def test_that_frozen_stages_get_no_gradient_and_the_others_the_same(small: tuple[Network, Tensor, Tensor]) -> None:
    network, x, y = small
    builds = [exactness.built(network, FullBands(Options(rows=16))), exactness.built(network)]
    for build in builds:
        for name in ("stem", "layer1", "d3"):
            build.network.stages[name].requires_grad_(False)
    mine, other = (exactness.gradients(build, x, y, _squares) for build in builds)
    exactness.agree(mine, other)


def test_that_gradients_of_weights_come_one_segment_after_the_other(small: tuple[Network, Tensor, Tensor]) -> None:
    network, x, y = small
    build = exactness.built(network, FullBands(Options(rows=64)))
    there: list[int] = []
    for parameter in build.network.parameters():

        def release(one: torch.nn.Parameter) -> None:
            there.append(sum(each.grad is not None for each in build.network.parameters()))
            one.grad = None

        parameter.register_post_accumulate_grad_hook(release)
    _squares(build.chain(x), y).backward()
    assert len(there) == len(list(build.network.parameters())) and max(there) == 1


def test_that_the_host_tier_is_empty_after_a_step(small: tuple[Network, Tensor, Tensor]) -> None:
    network, x, y = small
    before = host.ledger.live
    exactness.gradients(exactness.built(network, FullBands(Options(rows=16, tier="host"))), x, y, _squares)
    assert host.ledger.live == before


def test_that_the_prediction_describes_the_parts_that_are_made(small: tuple[Network, Tensor, Tensor]) -> None:
    technique = FullBands(Options(rows=16, tier="host"))
    build = exactness.built(small[0], technique)
    predicted = technique.predict(MemoryEstimate(shape=Shape(height=64, width=96)), stepping.site())
    assert [(p.name, p.takes, p.stages, p.method) for p in build.chain.parts] == [
        (p.name, p.takes, p.stages, p.method) for p in predicted.parts
    ]
    assert len(plain(small[0]).parts) > len(predicted.parts)


def _apart(one: exactness.Found, truth: exactness.Found) -> float:
    """‖a−b‖/‖b‖ of all gradients together."""
    difference = sum(
        float((one.gradients[name].double() - wanted).square().sum()) for name, wanted in truth.gradients.items()
    )
    return float(difference / sum(float(wanted.square().sum()) for wanted in truth.gradients.values())) ** 0.5
