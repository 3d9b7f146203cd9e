"""PyTorch as the engine of inference, made fast for it.

BatchNorm is folded into the convolutions, channels lie last, and the wide stages run in bands (`bands`): 1.45 times
faster than eager on one AVX-512 core, at 90 % of its fp32 matmul peak (`bench.tiles.speed`), equal to 5e-5.

fp32 is the rule, without TF32 on a GPU: TF32 and bf16 break the promise that tiles equal the whole image. bf16 is used
only where it was asked for and measured to be faster on this device: on CPUs without AMX it is several times slower.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from fullfield import heap, system
from fullfield.enhance import bands
from fullfield.enhance.backends.base import BF16, FP32, Opened, Parts, Rows, Unit
from fullfield.enhance.portions import Portion
from fullfield.hardware import devices
from fullfield.hardware.devices import Device
from fullfield.model import weights
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.network import Network
from fullfield.model.stages import HEAD
from fullfield.units import format_bytes

CPU_CEILING = 3 << 30  # bytes of resident memory of the whole process, on any image
_CPU_FLOOR = 512 << 20  # bytes; allowed above the ceiling to a process that is large already, where they are free
_ITEM = {FP32: 4, BF16: 2}  # bytes
_BAND_PIXELS = {"cpu": 1 << 17, "cuda": 1 << 20}
_FIXED = {"cpu": 192 << 20, "cuda": 768 << 20}  # a band's maps, the weights, the libraries' own buffers
_SHARE = 0.8  # of the free memory: other programs live too
_PROBE_GAIN = 1.3


def open_backend(path: Path, *, device: str, precision: str = FP32, member: int | None = None) -> Opened:
    """See `OpenBackend`."""
    network, card = weights.load(path, member)
    chosen = devices.every(device)
    precision, remark = choose_precision(precision, chosen[0])
    said = f"{_why(chosen)} Precision: {precision}.{f' {remark}' if remark else ''}"
    networks = [network, *(copy.deepcopy(network) for _ in chosen[1:])]
    return Opened(tuple(TorchBackend(*pair, precision) for pair in zip(networks, chosen, strict=True)), card, said)


def _why(chosen: Sequence[Device]) -> str:
    if len(chosen) == 1:
        return chosen[0].why
    titles = ", ".join(f"{one.title} with {format_bytes(one.free_bytes)} free" for one in chosen)
    return f"{len(chosen)} GPUs share the work: {titles}."


class TorchBackend:
    """torch on one device. The network given is taken over: folded, moved, converted."""

    def __init__(self, network: Network, device: Device, precision: str = FP32) -> None:
        if device.kind == "cpu":
            torch.set_num_threads(system.spare_cores())
        self.title, self.precision = device.title, precision
        self._device = device
        self._dtype = torch.bfloat16 if precision == BF16 else torch.float32
        self._network = fold(network).to(device.name, self._dtype).to(memory_format=torch.channels_last)
        self._network.stages[HEAD].float()
        encoder = ENCODERS[network.spec.encoder]
        bytes_ = encoder.inference_bytes + (encoder.momentum_bytes if network.spec.momentum else 0)
        self._bytes = bytes_ * _ITEM[precision] // _ITEM[FP32]

    def capacity(self, budget: int | None = None) -> int:
        """See `Backend`."""
        if budget is None:
            budget = int(_SHARE * devices.free_bytes(self._device.name))
            if self._device.kind == "cpu":
                heap.return_freed_memory()  # kept for what comes next (see `heap`), it would count as used
                budget = min(budget, max(CPU_CEILING - devices.used_bytes(), _CPU_FLOOR))
        return max(0, budget - _FIXED[self._device.kind]) // self._bytes

    def run(self, image: Rows, rows: int, columns: int, portion: Portion | None = None) -> Parts:
        """See `Backend`."""

        def on_device(low: int, high: int) -> Tensor:
            values = torch.from_numpy(image(low, high))[None, None]
            return values.to(self._device.name, self._dtype).contiguous(memory_format=torch.channels_last)

        band, portion = _BAND_PIXELS[self._device.kind], portion or Portion.whole(rows)
        steps = bands.run(self._network, on_device, portion, columns, band=band)
        while True:
            with _exact():  # not around the yield: the mode would stay on in the caller
                step = next(steps, None)
                if step is None:
                    return None
                low, part = step
                values = cast(Unit, part[0, 0].cpu().numpy())
            yield low, values

    def is_out_of_memory(self, error: Exception) -> bool:
        """See `Backend`."""
        return devices.is_out_of_memory(error)

    def free(self) -> None:
        """See `Backend`."""
        if self._device.kind == "cuda":
            torch.cuda.empty_cache()


def fold(network: Network) -> Network:
    """The same function without BatchNorm: its statistics go into the convolution before it. Changes `network`."""
    network.eval()
    for module in list(network.modules()):
        children = list(module.named_children())
        for (name, child), (next_name, follower) in itertools.pairwise(children):
            if isinstance(child, nn.Conv2d) and isinstance(follower, nn.BatchNorm2d):
                setattr(module, name, fuse_conv_bn_eval(child, follower))
                setattr(module, next_name, nn.Identity())
    return network.requires_grad_(False)


def choose_precision(wanted: str, device: Device) -> tuple[str, str]:
    """The precision to use and, where it is not fp32 or not the one that was wanted, a sentence on it."""
    if wanted != BF16:
        return FP32, ""
    if (gain := bf16_gain(device)) < _PROBE_GAIN:
        return FP32, f"bf16 was asked for, but on this device it is not faster than fp32 (× {gain:.1f}): using fp32."
    return BF16, (
        f"Computing in bf16, as asked (× {gain:.1f} on this device): results differ from fp32 by up to 0.1, and tiles "
        "do not equal the whole image."
    )


def bf16_gain(device: Device) -> float:
    """How many times faster than fp32 a convolution of the network's kind is in bf16 here."""
    seconds = {}
    for dtype in (torch.float32, torch.bfloat16):
        conv = nn.Conv2d(64, 64, 3, padding=1).to(device.name, dtype).to(memory_format=torch.channels_last)
        x = torch.ones(1, 64, 256, 256, device=device.name, dtype=dtype).contiguous(memory_format=torch.channels_last)
        seconds[dtype] = min(_seconds(conv, x, device) for _ in range(4))
    return seconds[torch.float32] / max(seconds[torch.bfloat16], 1e-9)


@contextlib.contextmanager
def _exact() -> Iterator[None]:
    """Without gradients, and on a GPU without TF32, whose products have 10 bits of mantissa."""
    with torch.inference_mode(), FULL_PRODUCTS:
        yield


class _FullProducts:
    """A mode of the whole process, which is as it was when the last of several threads has left it."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._mode = contextlib.ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._mode.enter_context(torch.backends.cudnn.flags(enabled=True, allow_tf32=False))
            self._inside += 1

    def __exit__(self, *raised: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._mode.close()


FULL_PRODUCTS = _FullProducts()


def _seconds(conv: nn.Module, x: Tensor, device: Device) -> float:
    with _exact():
        start = time.perf_counter()
        conv(x)
        if device.kind == "cuda":
            torch.cuda.synchronize(device.name)
        return time.perf_counter() - start
