"""One optimizer step, and the rules that keep a bad one from doing harm."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels.stored import Stored
from fullfield.memory.watch import BACKWARD, FORWARD, UPDATE
from fullfield.model.card import GRID
from fullfield.model.placed import Passed, Placed
from fullfield.plan import spec as specs
from fullfield.techniques.build import Build
from fullfield.train import loss as losses
from fullfield.train import loss_of_rows
from fullfield.train.update import Update

Phase = Callable[[str], AbstractContextManager[object]]
LOWEST_RATE = 0.01  # of the largest learning rate, at the end of the cosine
MOST_TRIES = 40  # of one step with smaller and smaller scales of the loss; the scale is below 1 long before


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a step found, the same on all ranks. `loss`: 100·objective; `structure`: 100·(1 − MS-SSIM), both of the
    whole batch; `gradient`: the mean of the ranks' norms, which are equal where gradients are summed over the ranks.

    `skipped`: a value was not finite, and nothing was changed. `spared`: how many parameters were left alone because
    their gradient was not finite, when others had been updated inside backward already.
    """

    loss: float
    structure: float
    gradient: float
    skipped: bool
    spared: int = 0


def learning_rate(step: int, steps: int, *, largest: float, schedule: str, warm_up: float) -> float:
    """The rate of optimizer step `step` of `steps`: linear up over the share `warm_up`, then constant or a cosine.

    A function of the step alone, so a resumed training needs no state of it.
    """
    rising = max(1, round(warm_up * steps))
    if step < rising:
        return largest * (step + 1) / rising
    if schedule == "constant":
        return largest
    done = (step - rising) / max(1, steps - rising)
    return largest * (LOWEST_RATE + (1 - LOWEST_RATE) * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def train_step(
    build: Build,
    update: Update,
    batch: Batch,
    *,
    loss: str,
    l1: bool,
    rate: float,
    phase: Phase = contextlib.nullcontext,
    team: Team = ALONE,
) -> Step:
    """Forward, loss, backward, and the update where all is finite on all ranks of `team`. `l1`: L1 drives this step,
    see `TrainSpec`. `batch`: this rank's share of the images.

    `phase` is opened around forward with the loss, backward and update, with the phase's name.
    """
    before, smaller = _statistics(build), 0.0
    with opened(build.throughout):
        for _ in range(MOST_TRIES):
            update.begin(rate)
            objective, structure = _backward(build, update, batch, loss=loss, l1=l1, phase=phase, team=team)
            with phase(UPDATE):
                if build.scaler is not None:  # makes the scale on ranks that have no image, or no loss, too
                    build.scaler.scale(objective)
                # The one synchronisation of a step: its numbers are shown, and a bad one must not reach the weights.
                own = torch.stack([objective, structure, update.gradient().to(objective) / team.size]).tolist()
                first = build.team.writes and build.replicas.writes  # others spare the same ones, where none owns them
                counts = first or build.owners is not None
                *numbers, spared = team.agree([*own, float(update.spared * counts)])
                finite = all(map(math.isfinite, numbers))
                if finite:
                    update.finish(len(batch.shapes) / (batch.whole or len(batch.shapes)))
            if finite:
                break
            _restore(before)
            if build.scaler is not None:
                smaller = smaller or build.scaler.get_scale()  # by one overflow
            too_large = build.scaler is not None and math.isfinite(numbers[0]) and build.scaler.get_scale() >= 1.0
            if not too_large:  # else gradients have overflowed by the scale of the loss, which is smaller now
                break
        if build.scaler is not None and not finite:  # at no scale: it was not what was too large
            build.scaler.update(smaller)
    return Step(
        loss=losses.PERCENT * numbers[0],
        structure=losses.PERCENT * numbers[1],
        gradient=numbers[2],
        skipped=not finite,
        spared=int(spared),
    )


def _backward(
    build: Build, update: Update, batch: Batch, *, loss: str, l1: bool, phase: Phase, team: Team
) -> tuple[Tensor, Tensor]:
    """(objective, 1 − MS-SSIM) of the batch, the means over its images, after backward of all of its micro-batches; of
    it this rank's part, so that the ranks' losses and gradients need only be summed.

    Where weights change inside backward, none is made from a loss that is not finite on any rank.
    """
    if build.placed is not None:
        return _in_turns(build, build.placed, batch, loss=loss, l1=l1, phase=phase)
    count, whole = len(batch.shapes), batch.whole or len(batch.shapes)
    counts = build.replicas.counts(whole)
    most = max(counts)  # images of the rank that has most: all go round equally often
    size = build.micro or most
    sums = torch.zeros(2, dtype=torch.float64, device=build.device)
    for first in range(0, most, size):
        part = slice(min(first, count), min(first + size, count))
        share = (part.stop - part.start) / whole
        driving = None
        if build.joint is not None:
            build.joint.images = tuple(min(max(0, each - first), size) for each in counts)
        if share:
            driving, found = _forward(build, batch, part, loss=loss, l1=l1, phase=phase)
            sums += share * found
        elif build.joint is not None or build.backward_sums:
            driving = _stand_in(build, batch, phase)
        elif build.gathered is not None:
            build.gathered.idle_forward()
        if build.in_backward and not all(map(math.isfinite, team.agree(sums.tolist()))):
            break
        last = first + size >= most
        if last:
            update.last_backward()
        if driving is not None:
            with phase(BACKWARD):
                torch.autograd.backward([_scaled(build, driving, share)])
        elif build.gathered is not None:
            build.gathered.idle_backward(update.take)
        update.end_backward(last=last)
    return sums[0], sums[1]


def _in_turns(
    build: Build, placed: Placed, batch: Batch, *, loss: str, l1: bool, phase: Phase
) -> tuple[Tensor, Tensor]:
    """Likewise, of a network whose parts lie on several ranks: single images follow one another through them, in the
    order that the schedule gives to this one. The last rank alone knows of losses."""
    share = 1 / len(batch.shapes)
    sums = torch.zeros(2, dtype=torch.float64, device=build.device)
    passing: dict[int, tuple[Passed, Tensor | None]] = {}
    for action in placed.actions(len(batch.shapes)):
        part = slice(action.micro, action.micro + 1)
        if not action.forward:
            with phase(BACKWARD):
                placed.backward(*passing.pop(action.micro))
            continue
        with phase(FORWARD), opened(build.around):
            passed, prediction = placed.forward(_given(build, batch, part))
            driving = None
            if prediction is not None:
                driving, found = _driving(build, prediction, batch, part, loss=loss, l1=l1)
                sums += share * found
                driving = _scaled(build, driving, share)
            del prediction
        passing[action.micro] = passed, driving
    placed.settle()
    return sums[0], sums[1]


def _forward(build: Build, batch: Batch, part: slice, *, loss: str, l1: bool, phase: Phase) -> tuple[Tensor, Tensor]:
    """What drives backward; and (objective, 1 − MS-SSIM) as numbers, float64."""
    with phase(FORWARD), opened(build.around):
        return _driving(build, build.chain(_given(build, batch, part)), batch, part, loss=loss, l1=l1)


def _given(build: Build, batch: Batch, part: slice) -> Tensor | Stored:
    """The images, on the device where this rank takes them."""
    x_NCHW = batch.x_NCHW[part]
    if build.placed is not None and not build.placed.takes_images:
        return x_NCHW
    return laid_out(x_NCHW.to(build.device, non_blocking=True), build.layout)


def _driving(
    build: Build, prediction: Tensor, batch: Batch, part: slice, *, loss: str, l1: bool
) -> tuple[Tensor, Tensor]:
    """See `_forward`."""
    y_NCHW = batch.y_NCHW[part].to(build.device, non_blocking=True)
    both, shapes = l1 or losses.has_l1(loss), batch.shapes[part]
    if build.team.size > 1:
        found = loss_of_rows.on_true_parts(
            prediction,
            y_NCHW,
            shapes,
            batch.first,
            team=build.team,
            structure=build.structure,
            of_whole=build.structure_of_whole,
            l1=both,
        )
    else:
        found = losses.on_true_parts(prediction, y_NCHW, shapes, structure=build.structure, l1=both)
    structure, difference = found
    bands = losses.bands(prediction, y_NCHW, shapes, batch.kinds[part]) if specs.losses_of_bands(loss) else None
    objective = losses.combined(structure, difference, loss=loss, bands=bands)
    return difference if l1 else objective, torch.stack([objective.detach(), structure.detach()]).double()


def _scaled(build: Build, driving: Tensor, share: float) -> Tensor:
    """By the share of the batch's images, and by the scale of the loss."""
    driving = driving if share == 1.0 else share * driving
    return driving if build.scaler is None else build.scaler.scale(driving)


def _stand_in(build: Build, batch: Batch, phase: Phase) -> Tensor:
    """Of a rank that has no image where others wait for it inside backward, or at every BatchNorm: what it runs counts
    for nothing. Where statistics are of all ranks' images it is as large as those, for maps of other heights may be
    divided into bands otherwise, whose ranks meet less often."""
    with phase(FORWARD), opened(build.around):
        least = 2 * GRID  # BatchNorm takes statistics of more than one value
        shape = (least, least) if build.joint is None else batch.x_NCHW.shape[2:]
        x_NCHW = torch.zeros(1, 1, *shape, dtype=next(build.network.parameters()).dtype, device=build.device)
        return cast(Tensor, build.chain(laid_out(x_NCHW, build.layout))).mean()


def laid_out(x_NCHW: Tensor | Stored, layout: torch.memory_format) -> Tensor | Stored:
    """The same image. With one channel both layouts are the same bytes: strides alone tell torch which is meant."""
    if layout != torch.channels_last:
        return x_NCHW
    if isinstance(x_NCHW, Stored):
        return Stored(_last(x_NCHW.levels_NCHW), x_NCHW.tables)
    return _last(x_NCHW)


def _last(x_NCHW: Tensor) -> Tensor:
    count, _, rows, columns = x_NCHW.shape
    return x_NCHW.reshape(count, rows, columns, 1).permute(0, 3, 1, 2)


@contextlib.contextmanager
def opened(contexts: Iterable[Callable[[], AbstractContextManager[object]]]) -> Iterator[None]:
    """All of them, in their order."""
    with contextlib.ExitStack() as stack:
        for make in contexts:
            stack.enter_context(make())
        yield


def set_mode(network: nn.Module, *, frozen: bool) -> None:
    """Training mode; `frozen`: with BatchNorm on its running statistics, which the forward then leaves alone."""
    network.train()
    if frozen:
        for module in network.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()


def _statistics(build: Build) -> list[tuple[Tensor, Tensor]]:
    """What a forward counts, with copies: BatchNorm's statistics and the ranges of int8. One with NaN spoils them."""
    buffers = [*build.network.buffers(), *build.ranges.buffers()]
    pairs = [(buffer, torch.empty_like(buffer)) for buffer in buffers]
    for dtype in {buffer.dtype for buffer in buffers}:  # together, for each copy would start a kernel of its own
        alike = [pair for pair in pairs if pair[0].dtype == dtype]
        torch._foreach_copy_([copy for _, copy in alike], [buffer for buffer, _ in alike])
    return pairs


def _restore(statistics: list[tuple[Tensor, Tensor]]) -> None:
    with torch.no_grad():
        for buffer, copy in statistics:
            if buffer.shape != copy.shape:  # a range that was empty before its first step
                buffer.resize_(copy.shape)
            buffer.copy_(copy)
