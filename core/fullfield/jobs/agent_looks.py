"""What the agent of a node does beside the rounds, from a thread: it ends ranks of its own that are frozen, and carries
to the head what the others of its own tell (`rank_news`)."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fullfield import checked, files
from fullfield.distribution.gathering import Gathering
from fullfield.jobs.frozen import Watched
from fullfield.protocol.fleets import Fleet

LOOK_SECONDS = 1.0
_NEWS, _OF_RANK = re.compile(r"rank-[0-9]{1,4}\.json"), re.compile(r"pulse-([0-9]{1,4})")
_log = logging.getLogger(__name__)


class Looking:
    """Begins at once, and ends with the process."""

    def __init__(self, folder: Path, fleet: Fleet, gathering: Gathering, connect: Callable[[], Any]) -> None:
        self._folder, self._fleet, self._gathering, self._connect = folder, fleet, gathering, connect
        self._watched: dict[int, Watched] = {}
        self._carried: dict[str, str] = {}
        threading.Thread(target=self._look, name="looking", daemon=True).start()

    def _look(self) -> None:
        store = None
        while True:
            time.sleep(LOOK_SECONDS)
            self._end_frozen()
            try:
                store = store or self._connect()
                (self._take if self._fleet.leads else self._carry)(store)
            except (RuntimeError, OSError, ValueError):  # the line is cut
                store = None

    def _end_frozen(self) -> None:
        for path in self._folder.glob("pulse-*"):
            found = _OF_RANK.fullmatch(path.name)
            if found is None:
                continue
            number = int(found[1])
            watched = self._watched.setdefault(number, Watched(self._folder, number))
            if watched.frozen_seconds():
                _log.warning("rank %d is frozen, and is ended", number - 1)
                with contextlib.suppress(OSError):
                    os.kill(watched.pid, signal.SIGKILL)

    def _carry(self, store: Any) -> None:
        news = {path.name: path.read_text(encoding="utf-8") for path in self._folder.glob("rank-*.json")}
        if news and news != self._carried:
            store.set(f"news/{self._gathering.round}/{self._fleet.number}", json.dumps(news))
            self._carried = news

    def _take(self, store: Any) -> None:
        for number in self._gathering.nodes[1:]:
            key = f"news/{self._gathering.round}/{number}"
            if not store.check([key]):
                continue
            for name, text in checked.parse(store.get(key)).items():
                if _NEWS.fullmatch(name) and self._carried.get(name) != text:
                    files.write_text(self._folder / name, str(text))
                    self._carried[name] = text
