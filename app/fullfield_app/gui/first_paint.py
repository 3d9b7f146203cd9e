"""How long a new process takes to its first painted window: measured from outside, offscreen.

`measure` starts `python -m fullfield_app.gui.first_paint` and reads the moment that it tells.
"""

from __future__ import annotations

import json as jsons
import os
import statistics
import subprocess
import sys
import time

from PySide6.QtCore import QEvent, QObject, QTimer

from fullfield import standard_output

WINDOW_LIMIT = 1.5  # seconds, the goals of the first issue
HELP_LIMIT = 0.5


def measure() -> float:
    """Seconds from the start of a fresh process to the end of its window's first paint."""
    started = time.time()
    done = subprocess.run(
        [sys.executable, "-m", "fullfield_app.gui.first_paint"],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return float(done.stdout) - started


def measure_help() -> float:
    """Seconds that a fresh process takes to say `fullfield --help`."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-P", "-m", "fullfield_app", "--help"], capture_output=True, check=True, timeout=60)
    return time.perf_counter() - started


def bench(*, json: bool, repeat: int = 5) -> int:
    """`fullfield bench first-window`: medians of fresh processes. The exit code is 1 where a limit is passed."""
    figures = {
        "first_window_seconds": statistics.median(measure() for _ in range(repeat)),
        "help_seconds": statistics.median(measure_help() for _ in range(repeat)),
    }
    text = jsons.dumps(figures) if json else "\n".join(f"{name:<22}{value:.2f}" for name, value in figures.items())
    standard_output.write(f"{text}\n")
    return int(figures["first_window_seconds"] > WINDOW_LIMIT or figures["help_seconds"] > HELP_LIMIT)


class _FirstPaint(QObject):
    """Tells when an object has been painted for the first time."""

    seen = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The paint itself is over when the next turn of the loop begins."""
        if event.type() == QEvent.Type.Paint and not self.seen:
            self.seen = True
            QTimer.singleShot(0, _tell)
        return False


def _tell() -> None:
    standard_output.write(f"{time.time():.6f}\n")
    os._exit(0)  # what starts after the first paint is not measured


def main() -> None:
    """Show the window as the program does, and tell when it is painted."""
    from fullfield_app.gui.application import build

    application, window = build()
    watcher = _FirstPaint()
    window.installEventFilter(watcher)
    window.show()
    application.exec()


if __name__ == "__main__":
    main()
