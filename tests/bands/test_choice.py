"""What is kept whole between the passes over bands, and what that saves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from fullfield.bands import choice, graph
from fullfield.bands.choice import choices, once
from fullfield.bands.feeds import Fresh, OnDevice
from fullfield.bands.nodes import Conv, Norm, State
from fullfield.bands.passes import Passes
from fullfield.bands.segment import Segment
from fullfield.bands.step import Policy
from fullfield.bands.waiting import Piece
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.model.stages import FULL, HALF, INPUT

SIDE, ROWS = 64, 8
PER_MULTIPLY_ADD = 2


@pytest.fixture(scope="module")
def block() -> tuple[Segment, Tensor]:
    torch.manual_seed(3)
    network: Network = network_of(NetworkSpec(encoder="resnet18")).double().train()
    return Segment(graph.residual(network, "layer1", 1), rows=ROWS), torch.rand(1, 64, SIDE, SIDE).double()


def passes(segment: Segment, x: Tensor, state: State) -> Passes:
    return segment.passes([SIDE], [OnDevice(x)], state)


def forward(segment: Segment, x: Tensor, keep: tuple[Conv, ...]) -> tuple[Tensor, State, int]:
    """The output, what was learned, and the work."""
    state = State(dtype=x.dtype)
    run, sink = passes(segment, x, state), Fresh(SIDE)
    with FlopCounterMode(display=False) as counted:
        run.measure(x.dtype, keep)
        run.compute(sink)
    return sink.map(), state, counted.get_total_flops()


def backward(segment: Segment, x: Tensor, state: State, keep: tuple[Conv, ...]) -> tuple[dict[Tensor, Tensor], int]:
    """The gradients of parameters and, by `x`, of the input; and the work."""
    again = State(dtype=x.dtype, statistics=state.statistics)
    run, sink, name = passes(segment, x, again), Fresh(SIDE), segment.inputs[0]
    with FlopCounterMode(display=False) as counted:
        run.keep(keep)
        run.differentiate(OnDevice(x.cos()), {name: sink})
    return {**again.gradients, x: sink.map()}, counted.get_total_flops()


def test_that_the_same_comes_out_whatever_is_kept(block: tuple[Segment, Tensor]) -> None:
    segment, x = block
    one, two = segment.measured
    wanted, state, _ = forward(segment, x, ())
    gradients = backward(segment, x, state, ())[0]
    for keep in ((one,), (two,), (one, two)):
        torch.testing.assert_close(forward(segment, x, keep)[0], wanted, rtol=1e-12, atol=1e-12)
        for key, found in backward(segment, x, state, keep)[0].items():
            torch.testing.assert_close(found, gradients[key], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("back", [False, True])
def test_that_what_a_choice_is_said_to_save_is_what_it_saves(block: tuple[Segment, Tensor], back: bool) -> None:
    """But for the bands at the edges, which have a row less to read."""
    segment, x = block
    _, state, alone = forward(segment, x, ())
    alone = backward(segment, x, state, ())[1] if back else alone
    begun = passes(segment, x, state if back else State(dtype=x.dtype))
    said = choices(begun, segment.measured, segment.inputs if back else None)
    assert len(said) == 3
    for keep, saved in said.items():
        work = backward(segment, x, state, keep)[1] if back else forward(segment, x, keep)[2]
        assert alone - work == pytest.approx(PER_MULTIPLY_ADD * saved, rel=0.1) and saved > 0


def test_that_what_is_worth_keeping_is_asked_anew_when_batch_norms_are_fixed(block: tuple[Segment, Tensor]) -> None:
    """Their passes for sums are gone: less is made again, so less is saved."""
    segment, x = block
    piece = Piece(name="block", segment=segment)
    policy = Policy(keep=frozenset(), host=False, away=False, limit=None)
    norms = [node.module for node in passes(segment, x, State(dtype=x.dtype)).norms]
    found = []
    try:
        for of_batch in (True, False, True):
            for norm in norms:
                norm.train(of_batch)
            begun = passes(segment, x, forward(segment, x, ())[1])
            found.append(policy.choices(piece, begun, segment.inputs))
            assert found[-1] == choices(begun, segment.measured, segment.inputs)
    finally:
        for norm in norms:
            norm.train()
    assert found[0] == found[2] and max(found[1].values()) < max(found[0].values())


def test_that_a_block_whose_outputs_are_kept_computes_each_convolution_once(block: tuple[Segment, Tensor]) -> None:
    segment, x = block
    least = PER_MULTIPLY_ADD * once(segment.bands([SIDE]))
    assert forward(segment, x, segment.measured)[2] == least
    assert forward(segment, x, ())[2] > 2 * least


def test_that_what_a_choice_saves_does_not_hang_on_where_the_band_in_the_middle_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 90 bands of 4288 rows it begins at row 2144, a multiple of 32, and reads less of the maps below than most."""
    with torch.device("meta"):
        network: Network = network_of(NetworkSpec(encoder="resnet34"))
    half = graph.decode(network, HALF, skip=graph.stem(network, pool=False, again=True))
    head = Segment(graph.decode(network, FULL, of=half, head=True), rows=48)
    heights = [4288 if name == INPUT else 1072 for name in head.inputs]
    maps = [OnDevice(torch.empty(1, 1, height, 1, device="meta")) for height in heights]
    measured: Any = {node: SimpleNamespace(fixed=False) for node in head.nodes if isinstance(node, Norm)}
    begun = head.passes(heights, maps, State(dtype=torch.float32, statistics=measured))
    assert begun.bands.count == 90
    said = choices(begun, head.measured, head.inputs)
    monkeypatch.setattr(choice, "LOOKED_AT", 2 * begun.bands.count)
    every = choices(begun, head.measured, head.inputs)
    assert all(said[keep] == pytest.approx(saved, rel=0.01) for keep, saved in every.items())
