"""Where the processes of a run on this computer find one another: what they say to each other stays on it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import timedelta

from fullfield import system
from fullfield.distribution.team import ALONE, Team

PATIENCE = timedelta(days=2)
"""How long a rank waits for another that lives: rank 0 alone prepares the data, which can take hours. One that has
ended is noticed at once."""


@contextlib.contextmanager
def met(world: int, device: str, *, apart: bool) -> Iterator[Team]:
    """This process among the `world` that were started together by torchrun; alone where it is one.

    `device`: torch's name of the one that this rank computes on. `apart`: every rank has a card of its own, so they
    talk over NCCL; else over gloo, which also takes tensors of a card that several share.
    """
    if world == 1:
        yield ALONE
        return
    import torch
    from torch import distributed

    from fullfield.distribution.processes import Processes

    for library in ("GLOO", "NCCL"):  # neither encrypts; what a user's shell says of them is for other programs
        os.environ[f"{library}_SOCKET_IFNAME"] = system.LOOPBACK
    if apart:
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if apart else "gloo", timeout=PATIENCE)
    try:
        yield Processes(torch.device(device))
    finally:
        distributed.destroy_process_group()
