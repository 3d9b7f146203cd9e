"""The list of all events, and how a line of JSON becomes one of them.

It holds every event that any worker tells, so that a reader drops none because it has not imported what tells it.
"""

from __future__ import annotations

from fullfield import checked
from fullfield.protocol import checks, ensembles, events, rank_events, setup_events, training_events
from fullfield.protocol.fields import Unread
from fullfield.protocol.wire import Event

EVENTS: tuple[type[Event], ...] = (
    checks.CheckMade,
    ensembles.EnsembleMade,
    ensembles.MemberReported,
    events.ItemClosed,
    events.ItemDecoded,
    events.ItemDone,
    events.ItemEnhanced,
    events.ItemFailed,
    events.ItemPreviewed,
    events.ItemSkipped,
    events.ItemStarted,
    events.ItemWaits,
    events.ItemWarned,
    events.Notice,
    events.PhaseStarted,
    events.RunEnded,
    events.RunFailed,
    events.RunStarted,
    rank_events.LinkMeasured,
    rank_events.NodesChanged,
    rank_events.RankLost,
    rank_events.RankStarted,
    rank_events.RanksSampled,
    setup_events.BytesFetched,
    setup_events.DataRead,
    setup_events.DataSurveyed,
    setup_events.MachineProbed,
    setup_events.NodeProbed,
    setup_events.LinkProbed,
    setup_events.PairDrawn,
    setup_events.PlanRefused,
    setup_events.PlanReady,
    setup_events.ReferenceProposed,
    setup_events.ReferenceRefused,
    setup_events.TechniquesJudged,
    training_events.BaselineMeasured,
    training_events.CheckpointSaved,
    training_events.EpochDone,
    training_events.ExactnessMeasured,
    training_events.MemorySampled,
    training_events.ModelCompared,
    training_events.PlanMade,
    training_events.RungTaken,
    training_events.SampleWritten,
    training_events.StepDone,
    training_events.StepProfiled,
)
_BY_NAME = {kind.__name__: kind for kind in EVENTS}
unread = Unread("an event")


def from_line(line: str) -> Event | None:
    """The event of a line; an unknown field (a newer worker's) is passed over.

    None for a line that is not whole (a writer died). None, too, for an event of a kind not known here or with a value
    of another type: that is logged once by the kind's name, and counted in `unread`.
    """
    try:
        values = checked.parse(line)
    except ValueError:
        return None
    name = values.get("kind") if isinstance(values, dict) else None
    kind = _BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        unread.note(name, "it is not known here")
        return None
    try:
        return checked.make(kind, values)
    except ValueError as error:
        unread.note(name, str(error))
        return None
