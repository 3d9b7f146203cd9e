"""The job of `fullfield --batch`: many images, each costing only its own line, and resumable."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from fullfield import files, heap, system
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.dicom import eviction
from fullfield.dicom.members import Archives
from fullfield.dicom.read import Content, Decoder
from fullfield.enhance import item as items
from fullfield.enhance.choose import open_choice, refuse_weak
from fullfield.enhance.destinations.base import Request, Store
from fullfield.enhance.destinations.registry import open_destination
from fullfield.enhance.elsewhere import Machines
from fullfield.enhance.guarded import Guarded, Policy
from fullfield.enhance.item import Stopwatch
from fullfield.enhance.process import Source, process
from fullfield.errors import CannotWrite
from fullfield.image import contact_sheet
from fullfield.image.cache import Decoded
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced
from fullfield.protocol.batch import BatchSpec, Item
from fullfield.protocol.events import ItemDone, ItemEvent, ItemFailed, ItemSkipped, ItemStarted, ItemWaits, Notice

_COUNTED: dict[type[ItemEvent], str] = {ItemDone: "done", ItemSkipped: "skipped", ItemFailed: "failed"}


def run(spec: BatchSpec, context: Context) -> Fields:
    """Work through the items; every one gets exactly one verdict. Returns the summary of RunEnded.

    Raises ModelError, DeviceUnavailable, OutputInvalid, and UsageError where the machine that shall compute may not:
    what no item could survive.
    """
    watch = Stopwatch()
    heap.keep_freed_memory()
    if not spec.force_result:
        refuse_weak(spec.choice)
    hands = _Hands(context)
    with contextlib.closing(Machines(device=spec.device, emit=context.emit, waits=hands.wait)) as machines:
        enhancer = open_choice(
            spec.choice,
            device=spec.device,
            notice=lambda text: context.emit(Notice(text=text)),
            policy=Policy(strict=spec.strict, force=spec.force_result),
            elsewhere=machines.find(spec.place),
        )
        with (
            contextlib.closing(open_destination(spec.out)) as destination,
            contextlib.closing(_Inputs(context.folder, timeout=spec.timeout)) as inputs,
        ):
            batch = _Batch(spec, context, enhancer, inputs, destination, hands)
            with ThreadPoolExecutor(max_workers=spec.jobs or enhancer.at_once, thread_name_prefix="item") as pool:
                for _ in pool.map(batch.settle, spec.items):
                    pass
            batch.write_sheet()
    return {**batch.counts, "seconds": watch.seconds, "peak_bytes": system.peak_memory()}


class _Hands:
    """Which item each thread has in hand, for those who are told of a thread alone."""

    def __init__(self, context: Context) -> None:
        self._context, self._thread = context, threading.local()

    def take(self, item: Item) -> None:
        """Work on it begins, in this thread."""
        self._thread.index = item.index
        self._context.emit(ItemStarted(index=item.index))

    def wait(self, waiting: bool) -> None:
        """See `elsewhere.Waits`: its time counts from when its turn has come."""
        self._context.emit((ItemWaits if waiting else ItemStarted)(index=self._thread.index))


class _Batch:
    """What the threads of one run share."""

    def __init__(
        self,
        spec: BatchSpec,
        context: Context,
        enhancer: Guarded,
        inputs: _Inputs,
        destination: Store,
        hands: _Hands,
    ) -> None:
        self._spec, self._context, self._enhancer = spec, context, enhancer
        self._inputs, self._destination, self._hands = inputs, destination, hands
        self._tiles: dict[int, contact_sheet.Tile] = {}  # of images that are not written yet
        self._left = Path(spec.tiles or context.folder)
        self._damaged: set[int] = set()
        self._lock = threading.Lock()
        self._failed = threading.Event()
        self.counts = {"done": 0, "damaged": 0, "replaced": 0, "skipped": 0, "failed": 0}

    def write_sheet(self) -> None:
        """Before and after of the images that were enhanced, side by side in one PNG; tell what is not."""
        wanted = len(self._spec.contact_sheet)
        if not wanted:
            return
        left = [path for path in map(self._tile, sorted(self._spec.contact_sheet)) if path.exists()]
        tiles = [contact_sheet.read(path) for path in left]
        name = self._destination.add("contact-sheet.png", contact_sheet.encoded(tiles)) if tiles else ""
        text = f"{name} shows {len(tiles)} of {wanted} images" if name else "No new contact sheet was made"
        if len(tiles) < wanted:
            text += ": those that were done before or failed are not shown"
        self._context.emit(Notice(text=f"{text}."))

    def settle(self, item: Item) -> None:
        """Give `item` its verdict, whatever happens."""
        if self._context.stopping():
            self._tell(ItemSkipped(index=item.index, reason="the run was stopped"))
        elif self._failed.is_set() and self._spec.fail_fast:
            self._tell(ItemSkipped(index=item.index, reason="stopped after the first failure"))
        else:
            self._hands.take(item)
            try:
                self._tell(self._process(item))
            except Exception as error:  # noqa: BLE001 - one item's fault must not cost the others
                self._failed.set()
                self._tell(items.failed(item.index, error))

    def _process(self, item: Item) -> ItemEvent:
        request = Request(
            item=item,
            kind=self._spec.kind,
            format=OutputFormat(self._spec.format),
            recipe=self._enhancer.decided_by,
            forced=self._spec.force_result,
            strict=self._spec.strict,
            overwrite=self._spec.overwrite,
        )
        return process(
            request,
            self._destination,
            source=self._inputs.source(item),
            enhance=partial(self._enhance, item),
            emit=self._context.emit,
        )

    def _enhance(self, item: Item, decoded: Decoded) -> Enhanced:
        enhanced = self._enhancer.enhance(decoded)
        for warning in items.source_warnings(item.index, decoded):
            self._context.emit(warning)
        if decoded.image.damage:
            self._damaged.add(item.index)
        if item.index in self._spec.contact_sheet:
            caption = (
                f"{item.index + 1}: {items.describe(enhanced.recipe)}{', damaged' if decoded.image.damage else ''}"
            )
            self._tiles[item.index] = contact_sheet.draw(decoded.image, enhanced, caption=caption)
        return enhanced

    def _tile(self, index: int) -> Path:
        return self._left / f"tile-{index}.png"

    def _tell(self, verdict: ItemEvent) -> None:
        tile = self._tiles.pop(verdict.index, None)
        if tile is not None and isinstance(verdict, ItemDone):
            with contextlib.suppress(CannotWrite), files.atomic_write(self._tile(verdict.index)) as stream:
                tile.save(stream, "PNG")  # a worker after this one makes the sheet where this one dies
        with self._lock:
            self.counts[_COUNTED[type(verdict)]] += 1
            self.counts["replaced"] += isinstance(verdict, ItemDone) and bool(verdict.method_wanted)
            self.counts["damaged"] += isinstance(verdict, ItemDone) and verdict.index in self._damaged
        self._context.emit(verdict)


class _Inputs:
    """The files of a run, decoded by a child for each thread that asks."""

    def __init__(self, folder: Path, *, timeout: float) -> None:
        self._folder, self._timeout = folder, timeout
        self._local = threading.local()
        self._decoders: list[Decoder] = []
        self._archives = Archives()
        self._contents: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the decode children, and close what was opened."""
        for decoder in self._decoders:
            decoder.close()
        self._archives.close()

    @contextlib.contextmanager
    def source(self, item: Item) -> Iterator[Source]:
        """An item's file. Raises InputRefused, InputUnreadable."""
        with items.located(item, self._archives) as path:
            content = Content.of(path)
            yield Source(sha256=content.sha256, decoded=self._decoded(path, content))

    @contextlib.contextmanager
    def _decoded(self, path: Path, content: Content) -> Iterator[Decoded]:
        with self._contents[content.sha256]:  # two copies of one file share a cache entry: one after the other
            decoded = items.decode(self._decoder(), path, content)
            try:
                yield decoded
            finally:
                eviction.remove(decoded.folder)  # a batch of thousands must not fill the disk with pixels

    def _decoder(self) -> Decoder:
        if not hasattr(self._local, "decoder"):
            self._local.decoder = Decoder(self._folder, seconds=self._timeout)
            with self._lock:
                self._decoders.append(self._local.decoder)
        decoder: Decoder = self._local.decoder
        return decoder
