"""What a training leaves while it runs: checkpoints when they are due, and the best model so far. One rank writes."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace

from torch import Tensor

from fullfield.checked import Fields
from fullfield.model import weights
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import CheckpointSaved, Notice
from fullfield.train import begun_from, crash_marker, result
from fullfield.train import step as steps
from fullfield.train.checkpoint import keeping_the_last
from fullfield.train.evaluate import Quality
from fullfield.train.run import Run
from fullfield.train.state import Best, State


class Saver:
    """Saves for all ranks of a run, which call it together."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._progress = run.state.progress
        self._saved_at = time.monotonic()
        self._saved_step = self._progress.step

    def keep_where_best(self, quality: Quality) -> None:
        """Leave the model of the epoch that has just ended where it is the best so far. Raises CannotWrite."""
        run, progress = self._run, self._progress
        if not math.isfinite(quality.loss):
            text = f"Epoch {progress.epoch}: the loss on the images held back is not a number; it cannot be the best."
            run.context.emit(Notice(text=text, level="warning"))
            return
        if progress.best is not None and quality.loss >= progress.best.validation_loss:
            return
        name = f"best-{progress.step:09d}.safetensors"
        with steps.opened(run.state.build.as_result):
            tensors = run.state.weights()
            sha256 = run.team.in_turn(lambda: self._leave_best(name, quality, tensors))
        progress.best = Best(epoch=progress.epoch, validation_loss=quality.loss, file=name, sha256=sha256)
        run.state.best_ranges = run.state.ranges()

    def _leave_best(self, name: str, quality: Quality, tensors: Mapping[str, Tensor]) -> str:
        """The SHA-256 of the model file, where this rank writes."""
        run = self._run
        if not run.team.writes:
            return ""
        spec = replace(run.spec, **_elsewhere(run.spec))
        card = result.card(spec, run.prepared, run.parts, run.state, quality, run.held)
        card = replace(card, start=begun_from.nameless(card.start))
        with keeping_the_last(run.store):
            return weights.save(run.store.folder / name, run.state.network, card, tensors)

    def is_due(self) -> bool:
        """Whether a checkpoint within the epoch is. After a bad step it waits for a good one: nothing has changed, and
        those that are kept should be of good steps."""
        if self._progress.bad_steps:
            return False
        spec = self._run.spec
        every, seconds = spec.checkpoint_steps, spec.checkpoint_seconds
        if every and self._progress.step - self._saved_step >= every:
            return True
        return bool(seconds) and time.monotonic() - self._saved_at >= seconds

    def save(self) -> None:
        """Leave a checkpoint and tell it. Raises CannotWrite, and ModelError where the training has diverged."""
        run, progress = self._run, self._progress
        tensors, other = run.state.tensors(), fields(run.spec, run.state)  # of all ranks, of which one writes
        best = progress.best.file if progress.best else ""
        sha256 = run.team.in_turn(lambda: run.store.save(progress.step, tensors, other, best=best))
        if run.team.writes:
            crash_marker.forget(run.context.folder)
        self._saved_at, self._saved_step = time.monotonic(), self._progress.step
        self._run.context.emit(CheckpointSaved(epoch=self._progress.epoch, step=self._progress.step, sha256=sha256))


def fields(spec: TrainSpec, state: State) -> Fields:
    """What a checkpoint holds beside tensors: the state, and the settings that it was made with."""
    given, start = {**spec.to_json(), "data": "-", **_elsewhere(spec)}, begun_from.nameless(state.start)
    of_ranks = {"normalised": state.build.normalised(spec.batch), "unsaved": state.build.unsaved}
    return {**state.fields(), **of_ranks, "start": start, "spec": given}


def _elsewhere(spec: TrainSpec) -> Fields:
    """What a checkpoint does not take to another machine (nor the name of a model: `begun_from`): the licence of the
    data, what its user calls presets, and the path of first weights."""
    return {
        "data_licence": "",
        "reference": specs.nameless(spec.reference),
        "weights": specs.fileless(spec.weights),
    }
