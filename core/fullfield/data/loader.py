"""Prepared pairs as batches, streamed: read from disk when their turn comes, a few ahead, in a thread.

The order of an epoch, which images are mirrored, as which kind of input an image that has two is seen, and how
processed inputs are degraded, follow from (seed, epoch, image) alone. Nothing is drawn from a generator that runs
along, so a training can be resumed at any step and sees what it would have seen.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from fullfield.data import degrade, prepared
from fullfield.data.prepared import GREYS, Item, Prepared, Unit, View
from fullfield.image import resample
from fullfield.image.image import InputKind, Pixels
from fullfield.image.normalise import Normalisation
from fullfield.kernels.stored import Stored
from fullfield.memory.account import WAITING

_ORDER, _MIRROR, _KIND = 0x0DE4, 0x3144, 0x141D  # keep the kinds of chance apart
_AHEAD = WAITING - 1  # batches that are ready; one more is being read


@dataclass(frozen=True, kw_only=True, eq=False)
class Batch:
    """`x_NCHW`, `y_NCHW`: input and reference, float32 in 0…1, (n, 1, H, W), mirrored to a multiple of 32, or
    as they are stored.

    `shapes`: the true (rows, columns) of each, at the top left. `kinds`: of their inputs, where that is known. `whole`:
    images of the batch over all ranks, of which these are one rank's share; 0: all are here. `first`: the row of each
    image that is the first one here, where ranks share the rows of images.
    """

    x_NCHW: Tensor | Stored
    y_NCHW: Tensor | Stored
    shapes: tuple[tuple[int, int], ...]
    kinds: tuple[InputKind, ...] = ()
    whole: int = 0
    first: int = 0


Images = Callable[[int], Sequence[int]]
"""Of a number of images, the places of those that are given; `range`: of all."""
Rows = Callable[[int], tuple[int, int]]
"""Of padded images of a height, the rows [first, last) that are given."""
Kept = tuple[bool, bool]
"""Whether inputs and references are given as they are stored."""
FLOATS: Kept = (False, False)
STORED: Kept = (True, True)
_Plane = tuple[Pixels, Unit]
"""As it is stored, and what each level stands for."""


class Loader:
    """The batches of some of a folder's pairs. Holds no pixels; of any number of images a few batches are in memory.

    `vary`: in an epoch images are mirrored, and processed inputs degraded, by chance. A rank asks for its images of
    every batch: which images are in which batch, and how they vary, is the same for any number of ranks.
    """

    def __init__(
        self,
        prepared: Prepared,
        items: Sequence[Item],
        *,
        batch: int = 1,
        seed: int = 0,
        vary: bool = False,
        pinned: bool = False,
    ) -> None:
        """`pinned`: batches lie in pinned memory, from which a card copies them while it computes."""
        self._prepared, self._items = prepared, tuple(items)
        self._batch, self._seed, self._vary, self._pinned = batch, seed, vary, pinned
        self._normalisation = Normalisation.from_json(prepared.normalisation)

    def __len__(self) -> int:
        """Batches in an epoch; the last may be smaller."""
        return -(-len(self._items) // self._batch)

    @property
    def views(self) -> tuple[View, ...]:
        """What `in_order` gives to all ranks together."""
        return prepared.views(self._items)

    @property
    def images(self) -> int:
        """The number of `views`."""
        return len(self.views)

    def epoch(
        self,
        number: int,
        *,
        first: int = 0,
        images: Images = range,
        kept: Kept = FLOATS,
        rows: Rows = lambda height: (0, height),
    ) -> Generator[Batch, None, None]:
        """The batches of epoch `number` in its own order, every image once, from batch `first` on; of each the
        `images`. A batch that is too small for all ranks is empty for some.

        `kept`: which of its images are given as they are stored, with the same values. `rows`: which of their rows.
        Raises InputUnreadable.
        """
        order = np.random.default_rng([_ORDER, self._seed, number]).permutation(len(self._items))
        groups = [order[start : start + self._batch] for start in range(0, len(order), self._batch)]
        return self._ahead(
            [[self._view(self._items[place], number) for place in group] for group in groups[first:]],
            images,
            number,
            kept,
            rows,
        )

    def in_order(self, images: Images = range, *, kept: Kept = FLOATS) -> Generator[Batch, None, None]:
        """One image after another as they are listed, in each kind of input that it has, unvaried: for evaluation. Of
        them the `images`. `kept`: see `epoch`."""
        views = self.views
        batches = [[views[place]] for place in images(len(views))]
        return self._ahead(batches, range, None, kept, lambda height: (0, height))

    def _view(self, item: Item, epoch: int) -> View:
        return item, item.kinds[int(self._chance(_KIND, item, epoch).integers(len(item.kinds)))]

    def _ahead(
        self, batches: list[list[View]], images: Images, epoch: int | None, kept: Kept, rows: Rows
    ) -> Generator[Batch, None, None]:
        """Of each batch the `images`. Read in a thread, so that the disk and the processor work at once; the
        thread ends with the iterator."""
        ready: queue.Queue[Batch | BaseException | None] = queue.Queue(maxsize=_AHEAD)
        stop = threading.Event()

        def put(thing: Batch | BaseException | None) -> None:
            while not stop.is_set():
                with contextlib.suppress(queue.Full):  # asked again, for the loop may have ended meanwhile
                    ready.put(thing, timeout=0.1)
                    return

        def read() -> None:
            try:
                for views in batches:
                    if stop.is_set():
                        return
                    put(self._load(views, images, epoch, kept, rows))
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

    def _load(self, batch: list[View], images: Images, epoch: int | None, kept: Kept, rows: Rows) -> Batch:
        """Its images are padded to one shape, on each rank to the same."""
        views = [batch[place] for place in images(len(batch))]
        whole = resample.padded((max(item.rows for item, _ in batch), max(item.columns for item, _ in batch)))
        first, last = rows(whole[0])
        stored = (self._prepared.levels(*view) for view in views)
        pairs: list[tuple[_Plane, _Plane]] = [((x, GREYS), (y, GREYS)) for x, y in stored]
        if epoch is not None and self._vary:
            pairs = [self._varied(*pair, view, epoch) for pair, view in zip(pairs, views, strict=True)]
        shapes = tuple((x.shape[0], x.shape[1]) for (x, _), _ in pairs)
        if not shapes:
            none = torch.empty(0, 1, last - first, whole[1])
            return Batch(x_NCHW=none, y_NCHW=none, shapes=(), whole=len(batch), first=first)
        x_NCHW, y_NCHW = (
            _stacked([pair[side] for pair in pairs], whole, slice(first, last), kept=kept[side]) for side in (0, 1)
        )
        if self._pinned:
            x_NCHW, y_NCHW = x_NCHW.pin_memory(), y_NCHW.pin_memory()
        kinds = tuple(kind for _, kind in views)
        return Batch(x_NCHW=x_NCHW, y_NCHW=y_NCHW, shapes=shapes, kinds=kinds, whole=len(batch), first=first)

    def _varied(self, x: _Plane, y: _Plane, view: View, epoch: int) -> tuple[_Plane, _Plane]:
        item, kind = view
        how = degrade.draw(seed=self._seed, epoch=epoch, key=item.key) if kind is InputKind.PROCESSED else None
        x = x if how is None else degrade.restored(x[0], how, self._normalisation)
        if not self._chance(_MIRROR, item, epoch).integers(2):
            return x, y
        (given, greys), (wanted, others) = x, y
        return (given[:, ::-1], greys), (wanted[:, ::-1], others)

    def _chance(self, stream: int, item: Item, epoch: int) -> np.random.Generator:
        return np.random.default_rng([stream, self._seed, epoch, int(item.key[:16], 16)])


def _stacked(planes: list[_Plane], shape: tuple[int, int], rows: slice, *, kept: bool) -> Tensor | Stored:
    padded = [resample.pad(levels, shape)[rows] for levels, _ in planes]
    tables = [table for _, table in planes]
    if not kept:
        return torch.from_numpy(np.stack([table[levels] for levels, table in zip(padded, tables)])[:, None])
    same = all(table is GREYS for table in tables)
    return Stored(
        torch.from_numpy(np.stack(padded)[:, None]), torch.from_numpy(np.stack(tables[:1] if same else tables))
    )
