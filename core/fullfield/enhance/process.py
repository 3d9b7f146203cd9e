"""One image from where it lies to where its result goes: the way of the batch, of the window and of its exports."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from fullfield.enhance import item as items
from fullfield.enhance.destinations.base import Destination, Made, Request
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced
from fullfield.protocol.events import DONE_BEFORE, Event, ItemEvent, ItemSkipped, ItemWarned


@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """An image that can be read once. `sha256`: of its file's content; `decoded`: reads it, and is done with it."""

    sha256: str
    decoded: AbstractContextManager[Decoded]


def process(
    request: Request,
    destination: Destination,
    *,
    source: AbstractContextManager[Source],
    enhance: Callable[[Decoded], Enhanced],
    emit: Callable[[Event], None],
) -> ItemEvent:
    """Read the image, enhance it and put the result to its destination; returns the item's verdict.

    What its user should know of the result is told by `emit`. Raises whatever is wrong with the image: `items.failed`
    makes a verdict of that.
    """
    index = request.item.index
    with source as found:
        if destination.has(request, found.sha256):
            return ItemSkipped(index=index, input=found.sha256[: items.SHORT], reason=DONE_BEFORE)
        with found.decoded as read:
            decoded = items.as_kind(read, request.kind)
            enhanced = enhance(decoded)
            for text in enhanced.warnings:
                emit(ItemWarned(index=index, input=found.sha256[: items.SHORT], text=text))
            if enhanced.doubt:
                short = found.sha256[: items.SHORT]
                emit(ItemWarned(index=index, input=short, text=enhanced.doubt, in_its_line=True))
            made = Made(request=request, input=found.sha256, decoded=decoded, enhanced=enhanced)
            return destination.put(made)


__all__ = ["Source", "process"]
