"""Nodes as machines that enhance for this computer: see `fullfield.enhance.elsewhere`.

Several share what there is to do, this computer among them where it is named: each image goes to the one that has least
to do for what it is. What one does not do, because its line is cut or because it cannot, another one does, and where
there is none, this computer. That is said.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fullfield.enhance import fit, network
from fullfield.enhance.elsewhere import Network, Waits
from fullfield.enhance.enhancer import presets_at_once
from fullfield.errors import UsageError
from fullfield.hardware import devices, named
from fullfield.image import multiscale, normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, Image
from fullfield.image.preset import Preset
from fullfield.model import bare, registry
from fullfield.model import card as cards
from fullfield.nodes import here as this_computer
from fullfield.nodes import image_lines, node, probe
from fullfield.nodes.exchange import Answer
from fullfield.nodes.here import Here
from fullfield.nodes.image_lines import Asked
from fullfield.nodes.node import Node
from fullfield.nodes.pieces import Piece
from fullfield.nodes.reached import Reached
from fullfield.protocol.events import Event


def open_machine(
    name: str, /, *, images_to: str, device: str, emit: Callable[[Event], None], waits: Waits
) -> NodesEnhancing:
    """See `OpenMachine`; `name`: of several nodes, with a comma between two; "local" is this computer."""
    names = name.split(",")
    if len(set(names)) < len(names):
        raise UsageError("Cannot enhance on these nodes.", detail="One is named twice.", hint="Name each once.")
    nodes = [node.find(one) for one in names]
    for found in nodes:
        if found.slurm:
            raise UsageError(
                f"Cannot enhance on the node {found.name}.",
                detail="It is the login node of a cluster, where nothing is to be computed.",
                hint="Enhance on this computer, or on another machine.",
            )
        node.require_consent(found, images_to, title=f"Cannot enhance on the node {found.name}.")
    return NodesEnhancing(nodes, device=device, emit=emit, waits=waits)


class NodesEnhancing:
    """See `Elsewhere`. `device`: on each other one; this computer takes what it has, or its CPU where that is said.
    Raises NodeRefused, UsageError; a line that is cut is tried again later."""

    def __init__(self, nodes: Sequence[Node], *, device: str, emit: Callable[[Event], None], waits: Waits) -> None:
        self.device = device
        self._lock = threading.Lock()
        self._names = [this_computer.TITLE if one.here else one.name for one in nodes]
        self._nodes: list[Reached] = []
        self._here, self._takes_part = Here(emit=emit, waits=waits, instead=self._others), any(n.here for n in nodes)

        def reach(one: Node) -> Reached:
            return Reached(one, device=device, emit=emit, instead=lambda it: self._others(it) or this_computer.TITLE)

        with ThreadPoolExecutor(max_workers=len(nodes)) as pool:
            asked = [pool.submit(reach, one) for one in nodes if not one.here]
        self._nodes += [one.result() for one in asked if one.exception() is None]
        for one in asked:
            if one.exception() is not None:
                self.close()
            one.result()

    @property
    def at_once(self) -> int:
        """See `Elsewhere`."""
        return self.in_hand(presets_at_once())

    def in_hand(self, lanes: int) -> int:
        """How many images keep all busy: while one is computed on each device, one travels. `lanes`: how many are
        computed at once on this computer."""
        return sum(one.lanes + 1 for one in self._nodes) + (lanes if self._takes_part else 0)

    def by_preset(self, image: Image, preset: Preset, /) -> Enhanced:
        """See `Elsewhere`."""
        asked = Asked(number=0, image=_numbers(image), preset=image_lines.preset_numbers(preset))
        answer = self.ask(image, asked, lambda: multiscale.enhance(image, preset), lanes=presets_at_once())
        if isinstance(answer, Enhanced):
            return answer
        return Enhanced(
            pixels=answer.pixels,
            bits=multiscale.bits_of(image),
            recipe=multiscale.recipe(preset, answer.left),
            warnings=answer.warnings,
            seen=answer.seen,
        )

    def by_model(
        self, path: Path, here: Callable[[], Network], /, *, off_scale: bool, member: int | None = None
    ) -> Network:
        """See `Elsewhere`."""
        return _Model(self, registry.read_bytes(path, member), here, off_scale=off_scale)

    def close(self) -> None:
        """See `Elsewhere`."""
        for one in self._nodes:
            one.close()

    def ask(
        self, image: Image, asked: Asked, here: Callable[[], Enhanced], *, lanes: int, model: Piece | None = None
    ) -> Answer | Enhanced:
        """What a node makes of an image; or `here`, of which this computer does `lanes` at once. `model`: the file that
        a node needs."""
        tried: set[Reached | Here] = set()
        while (one := self._next(tried, lanes)) is not None:
            try:
                made = one.ask(here, lanes=lanes) if isinstance(one, Here) else one.ask(image, asked, model)
            finally:
                with self._lock:
                    one.busy -= 1
            if made is not None:
                return made
        return self._here.compute(here, lanes=lanes)

    def _next(self, tried: set[Reached | Here], lanes: int) -> Reached | Here | None:
        """The one to be asked next, and counted as busy; those that have been of no use come last, and before them this
        computer while it has as many as it computes at once: to it nothing travels."""
        part: list[Reached | Here] = [self._here] if self._takes_part else []

        def load(one: Reached | Here) -> tuple[bool, bool, float]:
            most = lanes if isinstance(one, Here) else one.lanes
            return one.is_useless, one is self._here and one.busy >= most, one.busy / most

        with self._lock:
            there = [one for one in (*part, *self._nodes) if one.is_there and one not in tried]
            if not there:
                return None
            found = min(there, key=load)
            found.busy += 1
            tried.add(found)
            return found

    def _others(self, than: Reached | Here) -> str:
        """Which others do what this one does not, in words."""
        lost = {than.name, *(one.name for one in self._nodes if not one.is_there)}
        return " or ".join(name for name in self._names if name not in lost)


class _Model:
    """A model that is computed on nodes; it is opened here only where that is needed. There it has no name, and its
    results are judged here."""

    def __init__(self, there: NodesEnhancing, file: bytes, here: Callable[[], Network], *, off_scale: bool) -> None:
        self._there, self._here, self._off_scale = there, here, off_scale
        self.card = cards.verify(file)
        self.recipe = network.recipe_of(hashlib.sha256(file).hexdigest(), self.card)
        content = bare.bare(file)
        sha256 = hashlib.sha256(content).hexdigest()
        self._piece = Piece(name="", sha256=sha256, size=len(content), content=content)
        own = devices.CPU if there.device == devices.CPU else devices.AUTO
        self._lanes = named.meant(own, len(probe.cards()))
        self._lock = threading.Lock()
        self._opened: Network | None = None

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`."""
        image = decoded.image
        fit.refuse_other_kind(image, self.card, modality=decoded.header.modality)
        sha256, device = self._piece.sha256, self._there.device
        asked = Asked(number=0, image=_numbers(image), model=sha256, device=device, off_scale=self._off_scale)
        answer = self._there.ask(
            image, asked, lambda: self._local().enhance(decoded), lanes=self._lanes, model=self._piece
        )
        if isinstance(answer, Enhanced):
            return answer
        levels = 0 if self._off_scale else fit.levels_finer(image, self.card)
        warnings, recipe = fit.warnings(image, self.card, kept=levels), network.drawn_at(self.recipe, levels)
        return Enhanced(
            pixels=answer.pixels,
            bits=normalise.output_bits(image),
            recipe=recipe,
            warnings=warnings,
            seen=answer.seen,
            declared=answer.declared,
        )

    @property
    def at_once(self) -> int:
        """See `Network`."""
        return self._there.in_hand(self._lanes)

    def _local(self) -> Network:
        with self._lock:
            if self._opened is None:
                self._opened = self._here()
            return self._opened


def _numbers(image: Image) -> image_lines.ImageNumbers:
    return image_lines.numbers_of(image)
