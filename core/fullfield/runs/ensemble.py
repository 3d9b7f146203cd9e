"""The job "ensemble": one training several times with other chance, and one model of all that are complete.

The places that the training names share the members: each place trains one after another, all places side by side.
Every member is a run as any other, in a folder of its own; this job starts it, follows it, and does nothing beside it.
A member that its user stops or pauses is the last that was begun: the others that are at work end, and what is
complete becomes the model. Going on with this job goes on with the members that are not complete.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

from fullfield import files
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import FullfieldError, UsageError
from fullfield.jobs import event_log
from fullfield.jobs import launch as launching
from fullfield.jobs.handle import POLL_SECONDS, JobHandle
from fullfield.jobs.job import JOB, WORKER, Job, load, new_folder, save
from fullfield.model import ensemble
from fullfield.nodes import node as nodes
from fullfield.plan import first_weights
from fullfield.plan import spec as plans
from fullfield.plan.begun import has_saved
from fullfield.plan.spec import AUTO, TrainSpec
from fullfield.protocol import places
from fullfield.protocol.commands import PAUSE, PAUSED, Stop
from fullfield.protocol.ensembles import EnsembleMade, EnsembleSpec, MemberReported
from fullfield.protocol.events import EpochDone, Notice, RunEnded, RunFailed, RunStarted
from fullfield.protocol.places import LOCAL
from fullfield.runs import joined, one_start, runs
from fullfield.runs.runs import KIND, Label, State


def run(spec: EnsembleSpec, context: Context) -> Fields:
    """Train what is not complete yet, then make the model. Raises UsageError, what a launcher raises where no place can
    begin, and ModelError where what is complete cannot be one model."""
    training = plans.checked(spec.training)
    refuse(training, len(spec.runs))
    context.accept()
    files.sweep_parts(context.folder, idle=files.IDLE_SECONDS)
    row = _Row(spec, training, context)
    row.go()
    if context.stopping():
        return {}
    return _join(spec, training, row.complete, context)


def prepare(
    training: TrainSpec,
    folders: list[Path],
    *,
    processes: int = 1,
    images_to: tuple[str, ...] = (),
    keep: str = "",
) -> EnsembleSpec:
    """What the job shall do, with the first member's run there already, so that it can be shown. Raises UsageError,
    also where images may not go to one of the nodes, ModelError where first weights are gone, and CannotWrite."""
    refuse(training, len(folders))
    for name in map(places.which, each_place(training.place)):
        if name:
            title = f"Cannot train on the node {name}."
            nodes.require_consent(nodes.find(name), ",".join(images_to), title=title)
    made = EnsembleSpec(
        training=training,
        runs=tuple(map(str, folders)),
        processes=processes,
        images_to=images_to,
        keep=keep,
        weights_sha256="" if all(map(has_begun, folders)) else one_start.sha256(training.weights),
    )
    if not (folders[0] / JOB).exists():
        save(_job(made, training, 1, each_place(training.place)[0]), folders[0])
    _name(folders[0], training, 1, len(folders))
    return made


def refuse(training: TrainSpec, members: int) -> None:
    """Raise UsageError for so many members, or places that cannot share them."""
    if not ensemble.LEAST <= members <= ensemble.MOST:
        raise UsageError(
            f"Cannot train {members} members of an ensemble.",
            hint=f"Choose a number from {ensemble.LEAST} to {ensemble.MOST}.",
        )
    found = each_place(training.place)
    if len(set(found)) < len(found):
        raise UsageError("Cannot train on one machine twice.", hint="Name each machine once.")


def refuse_changed(training: TrainSpec, known: EnsembleSpec) -> None:
    """Raise UsageError where a member of these has begun, or is at work without this job, and the others would train
    with other settings, or on other images: those that lie in another folder, unless the one that they lay in is gone;
    or, while one has not begun, from other first weights."""
    then = plans.checked(known.training)
    if then.weights == AUTO != training.weights:
        then = first_weights.decided(then)
    have = [has_begun(run) or _at_work(run) for run in map(Path, known.runs)]
    if any(have):
        changed = plans.differences(training, then)
        if training.data != then.data and Path(then.data).exists():
            changed.append("data")
        if not all(have) and "weights" not in changed and one_start.is_another(training.weights, known):
            changed.append("weights")
        plans.refuse_changed(changed, training, then)


def has_begun(folder: Path) -> bool:
    """Whether a training has left something, which one with other settings would not go with."""
    end = event_log.end(folder)
    return (end is not None and end.reason == State.COMPLETED) or has_saved(folder)


def each_place(place: str) -> tuple[str, ...]:
    """The places that share the members of a training at this place: each machine that it names."""
    return (place,) if place == LOCAL else tuple(places.on(name) for name in places.several(place))


def _at_work(folder: Path) -> bool:
    return (folder / WORKER).exists() and launching.alive(folder)


def new_folders(members: int) -> list[Path]:
    """A run's folder for each member, among this user's trainings."""
    return [new_folder(KIND) for _ in range(members)]


def _job(spec: EnsembleSpec, training: TrainSpec, member: int, place: str) -> Job:
    own = replace(training, member=member, place=place)
    if place == LOCAL:  # on another machine what is there decides
        own = own if has_begun(Path(spec.runs[member - 1])) else first_weights.decided(own)
        return Job.of(own, processes=spec.processes)
    address = nodes.find(places.which(place)).address
    return Job.of(own, images_to=address if address in spec.images_to else "")


def _name(folder: Path, training: TrainSpec, member: int, members: int) -> None:
    if not runs.label(folder).name:
        kind = plans.network(training).name
        runs.rename(folder, Label(name=f"{kind}, member {member} of {members}"))


def _epochs_made(folder: Path) -> int:
    made = event_log.last_of(folder, EpochDone, ever=True)
    return made.epoch if made else 0


class _Member:
    """One that is at work."""

    def __init__(self, number: int, place: str, handle: JobHandle, folder: Path) -> None:
        self.number, self.place, self.handle = number, place, handle
        self.epoch = _epochs_made(folder)
        self.end: RunEnded | None = None  # of one that is found at work, it may be that of the time before
        self.asked = False
        self.error: dict[str, str] = {}


class _Row:
    """The members that wait, and those at work, by their places."""

    def __init__(self, spec: EnsembleSpec, training: TrainSpec, context: Context) -> None:
        self._spec, self._training, self._context = spec, training, context
        self._places = list(each_place(training.place))
        self._active: dict[str, _Member] = {}
        self._waiting: list[int] = []
        self._halted = False
        self._refused: FullfieldError | None = None
        self.complete: dict[int, str] = {}
        """The SHA-256 of its model, by the number of a member."""

    def go(self) -> None:
        """Until no member is at work and none can be begun."""
        for number in range(1, len(self._spec.runs) + 1):
            self._find(number)
        while True:
            if self._context.stopping():
                self._stop()
            for place in list(self._places):
                if self._waiting and not self._halted and place not in self._active:
                    self._begin(self._waiting.pop(0), place)
            for member in list(self._active.values()):
                self._follow(member)
            if not self._active and (self._halted or not self._waiting or not self._places):
                break
            time.sleep(POLL_SECONDS)
        if self._refused is not None and not self._halted and len(self.complete) < ensemble.LEAST:
            raise self._refused

    def _folder(self, number: int) -> Path:
        return Path(self._spec.runs[number - 1])

    def _find(self, number: int) -> None:
        """What a member is by now, where this job was at it before."""
        folder = self._folder(number)
        end = event_log.end(folder)
        if end is not None:
            if end.reason == State.COMPLETED:
                self._completed(number, end)
                epochs = _epochs_made(folder) or self._training.epochs
                self._tell(number, load(folder).place, State.COMPLETED, epochs)
                return
        elif _at_work(folder):
            place = load(folder).place
            self._active[place] = member = _Member(number, place, launching.attach(folder), folder)
            self._tell(number, place, State.RUNNING, member.epoch)
            return
        self._waiting.append(number)

    def _begin(self, number: int, place: str) -> None:
        from fullfield.data import taken_over  # with numpy, which those who list runs do without

        folder = self._folder(number)
        before = None if has_begun(folder) else next(filter(has_begun, map(Path, self._spec.runs)), None)
        try:
            if before is not None:
                taken_over.take_over(folder, before)
            if not has_begun(folder):
                one_start.refuse_another(self._spec, number)
            job = _job(self._spec, self._training, number, place)
            member = _Member(number, place, launching.launch(job, folder=folder), folder)
            self._active[place] = member
            _name(folder, self._training, number, len(self._spec.runs))
        except FullfieldError as error:
            self._give_up(number, place, error)
            return
        self._tell(number, place, State.RUNNING, member.epoch)

    def _give_up(self, number: int, place: str, error: FullfieldError) -> None:
        """A place where a member cannot begin takes none any more; another one takes that member."""
        self._places.remove(place)
        self._waiting.insert(0, number)
        self._refused = error
        text = f"{error} No member is trained there any more." if self._places else str(error)
        self._context.emit(Notice(text=text, level="warning"))

    def _follow(self, member: _Member) -> None:
        news = member.handle.poll()
        for event in news:
            match event:
                case RunStarted():
                    member.end, member.error = None, {}
                case EpochDone():
                    member.epoch = event.epoch
                    self._tell(member.number, member.place, State.RUNNING, event.epoch, event.validation_loss)
                case RunFailed():
                    member.error = event.error
                case RunEnded():
                    member.end = event
                case _:
                    pass
        if member.end is not None and not news and not member.handle.alive():
            self._end(member, member.end)

    def _end(self, member: _Member, event: RunEnded) -> None:
        del self._active[member.place]
        self._tell(member.number, member.place, event.reason, member.epoch)
        if event.reason == State.COMPLETED:
            self._completed(member.number, event)
        elif event.reason in (State.PAUSED, State.STOPPED):
            self._halted = True
        elif not member.epoch:
            self._give_up(member.number, member.place, _why(member))

    def _completed(self, number: int, event: RunEnded) -> None:
        self.complete[number] = joined.sha256(event)

    def _stop(self) -> None:
        """Ask those at work to end after the step in hand, once."""
        self._halted = True
        for member in self._active.values():
            if not member.asked:
                member.asked = True
                member.handle.post(PAUSE if self._context.reason() == PAUSED else Stop())

    def _tell(self, number: int, place: str, state: str, epoch: int = 0, loss: float = math.nan) -> None:
        self._context.emit(
            MemberReported(
                member=number,
                members=len(self._spec.runs),
                place=place,
                state=state,
                epoch=epoch,
                epochs=self._training.epochs,
                validation_loss=loss if math.isfinite(loss) else None,
            )
        )


def _why(member: _Member) -> UsageError:
    """Why one has ended before its first epoch."""
    title, detail, hint = (member.error.get(part, "") for part in ("title", "detail", "hint"))
    return UsageError(f"Cannot train member {member.number}.", detail=f"{title} {detail}".strip(), hint=hint)


def _join(spec: EnsembleSpec, training: TrainSpec, complete: dict[int, str], context: Context) -> Fields:
    """One model of the members that are complete."""
    numbers, members = sorted(complete), len(spec.runs)
    if len(numbers) < ensemble.LEAST:
        raise UsageError(
            "Cannot make one model of the members.",
            detail=f"{len(numbers)} of {members} are complete, and {ensemble.LEAST} are needed.",
            hint="Look at their runs, then go on with this one.",
        )
    if len(numbers) < members:
        context.emit(Notice(text=f"The model is of the {len(numbers)} members of {members} that are complete."))
    folders = {Path(spec.runs[number - 1]): complete[number] for number in numbers}
    sha256, kept = joined.make(folders, context.folder / joined.MODEL, spec.keep)
    context.emit(EnsembleMade(members=len(numbers), sha256=sha256, kept=kept))
    return {"members": len(numbers), "model_sha256": sha256, "epochs": training.epochs}


__all__ = ["each_place", "has_begun", "new_folders", "prepare", "refuse", "refuse_changed", "run"]
