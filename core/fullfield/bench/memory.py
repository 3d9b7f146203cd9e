"""What a step is predicted to take beside what the allocator gives out for it: `fullfield bench memory`.

Measured is one real forward, loss and backward of a seeded network after a first one, by the allocator's own records;
weights, what the optimizer remembers and images, which are there before, are added as their storages' sizes. Ratios
below 1 are too small; a plan adds 1 %, which the bounds allow for. `starts`: operations of forward and backward that
start a kernel on a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from fullfield.bench import starts
from fullfield.bench.stepping import as_stored
from fullfield.bench.table import Table
from fullfield.hardware import devices
from fullfield.kernels import stored
from fullfield.kernels.stored import Stored
from fullfield.memory import allocator
from fullfield.memory.account import Account, Shape
from fullfield.model import network as networks
from fullfield.model.card import NetworkSpec
from fullfield.plan import sets as planned_sets
from fullfield.plan.spec import USUAL_TECHNIQUES
from fullfield.techniques import build as builds
from fullfield.techniques import compose, here, registry
from fullfield.techniques.base import Stage, Technique, Tier
from fullfield.techniques.build import Build
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Site
from fullfield.train.step import laid_out

MIB = 2**20
SHAPES = (
    Shape(height=256, width=256),
    Shape(height=512, width=512),
    Shape(height=320, width=480),
    Shape(height=736, width=512),
    Shape(height=256, width=256, batch=2),
    Shape(height=1024, width=1024),
)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Bytes of the whole step at its peak, predicted and measured. `account`: the prediction in parts."""

    predicted: int
    measured: int
    account: Account


def bench(*, json: bool, quick: bool) -> int:
    """Compare and print, then, unless `quick`, what steps in bands start; the exit code is 0 where nothing is
    under-predicted, nor by more than 3 % over, and no more is started than is the bound."""
    table = Table(
        "memory",
        ("techniques", "height", "width", "batch", "predicted_MiB", "measured_MiB", "ratio", "starts"),
        json=json,
    )
    comparison = Comparison("resnet34")
    whole = True
    for shape in SHAPES[:1] if quick else SHAPES:
        for techniques in sets(comparison.site(shape)):
            found = comparison.compare(techniques, shape)
            ratio = found.predicted / found.measured
            whole &= 1.0 <= ratio * 1.01 <= 1.03
            table.row(
                "+".join(map(str, techniques)) or "plain",
                shape.height,
                shape.width,
                shape.batch,
                round(found.predicted / MIB, 1),
                round(found.measured / MIB, 1),
                round(ratio, 4),
                found.account.works[0].starts,
            )
    if not quick:
        whole &= starts.bench(json=json)
    return 0 if whole else 1


def sets(site: Site) -> Iterator[tuple[Technique, ...]]:
    """No technique, every technique alone, and the planner's ways to run the parts with the loss in bands."""
    alone = [(name,) for name, kind in registry.all_techniques().items() if kind.stage <= Stage.SAVED]
    ways = planned_sets.ways(site, (Stage.ACTIVATIONS, Stage.SAVED), Tier.TIGHT)
    planned = [(*texts, *USUAL_TECHNIQUES) for texts in ways]
    for texts in dict.fromkeys(((), *alone, *planned)):
        techniques = compose.read(texts)
        if not compose.refusals(techniques, site):
            yield techniques


class Comparison:
    """Predictions for this machine's device, and measurements on it."""

    def __init__(self, encoder: str, device: str = devices.CPU) -> None:
        self._device = devices.choose(device)
        self._encoder = encoder
        self._costing = Costing(encoder, self._device.name)

    def site(self, shape: Shape) -> Site:
        """This machine with steps of `shape`."""
        return here.site(self._device, shape, self._costing.costs)

    def predict(self, techniques: tuple[Technique, ...], shape: Shape) -> Account:
        """What a step takes, by the costs of its parts."""
        return self._costing.account(techniques, self.site(shape))[1]

    def compare(self, techniques: tuple[Technique, ...], shape: Shape) -> Compared:
        """Predict, then run."""
        account = self.predict(techniques, shape)
        return Compared(predicted=account.fullest.peak, measured=self._measured(techniques, shape), account=account)

    def _measured(self, techniques: tuple[Technique, ...], shape: Shape) -> int:
        torch.manual_seed(0)
        device = torch.device(self._device.name)
        network = networks.build(NetworkSpec(encoder=self._encoder)).train().to(device)
        build = builds.begin(network, device)
        compose.apply(techniques, build)
        x = torch.rand(shape.batch, 1, shape.height, shape.width, device=device)
        y = torch.rand_like(x)
        given = as_stored(x) if build.stored_input else x
        wanted = as_stored(y) if build.stored_reference else y
        del x, y
        with devices.computing_alike(self._device.kind), ExitStack() as stack:
            if build.in_backward:
                for parameter in network.parameters():
                    hook = parameter.register_post_accumulate_grad_hook(_release)  # type: ignore[no-untyped-call]
                    stack.callback(hook.remove)
            _step(build, given, wanted)  # the first one compiles and chooses kernels
            undo = [buffer.clone() for buffer in network.buffers()]  # a training undoes a bad step from such a copy
            remembered = [*_remembered(build), *build.kept.values()]
            images = (*stored.tensors(given), *stored.tensors(wanted))
            there = _bytes([*images, *network.parameters(), *network.buffers(), *undo, *remembered])
            return there + allocator.peak(lambda: _step(build, given, wanted), device).peak


def _remembered(build: Build) -> list[Tensor]:
    """What the optimizer makes in its first step, in which nothing moves; gradients are let go of."""
    parameters = list(build.network.parameters())
    optimizer = build.optimizer(parameters)
    for parameter in parameters:
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return [value for state in optimizer.state.values() for value in state.values() if isinstance(value, Tensor)]


def _bytes(tensors: Iterable[Tensor]) -> int:
    """Of their storages, each once."""
    storages = {one.untyped_storage()._cdata: one.untyped_storage().nbytes() for one in tensors}
    return sum(storages.values())


def _release(parameter: nn.Parameter) -> None:
    parameter.grad = None


def _step(build: Build, x: Tensor | Stored, y: Tensor | Stored) -> None:
    with ExitStack() as stack:
        for context in build.throughout:
            stack.enter_context(context())
        with ExitStack() as around:
            for context in build.around:
                around.enter_context(context())
            loss = build.structure(build.chain(laid_out(x, build.layout)), y)
        torch.autograd.backward([loss])
