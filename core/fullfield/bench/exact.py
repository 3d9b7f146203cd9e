"""Is every technique that calls itself exact exact? Its gradients beside the plain ones, in fp64, alone and in pairs.

In fp32 nobody could tell: the plain network's own gradients are some 1e-2 from their fp64 values at random weights.
*Worst* is the maximum over parameters of ‖a−b‖₂/‖b‖₂; gradients that are released are caught by a hook.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, combinations

import torch
from torch import Tensor, nn

from fullfield.bench import exact_ranks, lively
from fullfield.bench.table import Table
from fullfield.hardware import devices
from fullfield.memory.account import Shape
from fullfield.memory.costs import Costs, Facts
from fullfield.protocol.events import ExactnessMeasured
from fullfield.techniques import build as builds
from fullfield.techniques import compose, here, registry
from fullfield.techniques.base import Effect, Technique
from fullfield.techniques.site import Site
from fullfield.train.step import laid_out

LARGEST, LARGEST_STATISTICS = 1e-11, 1e-10
SHAPES = ((192, 224), (256, 320))
BATCHES = (1, 2)
WITH_OPTIONS = {
    "compile": "compile:backend=aot_eager",
}
"""How a technique is run here where its defaults are not the thing to prove."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What one forward and backward leave: the loss, gradients by parameter, buffers."""

    loss: Tensor
    gradients: dict[str, Tensor]
    statistics: dict[str, Tensor]


def bench(*, json: bool, quick: bool) -> int:
    """Measure all singles and pairs, and what several processes make together, and print; the exit code is 0 where all
    are within the bounds."""
    columns = ("techniques", "ranks", "height", "width", "batch", "worst", "loss", "statistics")
    table = Table("exact", columns, json=json)
    whole = True
    for measured in chain(measurements(quick=quick), exact_ranks.measurements(quick=quick)):
        table.event(
            measured,
            "+".join(measured.techniques),
            measured.ranks,
            measured.height,
            measured.width,
            measured.batch,
            f"{measured.worst_relative_difference:.1e}",
            f"{measured.loss_difference:.1e}",
            f"{measured.statistics_difference:.1e}",
        )
        whole &= within(measured)
    return 0 if whole else 1


def within(measured: ExactnessMeasured) -> bool:
    """It is exact."""
    return (
        measured.worst_relative_difference <= LARGEST
        and measured.loss_difference <= LARGEST
        and measured.statistics_difference <= (LARGEST if measured.ranks > 1 else LARGEST_STATISTICS)
    )


def measurements(*, quick: bool) -> Iterator[ExactnessMeasured]:
    """Every exact technique and allowed pair at every shape and batch in one process; `quick`: singles at the first
    alone."""
    for height, width in SHAPES[:1] if quick else SHAPES:
        for batch in BATCHES[:1] if quick else BATCHES:
            shape = Shape(height=height, width=width, batch=batch)
            plain = Plain(shape)
            for techniques in sets(shape, pairs=not quick):
                yield plain.beside(techniques)


def sets(shape: Shape, *, pairs: bool) -> Iterator[tuple[Technique, ...]]:
    """Exact techniques that are possible here: each alone, then every pair that goes together."""
    site = here.site(devices.choose(devices.CPU), shape, Costs(Facts(weights={}, buffers=0)))
    alone = [one for one in _all() if _exact((one,), site)]
    yield from ((one,) for one in alone if not one.needs)
    if pairs:
        for pair in combinations(alone, 2):
            if not compose.conflicts(pair):
                yield compose.ordered(pair)


def _exact(techniques: Sequence[Technique], site: Site) -> bool:
    return compose.effect(techniques, site) is Effect.EXACT and not compose.refusals(techniques, site)


def _all() -> list[Technique]:
    return [registry.read(WITH_OPTIONS.get(name, name)) for name in registry.all_techniques()]


class Plain:
    """The plain step of a seeded network at one shape, and others beside it, all on `device` and in `dtype`."""

    def __init__(self, shape: Shape, device: str = "cpu", dtype: torch.dtype = torch.float64) -> None:
        self._shape = shape
        network, x, y = lively.given(shape)
        self._network = network.to(device, dtype)
        self._x, self._y = x.to(device, dtype), y.to(device, dtype)
        self._found = self.run(())

    def beside(self, techniques: tuple[Technique, ...]) -> ExactnessMeasured:
        """Run the same step with techniques."""
        found, plain = self.run(techniques), self._found
        return ExactnessMeasured(
            techniques=[str(one) for one in techniques],
            height=self._shape.height,
            width=self._shape.width,
            batch=self._shape.batch,
            worst_relative_difference=lively.worst(found.gradients, plain.gradients),
            loss_difference=float((found.loss - plain.loss).abs() / plain.loss.abs()),
            statistics_difference=lively.worst(found.statistics, plain.statistics),
        )

    def run(self, techniques: tuple[Technique, ...]) -> Found:
        """One step with techniques, and what it leaves."""
        network = copy.deepcopy(self._network)
        build = builds.begin(network, self._x.device)
        compose.apply(techniques, build)
        gradients: dict[str, Tensor] = {}
        with ExitStack() as stack:
            for context in (*build.throughout, *build.around):
                stack.enter_context(context())
            for name, parameter in network.named_parameters():
                catcher = _catcher(gradients, name, release=build.in_backward)
                hook = parameter.register_post_accumulate_grad_hook(catcher)  # type: ignore[no-untyped-call]
                stack.callback(hook.remove)
            loss = build.structure(build.chain(laid_out(self._x, build.layout)), self._y)
            torch.autograd.backward([loss])
        return Found(loss=loss.detach(), gradients=gradients, statistics=dict(network.named_buffers()))


def _catcher(caught: dict[str, Tensor], name: str, *, release: bool) -> Callable[[nn.Parameter], None]:
    def catch(parameter: nn.Parameter) -> None:
        assert parameter.grad is not None
        caught[name] = parameter.grad.clone()
        if release:
            parameter.grad = None

    return catch
