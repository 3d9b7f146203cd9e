"""The job that does nothing but meet: it proves a launcher, and that all its ranks can talk."""

from __future__ import annotations

from datetime import timedelta

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.protocol.events import Notice
from fullfield.protocol.small import EmptySpec


def run(spec: EmptySpec, context: Context) -> Fields:
    """Every rank adds 1 over gloo; `ranks` of the summary is the sum that rank 0 saw."""
    ranks = _meet() if context.world > 1 else 1
    context.emit(Notice(text=f"{ranks} of {context.world} processes have met."))
    return {"ranks": ranks}


def _meet() -> int:
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo", timeout=timedelta(seconds=60))
    try:
        total = torch.ones(1)
        dist.all_reduce(total)
        return int(total.item())
    finally:
        dist.destroy_process_group()
