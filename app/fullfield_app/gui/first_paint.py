"""How long a new process takes to its first painted window: measured from outside, offscreen.

`measure` starts `python -m fullfield_app.gui.first_paint` and reads the moment that it tells.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from PySide6.QtCore import QEvent, QObject, QTimer


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
    sys.stdout.write(f"{time.time():.6f}\n")
    sys.stdout.flush()
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
