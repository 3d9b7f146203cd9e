"""A model's file without what its card tells of anybody: what another machine needs to compute, and no more."""

from __future__ import annotations

import io

from fullfield.model import card as cards
from fullfield.model import recarded
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
    stream = io.BytesIO(content)
    made = recarded.header(stream, kept) + stream.read()
    cards.seal(made)
    return bytes(made)
