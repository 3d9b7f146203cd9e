"""The state of a training, folded from its events into figures and curves of a bounded size; a snapshot is a value.

A window, a table of runs and a report read the same. No Qt, no torch.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from types import MappingProxyType

from fullfield.model.weakness import ON_SIMULATED
from fullfield.protocol.comparison import Comparison
from fullfield.protocol.ensembles import MemberReported
from fullfield.protocol.events import (
    LINE,
    BaselineMeasured,
    CheckpointSaved,
    EpochDone,
    Event,
    MemorySampled,
    ModelCompared,
    Notice,
    PhaseStarted,
    PlanMade,
    RunEnded,
    RunFailed,
    RungTaken,
    RunStarted,
    SampleWritten,
    StepDone,
)
from fullfield.runs.decimated import NO_CURVE, Curve, DecimatedCurve
from fullfield.runs.memory_curves import NO_MEMORY, MemorySnapshot, MemoryState
from fullfield.runs.rank_curves import RankSnapshot, RanksState

MOST_NOTICES = 300
MOST_EPOCHS = 4000  # rows; of more, every second one gives way
RECENT = 5  # epochs or more steps that the time left is reckoned from
RECENT_STEPS = 40
DIED = "died"  # the reason of an end that no worker has told


@dataclass(frozen=True, kw_only=True)
class RunSnapshot:
    """The state of a run at one moment.

    `began`: seconds since the epoch of its first event; `seconds`: that a worker was at it. `stepping`: the worker that
    is at it, or was last, has made a step. `ended`: the reason of the last RunEnded, "" while it goes on or where it
    died without a word. `epochs`: by number; `best`: the one of them with the lowest validation loss. `samples`: of
    the watched images, by (image, epoch). `seconds_left`: None while it cannot be said. `ranks`: its processes, where
    there are several. `compared`: its model with the one before and the presets, where that was asked for and done.
    `members`: of an ensemble, the last that was told of each that was begun; its steps are their epochs. `cut`: of a
    run on a node, what was said when the line to it was cut; "": it is there. `rung`: the last of `rungs`, where it
    runs by that; None where a plan was made since.
    """

    began: float = 0.0
    seconds: float = 0.0
    version: str = ""
    phase: str = ""
    stepping: bool = False
    ended: str = ""
    error: MappingProxyType[str, str] = field(default_factory=lambda: MappingProxyType({}))
    step: int = 0
    steps: int = 0
    epoch: int = 0
    epochs_wanted: int = 0
    saved_step: int = 0
    seconds_left: float | None = None
    device: str = ""
    data: str = ""
    epochs: tuple[EpochDone, ...] = ()
    best: EpochDone | None = None
    steps_loss: Curve = NO_CURVE
    baselines: tuple[BaselineMeasured, ...] = ()
    techniques: tuple[str, ...] | None = None
    plan: PlanMade | None = None
    rungs: tuple[RungTaken, ...] = ()
    rung: RungTaken | None = None
    samples: MappingProxyType[tuple[int, int], SampleWritten] = field(default_factory=lambda: MappingProxyType({}))
    notices: tuple[Notice, ...] = ()
    members: tuple[MemberReported, ...] = ()
    cut: str = ""
    memory: MemorySnapshot = NO_MEMORY
    ranks: tuple[RankSnapshot, ...] = ()
    compared: Comparison | None = None

    @property
    def kept(self) -> bool:
        """It has made steps: what is ended before the first one has nothing to keep."""
        return self.stepping or self.epoch > 0

    @property
    def levels(self) -> tuple[BaselineMeasured, ...]:
        """The baselines that were measured on the images that the epochs are measured on: on all that are held back."""
        return tuple(one for one in self.baselines if one.name != ON_SIMULATED)

    @property
    def seconds_per_epoch(self) -> float | None:
        """Of the last few epochs, the evaluation included."""
        recent = [one.seconds for one in self.epochs[-RECENT:]]
        return sum(recent) / len(recent) if recent else None


class RunState:
    """Hears a run's events in their order, however many; `reported` gives what is known.

    `epochs`: how many were asked for, where that is known before the first one's end.
    """

    def __init__(self, epochs: int = 0) -> None:
        self._began = self._last = self._before = self._session = 0.0
        self._version = self._phase = self._ended = self._device = self._data = self._cut = ""
        self._stepping = False
        self._error: dict[str, str] = {}
        self._kept: tuple[str, dict[str, str]] | None = None  # how it had ended before a start that was refused
        self._started = self._refused = False
        self._step = self._steps = self._saved = 0
        self._epochs_wanted = epochs
        self._epochs: dict[int, EpochDone] = {}
        self._losses = DecimatedCurve(mean=True)
        self._pace: deque[float] = deque(maxlen=RECENT_STEPS)
        self._baselines: dict[str, BaselineMeasured] = {}
        self._baselines_before = False  # they are of an earlier start, which may have been on other images
        self._plan: PlanMade | None = None
        self._compared: Comparison | None = None
        self._rungs: list[RungTaken] = []
        self._rung: RungTaken | None = None
        self._samples: dict[tuple[int, int], SampleWritten] = {}
        self._members: dict[int, MemberReported] = {}
        self._notices: deque[Notice] = deque(maxlen=MOST_NOTICES)
        self._memory, self._ranks = MemoryState(), RanksState()

    def apply(self, event: Event) -> None:
        """Take an event in."""
        if isinstance(event, RunStarted):
            self._close_session()  # of a worker that ended without a word: at its last event
        if event.time:
            self._began = self._began or event.time
            self._last = event.time
        self._memory.apply(event)
        self._ranks.apply(event)
        match event:
            case MemorySampled():
                pass
            case StepDone():
                self._apply_step(event)
            case RunStarted():
                self._start(event)
            case RunEnded():
                self._end(event)
            case RunFailed():
                self._error, self._refused = event.error, event.refused
            case Notice():
                self._apply_notice(event)
            case EpochDone():
                self._apply_epoch(event)
            case _:
                self._apply_rest(event)

    def snapshot(self) -> RunSnapshot:
        """Everything that is known, as a value."""
        epochs = tuple(self._epochs[number] for number in sorted(self._epochs))
        return RunSnapshot(
            began=self._began,
            seconds=self._before + (max(0.0, self._last - self._session) if self._session else 0.0),
            version=self._version,
            phase=self._phase,
            stepping=self._stepping,
            ended=self._ended,
            error=MappingProxyType(self._error),
            step=self._step,
            steps=self._steps,
            epoch=epochs[-1].epoch if epochs else 0,
            epochs_wanted=self._epochs_wanted,
            saved_step=self._saved,
            seconds_left=self._left(epochs),
            device=self._device,
            data=self._data,
            epochs=epochs,
            best=self._best(),
            steps_loss=self._losses.curve(),
            baselines=tuple(self._baselines.values()),
            techniques=tuple(self._rung.techniques) if self._rung else self._planned(),
            plan=self._plan,
            rungs=tuple(self._rungs),
            rung=self._rung,
            samples=MappingProxyType(dict(self._samples)),
            notices=tuple(self._notices),
            members=tuple(self._members[number] for number in sorted(self._members)),
            cut=self._cut,
            memory=self._memory.snapshot(),
            ranks=self._ranks.snapshot(),
            compared=self._compared,
        )

    # Events -----------------------------------------------------------------------------------------------------

    def _start(self, event: RunStarted) -> None:
        self._session = event.time
        self._kept, self._refused = (self._ended or DIED, self._error) if self._started else None, False
        self._started = True
        self._version, self._ended, self._error, self._cut = event.version, "", {}, ""
        self._stepping, self._baselines_before = False, True
        self._members = {}  # it tells again what it finds

    def _end(self, event: RunEnded) -> None:
        self._ended = event.reason
        if self._refused and self._kept:  # nothing of it has changed
            self._ended, self._error = self._kept
        self._close_session()

    def _close_session(self) -> None:
        if self._session:
            self._before += max(0.0, self._last - self._session)
            self._session = 0.0

    def _apply_step(self, event: StepDone) -> None:
        if event.step <= self._step:  # made again, from a checkpoint or with other techniques
            self._losses.drop_from(float(event.step))
        self._step, self._steps, self._stepping = event.step, event.steps, True
        self._cut = ""  # a window that was opened since is not told that the line is back
        self._pace.append(event.seconds)
        if math.isfinite(event.loss):
            self._losses.add(float(event.step), event.loss)

    def _apply_epoch(self, event: EpochDone) -> None:
        self._epochs_wanted = event.epochs
        for later in [number for number in self._epochs if number > event.epoch]:
            del self._epochs[later]  # it was killed before its checkpoint, and is made again
        self._epochs[event.epoch] = event
        if len(self._epochs) > MOST_EPOCHS:
            best = self._best()
            keep = {*sorted(self._epochs)[::2], event.epoch, best.epoch if best else 0}
            self._epochs = {number: one for number, one in self._epochs.items() if number in keep}

    def _best(self) -> EpochDone | None:
        measured = [one for one in self._epochs.values() if math.isfinite(one.validation_loss)]
        return min(measured, key=lambda one: one.validation_loss, default=None)

    def _apply_notice(self, event: Notice) -> None:
        if event.topic == "device":
            self._device = event.text
        elif event.topic == "data":
            self._data = event.text
        elif event.topic == LINE:
            self._cut = event.text if event.level == "warning" else ""
        self._notices.append(event)

    def _apply_rest(self, event: Event) -> None:
        match event:
            case PhaseStarted():
                self._phase = event.name
            case BaselineMeasured():
                earlier = {} if self._baselines_before else self._baselines
                self._baselines, self._baselines_before = {**earlier, event.name: event}, False
            case ModelCompared():
                self._compared = event.comparison
            case CheckpointSaved():
                self._saved = event.step
            case PlanMade():
                self._plan, self._rung = event, None
            case MemberReported():
                self._members[event.member] = event
                self._steps, self._stepping = event.members * event.epochs, True
                self._step = sum(one.epoch for one in self._members.values())
            case RungTaken():
                self._rungs.append(event)
                self._rung = event
                self._pace.clear()
            case SampleWritten():
                gone = {(event.image, epoch) for epoch in event.removed}
                left = {at: one for at, one in self._samples.items() if at not in gone and at[1] < event.epoch}
                self._samples = {**left, (event.image, event.epoch): event}
            case _:
                pass

    def _planned(self) -> tuple[str, ...] | None:
        return self._plan.plan.techniques if self._plan else None

    def _left(self, epochs: tuple[EpochDone, ...]) -> float | None:
        if self._ended or not self._pace or self._steps <= self._step:
            return None
        step = sorted(self._pace)[len(self._pace) // 2] * (self._steps - self._step)
        if not epochs or not self._epochs_wanted:
            return step
        recent = [one.seconds for one in epochs[-RECENT:]]
        return sum(recent) / len(recent) * self._epochs_wanted * (self._steps - self._step) / self._steps
