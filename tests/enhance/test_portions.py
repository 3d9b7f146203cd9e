"""An image's rows divided among devices that hand each other the few beside their own: the whole image's result."""

from __future__ import annotations

import copy
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import narrow
from fullfield.enhance import bands
from fullfield.enhance.backends.pytorch import fold
from fullfield.enhance.halo_exchange import across, rows_beside
from fullfield.enhance.portions import Ended, Portion, divided
from fullfield.enhance.tiles import spans
from fullfield.model.card import ENCODERS, NetworkSpec
from fullfield.model.network import Network, build

WAIT = 60.0
COLUMNS = 32
UNEVEN = (0, 32, 160, 192, 256)
DEEP = ("layer2", "layer3", "layer4", "d1")


def even(rows: int, count: int) -> tuple[int, ...]:
    return (0, *(one.core_last for one in spans(rows, count, halo=0)))


def at_once(run: Callable[..., Any], portions: Sequence[Portion], others: Iterable[Any]) -> list[Future[Any]]:
    """What `run` makes of each portion and one of the others, in a thread of its own. Those that wait for one another
    are ended after WAIT seconds, and fail the test."""
    with ThreadPoolExecutor(len(portions)) as pool:
        running = [pool.submit(run, *pair) for pair in zip(portions, others, strict=True)]
        waiting = wait(running, WAIT).not_done
        for one in portions if waiting else ():
            one.end()
    assert not waiting
    return running


def output(network: Network, x: Tensor, edges: Sequence[int], *, band: int = 3000) -> Tensor:
    """What portions between these edges make of an image, each by a network and a thread of its own."""
    portions = divided(pairwise(edges))
    networks = [copy.deepcopy(network) for _ in portions]

    def run(portion: Portion, own: Network) -> Tensor:
        with torch.inference_mode():
            steps = list(bands.run(own, lambda low, high: x[:, :, low:high], portion, x.shape[3], band=band))
        assert steps[0][0] == portion.first
        return torch.cat([part for _, part in steps], dim=2)

    return torch.cat([one.result() for one in at_once(run, portions, networks)], dim=2)


@pytest.fixture(scope="module", params=ENCODERS)
def network(request: pytest.FixtureRequest) -> Network:
    """In fp64, and so wide that the output shows all that is handed over, wherever."""
    return fold(narrow.network(request.param, by=4)).to(memory_format=torch.channels_last)


@pytest.mark.parametrize("edges", [even(256, 2), even(256, 3), even(256, 4), even(256, 8), UNEVEN], ids=str)
def test_that_portions_are_the_whole_image(network: Network, edges: tuple[int, ...]) -> None:
    x = torch.rand(1, 1, 256, COLUMNS, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    whole = output(network, x, (0, 256))
    found = output(network, x, edges)
    assert found.shape == whole.shape and whole.std() > 1e-4
    assert (found - whole).abs().max() <= 1e-12
    with torch.inference_mode():
        assert (whole - network(x)).abs().max() <= 1e-11


@pytest.mark.parametrize("encoder", ["resnet18", "resnet50"])
def test_that_portions_of_a_momentum_network_are_the_whole_image(encoder: str) -> None:
    torch.manual_seed(5)
    plain = build(NetworkSpec(encoder=encoder, momentum=0.9)).double()
    narrow.thin(plain, 4)
    narrow.liven(plain)
    folded = fold(plain)
    x = torch.rand(1, 1, 128, 32, dtype=torch.float64)
    with torch.inference_mode():
        wanted = folded(x)
    for edges in ((0, 128), (0, 32, 128)):
        assert (output(folded, x, edges) - wanted).abs().max() <= 1e-11


def test_that_no_row_of_a_deep_map_is_computed_twice(network: Network) -> None:
    x = torch.rand(1, 1, 256, 32, dtype=torch.float64)
    rows: list[int] = []
    counted = copy.deepcopy(network)
    for name in DEEP:
        for module in counted.stages[name].modules():
            if isinstance(module, nn.Conv2d):
                module.register_forward_hook(lambda _, given, made: rows.append(made.shape[2]))
    output(counted, x, (0, 256))
    once = sum(rows)
    rows.clear()
    output(counted, x, even(256, 8))
    assert sum(rows) == once > 0


def test_that_convolutions_are_as_they_were_behind_a_portion(network: Network) -> None:
    stage = copy.deepcopy(network).stages["layer2"]
    convolutions = [module for module in stage.modules() if isinstance(module, nn.Conv2d)]
    before = [module.padding for module in convolutions]
    with pytest.raises(KeyError), across(stage, divided([(0, 32), (32, 64)])[0]):
        assert [module.padding for module in convolutions] != before
        raise KeyError
    assert [module.padding for module in convolutions] == before
    assert not any(module._forward_pre_hooks for module in convolutions)


def test_that_a_convolution_that_reads_more_rows_than_a_portion_has_is_refused() -> None:
    first, _ = divided([(0, 32), (32, 64)])
    with pytest.raises(ValueError, match="2 rows are wanted of a portion that has 1"):
        rows_beside(torch.zeros(1, 4, 1, 8), 2, first)


def test_that_what_is_handed_over_keeps_no_map_alive() -> None:
    first, second = divided([(0, 32), (32, 64)])
    x = torch.zeros(1, 4, 32, 8)
    first._below.up.put(x[:, :, :1])  # type: ignore[union-attr]  # the neighbour's
    rows_beside(x, 1, first)
    handed = second._above.down.get_nowait()  # type: ignore[union-attr]
    assert handed.shape == (1, 4, 1, 8) and handed.untyped_storage().nbytes() == 4 * 8 * 4


def test_that_rows_reach_their_neighbours_in_order_however_fast_each_is() -> None:
    portions = divided(pairwise(even(256, 8)))
    turns = 300

    def run(portion: Portion, number: int) -> None:
        pause = random.Random(number)
        for turn in range(turns):
            if pause.random() < 0.01:
                threading.Event().wait(0.001)
            above, below = portion.swap((number, turn, "top"), (number, turn, "bottom"))
            assert above == (None if number == 0 else (number - 1, turn, "bottom"))
            assert below == (None if number == 7 else (number + 1, turn, "top"))

    for one in at_once(run, portions, range(8)):
        one.result()


@pytest.mark.parametrize("failing", [0, 3, 7])
def test_that_all_end_where_one_does_wherever_they_are(failing: int) -> None:
    portions = divided(pairwise(even(256, 8)))

    def run(portion: Portion, number: int) -> None:
        for turn in range(50):
            if (number, turn) == (failing, 20):
                for one in portions:
                    one.end()
                return
            portion.swap(turn, turn)

    for number, one in enumerate(at_once(run, portions, range(8))):
        if number == failing:
            one.result()
        else:
            with pytest.raises(Ended):
                one.result()


def test_that_a_portion_by_itself_waits_for_nobody() -> None:
    alone = Portion.whole(64)
    assert alone.alone and alone.swap("top", "bottom") == (None, None)


def test_that_a_portion_knows_its_rows_of_every_map_and_who_is_beside_it() -> None:
    first, second, third = divided([(0, 32), (32, 128), (128, 160)])
    assert [(one.first, one.last, one.of) for one in (first, second, third)] == [
        (0, 32, 160),
        (32, 128, 160),
        (128, 160, 160),
    ]
    assert (second.at(1), second.at(4), second.at(32)) == (range(32, 128), range(8, 32), range(1, 4))
    assert not any(one.alone for one in (first, second, third))
    (only,) = divided([(0, 64)])
    assert only.alone and Portion.whole(64).at(2) == range(32)


def test_that_a_portion_whose_neighbour_has_ended_ends_and_those_beyond_it_do_not() -> None:
    first, second, third = divided([(0, 32), (32, 64), (64, 96)])
    first.end()
    with pytest.raises(Ended):
        second.swap("top", "bottom")
    assert third._above.down.get_nowait() == "bottom"  # type: ignore[union-attr]
    third.end()
    assert second._below.up.get_nowait() is Ended  # type: ignore[union-attr]
