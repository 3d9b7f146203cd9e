"""A node of those that enhance for this computer: its line, which is tried again where it was cut, and what it has been
brought."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Callable

from fullfield.errors import FullfieldError
from fullfield.hardware import named
from fullfield.image import multiscale
from fullfield.image.image import Image, Pixels
from fullfield.nodes import pieces, ssh
from fullfield.nodes.exchange import Answer, Exchange, NotDone
from fullfield.nodes.image_lines import Asked
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.ssh import LineCut
from fullfield.protocol.events import Event, Notice
from fullfield.protocol.places import PLACE

WAITS = (5.0, 10.0, 30.0, 60.0)
"""Seconds before a line that was cut is tried again: the last for ever."""


class Reached:
    """A node. `busy`: how many images it has been given, kept by who gives them. `instead`: tells in words which others
    do what this one does not. Raises NodeRefused, UsageError; a line that is cut is tried again later."""

    def __init__(self, there: Node, *, device: str, emit: Callable[[Event], None], instead: Callable[[Reached], str]):
        self.busy = 0
        self._node, self._device, self._emit, self._instead = there, device, emit, instead
        self._run, self._lost = "", list[str]()
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        self._said: set[str] = set()
        self._sent: dict[str, Exchange] = {}
        self._did = self._refused = False
        self._cards = 1
        self._line: Exchange | None = None
        try:
            self._line = self._connected()
        except LineCut as error:
            self._lose(None, error)
        else:
            self._tell(f"Enhancing on the node {there.name}: pixels and numbers go there, files stay here.")

    @property
    def name(self) -> str:
        """What this user calls it."""
        return self._node.name

    @property
    def is_there(self) -> bool:
        """Its line is not cut."""
        return self._line is not None

    @property
    def lanes(self) -> int:
        """How many images it computes at once: as many as it had cards when it was seen last."""
        return named.meant(self._device, self._cards)

    @property
    def is_useless(self) -> bool:
        """It has refused what it was asked for, and done nothing yet."""
        return self._refused and not self._did

    def close(self) -> None:
        """End the connection, and leave nothing there."""
        with self._lock:
            self._over.set()
            line, self._line = self._line, None
        if line is not None:
            line.close()
        for run in self._lost if self._sent else ():  # where its process was killed, it could not
            try:
                ssh.forget(self._node, run)
            except LineCut:
                break
            except FullfieldError:
                continue  # it could

    def ask(self, image: Image, asked: Asked, model: Piece | None = None) -> Answer | None:
        """What the node makes of an image; None where another one has to. `model`: the file that it needs."""
        line = self._line
        if line is None:
            return None
        try:
            if model is not None:
                self._bring(line, model)
            answer = line.ask(image, asked)
        except LineCut as error:
            self._lose(line, error)
        except NotDone as error:
            self._refused = True
            text = f"{error.title} {error.detail} What it cannot do is enhanced on {self._instead(self)}."
            self._tell(text, warning=True)
        else:
            if _is_within(answer.pixels, image):
                self._did = True
                return answer
            text = f"What the node {self.name} makes is no image. It is enhanced on {self._instead(self)}."
            self._tell(text, warning=True)
        return None

    def _bring(self, line: Exchange, model: Piece) -> None:
        """A model's file goes there once for each connection, on from where it was cut; and not where it is there."""
        with self._sending:
            if self._sent.get(model.sha256) is line:
                return
            self._sent[model.sha256] = line
            try:
                pieces.send(self._node, (model,), pause=lambda: None)
            except LineCut:
                raise
            except FullfieldError as error:
                del self._sent[model.sha256]
                raise NotDone(error.title, detail=error.detail, hint=error.hint) from error

    def _connected(self) -> Exchange:
        """A connection under a name of its own: the one before may end there, and take what it has, after this one has
        begun."""
        self._run = secrets.token_hex(16)
        line = Exchange(self._node, self._run, lambda text: self._tell(f"On the node {self.name}: {text}"))
        self._cards = line.cards
        return line

    def _lose(self, line: Exchange | None, error: LineCut) -> None:
        """What was asked over this line is done elsewhere, and what comes, until there is another."""
        with self._lock:
            if self._line is not line or self._over.is_set():  # another thread has seen it
                return
            self._line = None
            self._lost += [self._run] if line is not None else []
        text = f"{error.title} {error.detail} What is not done there is enhanced on {self._instead(self)}."
        self._tell(text, warning=True, again=True)
        threading.Thread(target=self._try_again, args=(line,), name="line", daemon=True).start()

    def _try_again(self, before: Exchange | None) -> None:
        if before is not None:
            before.close()
        for seconds in itertools.chain(WAITS, itertools.repeat(WAITS[-1])):
            if self._over.wait(seconds):
                return
            try:
                line = self._connected()
            except LineCut:
                continue
            except FullfieldError as error:
                self._tell(f"{error.title} {error.detail} It is not tried again.", warning=True)
                return
            with self._lock:
                if not self._over.is_set():
                    self._line = line
            if self._over.is_set():
                line.close()
            else:
                self._tell(f"The line to the node {self.name} is back.", again=True)
            return

    def _tell(self, text: str, *, warning: bool = False, again: bool = False) -> None:
        """Each news once; `again`: each time."""
        if self._over.is_set() or (text in self._said and not again):
            return
        self._said.add(text)
        self._emit(Notice(text=text, level="warning" if warning else "info", topic=f"{PLACE}:{self.name}"))


def _is_within(pixels: Pixels, image: Image) -> bool:
    """Whether these can be an enhanced image's values: of as many bits."""
    return int(pixels.max()) < 1 << multiscale.bits_of(image)
