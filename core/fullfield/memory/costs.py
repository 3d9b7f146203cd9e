"""What each part of the network takes, by the way that it is run: the values that predictions are composed of.

A `PartCost` is one part's story at one shape, told by a trace (`fullfield.memory.trace`): the moments of its forward
and of its backward at which most bytes are alive. Maps between parts belong to several parts, so they are not in the
bytes: a moment says which of them it holds, and `fullfield.memory.account` counts each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from fullfield.checked import Fields

VERSION = 22  # of what a trace tells; costs of another one are traced again


class NotTraced(Exception):
    """A cost is not known, and whoever asks does not want to wait for a trace."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """What a step, or a part of one, asks of a device.

    `flops`: of convolutions, 2 per multiply-add. `moved`: bytes that all other operations read and write, which take
    their time by them. `starts`: operations that start a kernel. `sent`: bytes between the device and the host tier.
    Of several ranks, what each says to the others: `passed`: bytes to single ranks, in so many `messages`; `shared`:
    bytes that it puts into so many `collectives`, operations of all ranks at once.
    """

    flops: int = 0
    moved: int = 0
    starts: int = 0
    sent: int = 0
    passed: int = 0
    messages: int = 0
    shared: int = 0
    collectives: int = 0

    def __add__(self, other: Work) -> Work:
        mine, others = vars(self), vars(other)
        return Work(**{name: mine[name] + others[name] for name in mine})

    def times(self, factor: float) -> Work:
        """So many times as much."""
        return Work(**{name: round(count * factor) for name, count in vars(self).items()})


AGREED = Work(shared=4 * 8, collectives=1)
"""What ranks say once in a step, so that all of them do the same: its losses, its gradient, and what was spared."""
FINITE = Work(shared=2 * 8, collectives=1)
"""Likewise, before a backward in which weights change."""
NORM, NORM_INSIDE = Work(shared=4, collectives=1), Work(shared=8, collectives=1)
"""For the norm of gradients of which single ranks have some; the second of those that were gone when it is taken."""


@dataclass(frozen=True, kw_only=True)
class Moment:
    """`bytes` alive beyond weights and beyond the maps that the part takes and makes; `holds`: by taken map, whether
    this part keeps it alive; `makes`: its own map is alive (in forward: made; in backward: still kept); `receives`:
    the gradient of its own map, which is in the bytes as a plain map, is alive. `gradients`: how many of the bytes are
    gradients of weights that could have been let go of. `workspace`: how many are a kernel's temporaries.
    `host`: bytes that the part has in the host tier. `operation`: the one that ran.
    """

    bytes: int
    holds: tuple[bool, ...]
    makes: bool
    receives: bool = False
    gradients: int = 0
    workspace: int = 0
    host: int = 0
    operation: str = ""

    def covers(self, other: Moment) -> bool:
        """At no composition can `other` take more. A gradient may be freed when it is there, and its weight with it,
        where another rank owns both: so each of the gradients here may count less, once or twice."""
        return (
            self.bytes >= other.bytes
            and self.bytes - 2 * self.gradients >= other.bytes - 2 * other.gradients
            and self.host >= other.host
            and self.makes >= other.makes
            and self.receives >= other.receives
            and all(mine >= theirs for mine, theirs in zip(self.holds, other.holds, strict=True))
        )


@dataclass(frozen=True, kw_only=True)
class MapForm:
    """A map without its values, as torch describes it; `dtype` is torch's name, such as "float32".

    `coded`: its maker keeps it in another form (`saved_tensors.saved`), which who takes it need not keep again.
    """

    shape: tuple[int, ...] = ()
    stride: tuple[int, ...] = ()
    dtype: str = "float32"
    needs_gradient: bool = True
    coded: bool = False


@dataclass(frozen=True, kw_only=True)
class PartCost:
    """The moments of a part that no other moment covers, and what stays.

    `saved`: after forward. `left`: after backward, its bytes are the gradients of weights. `in_place`: by taken map,
    whether its gradient is written over the map itself; `gradients`: by taken map, the bytes that its gradient keeps
    alive, which are more than the map's where it is a view of something larger (of a concatenation's). `map_bytes`: of
    the map that it makes, `form`: what the parts behind it are given. `flops_forward`, `flops_backward`: of
    convolutions, 2 per multiply-add. `moved`, `starts`, `sent`, `passed`, `messages`, `shared`, `collectives`: of
    forward and backward, see `Work`.
    """

    forward: tuple[Moment, ...]
    saved: Moment
    backward: tuple[Moment, ...]
    left: Moment
    in_place: tuple[bool, ...]
    gradients: tuple[int, ...]
    map_bytes: int
    flops_forward: int
    flops_backward: int
    moved: int = 0
    starts: int = 0
    sent: int = 0
    passed: int = 0
    messages: int = 0
    shared: int = 0
    collectives: int = 0
    form: MapForm = MapForm()

    @property
    def work(self) -> Work:
        """Of forward and backward together."""
        same = {name: getattr(self, name) for name in vars(Work()) if name != "flops"}
        return Work(flops=self.flops_forward + self.flops_backward, **same)


@dataclass(frozen=True, kw_only=True)
class Key:
    """What decides a part's cost. `method`: of the part; `variant`: of the whole step (shape, precision …)."""

    part: str
    method: str
    variant: str

    def __str__(self) -> str:
        return f"{self.variant}|{self.part}|{self.method}"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is true of a network however it is run.

    `weights`: bytes of fp32 parameters by stage; `buffers`: bytes of all buffers. `tensors`: how many tensors the
    parameters are; `largest`: bytes of the largest of them; `parameters`: of each, by its name in the network;
    `lengths`: how long each is along its first dimension. `channels`: of all BatchNorms.
    """

    weights: Mapping[str, int]
    buffers: int
    tensors: int = 0
    largest: int = 0
    parameters: Mapping[str, int] = field(default_factory=dict)
    lengths: Mapping[str, int] = field(default_factory=dict)
    channels: int = 0

    @property
    def statistics(self) -> Work:
        """What ranks with images of their own say to have the running statistics of all (`train.reduced`)."""
        return Work(shared=2 * 8 * self.channels, collectives=2)

    def backward(self) -> tuple[tuple[str, int], ...]:
        """Stage and bytes of each parameter, in the order in which backward has their gradients."""
        return tuple((self.stage(name), size) for name, size in reversed([*self.parameters.items()]))

    def stage(self, parameter: str) -> str:
        """That has the parameter of this name."""
        return parameter.split(".")[1]

    def by_stage(self, parameters: Iterable[str]) -> dict[str, int]:
        """Bytes of some of the `parameters`, by the stage that has them."""
        found = dict.fromkeys(self.weights, 0)
        for name in parameters:
            found[self.stage(name)] += self.parameters[name]
        return found


class Costs:
    """The costs that are known, and `trace`, which finds those that are not."""

    def __init__(
        self,
        facts: Facts,
        known: Mapping[str, PartCost] | None = None,
        trace: Callable[[Key], PartCost] | None = None,
    ) -> None:
        self.facts = facts
        self.known = dict(known or {})
        self._trace = trace

    def traced_by(self, trace: Callable[[Key], PartCost]) -> Costs:
        """The same costs, of which `trace` finds those that are not known; what it finds is known to both."""
        same = Costs(self.facts, trace=trace)
        same.known = self.known
        return same

    def of(self, key: Key) -> PartCost:
        """Raises KeyError where it is not known and cannot be traced."""
        name = str(key)
        if name not in self.known:
            if self._trace is None:
                raise KeyError(name)
            self.known[name] = self._trace(key)
        return self.known[name]


def most(moments: list[Moment]) -> tuple[Moment, ...]:
    """The moments that no other one covers, in order."""
    kept: list[Moment] = []
    for moment in moments:
        if not any(other.covers(moment) for other in kept):
            kept = [other for other in kept if not moment.covers(other)] + [moment]
    return tuple(kept)


def to_fields(cost: PartCost) -> Fields:
    """Plain values; `from_fields` gives an equal cost."""
    return asdict(cost)


def from_fields(values: Mapping[str, Any]) -> PartCost:
    """Raises TypeError, KeyError for values of another version."""

    def moment(fields: Mapping[str, Any]) -> Moment:
        return Moment(**{**fields, "holds": tuple(fields["holds"])})

    return PartCost(
        **{
            **values,
            "forward": tuple(map(moment, values["forward"])),
            "saved": moment(values["saved"]),
            "backward": tuple(map(moment, values["backward"])),
            "left": moment(values["left"]),
            "in_place": tuple(values["in_place"]),
            "gradients": tuple(values["gradients"]),
            "form": MapForm(**{name: _tuples(value) for name, value in values["form"].items()}),
        }
    )


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
