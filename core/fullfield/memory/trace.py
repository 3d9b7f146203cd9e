"""Costs of parts from tensors without values: each part run alone, forward and backward, at the size it will have.

Run alone, a part takes what it takes in the whole, for parts meet in maps and their gradients only. The maps that it
takes come from a function that stands for the parts before it, and whose backward receives their gradients; the
gradient of its own map is made by one that stands for the parts behind it. So whoever drops a map or a gradient early
is seen to do so. Bands that are alike are visited once (`rows.sampling`). Takes a second or so at any size.
"""

from __future__ import annotations

import copy
import functools
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode

from fullfield.distribution.team import ALONE, Team
from fullfield.distribution.traffic import Traffic
from fullfield.interpreter import uncollected
from fullfield.kernels import band_strength, rows
from fullfield.kernels.away import Away
from fullfield.kernels.stored import Stored
from fullfield.memory.account import LOSS, Shape
from fullfield.memory.costs import Facts, Key, MapForm, Moment, PartCost, Work, most
from fullfield.memory.operations import Operation
from fullfield.memory.stand_ins import Before, Behind, away, empty, form_of, given
from fullfield.memory.temporaries import Temporaries
from fullfield.memory.tracker import Event, Tracker
from fullfield.model import network as networks
from fullfield.model.chain import INPUT, OUTPUT, Chain, Part
from fullfield.model.families import registry as families
from fullfield.model.network import Network
from fullfield.model.spec import named
from fullfield.saved_tensors import saved


@dataclass(frozen=True, kw_only=True)
class Step:
    """What is traced. `around`: contexts opened around forward and loss; `structure`: the loss of two images.
    `stored_input`, `stored_reference`: see `Build`. `team`: whose rows of the images are traced, those of this rank.
    `traffic`: of all that it would say to others; None: to those of `team` alone."""

    network: Network
    chain: Chain
    structure: Callable[..., Tensor]
    around: tuple[Callable[[], Any], ...]
    channels_last: bool = False
    stored_input: bool = False
    stored_reference: bool = False
    team: Team = ALONE
    traffic: Traffic | None = None


def network_without_values(encoder: str, *, on_meta: bool = True) -> tuple[AbstractContextManager[Any], Network]:
    """A network that takes no memory, and the context in which it can be run.

    `on_meta`: on the meta device, which is several times faster than fake tensors of the CPU; see
    `Technique.meta_traceable`.
    """
    if on_meta:
        return torch.device("meta"), copy.deepcopy(_on_meta(encoder))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        return mode, networks.build(named(encoder)).train()


@functools.cache
def _on_meta(encoder: str) -> Network:
    """Made once: to copy it takes a third of that, and a plan traces dozens of sets."""
    with torch.device("meta"):
        return networks.build(named(encoder)).train().to("meta")  # smp makes the first convolution on the CPU


def facts(network: Network) -> Facts:
    """Bytes of weights by stage, and of buffers."""
    return Facts(
        weights={
            name: sum(parameter.nbytes for parameter in stage.parameters()) for name, stage in network.stages.items()
        },
        buffers=sum(buffer.nbytes for buffer in network.buffers()),
        tensors=len(list(network.parameters())),
        largest=max(parameter.nbytes for parameter in network.parameters()),
        parameters={name: parameter.nbytes for name, parameter in network.named_parameters()},
        lengths={name: len(parameter) for name, parameter in network.named_parameters()},
        channels=sum(one.num_features for one in network.modules() if isinstance(one, nn.BatchNorm2d)),
    )


def costs(
    step: Step,
    shape: Shape,
    variant: str,
    loss: str,
    temporaries: Temporaries,
    known: Mapping[str, PartCost],
    *,
    each: Callable[[], None] = lambda: None,
) -> dict[str, PartCost]:
    """The cost of every part of a step and of its loss, by `Key`. Called inside the network's context.

    `known`: costs that need no trace; they are not in what is returned. `each`: called before each part is traced; it
    may raise to stop.
    """
    reported: dict[str, _Telling] = {}
    maps = {INPUT: _input(shape, step)}
    parts = [(part, part.method) for part in step.chain.parts] + [(_loss_part(step, shape), loss)]
    for part, method in parts:
        each()
        key = str(Key(part=part.name, method=method, variant=variant))
        if key in known:
            maps[part.name] = known[key].form
        else:
            reported[key] = _Telling(part, [maps[name] for name in part.takes], step)
            maps[part.name] = reported[key].form
    each()
    temporaries.require(operation for telling in reported.values() for operation in telling.operations)
    return {key: telling.cost(temporaries) for key, telling in reported.items()}


def _loss_part(step: Step, shape: Shape) -> Part:
    def run(made: Tensor) -> Tensor:
        prediction = made if made.dim() else away(made, shape)
        like = torch.uint16 if step.stored_reference else prediction.dtype
        reference = torch.empty(prediction.shape, dtype=like, device=made.device)
        wanted = _given(reference)
        found = step.structure(prediction, wanted)
        if families.of(shape.encoder).whole:  # its trainings look at the strength of bands, too
            found = found + band_strength.difference(cast(Tensor, prediction), wanted)
        return found

    return Part(name=LOSS, takes=(OUTPUT,), stages=(), run=run)


def _input(shape: Shape, step: Step) -> MapForm:
    dtype = torch.uint16 if step.stored_input else torch.float32
    first, last = step.team.own(shape.height)
    if step.channels_last:  # of one channel, both layouts are the same bytes: strides alone tell
        return form_of(torch.empty(shape.batch, last - first, shape.width, 1, dtype=dtype).permute(0, 3, 1, 2))
    return form_of(torch.empty(shape.batch, 1, last - first, shape.width, dtype=dtype))


def _passed(step: Step) -> Work:
    """What a rank that is traced has said to the others until now."""
    reported = step.traffic or step.team.traffic
    return Work(
        passed=reported.sent, messages=reported.messages, shared=reported.shared, collectives=reported.collectives
    )


def _batch_statistics(x_NCHW: Tensor, *_: object) -> tuple[Tensor, Tensor]:
    """`aten::batch_norm_update_stats` without values: torch has no such form of it, and would compute on zeros."""
    return x_NCHW.new_empty(x_NCHW.shape[1]), x_NCHW.new_empty(x_NCHW.shape[1])


if not torch._C._dispatch_has_kernel_for_dispatch_key("aten::batch_norm_update_stats", "Meta"):
    _library = torch.library.Library("aten", "IMPL", "Meta")  # type: ignore[no-untyped-call]
    _library.impl("batch_norm_update_stats", _batch_statistics)  # type: ignore[no-untyped-call]


def _given(images: Tensor) -> Tensor | Stored:
    """As parts and loss take them. They are there before the step."""
    made, tables = given(images)
    for one in (images, *tables):
        _trackers[-1].ignore(one)
    return made


_trackers: list[Tracker] = []


class _Telling:
    """One part run alone, and what its tracker saw."""

    def __init__(self, part: Part, taken: list[MapForm], step: Step) -> None:
        self._part, self._taken = part, taken
        self._in_place = [False] * len(taken)
        self._parameters = [one for name in part.stages for one in step.network.stages[name].parameters()]
        with ExitStack() as stack:
            stack.enter_context(uncollected())  # when cycles are found must not decide what is told
            stack.enter_context(rows.sampling())
            self._tracker = stack.enter_context(Tracker())
            _trackers.append(self._tracker)
            stack.callback(_trackers.pop)
            stack.callback(self._forget_gradients)
            for parameter in self._parameters:
                hook = parameter.register_post_accumulate_grad_hook(self._accumulated)  # type: ignore[no-untyped-call]
                stack.callback(hook.remove)
            self._run(step)

    def _run(self, step: Step) -> None:
        tracker = self._tracker
        anchor = torch.empty((), requires_grad=True)
        with ExitStack() as around:
            for context in step.around:
                around.enter_context(context())
            maps = []
            gradients: list[list[Tensor]] = [[] for _ in self._taken]
            for form, arriving in zip(self._taken, gradients, strict=True):
                made = Before.apply(anchor, form, arriving) if form.needs_gradient else empty(form, anchor.device)
                tracker.ignore(made)
                maps.append(made)
            coded = [saved.keep(one) for form, one in zip(self._taken, maps, strict=True) if form.coded]
            tracker.forget()  # that is their makers'
            tracker.watch(maps)
            # Not their addresses: a storage that has ended leaves its own to the next one that is made.
            storages = [weakref.ref(made.untyped_storage()) for made in maps]
            start = len(tracker.events)
            before = _passed(step)
            with torch.enable_grad():
                made = self._part.run(*map(_given, maps))
                made = made.token if isinstance(made, Away) else made
            del maps
            self.form = replace(form_of(made), coded=saved.found(made) is not None)
            self._map_bytes = made.numel() * made.itemsize
            self._own = tracker.bytes_of(made)
            self._forward = tracker.events[start:]
            flops = tracker.flops
            tracker.watch_too(made)
            end = Behind.apply(made, tracker.watch_too)
            del made
        operation = self._forward[-1].operation
        self._saved = Event(live=tracker.live, alive=tracker.alive(), operation=operation, host=tracker.host)
        start = len(tracker.events)
        end.backward()
        del end, coded
        self._backward = tracker.events[start:]
        self._flops = flops, tracker.flops - flops
        self._gradients = [0] * len(self._taken)
        for place, arriving in enumerate(gradients):
            for gradient in arriving:
                self._in_place[place] = storages[place]() is gradient.untyped_storage()
                # Of two gradients in one storage the first keeps it for both.
                self._gradients[place] = tracker.bytes_of(gradient)
                tracker.ignore(gradient)
        self._left, self._work = tracker.live, tracker.work + _passed(step) + before.times(-1)

    @property
    def operations(self) -> Iterator[Operation]:
        """What has run, whose temporaries must be known before there is a cost."""
        return (event.operation for event in (*self._forward, *self._backward))

    def cost(self, temporaries: Temporaries) -> PartCost:
        """The cost with the temporaries of its kernels."""

        def moments(events: list[Event], *, made: bool) -> tuple[Moment, ...]:
            return most([self._moment(event, temporaries.of(event.operation), made=made) for event in events])

        return PartCost(
            forward=moments(self._forward, made=False),
            saved=self._moment(self._saved, 0, made=True),
            backward=moments(self._backward, made=True),
            left=Moment(bytes=self._left, holds=tuple(False for _ in self._taken), makes=False, gradients=self._left),
            in_place=tuple(self._in_place),
            gradients=tuple(self._gradients),
            map_bytes=self._map_bytes if self.form.shape else 0,
            form=self.form,
            flops_forward=self._flops[0],
            flops_backward=self._flops[1],
            **{name: count for name, count in vars(self._work).items() if name != "flops"},
        )

    def _moment(self, event: Event, extra: int, *, made: bool) -> Moment:
        taken = len(self._taken)
        makes = made and event.alive[taken]
        return Moment(
            bytes=event.live + extra - (self._own if makes else 0),
            holds=event.alive[:taken],
            makes=makes,
            gradients=event.gradients,
            receives=any(event.alive[taken + 1 :]),
            workspace=extra,
            host=event.host,
            operation=event.operation.name.removeprefix("aten::"),
        )

    def _accumulated(self, parameter: nn.Parameter) -> None:
        self._tracker.gradients += parameter.nbytes

    def _forget_gradients(self) -> None:
        for parameter in self._parameters:
            parameter.grad = None
