"""The job that does nothing but meet: it proves a launcher, and that all its ranks can talk."""

from __future__ import annotations

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.distribution import meet
from fullfield.protocol.events import Notice
from fullfield.protocol.small import EmptySpec


def run(spec: EmptySpec, context: Context) -> Fields:
    """Every rank adds 1; `ranks` of the summary is the sum that rank 0 saw."""
    with meet.met(context.world, "cpu", apart=False) as team:
        ranks = int(team.agree([1.0])[0])
    context.emit(Notice(text=f"{ranks} of {context.world} processes have met."))
    return {"ranks": ranks}
