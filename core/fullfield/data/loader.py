"""Prepared pairs as batches, streamed: read from disk when their turn comes, a few ahead, in a thread.

The order of an epoch, and which images are mirrored, follow from (seed, epoch, image) alone. Nothing is drawn from a
generator that runs along, so a training can be resumed at any step and sees what it would have seen.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from fullfield.data.prepared import Item, Prepared, Unit
from fullfield.image import resample

_ORDER, _MIRROR = 0x0DE4, 0x3144  # keep the two kinds of chance apart
_AHEAD = 2  # batches in memory beside the one in use


@dataclass(frozen=True, kw_only=True, eq=False)
class Batch:
    """`x_NCHW`, `y_NCHW`: input and reference, float32 in 0…1, (n, 1, H, W), mirrored to a multiple of 32.

    `shapes`: the true (rows, columns) of each, at the top left.
    """

    x_NCHW: Tensor
    y_NCHW: Tensor
    shapes: tuple[tuple[int, int], ...]


class Loader:
    """The batches of some of a folder's pairs. Holds no pixels; of any number of images a few batches are in memory."""

    def __init__(
        self, prepared: Prepared, items: Sequence[Item], *, batch: int = 1, seed: int = 0, mirror: bool = False
    ) -> None:
        self._prepared, self._items = prepared, tuple(items)
        self._batch, self._seed, self._mirror = batch, seed, mirror

    def __len__(self) -> int:
        """Batches in an epoch; the last may be smaller."""
        return -(-len(self._items) // self._batch)

    def epoch(self, number: int, *, first: int = 0) -> Generator[Batch, None, None]:
        """The batches of epoch `number` in its own order, from batch `first` on. Raises InputUnreadable."""
        order = np.random.default_rng([_ORDER, self._seed, number]).permutation(len(self._items))
        groups = [order[start : start + self._batch] for start in range(0, len(order), self._batch)]
        return self._ahead([[int(place) for place in group] for group in groups[first:]], number)

    def in_order(self) -> Generator[Batch, None, None]:
        """One image after another as they are listed, none mirrored: for evaluation."""
        return self._ahead([[place] for place in range(len(self._items))], None)

    def _ahead(self, groups: list[list[int]], epoch: int | None) -> Generator[Batch, None, None]:
        """Read in a thread, so that the disk and the processor work at once; the thread ends with the iterator."""
        ready: queue.Queue[Batch | BaseException | None] = queue.Queue(maxsize=_AHEAD)
        stop = threading.Event()

        def put(thing: Batch | BaseException | None) -> None:
            while not stop.is_set():
                with contextlib.suppress(queue.Full):  # asked again, for the loop may have ended meanwhile
                    ready.put(thing, timeout=0.1)
                    return

        def read() -> None:
            try:
                for group in groups:
                    if stop.is_set():
                        return
                    put(self._load(group, epoch))
                put(None)
            except BaseException as error:  # noqa: BLE001 - raised again where the batches are used
                put(error)

        thread = threading.Thread(target=read, name="loader", daemon=True)
        thread.start()
        try:
            while (thing := ready.get()) is not None:
                if isinstance(thing, BaseException):
                    raise thing
                yield thing
        finally:
            stop.set()
            thread.join()

    def _load(self, places: list[int], epoch: int | None) -> Batch:
        pairs = [self._prepared.load(self._items[place]) for place in places]
        if epoch is not None and self._mirror:
            pairs = [
                (x[:, ::-1], y[:, ::-1]) if self._mirrored(place, epoch) else (x, y)
                for place, (x, y) in zip(places, pairs, strict=True)
            ]
        shapes = tuple((x.shape[0], x.shape[1]) for x, _ in pairs)
        whole = resample.padded((max(rows for rows, _ in shapes), max(columns for _, columns in shapes)))
        return Batch(
            x_NCHW=_stacked([x for x, _ in pairs], whole), y_NCHW=_stacked([y for _, y in pairs], whole), shapes=shapes
        )

    def _mirrored(self, place: int, epoch: int) -> bool:
        key = int(self._items[place].key[:16], 16)
        return bool(np.random.default_rng([_MIRROR, self._seed, epoch, key]).integers(2))


def _stacked(planes: list[Unit], shape: tuple[int, int]) -> Tensor:
    return torch.from_numpy(np.stack([resample.pad(plane, shape) for plane in planes])[:, None].copy())
