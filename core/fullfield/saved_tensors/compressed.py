"""Saved tensors in 8 or 4 bits."""

from __future__ import annotations

import torch
from torch import Tensor

from fullfield.kernels.traced import tracing
from fullfield.saved_tensors import codec
from fullfield.saved_tensors.codec import Coded
from fullfield.saved_tensors.saved import Keeper, Kept

LEAST = 2**14  # values: statistics and the like are smaller, and are needed as they are


class Compressed(Keeper):
    """Keeps maps of several channels as `codec` encodes them.

    Maps of one channel stay as they are: images, the prediction, and what the loss keeps. MS-SSIM divides by small
    differences of them, and they are few. The rounding follows torch's own generator, which a checkpoint holds.
    """

    def __init__(self, *, bits: int, block: int) -> None:
        self._bits, self._block = bits, block
        self._generators: dict[torch.device, torch.Generator] = {}

    def wants(self, tensor: Tensor) -> bool:
        """Whether it is a map of several channels, and not a small one."""
        return tensor.numel() >= LEAST and tensor.dim() == 4 and tensor.shape[1] > 1

    def keep(self, values: Tensor) -> Kept:
        """See `Keeper`."""
        generator = self._generator(values.device)
        return _Codes(codec.encode(values, bits=self._bits, block=self._block, generator=generator))

    def settle(self) -> None:
        """Nothing is under way."""

    def _generator(self, device: torch.device) -> torch.Generator | None:
        """None in a trace, where nothing is drawn."""
        if tracing(device):
            return None
        if device not in self._generators:
            seed = int(torch.randint(2**62, (), dtype=torch.int64))
            self._generators[device] = torch.Generator(device).manual_seed(seed)
        return self._generators[device]


class _Codes(Kept):
    def __init__(self, coded: Coded) -> None:
        self._coded = coded

    def take(self) -> Tensor:
        """Decoded anew every time."""
        return codec.decode(self._coded)

    def fetch(self) -> None:
        """Decoded when it is asked for, and no sooner: it would take the memory that it shall save."""
