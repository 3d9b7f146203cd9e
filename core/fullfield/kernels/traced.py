"""Whether a function runs in a trace: on tensors that have a shape and no values (`fullfield.memory.trace`)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor


def traced(tensor: Tensor) -> bool:
    """`tensor` has no values: it is on the meta device, or it is torch's stand-in for one on another device."""
    return tensor.is_meta or isinstance(tensor, FakeTensor)


def tracing(device: torch.device) -> bool:
    """A tensor that is made now for `device` would have no values."""
    return device.type == "meta" or torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE) is not None
