"""Residual blocks (He et al. 2015) by hand: BatchNorm, ReLU and the addition are computed again in backward, in place.

    z1 = conv1(x)   y1 = relu(bn1(z1))   z2 = conv2(y1)   out = relu(bn2(z2) + shortcut)
    shortcut = x, or bnd(zd) with zd = convd(x)

A run of blocks keeps its first input and, where asked, the convolutions' outputs. In backward the inputs of the later
blocks are computed first, then block after block goes back. What is written over was made here, or is a gradient that
`handmade.private` has found to be ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import halo, handmade, second
from fullfield.bands.halo import Divided
from fullfield.bands.normed import PARAMETERS, Gradients, Normed, Pair, parameters
from fullfield.distribution.team import ALONE
from fullfield.kernels import batch_norm
from fullfield.kernels.batch_norm import Statistics

Kept = list[Tensor]
ROWS = 64  # of a block's map in a band of its second convolution


def run(blocks: Sequence[nn.Module], x_NCHW: Tensor, *, keep_convolved: bool, pool: nn.Module | None = None) -> Tensor:
    """The blocks (torchvision's BasicBlock) one after the other, behind `pool` where that is an `nn.MaxPool2d`.

    Kept for backward are `x` and, if `keep_convolved`, the output of every convolution: then none runs twice. Without,
    a single block runs its convolutions once more, and of several all but the last run theirs twice more.
    """
    pairs = [_pairs(block) for block in blocks]
    pooling = pool if isinstance(pool, nn.MaxPool2d) else None
    flat = parameters([pair for block in pairs for pair in block])
    return cast(Tensor, _Residual.apply(pairs, keep_convolved, pooling, x_NCHW, *flat))


class _Residual(Function):
    @staticmethod
    def forward(
        ctx: Any, pairs: list[list[Pair]], keep: bool, pool: nn.MaxPool2d | None, x: Tensor, *flat: Tensor
    ) -> Tensor:
        ctx.pairs, ctx.pool, ctx.dtype = pairs, pool, handmade.working_dtype(x)
        ctx.save_for_backward(x, *flat)
        ctx.kept, ctx.statistics = [], []  # not saved: backward lets go of each when it is done with it
        with handmade.by_hand(x):
            out = x if pool is None else pool(x)
            for block in _blocks(pairs, flat, ctx.dtype):
                kept: Kept = []
                out = block.forward(out, kept if keep else None)
                ctx.kept.append(kept)
                ctx.statistics.append([step.statistics for step in block.steps])
        return cast(Tensor, out)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        g = handmade.private(g)
        x, *flat = ctx.saved_tensors
        kept, ctx.kept = handmade.once(ctx.kept), None
        blocks = _blocks(ctx.pairs, flat, ctx.dtype, ctx.statistics, ctx.needs_input_grad[4:])
        found: Tensor | None = g
        gradients: list[Gradients] = []
        with handmade.by_hand(x):
            inputs = [x if ctx.pool is None else ctx.pool(x)]
            for block, maps in zip(blocks[:-1], kept):
                inputs.append(block.again(inputs[-1], maps))
            for number, block in reversed(list(enumerate(blocks))):
                assert found is not None
                wanted = number > 0 or ctx.needs_input_grad[3]
                found = block.backward(inputs.pop(), kept.pop(), found, wants_input=wanted)
                gradients = [*(step.gradients() for step in block.steps), *gradients]
            if found is not None and ctx.pool is not None:
                found = handmade.unpooled(ctx.pool, x, found)
        flat_gradients = (one for each in gradients for one in each)
        return None, None, None, None if found is None else found.to(x.dtype), *flat_gradients


class _Block:
    """A block in one step. `steps`: conv1 with bn1, conv2 with bn2, and those of the shortcut where it has some.

    `kept`: outputs of their convolutions in this order, or nothing.
    """

    def __init__(self, steps: list[Normed]) -> None:
        self.steps = steps
        self.one, self.two = steps[:2]
        self.down = steps[2] if len(steps) > 2 else None

    def forward(self, x: Tensor, kept: Kept | None) -> Tensor:
        """The output, and the statistics."""

        def convolved(step: Normed, x: Tensor) -> Tensor:
            z = step.convolve(x)
            step.measure(z)
            if kept is not None:
                kept.append(z)
            return z

        y = self.one.normalise(convolved(self.one, x), relu=True)
        z = convolved(self.two, y)
        del y
        out = self.two.normalise(z, relu=False)
        del z
        shortcut = x if self.down is None else self.down.normalise(convolved(self.down, x), relu=False)
        return out.add_(shortcut).relu_()

    def again(self, x: Tensor, kept: Kept) -> Tensor:
        """The output, computed again."""
        z = kept[1] if kept else self.two.convolve(self.one.normalise(self.one.convolve(x), relu=True))
        out = self.two.normalise(z, relu=False)
        del z
        shortcut = x
        if self.down is not None:
            shortcut = self.down.normalise(kept[2] if kept else self.down.convolve(x), relu=False)
        return out.add_(shortcut).relu_()

    def backward(self, x: Tensor, kept: Kept, g: Tensor, *, wants_input: bool) -> Tensor | None:
        """The gradient of `x` from `g` of the output, over which it writes, as over what is kept."""
        one, two, down = self.one, self.two, self.down
        z1, z2, zd = (*kept, None)[:3] if kept else self._convolved(x)
        kept.clear()
        assert z1 is not None and z2 is not None
        self._behind_relu_(g, z2, x if zd is None else zd)
        g2 = two.convolved_gradient_(z2, g, relu=False, into=z2)  # g is wanted once more, by the shortcut
        del z2
        maps = Divided(z1, z1.shape[2], ALONE).pull(), Divided(g2, z1.shape[2], ALONE).pull()
        second.back_(one, two, *maps, self._bands(z1))
        del maps
        g1 = one.convolved_gradient_(z1, g2, relu=True)
        del g2
        del z1
        one.learn(g1, x)
        found = one.input_gradient(g1, x) if wants_input else None
        del g1
        if down is None or zd is None:
            return None if found is None else found.add_(g)
        down.convolved_gradient_(zd, g, relu=False)
        down.learn(g, x)
        del zd
        return None if found is None else found.add_(down.input_gradient(g, x))

    def _convolved(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        z1 = self.one.convolve(x)
        z2 = second.convolved(self.one, self.two, Divided(z1, z1.shape[2], ALONE).pull(), self._bands(z1)).map
        return z1, z2, None if self.down is None else self.down.convolve(x)

    def _bands(self, map_NCHW: Tensor) -> Iterator[tuple[int, int]]:
        return halo.bands((0, map_NCHW.shape[2]), ROWS)

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
                Normed(pair, flat[mine], dtype, known, (True,) * PARAMETERS if wanted is None else wanted[mine])
            )
            first += PARAMETERS
        blocks.append(_Block(steps))
    return blocks
