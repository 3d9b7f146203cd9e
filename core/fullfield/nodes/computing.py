"""On the node: enhance the images that come on standard input, until it ends. See `fullfield.nodes.exchange`.

Images and results are in memory alone; a model lies on the node's shelf, under the run's random name, until the end.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from fullfield import checked, parts, system
from fullfield.checked import Fields
from fullfield.enhance import item as items
from fullfield.enhance.enhancer import Enhancer
from fullfield.errors import FullfieldError
from fullfield.image import multiscale
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import Enhanced, Image
from fullfield.model.card import SUFFIX
from fullfield.nodes import answering, image_lines, kept, probe
from fullfield.nodes.image_lines import Asked
from fullfield.protocol.ensembles import MOST
from fullfield.training_part import place

ALIVE_SECONDS = 1.0


def serve(run: str) -> None:
    """See above. `run`: the name under which models lie. Raises UsageError where what comes is no request."""
    kept.named(run)
    _go_where_torch_is(run)
    answering.say({**asdict(probe.versions()), "cards": len(probe.cards())})
    kept.sweep()
    server = _Server(run)
    try:
        server.serve()
    finally:
        server.close()


class _Server:
    def __init__(self, run: str) -> None:
        self._run = run
        self._writing, self._opening = threading.Lock(), threading.Lock()
        self._over = threading.Event()
        self._pool = ThreadPoolExecutor(max_workers=system.usable_threads(), thread_name_prefix="image")
        self._models: dict[str, str] = {}
        self._open: dict[tuple[str, str, bool], Enhancer] = {}

    def serve(self) -> None:
        threading.Thread(target=self._live, name="heartbeat", daemon=True).start()
        stream = sys.stdin.buffer
        while line := stream.readline():
            with answering.understood():
                asked = checked.make(Asked, checked.parse(line))
                try:
                    image = image_lines.read(stream, asked.image)
                except EOFError:  # the line is cut
                    return
            self._pool.submit(self._answer, asked, image)

    def close(self) -> None:
        """Begin nothing more, and forget the models."""
        self._over.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._opening, contextlib.suppress(FullfieldError, OSError):
            if self._models:
                kept.forget(self._run)

    def _answer(self, asked: Asked, image: Image) -> None:
        try:
            enhanced = self._enhanced(asked, image)
        except Exception as error:  # noqa: BLE001 - one image's fault must not cost the others
            self._say({"refused": asked.number, "error": answering.fields_of(items.explain(error))})
        else:
            found: Fields = {"done": asked.number, "warnings": enhanced.warnings, "left": enhanced.recipe.left}
            self._say({**found, "declared": enhanced.declared is not None}, enhanced)

    def _enhanced(self, asked: Asked, image: Image) -> Enhanced:
        if not asked.model:
            return multiscale.enhance(image, image_lines.preset_of(asked.preset, image.kind))
        return self._opened(asked).enhance(_without_header(image))

    def _opened(self, asked: Asked) -> Enhancer:
        """The model that is asked for; as many as an ensemble has stay open, those that were asked for last."""
        from fullfield.enhance.network import open_model

        key = (asked.model, asked.device, asked.off_scale)
        with self._opening:
            if key not in self._open:
                name = f"{asked.model}{SUFFIX}"
                folder = kept.store(self._run, {**self._models, name: asked.model})
                self._models[name] = asked.model
                while len(self._open) >= MOST:  # before the next one takes memory
                    del self._open[next(iter(self._open))]
                path, device = folder / "data" / name, asked.device
                self._open[key] = open_model(path, device=device, notice=self._notice, off_scale=asked.off_scale)
            self._open[key] = self._open.pop(key)
            return self._open[key]

    def _notice(self, text: str) -> None:
        self._say({"notice": text})

    def _live(self) -> None:
        while not self._over.wait(ALIVE_SECONDS):
            self._say({})

    def _say(self, values: Fields, enhanced: Enhanced | None = None) -> None:
        with contextlib.suppress(OSError), self._writing:  # nobody hears it any more: standard input ends, too
            answering.say(values)
            if enhanced is not None and enhanced.seen is not None:
                image_lines.write_pixels(sys.stdout.buffer, enhanced.pixels)
                image_lines.write_seen(sys.stdout.buffer, enhanced.seen)
                if enhanced.declared is not None:
                    image_lines.write_declared(sys.stdout.buffer, enhanced.declared)
                sys.stdout.buffer.flush()


def _without_header(image: Image) -> Decoded:
    """An image whose header has stayed where it is."""
    rows, columns = image.pixels.shape
    header = Header(
        source_format="", sha256="", rows=rows, columns=columns, bits_stored=image.bits, photometric="MONOCHROME2"
    )
    return Decoded(image=image, header=header, folder=Path())


def _go_where_torch_is(run: str) -> None:
    """Go on in the training part's own Python, where this one has none of what computes networks."""
    if parts.absent("torch") and place.installed() is not None and Path(sys.executable) != place.python():
        command = [*system.python_command("fullfield_app", place.python()), "node", "enhance", run]
        os.execv(command[0], command)
