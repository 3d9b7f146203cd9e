"""The training loop: epochs of steps, a look at the validation part after each, checkpoints, and an end at any step."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from dataclasses import replace

from fullfield import heap
from fullfield.data import eviction
from fullfield.data.loader import Batch
from fullfield.errors import CannotWrite, Interrupted
from fullfield.hardware import devices
from fullfield.hardware.meter import CPU, Meter
from fullfield.memory.rank_watch import RankWatch
from fullfield.memory.watch import EVALUATION, UPDATE, Watch
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import commands
from fullfield.protocol.events import EpochDone, Notice, StepDone
from fullfield.train import evaluate, out_of_memory, profiled
from fullfield.train import step as steps
from fullfield.train.judge import Judge
from fullfield.train.pace import Pace
from fullfield.train.run import Run
from fullfield.train.saving import Saver
from fullfield.train.step import Phase, Step


class Loop:
    """Runs a training to its end, or to the step at which any of its ranks is asked to stop."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._progress = run.state.progress
        self._steps = len(run.parts.train) * run.spec.epochs
        self._pace = Pace()
        self._saver = Saver(run)
        self._judge = Judge(run.context.emit, run.store.hint)
        # The second step of the process, or the first one that MS-SSIM drives, whose backward takes more than L1's.
        self._profiled_step = min(max(self._progress.step + 1, run.spec.l1_steps), self._steps - 1)
        ranks = RankWatch(run.team, run.context.emit) if run.team.size > 1 else None
        self._watch = Watch(Meter(str(run.state.build.device)), run.context.emit, rank=run.team.rank, ranks=ranks)

    def run(self) -> None:
        """Train, and tell the memory meanwhile. Whatever happens, the last saved checkpoint is whole.

        Raises OutOfMemory, CannotWrite, ModelError (diverged), FullfieldError (no gradient), Interrupted never: a stop
        is kept as a checkpoint, and the loop returns.
        """
        with out_of_memory.named(lambda: self._run.store.step > 0), self._watch:
            while self._progress.epoch < self._run.spec.epochs and self._epoch():
                pass

    def _epoch(self) -> bool:
        """One epoch, or what is left of it; False when asked to stop."""
        spec, progress = self._run.spec, self._progress
        steps.set_mode(self._run.state.network, frozen=progress.epoch >= _first_frozen(spec))
        began = time.monotonic()
        build = self._run.state.build
        kept = build.stored_input, build.stored_reference
        batches = self._run.parts.train.epoch(
            progress.epoch, first=progress.batch, images=build.replicas.images, kept=kept, rows=build.team.own
        )
        try:
            with contextlib.closing(batches):  # its thread ends with a loop that is left early
                for batch in batches:
                    started = time.monotonic()
                    done = self._step(batch)
                    progress.batch += 1
                    self._count(done, batch.whole or len(batch.shapes))
                    self._tell_step(done, time.monotonic() - started)
                    self._judge.look(done, progress)
                    self._stop_or_save()
        except Interrupted:  # after a step, or while its images were made anew
            if not progress.step:
                raise
            progress.epoch_seconds += time.monotonic() - began
            self._saver.save()
            return False
        progress.epoch_seconds += time.monotonic() - began
        return self._close_epoch()

    def _step(self, batch: Batch) -> Step:
        """One optimizer step, watched; the second one of this process also by the allocator's records."""
        spec, state = self._run.spec, self._run.state
        self._watch.step = self._progress.step

        def take(phase: Phase) -> Step:
            return steps.train_step(
                state.build,
                state.update,
                batch,
                loss=spec.loss,
                l1=self._progress.step < spec.l1_steps,
                rate=self._rate(self._progress.step),
                phase=phase,
                team=self._run.team,
            )

        found = None
        if self._progress.step != self._profiled_step:
            done = take(self._phase)
        else:
            done, found = profiled.step(take, state, batch, self._phase)
            devices.free_cached()  # of the records
        if found:
            self._run.context.emit(replace(found, rank=self._run.team.rank))
        state.update.free_gradients()  # which would lie beside an evaluation, and leave holes in the heap
        self._give_back()
        return done

    @contextlib.contextmanager
    def _phase(self, name: str) -> Iterator[None]:
        """What runs inside is the phase `name`. What it leaves free in the heap is given back, for the blocks of the
        next phase have other sizes and would come on top of it."""
        with self._watch.phase(name):
            yield
        if name != UPDATE:  # after it gradients go first
            self._give_back()

    def _give_back(self) -> None:
        if self._run.state.build.device.type == CPU:
            heap.return_freed_memory()

    def _tell_step(self, done: Step, seconds: float) -> None:
        progress = self._progress
        if self._pace.due(last=progress.batch == len(self._run.parts.train)):
            event = StepDone(
                epoch=progress.epoch + 1,
                step=progress.step,
                steps=self._steps,
                loss=done.loss,
                seconds=round(seconds, 4),
            )
            self._run.context.emit(event)

    def _close_epoch(self) -> bool:
        """Measure, tell, keep the best, save; False when asked to stop meanwhile."""
        began = time.monotonic()
        try:
            with self._phase(EVALUATION):
                self._watch_another()
                quality = evaluate.of_network(
                    self._run.state.build,
                    self._run.parts.validate,
                    each=self._stop_between_images,
                    look=self._run.samples.look,
                    first=self._run.samples.image,
                )
        except Interrupted:
            self._saver.save()
            return False
        progress = self._progress
        train_loss = progress.loss_sum / progress.loss_count if progress.loss_count else math.nan
        seconds = progress.epoch_seconds + time.monotonic() - began
        progress.epoch, progress.batch = progress.epoch + 1, 0
        progress.loss_sum, progress.loss_count, progress.epoch_seconds = 0.0, 0, 0.0
        event = EpochDone(
            epoch=progress.epoch,
            epochs=self._run.spec.epochs,
            train_loss=train_loss,
            validation_loss=quality.loss,
            psnr_db=quality.psnr_db,
            fine_sd_ratio=quality.fine_sd_ratio,
            fine_correlation=quality.fine_correlation,
            learning_rate=self._rate(progress.step - 1),
            seconds=round(seconds, 3),
            loss_by_kind=quality.loss_by_kind,
        )
        self._run.context.emit(event)
        eviction.use(self._run.prepared.folder)
        progress.history.append(_record(event))
        self._saver.keep_where_best(quality)
        self._leave_sample()
        self._saver.save()
        return not self._asked_to_stop()

    def _watch_another(self) -> None:
        """The last radiograph that was asked for by `Watch`, as rank 0 has read it, is watched from now on."""
        samples, team = self._run.samples, self._run.team
        for command in self._run.context.commands():
            if isinstance(command, commands.Watch):
                samples.choose(command.image)
        (image,) = team.agree([float(samples.image if team.writes else 0)])
        samples.choose(int(image))

    def _leave_sample(self) -> None:
        if not self._run.team.writes:
            return
        progress = self._progress
        try:
            written = self._run.samples.write(progress.epoch, best=progress.best.epoch if progress.best else None)
        except CannotWrite as error:  # the checkpoint that follows says what matters
            self._run.context.emit(Notice(text=f"The radiograph of this epoch is not kept: {error}", level="warning"))
        else:
            if written:
                self._run.context.emit(written)

    def _count(self, done: Step, images: int) -> None:
        progress = self._progress
        progress.step += 1
        if done.skipped or done.spared:
            progress.bad_steps += 1
            progress.skipped += 1
        else:
            progress.bad_steps = 0
            progress.loss_sum += images * done.structure
            progress.loss_count += images

    def _rate(self, step: int) -> float:
        spec = self._run.spec
        rate = steps.learning_rate(
            step, self._steps, largest=spec.learning_rate, schedule=spec.schedule, warm_up=spec.warm_up
        )
        images = min(spec.batch, len(self._run.parts.training))  # of a step; a batch may be larger than the set
        for changed in self._run.state.build.rates:
            rate = changed(rate, step / len(self._run.parts.train), images)
        return rate

    def _asked_to_stop(self) -> bool:
        """Whether any rank is."""
        return self._run.team.any(self._run.context.stopping())

    def _stop_between_images(self) -> None:
        if self._asked_to_stop():
            raise Interrupted("The training was stopped.")

    def _stop_or_save(self) -> None:
        """After a step, where any rank is asked to stop, or finds that a checkpoint is due."""
        stop, due = self._run.team.agree([float(self._run.context.stopping()), float(self._saver.is_due())])
        if stop:
            raise Interrupted("The training was stopped.")
        if due:
            self._saver.save()


def _first_frozen(spec: TrainSpec) -> int:
    """The first epoch (from 0) with frozen BatchNorm statistics."""
    return spec.epochs - round(spec.freeze_batch_norm * spec.epochs)


def _record(event: EpochDone) -> dict[str, float]:
    names = ("train_loss", "validation_loss", "psnr_db", "fine_sd_ratio", "fine_correlation", "learning_rate")
    numbers = {name: float(getattr(event, name)) for name in names}
    return {"epoch": float(event.epoch), **{name: value for name, value in numbers.items() if math.isfinite(value)}}
