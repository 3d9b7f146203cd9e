"""A connection over which images go to a node and come back enhanced, at this end.

`fullfield node enhance ID` there answers first with its versions and its number of cards, then, each as a line of JSON:

    {}                                               a sign of life
    {"done": n, "warnings": […], "left": x, "declared": true}
                                                     and the pixels of the image of number n, how it was seen, and the
                                                     tables of what was done to it, where the method says that
    {"refused": n, "error": …}                       why there are none
    {"notice": text}                                 on what it computes
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import IO

import numpy as np
from numpy.typing import NDArray

from fullfield import checked
from fullfield.checked import Count, Fields
from fullfield.enhance import item as items
from fullfield.errors import FullfieldError
from fullfield.image.declared import Declared
from fullfield.image.image import Image, Pixels
from fullfield.nodes import image_lines, probe, ssh
from fullfield.nodes.image_lines import Asked
from fullfield.nodes.node import Node
from fullfield.nodes.probe import Versions
from fullfield.nodes.ssh import LineCut, NodeRefused

ENDS_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a node has made of an image; see `Enhanced`."""

    pixels: Pixels
    seen: NDArray[np.float32]
    warnings: tuple[str, ...]
    left: float
    declared: Declared | None = None


@dataclass(frozen=True, kw_only=True)
class _Done:
    done: int
    warnings: tuple[str, ...] = ()
    left: float = 1.0
    declared: bool = False


@dataclass(frozen=True, kw_only=True)
class _Greeting(Versions):
    cards: Count = 0


class NotDone(NodeRefused):
    """The node cannot do it: another machine may."""


class Exchange:
    """The connection; several threads may ask. `run`: the random name under which the node keeps what it needs.
    `notice`: called with what the node tells. `cards`: how many it has. Raises LineCut, NodeRefused, UsageError
    where its version is another."""

    def __init__(self, node: Node, run: str, notice: Callable[[str], None]) -> None:
        self._node, self._notice = node, notice
        self._writing, self._lock = threading.Lock(), threading.Lock()
        self._waiting: dict[int, tuple[Image, Future[Answer]]] = {}
        self._asked = 0
        self._end: FullfieldError | None = None
        self._reported = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the connection
        try:
            self._process = ssh.start(node, "enhance", run, errors_to=self._reported)
        except FullfieldError:
            self._reported.close()
            raise
        self._patience = ssh.Patience(self._process)
        try:
            self._greet(self._out)
        except BaseException:
            self._end_process()
            raise
        self._thread = threading.Thread(target=self._receive, args=(self._out,), name="exchange", daemon=True)
        self._thread.start()

    def ask(self, image: Image, asked: Asked) -> Answer:
        """What the node makes of an image. Raises LineCut; NotDone where it cannot."""
        future: Future[Answer] = Future()
        with self._lock:
            if self._end is not None:
                raise self._end
            self._asked += 1
            asked = replace(asked, number=self._asked)
            self._waiting[asked.number] = (image, future)
        try:
            with self._writing:
                image_lines.write(self._in, asked, image, self._patience.moved)
        except (OSError, ValueError) as error:
            if not (isinstance(error, OSError) or self._in.closed):
                raise
            self._process.kill()  # half a request cannot be taken back; the thread that receives says why
        return future.result()

    def close(self) -> None:
        """End it: the node then forgets what it has of the run."""
        with contextlib.suppress(OSError, ValueError), self._writing:
            self._in.close()
        self._thread.join(ENDS_SECONDS)
        self._process.kill()
        self._thread.join()
        self._end_process()

    @property
    def _in(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _end_process(self) -> None:
        ssh.end(self._process)
        self._reported.close()

    def _greet(self, stream: IO[bytes]) -> None:
        title = f"Cannot enhance on the node {self._node.name}."
        answer = ssh.first(self._node, stream)
        if answer is None:
            raise ssh.ended(self._node, self._process, self._reported)
        try:
            theirs = checked.make(_Greeting, answer)
        except ValueError as error:
            raise NodeRefused(
                title, detail="It does not say which version it has.", hint="Install the same version on both."
            ) from error
        probe.refuse_others(theirs, probe.versions(), title=title)
        self.cards = theirs.cards

    def _receive(self, stream: IO[bytes]) -> None:
        end: FullfieldError | None = None
        try:
            while (text := stream.readline()).endswith(b"\n"):
                self._patience.moved()
                values = checked.parse(text)
                if "error" in values and "refused" not in values:
                    end = ssh.reported_error(self._node, values["error"])
                    break
                self._take(values, stream)
        except (EOFError, OSError):
            pass
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            end = NodeRefused(
                f"The node {self._node.name} tells what cannot be understood.",
                detail=f"{type(error).__name__}: it is another version.",
                hint="Install the same version on both.",
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, those that wait must not wait for ever
            end = items.explain(error)
        found = _as_cut(self._node, end or ssh.ended(self._node, self._process, self._reported))
        with self._lock:
            self._end, waiting = found, list(self._waiting.values())
            self._waiting.clear()
        for _, future in waiting:
            future.set_exception(found)

    def _take(self, values: Fields, stream: IO[bytes]) -> None:
        """Hand on what a line brings. Raises EOFError where the rest of it does not come."""
        if "done" in values:
            done = checked.make(_Done, values)
            image, future = self._waiting[done.done]
            rows, columns = image.pixels.shape
            pixels = image_lines.read_pixels(stream, rows, columns, self._patience.moved)
            seen, declared = image_lines.read_seen(stream, self._patience.moved), None
            if done.declared:
                declared = image_lines.read_declared(stream, rows, columns, self._patience.moved)
            with self._lock:
                del self._waiting[done.done]
            answer = Answer(pixels=pixels, seen=seen, warnings=done.warnings, left=done.left, declared=declared)
            future.set_result(answer)
        elif "refused" in values:
            with self._lock:
                _, future = self._waiting.pop(int(values["refused"]))
            error = ssh.reported_error(self._node, values["error"])
            future.set_exception(NotDone(error.title, detail=error.detail, hint=error.hint))
        elif "notice" in values:
            self._notice(str(values["notice"]))


def _as_cut(node: Node, error: FullfieldError) -> LineCut:
    """Whatever ended it: what was asked is not done there."""
    return error if isinstance(error, LineCut) else LineCut(error.title, detail=error.detail, hint=error.hint)


__all__ = ["Answer", "Exchange", "NotDone"]
