"""`fullfield bench loss`: 1 − MS-SSIM in bands beside pytorch-msssim: how much faster, in how much memory, how equal.

Forward and backward on the CPU, one thread, fp32, alternating runs and medians of CPU seconds: the machine is shared,
so ratios travel and seconds do not. Memory is the allocator's peak beyond prediction and reference, in maps of their
size. Differences are in fp64, where no rounding hides a mistake.
"""

from __future__ import annotations

import json as jsons
import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from fullfield import standard_output
from fullfield.checked import Fields
from fullfield.hardware import compiler
from fullfield.kernels import msssim, plain_loss
from fullfield.memory import allocator

Loss = Callable[[Tensor, Tensor], Tensor]

SIZES = (512, 2048)
SHAPES = ((2, 200, 264), (1, 177, 191))
PLAIN = "pytorch_msssim"
LEAST_RATIO = {(msssim.COMPILED, 512): 10.0, (msssim.COMPILED, 2048): 25.0}
LEAST_UNCOMPILED = 4.0
MOST_MAPS = 2.5  # at 2048
MOST_VALUE, MOST_GRADIENT = 1e-14, 1e-12


def bench(*, json: bool, repeat: int = 5) -> int:
    """Measure and write to standard output; the exit code is 1 when a promise is not kept."""
    figures = run(repeat=repeat)
    standard_output.write((jsons.dumps(figures) if json else _text(figures)) + "\n")
    return 0 if all(row["kept"] for row in (*figures["speed"], *figures["equality"])) else 1


def run(*, repeat: int, sizes: tuple[int, ...] = SIZES) -> Fields:
    """The figures as plain values. None of the compiled variant without a compiler: `missing` says why."""
    torch.set_num_threads(1)
    missing = compiler.missing()
    variants = [name for name in msssim.KERNELS if name != msssim.COMPILED or not missing]
    losses: dict[str, Loss] = {PLAIN: plain_loss.structure}
    losses |= {name: msssim.Structure(variant=name) for name in variants}
    return {
        "missing": missing,
        "speed": [row for size in sizes for row in _speed(losses, size, repeat)],
        "equality": [_equality(name, losses[name], shape) for name in variants for shape in SHAPES],
    }


def maps(loss: Loss, x: Tensor, y: Tensor) -> float:
    """The allocator's peak of forward and backward beyond `x` and `y`, in maps of their size."""
    x = x.detach().requires_grad_()
    return allocator.peak(lambda: _gradient(loss, x, y), x.device).peak / x.nbytes


def _speed(losses: dict[str, Loss], size: int, repeat: int) -> list[Fields]:
    x, y = _images(1, size, size, torch.float32)
    seconds: dict[str, list[float]] = {name: [] for name in losses}
    for loss in losses.values():
        _gradient(loss, x, y)  # the first run compiles
    for _ in range(repeat):
        for name, loss in losses.items():
            start = time.process_time()
            _gradient(loss, x, y)
            seconds[name].append(time.process_time() - start)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    rows = []
    for name, loss in losses.items():
        ratio, took = medians[PLAIN] / medians[name], maps(loss, x, y)
        kept = ratio >= LEAST_RATIO.get((name, size), LEAST_UNCOMPILED) and (took <= MOST_MAPS or size < max(SIZES))
        row = {"size": size, "variant": name, "seconds": medians[name], "ratio": ratio, "maps": took}
        rows.append({**row, "kept": kept or name == PLAIN})
    return rows


def _equality(name: str, loss: Loss, shape: tuple[int, int, int]) -> Fields:
    x, y = _images(*shape, torch.float64)
    (value, gradient), (wanted, right) = _gradient(loss, x, y), _gradient(plain_loss.structure, x, y)
    by_value, by_gradient = abs(value - wanted).item(), ((gradient - right).norm() / right.norm()).item()
    kept = by_value <= MOST_VALUE and by_gradient <= MOST_GRADIENT
    return {"shape": shape, "variant": name, "value": by_value, "gradient": by_gradient, "kept": kept}


def _gradient(loss: Loss, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    value = loss(x, y)
    (gradient,) = torch.autograd.grad(value, x)
    return value.detach(), gradient


def _images(batch: int, height: int, width: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Smooth images with noise on the prediction, as a network's are."""
    torch.manual_seed(0)
    coarse = torch.rand(batch, 1, height // 8, width // 8, dtype=dtype)
    y = functional.interpolate(coarse, size=(height, width), mode="bilinear") * 0.8 + 0.1
    return (y + 0.05 * torch.randn_like(y)).clamp(0, 1).requires_grad_(), y


def _text(figures: Fields) -> str:
    lines = [figures["missing"]] if figures["missing"] else []
    lines += [f"{'size':>5}  {'loss':<14}  {'CPU s':>8}  {'times faster':>12}  {'maps':>5}"]
    for row in figures["speed"]:
        seconds, ratio = f"{row['seconds']:8.4f}", f"{row['ratio']:12.1f}"
        lines.append(f"{row['size']:>5}  {row['variant']:<14}  {seconds}  {ratio}  {row['maps']:5.1f}{_mark(row)}")
    lines += ["", f"{'shape, fp64':<13}  {'loss':<14}  {'value':>8}  {'gradient':>8}"]
    for row in figures["equality"]:
        shape = "×".join(map(str, row["shape"]))
        lines.append(f"{shape:<13}  {row['variant']:<14}  {row['value']:8.1e}  {row['gradient']:8.1e}{_mark(row)}")
    return "\n".join(lines)


def _mark(row: Fields) -> str:
    return "" if row["kept"] else "  short of its goal"
