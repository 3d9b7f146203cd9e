"""Residual blocks (He et al. 2015) by hand: BatchNorm, ReLU and the addition are computed again in backward, in place.

    z1 = conv1(x)   y1 = relu(bn1(z1))   z2 = conv2(y1)   out = relu(bn2(z2) + shortcut)
    shortcut = x, or bnd(zd) with zd = convd(x)

A run of blocks keeps its first input and, where asked, the convolutions' outputs. In backward the inputs of the later
blocks are computed first, then block after block goes back. What is written over was made here, or is a gradient that
`handmade.private` has found to be ours. Of a team of several a rank has its rows of all maps (`halo.Divided`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import halo, handmade, second, windows
from fullfield.bands.halo import Divided
from fullfield.bands.normed import PARAMETERS, Gradients, Normed, Pair, joined, parameters
from fullfield.distribution.share import Span
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import batch_norm
from fullfield.kernels.batch_norm import Statistics

Kept = list[Tensor]


def run(
    blocks: Sequence[nn.Module],
    x_NCHW: Tensor,
    *,
    keep_convolved: bool,
    pool: nn.Module | None = None,
    team: Team = ALONE,
) -> Tensor:
    """The blocks (torchvision's BasicBlock) one after the other, behind `pool` where that is an `nn.MaxPool2d`.

    `team`: those who have rows of all these maps; given and made are this rank's. It pools alone only.

    Kept for backward are `x` and, if `keep_convolved`, the output of every convolution: then none runs twice. Without,
    a single block runs its convolutions once more, and of several all but the last run theirs twice more.
    """
    pairs = [_pairs(block) for block in blocks]
    pooling = pool if isinstance(pool, nn.MaxPool2d) else None
    flat = parameters([pair for block in pairs for pair in block])
    return cast(Tensor, _Residual.apply(pairs, keep_convolved, pooling, team, x_NCHW, *flat))


class _Residual(Function):
    @staticmethod
    def forward(
        ctx: Any, pairs: list[list[Pair]], keep: bool, pool: nn.MaxPool2d | None, team: Team, x: Tensor, *flat: Tensor
    ) -> Tensor:
        ctx.pairs, ctx.pool, ctx.team, ctx.dtype = pairs, pool, team, handmade.working_dtype(x)
        ctx.save_for_backward(x, *flat)
        ctx.kept, ctx.statistics = [], []  # not saved: backward lets go of each when it is done with it
        with handmade.by_hand(x):
            out = x if pool is None else pool(x)
            (ctx.height,) = team.heights([out.shape[2]])
            out = Divided(out, ctx.height, team)
            for block in _blocks(pairs, flat, ctx.dtype, team):
                kept: Kept = []
                out = block.forward(block.pull(out), kept if keep else None)
                ctx.kept.append(kept)
                ctx.statistics.append([step.statistics for step in block.steps])
        return out.map

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        g = handmade.private(g)
        x, *flat = ctx.saved_tensors
        kept, ctx.kept = handmade.once(ctx.kept), None
        blocks = _blocks(ctx.pairs, flat, ctx.dtype, ctx.team, ctx.statistics, ctx.needs_input_grad[5:])
        found: Tensor | None = g
        gradients: list[Gradients] = []
        with handmade.by_hand(x):
            inputs = [blocks[0].pull(Divided(x if ctx.pool is None else ctx.pool(x), ctx.height, ctx.team))]
            for block, behind, maps in zip(blocks[:-1], blocks[1:], kept):
                inputs.append(behind.pull(block.again(inputs[-1], maps)))
            for number, block in reversed(list(enumerate(blocks))):
                assert found is not None
                wanted = number > 0 or ctx.needs_input_grad[4]
                found = block.backward(inputs.pop(), kept.pop(), found, wants_input=wanted)
                gradients = [*(step.gradients() for step in block.steps), *gradients]
            if found is not None and ctx.pool is not None:
                found = handmade.unpooled(ctx.pool, x, found)
        flat_gradients = joined([one for each in gradients for one in each], ctx.team)
        return None, None, None, None, None if found is None else found.to(x.dtype), *flat_gradients


class _Block:
    """A block in one step. `steps`: conv1 with bn1, conv2 with bn2, and those of the shortcut where it has some.

    `kept`: outputs of their convolutions in this order, or nothing.
    """

    def __init__(self, steps: list[Normed]) -> None:
        self.steps = steps
        self.one, self.two = steps[:2]
        self.down = steps[2] if len(steps) > 2 else None

    def pull(self, x: Divided) -> Divided:
        """`x` with the rows of others that its convolutions read."""
        return windows.pull(x, self.one) if self.down is None else windows.pull(x, self.one, self.down)

    def forward(self, x: Divided, kept: Kept | None) -> Divided:
        """The output, and the statistics."""

        def convolved(step: Normed, x: Divided) -> Divided:
            z = windows.convolved(step, x)
            step.measure(z.map, z.height)
            if kept is not None:
                kept.append(z.map)
            return z

        z = convolved(self.one, x)
        y = z.alike(self.one.normalise(z.map, relu=True))
        del z
        z = convolved(self.two, windows.pull(y, self.two))
        del y
        out = z.alike(self.two.normalise(z.map, relu=False))
        del z
        shortcut = x.map if self.down is None else self.down.normalise(convolved(self.down, x).map, relu=False)
        out.map.add_(shortcut).relu_()
        return out

    def again(self, x: Divided, kept: Kept) -> Divided:
        """The output, computed again."""
        z = self._two(self.one.normalise(windows.convolved(self.one, x).map, relu=True), x) if not kept else kept[1]
        out = self.two.normalise(z, relu=False)
        del z
        shortcut = x.map
        if self.down is not None:
            shortcut = self.down.normalise(kept[2] if kept else windows.convolved(self.down, x).map, relu=False)
        return self._divided(out.add_(shortcut).relu_(), x)

    def backward(self, x: Divided, kept: Kept, g: Tensor, *, wants_input: bool) -> Tensor | None:
        """The gradient of `x` from `g` of the output, over which it writes, as over what is kept."""
        one, two, down = self.one, self.two, self.down
        z1, z2, zd = (*(self._divided(each, x) for each in kept), None)[:3] if kept else self._convolved(x)
        kept.clear()
        assert z1 is not None and z2 is not None
        self._behind_relu_(g, z2.map, x.map if zd is None else zd.map)
        g2 = z2.alike(two.convolved_gradient_(z2.map, g, relu=False, into=z2.map))  # g is wanted by the shortcut too
        del z2
        second.back_(one, two, z1.pull(), g2.pull(), self._bands(z1))
        one.convolved_gradient_(z1.map, g2.map, relu=True)
        del z1
        windows.learn(one, g2, x)
        found = windows.input_gradient(one, g2, x) if wants_input else None
        del g2
        if down is None or zd is None:
            return None if found is None else found.add_(g)
        down.convolved_gradient_(zd.map, g, relu=False)
        behind = zd.alike(g)
        del zd
        windows.learn(down, behind, x)
        return None if found is None else found.add_(windows.input_gradient(down, behind, x))

    def _convolved(self, x: Divided) -> tuple[Divided, Divided, Divided | None]:
        z1 = windows.convolved(self.one, x)
        z2 = second.convolved(self.one, self.two, z1.pull(), self._bands(z1))
        return z1, z2, None if self.down is None else windows.convolved(self.down, x)

    def _two(self, y1: Tensor, x: Divided) -> Tensor:
        """z2, of all of y1."""
        return windows.convolved(self.two, windows.pull(self._divided(y1, x), self.two)).map

    def _divided(self, map_NCHW: Tensor, x: Divided) -> Divided:
        """A map as high as the output for the input `x`."""
        return Divided(map_NCHW, self.one.window.height(x.height), x.team)

    def _bands(self, of: Divided) -> Iterator[Span]:
        return halo.bands(of.own, windows.ROWS)

    def _behind_relu_(self, g: Tensor, z2: Tensor, other: Tensor) -> None:
        """`g` in place: behind the last ReLU. `other`: the shortcut's convolution, or the shortcut itself."""
        for chunk in batch_norm.chunks(g):
            out, shortcut = self.two.normalise(z2[:, :, chunk], relu=False), other[:, :, chunk]
            out.add_(shortcut if self.down is None else self.down.normalise(shortcut, relu=False))
            handmade.relu_backward_(g[:, :, chunk], out)


def _pairs(block: nn.Module) -> list[Pair]:
    modules = [(block.conv1, block.bn1), (block.conv2, block.bn2)]
    if block.downsample is not None:
        modules.append(tuple(block.downsample))  # type: ignore[arg-type]
    return [Pair(cast(nn.Conv2d, conv), cast(nn.BatchNorm2d, bn)) for conv, bn in modules]


def _blocks(
    pairs: list[list[Pair]],
    flat: Sequence[Tensor],
    dtype: Any,
    team: Team,
    statistics: list[list[Statistics]] | None = None,
    wanted: Sequence[bool] | None = None,
) -> list[_Block]:
    """The blocks with their parameters, which lie in `flat` one after the other."""
    blocks, first = [], 0
    for number, block in enumerate(pairs):
        steps = []
        for place, pair in enumerate(block):
            mine = slice(first, first + PARAMETERS)
            known = None if statistics is None else statistics[number][place]
            steps.append(
                Normed(pair, flat[mine], dtype, known, (True,) * PARAMETERS if wanted is None else wanted[mine], team)
            )
            first += PARAMETERS
        blocks.append(_Block(steps))
    return blocks
