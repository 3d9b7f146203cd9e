"""The job of `fullfield --batch`: many images, each costing only its own line, and resumable."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fullfield import system
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.dicom import eviction
from fullfield.dicom.members import Archives
from fullfield.dicom.read import Decoder
from fullfield.dicom.write import write
from fullfield.enhance import item as items
from fullfield.enhance.choose import open_choice, refuse_weak
from fullfield.enhance.enhancer import Enhancer
from fullfield.enhance.item import Stopwatch
from fullfield.enhance.ledger import Ledger, Wanted
from fullfield.enhance.results import Holds, number_of
from fullfield.errors import CannotWrite
from fullfield.image import contact_sheet
from fullfield.image.cache import Decoded
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced
from fullfield.protocol import events
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.events import ItemDone, ItemSkipped, ItemStarted, ItemWarned, Notice

_log = logging.getLogger(__name__)


def run(spec: BatchSpec, context: Context) -> Fields:
    """Work through the items; every one gets exactly one verdict. Returns the summary of RunEnded.

    Raises ModelError, DeviceUnavailable, OutputInvalid: what no item could survive.
    """
    watch = Stopwatch()
    if not spec.force_result:
        refuse_weak(spec.choice)
    enhancer = open_choice(
        spec.choice, device=spec.device, notice=lambda text: context.emit(Notice(text=text)), force=spec.force_result
    )
    ledger = Ledger(Path(spec.out))
    batch = _Batch(spec, context, enhancer, ledger)
    try:
        with ThreadPoolExecutor(max_workers=spec.jobs, thread_name_prefix="item") as pool:
            for _ in pool.map(batch.settle, spec.items):
                pass
        batch.write_sheet()
    finally:
        batch.close()
        ledger.close()
    return {**batch.counts, "seconds": watch.seconds, "peak_bytes": system.peak_memory()}


class _Batch:
    """What the threads of one run share."""

    def __init__(self, spec: BatchSpec, context: Context, enhancer: Enhancer, ledger: Ledger) -> None:
        self._spec, self._context, self._enhancer, self._ledger = spec, context, enhancer, ledger
        self._format = OutputFormat(spec.format)
        self._settings = items.settings_hash(
            kind=spec.kind,
            recipe=enhancer.recipe.sha256,
            format=self._format.value,
            **({"forced": True} if spec.force_result else {}),  # what was kept by force is judged the next time
        )
        self._local = threading.local()
        self._decoders: list[Decoder] = []
        self._archives = Archives()
        self._contents: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._tiles: dict[int, contact_sheet.Tile] = {}
        self._lock = threading.Lock()
        self._failed = threading.Event()
        self.counts = {"done": 0, "damaged": 0, "skipped": 0, "failed": 0}

    def close(self) -> None:
        """End the decode children, and close what was opened."""
        for decoder in self._decoders:
            decoder.close()
        self._archives.close()

    def write_sheet(self) -> None:
        """Before and after of the images that were enhanced in this run, side by side in one PNG."""
        if self._tiles:
            tiles = [self._tiles[index] for index in sorted(self._tiles)]
            contact_sheet.write(tiles, Path(self._spec.out) / "contact-sheet.png")

    def settle(self, item: Item) -> None:
        """Give `item` its verdict, whatever happens."""
        if self._context.stopping():
            self._tell(ItemSkipped(index=item.index, reason="the run was stopped"))
        elif self._failed.is_set() and self._spec.fail_fast:
            self._tell(ItemSkipped(index=item.index, reason="stopped after the first failure"))
        else:
            self._context.emit(ItemStarted(index=item.index))
            try:
                self._tell(self._process(item))
            except Exception as error:  # noqa: BLE001 - one item's fault must not cost the others
                self._failed.set()
                self._tell(events.failed(item.index, "", items.explain(error)))

    def _process(self, item: Item) -> ItemDone | ItemSkipped:
        watch = Stopwatch()
        with items.located(item, self._archives) as path:
            return self._verdict(item, path, watch)

    def _verdict(self, item: Item, path: Path, watch: Stopwatch) -> ItemDone | ItemSkipped:
        content = items.fingerprint(path)
        short = content[: items.SHORT]
        wanted = Wanted(target=Path(item.target), input=content, item=item.index, overwrite=self._spec.overwrite)
        place = self._ledger.place(wanted)
        if not wanted.overwrite:
            if self._settings in place.settings:
                return ItemSkipped(index=item.index, input=short, reason="done before")
            if place.holds is Holds.UNKNOWN:
                raise CannotWrite(
                    "Cannot write the enhanced image.",
                    detail="A file of that name is in the output folder, and Fullfield did not write it.",
                    hint="Choose another folder, or --overwrite.",
                )
        with self._contents[content]:  # two copies of one file share a cache entry: one after the other
            written = self._enhance(item, path, wanted)
        return ItemDone(
            index=item.index,
            input=short,
            output="",
            seconds=watch.seconds,
            peak_bytes=system.peak_memory(),
            number=number_of(written),
        )

    def _enhance(self, item: Item, path: Path, wanted: Wanted) -> Path:
        decoded = items.as_kind(items.decode(self._decoder(), path), self._spec.kind)
        enhanced = self._enhancer.enhance(decoded)
        for warning in items.source_warnings(item.index, decoded):
            self._context.emit(warning)
        for text in enhanced.warnings:
            self._context.emit(ItemWarned(index=item.index, input=wanted.input[: items.SHORT], text=text))
        self._draw(item, decoded, enhanced)
        staged = self._ledger.parts / f"{item.index}{wanted.target.suffix}"
        write(decoded, enhanced, staged, format=self._format)
        written = self._ledger.publish(staged, wanted, settings=self._settings)
        with self._lock:
            self.counts["damaged"] += bool(decoded.image.damage)
        eviction.remove(decoded.folder)  # a batch of thousands must not fill the disk with pixels
        return written

    def _draw(self, item: Item, decoded: Decoded, enhanced: Enhanced) -> None:
        if item.index in self._spec.contact_sheet:
            caption = (
                f"{item.index + 1}: {items.describe(enhanced.recipe)}{', damaged' if decoded.image.damage else ''}"
            )
            self._tiles[item.index] = contact_sheet.draw(decoded.image, enhanced, caption=caption)

    def _decoder(self) -> Decoder:
        if not hasattr(self._local, "decoder"):
            self._local.decoder = Decoder(self._context.folder, seconds=self._spec.timeout)
            with self._lock:
                self._decoders.append(self._local.decoder)
        decoder: Decoder = self._local.decoder
        return decoder

    def _tell(self, verdict: ItemDone | ItemSkipped | events.ItemFailed) -> None:
        name = {ItemDone: "done", ItemSkipped: "skipped", events.ItemFailed: "failed"}[type(verdict)]
        with self._lock:
            self.counts[name] += 1
        self._context.emit(verdict)
