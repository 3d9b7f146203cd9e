"""A node as a machine that enhances for this computer: see `fullfield.enhance.elsewhere`.

What it does not do is done here: where the line is cut, what waits for it and what comes next, until the line is back;
where the node cannot do what is asked, that one image. Both are said.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from fullfield.enhance import fit, network
from fullfield.enhance.elsewhere import Network
from fullfield.errors import FullfieldError, UsageError
from fullfield.image import multiscale, normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Image, Pixels
from fullfield.image.preset import Preset
from fullfield.model import bare, registry
from fullfield.model import card as cards
from fullfield.nodes import image_lines, node, pieces, ssh
from fullfield.nodes.exchange import Answer, Exchange, NotDone
from fullfield.nodes.image_lines import Asked
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.ssh import LineCut
from fullfield.protocol.events import Event, Notice

WAITS = (5.0, 10.0, 30.0, 60.0)
"""Seconds before a line that was cut is tried again: the last for ever."""


def open_machine(name: str, /, *, images_to: str, device: str, emit: Callable[[Event], None]) -> NodeEnhancing:
    """See `OpenMachine`."""
    found = node.find(name)
    if found.slurm:
        raise UsageError(
            f"Cannot enhance on the node {found.name}.",
            detail="It is the login node of a cluster, where nothing is to be computed.",
            hint="Enhance on this computer, or on another machine.",
        )
    node.require_consent(found, images_to, title=f"Cannot enhance on the node {found.name}.")
    return NodeEnhancing(found, device=device, emit=emit)


class NodeEnhancing:
    """See `Elsewhere`. Raises NodeRefused, UsageError; a line that is cut is tried again later."""

    def __init__(self, there: Node, *, device: str, emit: Callable[[Event], None]) -> None:
        self.device = device
        self._node, self._emit = there, emit
        self._run = secrets.token_hex(16)
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        self._said: set[str] = set()
        self._sent: dict[str, Exchange] = {}
        self._lost = False
        self._line: Exchange | None = None
        try:
            self._line = self._connected()
        except LineCut as error:
            self._lose(None, error)
        else:
            self._tell(f"Enhancing on the node {there.name}: pixels and numbers go there, files stay here.")

    def by_preset(self, image: Image, preset: Preset, /) -> Enhanced:
        """See `Elsewhere`."""
        answer = self.ask(image, Asked(number=0, image=_numbers(image), preset=image_lines.preset_numbers(preset)))
        if answer is None:
            return multiscale.enhance(image, preset)
        return Enhanced(
            pixels=answer.pixels,
            bits=multiscale.bits_of(image),
            recipe=multiscale.recipe(preset),
            warnings=answer.warnings,
            left=answer.left,
            seen=answer.seen,
        )

    def by_model(
        self, path: Path, here: Callable[[], Network], /, *, off_scale: bool, member: int | None = None
    ) -> Network:
        """See `Elsewhere`."""
        return _Model(self, registry.read_bytes(path, member), here, off_scale=off_scale)

    def close(self) -> None:
        """See `Elsewhere`."""
        with self._lock:
            self._over.set()
            line, self._line = self._line, None
        if line is not None:
            line.close()
        if self._lost and self._sent:  # where its process was killed, it could not
            with contextlib.suppress(FullfieldError):
                ssh.ask(self._node, "forget", self._run)

    def ask(self, image: Image, asked: Asked, model: Piece | None = None) -> Answer | None:
        """What the node makes of an image; None where it is to be done here. `model`: the file that it needs."""
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
            text = f"{error.title} {error.detail} What it cannot do is enhanced on this computer."
            self._tell(text, warning=True)
        else:
            if _is_within(answer.pixels, image):
                return answer
            text = f"What the node {self._node.name} makes is no image. It is enhanced on this computer."
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
        return Exchange(self._node, self._run, lambda text: self._tell(f"On the node {self._node.name}: {text}"))

    def _lose(self, line: Exchange | None, error: LineCut) -> None:
        """What was asked over this line is done here, and what comes, until there is another."""
        with self._lock:
            if self._line is not line or self._over.is_set():  # another thread has seen it
                return
            self._line, self._lost = None, True
        text = f"{error.title} {error.detail} What is not done there is enhanced on this computer."
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
                self._tell(f"The line to the node {self._node.name} is back.", again=True)
            return

    def _tell(self, text: str, *, warning: bool = False, again: bool = False) -> None:
        """Each news once; `again`: each time."""
        if self._over.is_set() or (text in self._said and not again):
            return
        self._said.add(text)
        self._emit(Notice(text=text, level="warning" if warning else "info", topic="place"))


class _Model:
    """A model that is computed on a node; it is opened here only where that is needed. There it has no name, and its
    results are judged here."""

    def __init__(self, there: NodeEnhancing, file: bytes, here: Callable[[], Network], *, off_scale: bool) -> None:
        self._there, self._here, self._off_scale = there, here, off_scale
        self.card = cards.verify(file)
        self.recipe = network.recipe_of(hashlib.sha256(file).hexdigest(), self.card)
        content = bare.bare(file)
        sha256 = hashlib.sha256(content).hexdigest()
        self._piece = Piece(name="", sha256=sha256, size=len(content), content=content)
        self._lock = threading.Lock()
        self._opened: Network | None = None

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`."""
        image = decoded.image
        fit.refuse_other_kind(image, self.card, modality=decoded.header.modality)
        sha256, device = self._piece.sha256, self._there.device
        asked = Asked(number=0, image=_numbers(image), model=sha256, device=device, off_scale=self._off_scale)
        answer = self._there.ask(image, asked, self._piece)
        if answer is None:
            return self._local().enhance(decoded)
        levels = 0 if self._off_scale else fit.levels_finer(image, self.card)
        warnings, recipe = fit.warnings(image, self.card, kept=levels), network.drawn_at(self.recipe, levels)
        bits = normalise.output_bits(image)
        return Enhanced(pixels=answer.pixels, bits=bits, recipe=recipe, warnings=warnings, seen=answer.seen)

    def _local(self) -> Network:
        with self._lock:
            if self._opened is None:
                self._opened = self._here()
            return self._opened


def _numbers(image: Image) -> image_lines.ImageNumbers:
    return image_lines.numbers_of(image)


def _is_within(pixels: Pixels, image: Image) -> bool:
    """Whether these can be an enhanced image's values: of as many bits."""
    return int(pixels.max()) < 1 << multiscale.bits_of(image)
