"""A model's file without what its card tells of anybody: what another machine needs to compute, and no more."""

from __future__ import annotations

import json

from fullfield.model import card as cards
from fullfield.model.card import Card

NAME = "model"


def bare(content: bytes) -> bytes:
    """The same tensors under a card that has no name, no checksum of an image and no setting of a training, sealed
    anew; always the same for the same file. Raises ModelError where the seal does not hold."""
    card = cards.verify(content)
    kept = Card(
        name=NAME,
        network=card.network,
        input_kind=card.input_kind,
        normalisation=card.normalisation,
        halo=card.halo,
        mm_per_pixel=card.mm_per_pixel,
        long_side=card.long_side,
    )
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"] = cards.metadata(kept)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors begin at a multiple of 8
    made = bytearray(len(text).to_bytes(8, "little") + text + content[8 + length :])
    cards.seal(made)
    return bytes(made)
