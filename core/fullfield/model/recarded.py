"""A model's file under another card, sealed anew; its tensors stay as they are, byte by byte. Imports no torch.

The same file under the same card is the same file, so what was changed in a card can be changed back.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from fullfield import files
from fullfield.checked import Fields
from fullfield.model import card as cards
from fullfield.model.card import Card

_CHUNK = 4 << 20


def settled(source: Path, settings: Fields, target: Path | None = None) -> str:
    """The SHA-256 that a model's file has where its card tells these `settings` of its training, the licence of the
    data among them; that file is left in `target`, where one is named. Raises OSError, ModelError where its seal does
    not hold, CannotWrite."""
    left = contextlib.nullcontext() if target is None else files.atomic_write(target)
    with left as copy, source.open("rb") as stream:  # which is closed before it is replaced
        made, tensors = sealed(stream, source.stat().st_size, settings)
        stream.seek(tensors)
        digest = hashlib.sha256()
        for part in itertools.chain((memoryview(made),), _rest(stream)):
            digest.update(part)
            if copy is not None:
                copy.write(part)
    return digest.hexdigest()


def sealed(stream: BinaryIO, size: int, settings: Fields) -> tuple[bytes, int]:
    """The sealed header of a file of `size` bytes under such a card, which tells their `start`, `halo` and `comparison`
    too where they have one, and where its tensors begin now. Raises as `settled`."""
    before = cards.verify_stream(stream, size)
    stream.seek(0)
    own: Fields = {name: settings[name] for name in ("start", "halo", "comparison") if name in settings}
    own |= {"licence": str(settings["data_licence"]), "plan": replaced(before.plan, settings)}
    made = header(stream, replace(before, **own))
    tensors = stream.tell()
    cards.seal(made, _rest(stream))
    return bytes(made), tensors


def replaced(plan: Fields, settings: Fields) -> Fields:
    """A training's settings with these in the place of its own, where it has them."""
    return {**plan, **{name: value for name, value in settings.items() if name in plan}}


def header(stream: BinaryIO, card: Card) -> bytearray:
    """The first bytes, up to the first tensor's, of the file at whose begin the stream is, under another card; not yet
    sealed. The stream is at the first tensor then."""
    return with_metadata(stream, cards.metadata(card))


def with_metadata(stream: BinaryIO, metadata: Mapping[str, str]) -> bytearray:
    """See `header`; of any file of tensors."""
    values = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
    values["__metadata__"] = dict(metadata)
    text = json.dumps(values, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors begin at a multiple of 8
    return bytearray(len(text).to_bytes(8, "little") + text)


def _rest(stream: BinaryIO) -> Iterator[memoryview]:
    while part := stream.read(_CHUNK):
        yield memoryview(part)
