"""What happens to a queue of three images: orders, and what a worker answers."""

from __future__ import annotations

from fullfield.image.method import Method
from fullfield.inputs.files import InputFile
from fullfield.protocol.events import (
    Event,
    ItemDecoded,
    ItemDone,
    ItemEnhanced,
    ItemFailed,
    ItemStarted,
)
from fullfield.protocol.session_commands import Export
from fullfield_app.gui.enhance.queue_model import Queue


def files(*names: str) -> list[InputFile]:
    return [InputFile(source=f"/in/{name}", relative=name) for name in names]


def decoded(index: int) -> Event:
    return ItemDecoded(index=index, decoded=f"/cache/{index}")


def enhanced(index: int, recipe: str = "preset general 1") -> Event:
    return ItemEnhanced(index=index, enhanced=f"/run/{index}.npy", bits=12, recipe=recipe, seconds=1.0)


def refused(index: int) -> Event:
    return ItemFailed(
        index=index, error={"title": "Cannot read it.", "detail": "It is a CT.", "hint": "Choose another."}
    )


def export(index: int) -> Export:
    return Export(index=index, target=f"/out/{index}.dcm", format="dicom")


def bring_to_result(queue: Queue, index: int) -> None:
    queue.due()
    queue.apply(decoded(index))
    queue.due([index])
    queue.apply(ItemStarted(index=index))
    queue.apply(enhanced(index))


def written(index: int) -> Event:
    return ItemDone(index=index, output="", seconds=0.1, peak_bytes=1)


def dropped() -> Queue:
    """Three images, just dropped."""
    queue = Queue()
    queue.add(files("a.dcm", "b.dcm", "c.dcm"), Method())
    return queue
