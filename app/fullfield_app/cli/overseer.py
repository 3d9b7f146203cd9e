"""Keeps a batch going: follows its worker, ends one that hangs, and starts another when one has died."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

from fullfield import log
from fullfield.errors import ExitCode, FullfieldError, WorkerDied
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.heartbeat import Listener
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.batch import BatchSpec
from fullfield.protocol.events import (
    Event,
    ItemDone,
    ItemFailed,
    ItemSkipped,
    ItemStarted,
    ItemWaits,
    Notice,
    RunEnded,
    RunFailed,
    failed,
)
from fullfield_app import interrupts

_log = logging.getLogger(__name__)
POLL_SECONDS = 0.02
_STOPPED_BY_OTHERS = "Another program asked the worker to stop. Run again: what is done is kept."
GRACE_SECONDS = 5.0  # above the item's own limit, so that the decoder's finer verdict comes first
SILENT_SECONDS = 30.0  # or that, if it is longer: so long a worker that is at no image may give no sign of life


class Overseer:
    """Runs the items of `spec` to the end: every item gets a verdict, whatever its worker goes through."""

    def __init__(self, spec: BatchSpec, report: Callable[[Event], None]) -> None:
        self._spec, self._report, self._seconds = spec, report, spec.timeout
        self._waiting = {item.index: item for item in spec.items}
        self._running: dict[int, float] = {}
        self._frozen = False
        self._failed = False
        self._stopped = 0
        self._folders: list[Path] = []
        self._handle: JobHandle | None = None

    def run(self) -> str:
        """Returns how it ended: completed, stopped or failed."""
        reason = "completed"
        with interrupts.handling(self._stop):
            while self._waiting:
                reason = self._one_worker()
                if reason in ("failed", "stopped") or self._stopped:
                    break
                self._judge_the_fallen(reason)
                if self._failed and self._spec.fail_fast:
                    self._skip_waiting("stopped after the first failure")
            if reason == "died" and self._spec.contact_sheet and not self._stopped:
                self._one_worker()  # nothing is left but the sheet, which the one that died has not made
        if reason == "stopped" and not self._stopped:
            self._report(Notice(text=_STOPPED_BY_OTHERS))
            self._stopped += 1
        self._skip_waiting("the run was stopped" if self._stopped else "not tried: the run could not go on")
        if self._stopped:
            return "stopped"
        return "failed" if reason == "failed" else "completed"

    def close(self, file: Path | None) -> None:
        """Append what the workers logged to the log in `file`; leave nothing: jobs name files."""
        for folder in self._folders:
            path = folder / "worker.log"
            if file is not None and path.exists():
                log.append(file, path)
            shutil.rmtree(folder, ignore_errors=True)

    def _one_worker(self) -> str:
        self._running.clear()
        self._frozen = False
        job = Job.of(replace(self._spec, items=tuple(self._waiting.values())))
        try:
            handle = self._handle = launch(job)
        except FullfieldError as error:
            if not self._folders:  # nothing was begun
                raise
            self._receive(RunFailed(error=error.as_fields(), exit_code=int(error.exit_code)))
            return "failed"
        self._folders.append(handle.folder)
        self._spec = replace(self._spec, tiles=self._spec.tiles or str(handle.folder))
        listener = Listener(handle.folder)
        if self._stopped:  # asked while it was started
            handle.stop()
        while True:
            news = handle.poll()
            end = news[-1] if news and isinstance(news[-1], RunEnded) else None
            died = end is not None and end.reason == "died"
            for event in news[:-2] if died else news:  # a death is told as its items' verdict, not as the run's
                if not isinstance(event, RunEnded):
                    self._receive(event)
            if end is not None:
                return end.reason
            silent = listener.silent_seconds() > max(SILENT_SECONDS, self._seconds + GRACE_SECONDS)
            self._frozen = self._frozen or (silent and not self._running)
            if self._frozen or any(time.monotonic() > limit for limit in self._running.values()):
                handle.kill()
            if not news:
                time.sleep(POLL_SECONDS)

    def _receive(self, event: Event) -> None:
        if isinstance(event, ItemFailed):  # the sentences name the user's models and presets
            _log.warning("item %d failed: %s", event.index, ExitCode(event.exit_code).name)
        if isinstance(event, RunFailed):
            _log.error("the run failed: %s", ExitCode(event.exit_code).name)
        match event:
            case ItemStarted():
                self._running[event.index] = time.monotonic() + self._seconds + GRACE_SECONDS
            case ItemWaits():
                self._running.pop(event.index, None)
            case ItemDone() | ItemSkipped() | ItemFailed():
                self._running.pop(event.index, None)
                self._waiting.pop(event.index, None)
                self._failed = self._failed or isinstance(event, ItemFailed)
            case _:
                pass
        self._report(event)

    def _skip_waiting(self, reason: str) -> None:
        for index in list(self._waiting):
            self._receive(ItemSkipped(index=index, reason=reason))

    def _judge_the_fallen(self, reason: str) -> None:
        if reason != "died":
            return
        if len(self._running) > 1 or not self._running:  # which of them was it? One at a time will tell
            if self._spec.jobs == 1:
                for index in list(self._waiting)[:1]:
                    self._receive(failed(index, "", _fallen(self._seconds, late=self._frozen)))
            self._spec = replace(self._spec, jobs=1)
            return
        for index, limit in list(self._running.items()):
            self._receive(failed(index, "", _fallen(self._seconds, late=time.monotonic() > limit)))

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self._stopped += 1
        if self._handle is not None:
            if self._stopped == 1:
                self._handle.stop()
            else:
                self._handle.kill()


def _fallen(seconds: float, *, late: bool) -> FullfieldError:
    if late:
        return WorkerDied(
            "Cannot enhance the image.",
            detail=f"It took longer than {seconds:.0f} second{'s' if seconds != 1 else ''}, and its worker was ended.",
            hint="Allow more with --timeout; the other images are not affected.",
        )
    return WorkerDied(
        "Cannot enhance the image.",
        detail="The worker ended unexpectedly on it: killed, or out of memory.",
        hint="Close other programs and run again; the other images are not affected.",
    )
