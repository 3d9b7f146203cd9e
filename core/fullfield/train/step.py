"""One optimizer step, and the rules that keep a bad one from doing harm."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from fullfield.data.loader import Batch
from fullfield.train import loss as losses

LOWEST_RATE = 0.01  # of the largest learning rate, at the end of the cosine


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a step found. `loss`: 100·objective; `structure`: 100·(1 − MS-SSIM); `gradient`: its norm.

    `skipped`: a value was not finite, and nothing was changed.
    """

    loss: float
    structure: float
    gradient: float
    skipped: bool


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
    network: nn.Module, optimizer: torch.optim.Optimizer, batch: Batch, *, loss: str, l1: bool, rate: float
) -> Step:
    """Forward, loss, backward, and Adam's update where all is finite. `l1`: L1 drives this step, see `TrainSpec`."""
    device = next(network.parameters()).device
    x_NCHW, y_NCHW = (part.to(device, non_blocking=True) for part in (batch.x_NCHW, batch.y_NCHW))
    for group in optimizer.param_groups:
        group["lr"] = rate
    before = _statistics(network)
    optimizer.zero_grad(set_to_none=True)
    prediction = network(x_NCHW)
    structure, difference = losses.on_true_parts(prediction, y_NCHW, batch.shapes)
    objective = losses.combined(structure, difference, loss=loss)
    torch.autograd.backward([difference if l1 else objective])
    gradient = torch.nn.utils.get_total_norm(
        [parameter.grad for parameter in network.parameters() if parameter.grad is not None]
    )
    # The one synchronisation of a step: its numbers are shown, and a bad one must not reach the weights.
    numbers = torch.stack([objective.detach(), structure.detach(), gradient.to(objective)]).tolist()
    skipped = not all(map(math.isfinite, numbers))
    if skipped:
        _restore(before)
    else:
        optimizer.step()
    return Step(
        loss=losses.PERCENT * numbers[0],
        structure=losses.PERCENT * numbers[1],
        gradient=numbers[2],
        skipped=skipped,
    )


def set_mode(network: nn.Module, *, frozen: bool) -> None:
    """Training mode; `frozen`: with BatchNorm on its running statistics, which the forward then leaves alone."""
    network.train()
    if frozen:
        for module in network.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()


def _statistics(network: nn.Module) -> list[tuple[Tensor, Tensor]]:
    """BatchNorm's running statistics with a copy: a forward with NaN spoils them even if the step is skipped."""
    return [(buffer, buffer.clone()) for buffer in network.buffers()]


def _restore(statistics: list[tuple[Tensor, Tensor]]) -> None:
    with torch.no_grad():
        for buffer, copy in statistics:
            buffer.copy_(copy)
