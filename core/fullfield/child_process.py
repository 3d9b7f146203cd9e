"""The parent's side of a child that parses foreign bytes: start it, ask it, watch its time and memory, end it, again.

Every system is served alike: lines over pipes, a thread that reads them (Windows cannot wait for a pipe), no signals.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
import time
from pathlib import Path

import psutil

from fullfield import system
from fullfield.checked import Fields
from fullfield.errors import FullfieldError, WorkerDied
from fullfield.sandbox import Confinement

START_SECONDS = 120.0  # a cold disk and a virus scanner
TICK_SECONDS = 0.05
_LONGEST_LINE = 64 << 20  # bytes of an answer; a child that writes without end is ended as one that crashed
KEEP_BYTES = 1 << 30  # a child that holds on to more than that after a file is not kept

_ENVIRONMENT = {  # one thread: several decoders run at once, and each thread reserves address space
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ITK_GLOBAL_DEFAULT_NUMBER_OF_THREADS": "1",
    "PYTHONSAFEPATH": "1",  # never import from the folder that the user happens to be in
}


class Lost(Exception):
    """The child is gone without an answer; the text says why, in words for people."""


class Crashed(Lost):
    """It ended by itself."""


class Child:
    """One child that runs `module` (see `serving.py`), started when it is first needed. Not for two threads at once.

    `memory`: bytes that it may use; `seconds`: for one request; `folder`: the one that it may write into, if any.
    """

    def __init__(self, module: str, *, memory: int, seconds: float, folder: Path | None = None) -> None:
        self._module, self._memory, self._seconds, self._folder = module, memory, seconds, folder
        self._confinement = Confinement()
        self._most_resident: int | None = None  # what it has at its start, and `memory`
        self._process: subprocess.Popen[bytes] | None = None
        self._watched: psutil.Process | None = None
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def ask(self, request: Fields) -> Fields:
        """The child's answer. Raises Lost when it crashed, hung or took too much memory; the next call starts anew.

        A crash or want of memory in a child that has served other files may be their fault: a new one is asked again.
        """
        used = self._alive() is not None
        try:
            answer = self._once(request)
            again = used and answer.get("kind") == "memory"
        except Crashed:
            if not used:
                raise
            again = True
        return self._once(request) if again else answer

    def warm(self) -> None:
        """Start the child now: the first file shall not wait for it. Where it cannot start, `ask` will say so."""
        if self._alive() is None:
            with contextlib.suppress(FullfieldError):
                self._start()

    def confinement(self) -> Confinement:
        """What the child has given up. Raises WorkerDied where it cannot be started."""
        if self._alive() is None:
            self._start()
        return self._confinement

    def _once(self, request: Fields) -> Fields:
        process = self._alive() or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            answer = self._wait(self._seconds)
        except (OSError, ValueError) as error:
            self.end()
            raise Crashed("it crashed") from error
        except Lost:
            self.end()
            raise
        if answer.get("spent") or self._resident() > KEEP_BYTES:
            self.end()
        return answer

    def end(self) -> None:
        """Kill the child, if there is one."""
        process, self._process, self._watched = self._process, None, None
        if process is None:
            return
        with contextlib.suppress(OSError):  # it is gone already
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # a broken pipe has nothing to flush
                    stream.close()

    def _alive(self) -> subprocess.Popen[bytes] | None:
        """The child, if it still runs. It may have ended with the thread that started it."""
        if self._process is not None and self._process.poll() is not None:
            self.end()
        return self._process

    def _start(self) -> subprocess.Popen[bytes]:
        folder = [] if self._folder is None else [str(self._folder.absolute())]
        command = [*system.python_command(self._module), str(self._memory), str(self._seconds), *folder]
        self._lines, self._most_resident = queue.SimpleQueue(), None
        try:
            self._process = system.spawn_piped(command, environment={**_ENVIRONMENT, **_python_path()})
            self._watched = psutil.Process(self._process.pid)
        except (OSError, psutil.Error) as error:
            raise _cannot_start() from error
        threading.Thread(target=_pump, args=(self._process, self._lines), daemon=True).start()
        try:
            ready = self._wait(START_SECONDS)
        except Lost as lost:
            self.end()
            raise _cannot_start() from lost
        assert self._process is not None
        self._most_resident = self._resident() + self._memory
        self._confinement = Confinement.from_fields(ready["confinement"])
        return self._process

    def _wait(self, seconds: float) -> Fields:
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=TICK_SECONDS)
            except queue.Empty:
                if time.monotonic() > end:
                    raise Lost(f"it took longer than {seconds:.0f} seconds") from None
                if self._most_resident is not None and self._resident() > self._most_resident:
                    raise Lost("it took more memory than it may") from None
                continue
            if not line:
                raise Crashed("it crashed")
            answer: Fields = json.loads(line)
            return answer

    def _resident(self) -> int:
        try:
            return int(self._watched.memory_info().rss) if self._watched else 0
        except psutil.Error:
            return 0


def _pump(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Bring the child's lines to the thread that waits for them; an empty one when the child is gone."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):  # closed under our hands
        while (line := process.stdout.readline(_LONGEST_LINE)).endswith(b"\n"):  # else it is gone, or never ends it
            lines.put(line)
    lines.put(b"")


def _python_path() -> dict[str, str]:
    """Where the child finds this package when it is not installed, as in tests of a source folder."""
    source = system.source_folder()
    if source is None:
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(source), os.environ.get("PYTHONPATH"))))}


def _cannot_start() -> FullfieldError:
    return WorkerDied(
        "Cannot start the decoder.",
        detail="The process that reads files did not come up.",
        hint="Close other programs to free memory; if it happens again, install Fullfield anew.",
    )
