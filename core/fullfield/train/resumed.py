"""What a resumed training takes over from its newest checkpoint, and when it may not be resumed."""

from __future__ import annotations

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.data.prepared import Prepared
from fullfield.distribution import meet
from fullfield.distribution.team import Team
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice
from fullfield.train import begun_from, build
from fullfield.train.checkpoint_file import Checkpoint
from fullfield.train.state import State


def refuse_others(
    spec: TrainSpec, begun: Fields | None, data: Prepared | None = None, *, planned: bool = False
) -> None:
    """Raise UsageError where `spec`, as it is asked for or `planned`, or `data`, are not those that the fields of a
    checkpoint name."""
    if begun is None:
        return
    then = specs.from_json(begun["spec"])
    different = specs.differences(spec, then, planned=planned)
    if data is not None and begun["data"] != data.identity:
        different.append("the images themselves")
    specs.refuse_changed(different, spec, then)


def threads(spec: TrainSpec, found: Checkpoint | None, team: Team) -> tuple[int, ...]:
    """With how many threads each process of this computer computes. Of one that goes on with what one process has
    saved, as many as that had, whatever computer it was on: sums depend on it. Those of several had others each."""
    if found is not None and team.size == 1 and int(found.fields.get("ranks", 1)) == 1:
        return (int(found.fields["threads"]),)
    return build.threads(spec, meet.here(team.size))


def restore(state: State, found: Checkpoint, spec: TrainSpec, context: Context, *, threads: int) -> None:
    """Let the state become what was saved, and tell what is no more as it was."""
    for sentence in found.notices:
        context.emit(Notice(text=sentence, level="warning"))
    state.restore(found.tensors, found.fields)
    state.threads, state.start = threads, begun_from.whole(context.folder, state.start)
    epoch, step = state.progress.epoch + 1, state.progress.step
    context.emit(Notice(text=f"Going on after step {step}, in epoch {min(epoch, spec.epochs)} of {spec.epochs}."))
    for sentence in found.fields.get("unsaved", state.build.unsaved):  # an earlier version did not note it
        context.emit(Notice(text=sentence))
    now = state.build.normalised(spec.batch)
    before = int(found.fields.get("normalised", now))
    if before != now:
        context.emit(Notice(text=f"Batch normalisation sees other groups of images now: {now}, before: {before}."))
