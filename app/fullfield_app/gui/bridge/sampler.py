"""Where the window's thread is while a turn of its loop takes long: another thread looks at its Python frames."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from types import FrameType

LOOK_SECONDS = 0.003
OURS = ("fullfield_app.", "fullfield.")
BENCH = "fullfield_app.gui.bench"
MOST_FRAMES = 4


class Sampler:
    """Looks every few milliseconds between `begin` and `end` of a turn; `places` counts what was seen in it."""

    def __init__(self) -> None:
        self._thread_of_window = threading.get_ident()
        self._in_turn = False
        self._seen: Counter[str] = Counter()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, name="turn sampler", daemon=True)
        self._thread.start()

    def begin(self) -> None:
        """A turn begins."""
        self._seen = Counter()
        self._in_turn = True

    def end(self) -> str:
        """The turn is over: the place in our code that was seen most often, "" for none."""
        self._in_turn = False
        return self._seen.most_common(1)[0][0] if self._seen else ""

    def close(self) -> None:
        """Look no longer."""
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.is_set():
            time.sleep(LOOK_SECONDS)
            if self._in_turn:
                place = _place(sys._current_frames().get(self._thread_of_window))
                if place:
                    self._seen[place] += 1


def _place(frame: FrameType | None) -> str:
    """The innermost function, and those of ours that called it, from the inside out; the bench is none of them."""
    places: list[str] = []
    while frame is not None and len(places) < MOST_FRAMES:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(BENCH):
            break
        if name.startswith(OURS) or not places:
            places.append(f"{name.removeprefix('fullfield_app.gui.')}.{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(places)
