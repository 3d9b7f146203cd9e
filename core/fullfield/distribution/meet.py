"""Where the processes of a run find one another. On one computer, what they say to each other stays on it; on several
nodes it goes over the one interface that was named for it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from fullfield import system
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import UsageError

if TYPE_CHECKING:
    from torch._C._distributed_c10d import PrefixStore, Store

PATIENCE = timedelta(days=2)
"""How long a rank waits for another that lives: rank 0 alone prepares the data, which can take hours. One that has
ended is noticed at once."""
CPU = "cpu"
_STARTED = "TORCHELASTIC_RUN_ID"  # by torchrun, and not in a shell of another's
INTERFACE = "FULLFIELD_INTERFACE"
"""In the environment of a rank of several nodes: its network interface."""
_SOCKETS_ALONE = {
    "NCCL_NET": "Socket",
    "NCCL_NET_PLUGIN": "none",
    "NCCL_IB_DISABLE": "1",
    "NCCL_OOB_NET_ENABLE": "0",
    "NCCL_RAS_ENABLE": "0",
}
"""InfiniBand, RoCE and plugins know no named interface, and what tells of NCCL's health has a port of its own."""


def here(world: int) -> int:
    """How many of so many ranks are on this computer."""
    return int(os.environ["LOCAL_WORLD_SIZE"]) if _STARTED in os.environ else world


def place_here(rank: int) -> int:
    """Which of those a rank is."""
    return int(os.environ["LOCAL_RANK"]) if _STARTED in os.environ else rank


@contextlib.contextmanager
def met(world: int, device: str, *, apart: bool, alike: bool = True) -> Iterator[Team]:
    """This process among the `world` that were started together by torchrun; alone where it is one.

    `device`: torch's name of the one that this rank computes on. `apart`: every rank has a card of its own, so they
    talk over NCCL; else over gloo, which also takes tensors of a card that several share, and brings those of a card
    and of the CPU together. `alike`: see `Team.alike`. Raises UsageError where the others would talk otherwise.
    """
    if world == 1:
        yield ALONE
        return
    import torch
    from torch import distributed

    from fullfield.distribution.processes import Processes

    bind(os.environ.get(INTERFACE, system.LOOPBACK))
    if apart:
        torch.cuda.set_device(device)
    store, rank = _store(), int(os.environ["RANK"])
    agree(store, rank, world, _way(device, apart, alike))
    backend = "nccl" if apart else "gloo"
    distributed.init_process_group(backend, store=store, rank=rank, world_size=world, timeout=PATIENCE)
    team = Processes(torch.device(device))
    team.alike = alike
    yield team
    # Not after an error: NCCL waits there for ranks that wait for this one, before it could say what is wrong.
    distributed.destroy_process_group()


def _way(device: str, apart: bool, alike: bool) -> str:
    if not alike:
        return "both"
    return "own card" if apart else CPU if device == CPU else "shared card"


def agree(store: Store, rank: int, world: int, own: str) -> None:
    """Raise UsageError, on all ranks, where one computes on something else than `own`: ranks that meet over gloo wait
    for ever for those that meet over NCCL."""
    store.set(f"way/{rank}", own)
    ways = {store.get(f"way/{one}").decode() for one in range(world)}
    if len(ways) > 1:
        on_cpu = "Some compute on a card, others on the CPU."
        raise UsageError(
            "These processes cannot train together.",
            detail=on_cpu if CPU in ways else "Some have a card of their own, others share one.",
            hint="Let all of them train on the CPU (--device cpu), or each on a card that nothing else uses.",
        )


def bind(interface: str) -> None:
    """Let gloo and NCCL talk over this network interface alone, for neither encrypts; what a user's shell says of them
    is for other programs."""
    os.environ.pop("NCCL_COMM_ID", None)  # an address to meet at
    os.environ.update(_SOCKETS_ALONE, GLOO_SOCKET_IFNAME=interface, NCCL_SOCKET_IFNAME=f"={interface}")


def _store() -> PrefixStore:
    """Of this meeting alone: that of the head of several nodes, where torch's own way would open another port; else as
    torch finds it, which is that of the agent, or of rank 0 where none has begun the ranks."""
    from torch._C._distributed_c10d import PrefixStore, TCPStore
    from torch.distributed.rendezvous import rendezvous

    found: Store
    if INTERFACE in os.environ:
        found = TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), is_master=False)
    else:
        found, _, _ = next(rendezvous("env://", timeout=PATIENCE))
    found.set_timeout(PATIENCE)
    return PrefixStore(os.environ.get(_STARTED, "alone"), found)
