"""`fullfield bench window`: how long the window's thread is busy per turn of its loop while it has much to show.

A batch of 50 radiographs is dropped, looked through while it is enhanced, and exported; a small training runs while its
page is looked at; then the worker is killed, for how long that goes unnoticed is a figure too.
"""

from __future__ import annotations

import json as jsons
import time
from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import QTimer

from fullfield import files, standard_output
from fullfield.bench import radiographs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.plan.spec import TrainSpec
from fullfield_app.gui.bench.stage import ENDED, Stage, stage
from fullfield_app.gui.bench.turns import Turns
from fullfield_app.gui.pages import RUNS
from fullfield_app.gui.queue.row import State

IMAGES, LONGER = 50, 2140
QUICK_IMAGES, QUICK_LONGER = 12, 1024
LIMIT_MILLISECONDS = 50.0
OPENED = "page of a run opened"  # told, not judged: it happens once, and the training does not wait for it
LIMIT_NOTICED_SECONDS = 2.0
EPOCHS, QUICK_EPOCHS = 40, 4
SETTLE_SECONDS = 2.0
LOOK_MILLISECONDS = 400  # between two looks at the next image: a hand on the key
BATCH_SECONDS = 3600.0


def bench(*, json: bool, quick: bool = False) -> int:
    """Measure and print. The exit code is 1 where a turn takes more CPU than the goal."""
    count, longer = (QUICK_IMAGES, QUICK_LONGER) if quick else (IMAGES, LONGER)
    with stage() as window:
        files = radiographs.make(window.folder / "in", count, longer=longer)
        phases = [_batch(window, files), _export(window), *_train(window, QUICK_EPOCHS if quick else EPOCHS)]
        noticed = _kill(window)
    slow = any(phase.worst_cpu > LIMIT_MILLISECONDS for phase in phases if phase.phase != OPENED)
    if json:
        figures = {"phases": list(map(asdict, phases)), "killed_noticed_seconds": noticed}
        standard_output.write(jsons.dumps(figures) + "\n")
    else:
        standard_output.write(_table(phases, count, longer, noticed))
    return int(slow or noticed > LIMIT_NOTICED_SECONDS)


def _batch(window: Stage, files: list[Path]) -> Turns:
    """Dropped, and looked through while they are enhanced."""
    looks = QTimer()
    looks.setInterval(LOOK_MILLISECONDS)
    looks.timeout.connect(lambda: window.do("next"))
    looks.start()
    window.drop(files)
    count = len(files)
    done = window.run(
        f"batch of {count}",
        lambda: len(window.states()) == count and all(state in ENDED for state in window.states()),
        seconds=BATCH_SECONDS,
    )
    looks.stop()
    return done


def _export(window: Stage) -> Turns:
    window.do("export_new")
    return window.run(
        "export of all",
        lambda: all(state in (State.EXPORTED, State.FAILED) for state in window.states()),
        seconds=BATCH_SECONDS,
    )


def _train(window: Stage, epochs: int) -> tuple[Turns, Turns]:
    """The page of a run is opened, and follows a training from its start to its end."""
    spec = TrainSpec(
        data=str(files.resource("phantoms")), size=192, epochs=epochs, encoder="resnet18", weights="none", techniques=()
    )
    run = launch(Job.of(spec))
    try:
        QTimer.singleShot(0, lambda: window.panel.went.emit(RUNS, run.folder))
        begun = time.monotonic()
        opened = window.run(OPENED, lambda: time.monotonic() - begun > SETTLE_SECONDS, seconds=60)
        ended: list[float] = []

        def over() -> bool:
            if not ended and not run.alive():
                ended.append(time.monotonic())
            return bool(ended) and time.monotonic() - ended[0] > SETTLE_SECONDS

        return opened, window.run(f"training of {epochs} epochs", over, seconds=BATCH_SECONDS)
    finally:
        run.kill()


def _kill(window: Stage) -> float:
    """Seconds from the death of the worker to the message in the window."""
    lost: list[float] = []
    window.panel.said.connect(lambda message: lost.append(time.monotonic()))
    begun = time.monotonic()
    window.worker().kill()
    window.run("killed worker", lambda: bool(lost), seconds=60)
    return round(lost[0] - begun, 2)


def _table(phases: list[Turns], count: int, longer: int, noticed: float) -> str:
    columns = f"{'turns':>8}{'worst CPU':>11}{'99 % CPU':>10}{'worst wall':>12}{'99 % wall':>11}"
    lines = [f"{count} radiographs of {longer} pixels", f"{'milliseconds of a turn':<24}{columns}"]
    for phase in phases:
        lines.append(
            f"{phase.phase:<24}{phase.count:>8}{phase.worst_cpu:>11}{phase.percentile_99_cpu:>10}"
            f"{phase.worst_wall:>12}{phase.percentile_99_wall:>11}"
        )
    lines += ["", "longest turns: CPU, wall, where"]
    for turn in (turn for phase in phases for turn in phase.longest):
        place = turn.place or "Qt alone"
        lines.append(f"  {turn.cpu_milliseconds:6.1f} {turn.wall_milliseconds:7.1f}  {turn.phase}: {place}")
    lines += ["", f"a killed worker is said after {noticed} s"]
    return "\n".join(lines) + "\n"
