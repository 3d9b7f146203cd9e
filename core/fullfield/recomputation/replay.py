"""Running a part of the network twice: once to have its map, once more in backward for what backward needs.

`torch.utils.checkpoint` does the running (Chen et al. 2016). BatchNorm must notice: the second run normalises with the
batch statistics that the first one found, and updates nothing (pytorch#96136), so both runs make equal values. While a
run lasts, `forward` of the part's BatchNorm modules is exchanged on the modules themselves, whose names, parameters
and buffers stay as they are. Checkpoints may lie inside one another: a first run inside an outer second run takes its
statistics from there. BatchNorm in eval mode is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from functools import partial
from typing import cast

from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from fullfield.kernels import batch_norm, joint_norm
from fullfield.kernels.batch_norm import Statistics
from fullfield.model import autocast
from fullfield.model.chain import Part

Run = Callable[..., Tensor]
Passes = tuple[Callable[[], AbstractContextManager[None]], Callable[[], AbstractContextManager[None]]]


def checkpointed(run: Run, modules: Iterable[nn.Module]) -> Run:
    """`run` keeping nothing but the maps that it takes. `modules`: hold every BatchNorm that it calls."""
    held = tuple(modules)

    def twice(*maps: Tensor) -> Tensor:
        first, again = passes(held)
        as_now = autocast.as_now(maps[0].device.type)

        def as_begun(*maps: Tensor) -> Tensor:
            with as_now():  # in the second run torch sees to it, but on no meta device
                return run(*maps)

        return checkpoint(
            as_begun,
            *maps,
            use_reentrant=False,
            preserve_rng_state=False,  # nothing in the network draws random numbers
            context_fn=lambda: (first(), again()),
        )

    return twice


def passes(modules: Iterable[nn.Module]) -> Passes:
    """What to open around the first run of `modules`, and around the run that follows it in backward.

    Both runs call each BatchNorm equally often, in any order of the BatchNorms.
    """
    norms = tuple(one for module in modules for one in module.modules() if isinstance(one, nn.BatchNorm2d))
    found: _Found = defaultdict(list)
    return partial(_Pass, norms, found, again=False), partial(_Pass, norms, found, again=True)


def one_after_another(parts: Sequence[Part], takes: Sequence[str]) -> Run:
    """The run of several parts as one: takes the maps `takes`, gives the map of the last part."""

    def run(*maps: Tensor) -> Tensor:
        made = dict(zip(takes, maps, strict=True))
        for place, part in enumerate(parts):
            made[part.name] = part.run(*(made[name] for name in part.takes))
            later = {name for other in parts[place + 1 :] for name in other.takes} | {parts[-1].name}
            made = {name: one for name, one in made.items() if name in later}
        return made[parts[-1].name]

    return run


def in_blocks(layer: nn.Module) -> Run:
    """The run of a `Layer` with each of its residual blocks checkpointed; the first one together with the pooling."""
    pool, blocks = cast(nn.Module, layer.pool), cast(nn.Sequential, layer.blocks)
    first, *others = blocks
    pieces = [
        checkpointed(lambda x: first(pool(x)), [first]),
        *(checkpointed(block, [block]) for block in others),
    ]

    def run(x: Tensor) -> Tensor:
        for piece in pieces:
            x = piece(x)
        return x

    return run


_Found = defaultdict[nn.BatchNorm2d, list[Statistics]]
"""Statistics by module, in the order of its calls."""


class _Pass:
    """One run of a part: a context in which its BatchNorms note their statistics, or take the noted ones `again`."""

    def __init__(self, norms: Sequence[nn.BatchNorm2d], found: _Found, *, again: bool) -> None:
        self._norms, self._found, self._again = norms, found, again

    def __enter__(self) -> None:
        self._calls: defaultdict[nn.BatchNorm2d, int] = defaultdict(int)
        self._outer = _running.get()
        self._token: Token[_Pass | None] = _running.set(self)
        self._exchanged = [norm for norm in self._norms if "forward" not in vars(norm)]
        for norm in self._exchanged:
            vars(norm)["forward"] = partial(_forward, norm)

    def __exit__(self, *raised: object) -> None:
        for norm in self._exchanged:
            del vars(norm)["forward"]
        _running.reset(self._token)

    def statistics(self, norm: nn.BatchNorm2d, z_NCHW: Tensor) -> Statistics:
        """Of the next call of `norm`. Running statistics are updated if this is truly its first run."""
        if not self._again:
            outer = self._outer
            self._found[norm].append(outer.statistics(norm, z_NCHW) if outer else batch_norm.measured(norm, z_NCHW))
        self._calls[norm] += 1
        return self._found[norm][self._calls[norm] - 1]


_running: ContextVar[_Pass | None] = ContextVar("running", default=None)


def _forward(norm: nn.BatchNorm2d, z_NCHW: Tensor) -> Tensor:
    """In the place of `norm.forward` while a part runs."""
    running = _running.get()
    if running is None or not batch_norm.wants_batch(norm):
        return type(norm).forward(norm, z_NCHW)
    return joint_norm.normalised(norm, z_NCHW, running.statistics(norm, z_NCHW))
