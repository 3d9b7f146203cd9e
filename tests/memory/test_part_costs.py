"""What a trace tells of single parts, small enough to be reckoned by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from fullfield.distribution.traffic import Traffic
from fullfield.kernels.stored import Stored
from fullfield.memory import stand_ins, trace
from fullfield.memory.account import LOSS, Shape
from fullfield.memory.costs import Key, PartCost, Work
from fullfield.memory.temporaries import Temporaries
from fullfield.memory.trace import Step
from fullfield.model.chain import INPUT, OUTPUT, Chain, Part

SHAPE = Shape(height=64, width=32, batch=2, encoder="resnet18")
MAP = 2 * 64 * 32 * 4
SCALAR = 4  # that stands for the parts behind


class Tracing:
    """Parts traced one behind the other. The loss is the mean difference."""

    def __init__(self, *runs: Callable[..., Tensor], takes: tuple[tuple[str, ...], ...] = (), **more: object) -> None:
        names = [*(f"m{place}" for place in range(len(runs) - 1)), OUTPUT]
        taken = takes or tuple((name,) for name in (INPUT, *names[:-1]))
        parts = [Part(name=name, takes=its, stages=(), run=run) for name, its, run in zip(names, taken, runs)]
        self.context, network = trace.network_without_values("resnet18")
        self.step = Step(network=network, chain=Chain(parts), structure=lambda a, b: (a - b).mean(), around=(), **more)  # type: ignore[arg-type]

    def costs(self, known: dict[str, PartCost] | None = None, shape: Shape = SHAPE) -> dict[str, PartCost]:
        """By the name of the part."""
        with self.context:
            found = trace.costs(self.step, shape, "v", "l1", Temporaries("none"), known or {})
        return {name.split("|")[1]: cost for name, cost in found.items()}


def shown(cost: PartCost) -> tuple[tuple[bool, ...], bool, tuple[int, ...], tuple[bool, ...]]:
    """Which maps it keeps for backward, whether its own, the bytes of gradients that it makes, which over its maps."""
    return cost.saved.holds, cost.saved.makes, cost.gradients, cost.in_place


def learned(x: Tensor) -> Tensor:
    """A map that has a gradient."""
    return x * torch.ones((), requires_grad=True)


def test_that_each_part_is_told_by_what_it_keeps_and_by_the_gradients_that_it_makes() -> None:
    found = Tracing(
        learned,
        lambda x: x + 1,  # keeps nothing
        torch.relu,  # keeps what it makes
        lambda x: x * x,  # keeps what it takes
    ).costs()
    assert shown(found["m0"]) == ((True,), False, (0,), (False,)), "the images have no gradient"
    assert shown(found["m1"])[:2] == ((False,), False)
    assert shown(found["m2"]) == ((False,), True, (MAP,), (False,))
    assert shown(found[OUTPUT]) == ((True,), False, (MAP,), (False,))
    assert [found[name].map_bytes for name in ("m0", "m1", OUTPUT)] == [MAP] * 3
    assert found[LOSS].map_bytes == 0 and list(found) == ["m0", "m1", "m2", OUTPUT, LOSS]


def test_that_a_gradient_that_is_written_over_its_map_is_told() -> None:
    class Over(torch.autograd.Function):
        @staticmethod
        def forward(ctx: object, x: Tensor) -> Tensor:
            ctx.x = x  # type: ignore[attr-defined]
            return x + 1

        @staticmethod
        def backward(ctx: object, *gradients: Tensor) -> Tensor:
            return ctx.x.detach().copy_(gradients[0])  # type: ignore[attr-defined,no-any-return]

    found = Tracing(learned, Over.apply, lambda x: x * 2).costs()
    assert shown(found["m1"]) == ((True,), False, (0,), (True,)), "nothing is made for it"
    assert shown(found[OUTPUT])[3] == (False,)


def test_that_of_a_concatenation_the_first_gradient_keeps_the_whole_alive() -> None:
    """The two are views of one storage."""

    class Cut(torch.autograd.Function):
        @staticmethod
        def forward(ctx: object, x: Tensor, y: Tensor) -> Tensor:
            return torch.cat([x, y], 1)

        @staticmethod
        def backward(ctx: object, *gradients: Tensor) -> tuple[Tensor, ...]:
            return tuple((gradients[0] * 1).split(1, 1))

    found = Tracing(
        learned,
        lambda x: x + 1,
        lambda x, y: Cut.apply(x, y).sum(1, keepdim=True),
        takes=((INPUT,), ("m0",), ("m0", "m1")),
    ).costs()[OUTPUT]
    assert found.gradients == (2 * MAP, 0) and found.in_place == (False, False)


def test_that_the_moments_of_a_part_hold_what_is_alive_beside_its_maps() -> None:
    found = Tracing(learned, lambda x: x.neg().neg()).costs()[OUTPUT]
    # Forward: two maps at once beside the one that it takes; then the first is gone, and its own there.
    assert max(moment.bytes for moment in found.forward) == 2 * MAP
    assert found.saved.bytes == SCALAR and not any(moment.gradients for moment in found.backward)
    # Backward: the gradient of its own map, and of what lies between.
    assert max(moment.bytes for moment in found.backward) == 2 * MAP + 2 * SCALAR
    assert found.left.bytes == 0


def test_that_weights_gradients_are_left_and_counted_while_they_come() -> None:
    tracing = Tracing(learned, lambda x: x)
    head = tracing.step.network.stages["head"]
    size = sum(parameter.nbytes for parameter in head.parameters())
    parts = tracing.step.chain.parts
    last = Part(name=OUTPUT, takes=("m0",), stages=("head",), run=lambda x: head(x.expand(2, 64, 64, 32).neg()[:, :16]))
    step = Step(
        network=tracing.step.network, chain=Chain([parts[0], last]), structure=tracing.step.structure, around=()
    )
    with tracing.context:
        costs = trace.costs(step, SHAPE, "v", "l1", Temporaries("none"), {})
    found = costs[str(Key(part=OUTPUT, method="plain", variant="v"))]
    assert (found.left.bytes, found.left.gradients) == (size, size)
    assert max(moment.gradients for moment in found.backward) == size
    assert found.flops_backward == 2 * found.flops_forward > 0
    assert all(parameter.grad is None for parameter in head.parameters()), "what a trace has left is gone"


@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("stored", [False, True])
def test_that_parts_are_given_images_as_the_step_has_them(channels_last: bool, stored: bool) -> None:
    seen: list[Tensor | Stored] = []

    def first(x: Tensor | Stored) -> Tensor:
        seen.append(x)
        image = x.levels_NCHW if isinstance(x, Stored) else x
        return learned(image.float())

    costs = Tracing(first, channels_last=channels_last, stored_input=stored).costs()
    (given,) = seen
    assert isinstance(given, Stored) is stored
    image = given.levels_NCHW if isinstance(given, Stored) else given
    assert image.shape == (2, 1, 64, 32)
    assert image.dtype == (torch.uint16 if stored else torch.float32)
    assert image.stride(1) == (1 if channels_last else 64 * 32)
    assert isinstance(given, Tensor) or given.tables.shape == (2, 1 << 16)
    assert costs[OUTPUT].saved.bytes == 2 * SCALAR + stored * MAP, "images and tables are there before"


@pytest.mark.parametrize("stored", [False, True])
def test_that_a_loss_is_given_the_reference_as_the_step_has_it(stored: bool) -> None:
    seen: list[tuple[Tensor, Tensor | Stored]] = []

    def structure(made: Tensor, wanted: Tensor | Stored) -> Tensor:
        seen.append((made, wanted))
        return made.mean()

    tracing = Tracing(learned, stored_reference=stored)
    step = Step(**(vars(tracing.step) | {"structure": structure}))
    with tracing.context:
        trace.costs(step, SHAPE, "v", "l1", Temporaries("none"), {})
    ((made, wanted),) = seen
    assert isinstance(wanted, Stored) is stored
    image = wanted.levels_NCHW if isinstance(wanted, Stored) else wanted
    assert image.shape == made.shape == (2, 1, 64, 32)
    assert image.dtype == (torch.uint16 if stored else torch.float32)


@pytest.mark.parametrize(("encoder", "looks"), [("resnet18", False), ("map", True)])
def test_that_the_loss_of_a_network_that_sees_the_whole_image_looks_at_bands_too(encoder: str, looks: bool) -> None:
    shape = Shape(height=64, width=64, batch=1, encoder=encoder)
    plain, loss = (Tracing(learned).costs(shape=one)[LOSS] for one in (replace(shape, encoder="resnet18"), shape))
    assert (loss.starts > 2 * plain.starts) is looks


def test_that_a_prediction_in_the_host_tier_is_one_image_whose_rows_come_and_go() -> None:
    device = torch.device("meta")
    found = stand_ins.away(torch.empty((), device=device), replace(SHAPE, batch=1))
    assert (found.shape, found.true, found.dtype) == ((1, 1, 64, 32), (64, 32), torch.float32)
    assert found.values.rows(8, 20).shape == (1, 1, 12, 32)


def test_that_what_is_known_is_not_traced_and_stands_for_its_map() -> None:
    tracing = Tracing(learned, lambda x: x[:, :, ::2] * 2)
    whole = tracing.costs()
    known = {str(Key(part="m0", method="plain", variant="v")): whole["m0"]}
    again = tracing.costs(known)
    assert "m0" not in again and again[OUTPUT] == whole[OUTPUT]
    assert whole[OUTPUT].form.shape == (2, 1, 32, 32)


def test_that_a_trace_may_be_stopped_before_each_part() -> None:
    tracing, asked = Tracing(learned, lambda x: x * 2), list[int]()

    def each() -> None:
        asked.append(len(asked))
        if len(asked) == 2:
            raise KeyboardInterrupt

    with tracing.context, pytest.raises(KeyboardInterrupt):
        trace.costs(tracing.step, SHAPE, "v", "l1", Temporaries("none"), {}, each=each)
    assert asked == [0, 1]


def test_that_what_a_part_says_to_others_is_its_work() -> None:
    traffic = Traffic(sent=1000, messages=10, shared=1000, collectives=10)  # of before

    def said(x: Tensor) -> Tensor:
        traffic.tell(x)
        traffic.tell_all(x)
        traffic.tell_all(x)
        return x * 2

    found = Tracing(learned, said, traffic=traffic).costs()
    assert found["m0"].work == Work(moved=found["m0"].moved, starts=found["m0"].starts)
    work = found[OUTPUT].work
    assert (work.passed, work.messages, work.shared, work.collectives) == (MAP, 1, 2 * MAP, 2)


def test_that_the_facts_of_a_network_are_those_of_its_parameters_and_buffers() -> None:
    _, network = trace.network_without_values("resnet18")
    facts, sizes = trace.facts(network), [parameter.nbytes for parameter in network.parameters()]
    assert sum(facts.weights.values()) == sum(facts.parameters.values()) == sum(sizes)
    assert facts.by_stage(facts.parameters) == facts.weights
    assert (facts.tensors, facts.largest) == (len(sizes), max(sizes))
    norms = [one for one in network.modules() if isinstance(one, torch.nn.BatchNorm2d)]
    assert facts.channels == sum(one.num_features for one in norms)
    assert facts.buffers == 2 * 4 * facts.channels + 8 * len(norms)
    assert (
        facts.lengths["stages.stem.conv1.weight"] == 64 and facts.parameters["stages.stem.conv1.weight"] == 64 * 49 * 4
    )


def test_that_networks_without_values_are_each_their_own() -> None:
    one, other = (trace.network_without_values("resnet18")[1] for _ in range(2))
    assert one.training and all(parameter.is_meta for parameter in one.parameters())
    assert {*map(id, one.parameters())}.isdisjoint(map(id, other.parameters()))
