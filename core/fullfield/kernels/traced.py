"""Whether a function runs in a trace: on tensors that have a shape and no values (`fullfield.memory.trace`)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor

from fullfield.kernels.stored import Stored, tensors


def traced(images: Tensor | Stored) -> bool:
    """They have no values: they are on the meta device, or torch's stand-ins for some on another device."""
    tensor, *_ = tensors(images)
    return tensor.is_meta or isinstance(tensor, FakeTensor)


def tracing(device: torch.device) -> bool:
    """A tensor that is made now for `device` would have no values."""
    return device.type == "meta" or torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE) is not None
