"""A model file of which all can be told and nothing computed: a card and its seal, around no network; made, and read,
without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from fullfield.model import card as cards
from fullfield.model.card import Card, NetworkSpec


def write(path: Path, **reported: Any) -> Path:
    """The file at `path`. `reported`: fields of its card, else that of one for tests."""
    fields = {
        "name": "seeded-resnet18-3",
        "network": NetworkSpec(encoder="resnet18"),
        "input_kind": "processed",
        "licence": "Made from synthetic phantoms alone.",
        "versions": {"fullfield": "0.1.0", "torch": "2.15.0"},
        "seeds": {"weights": 3},
        "start": "Seeded random weights for tests: nobody trained this model, and its pictures are of no use.",
        "for_tests": True,
    }
    card = Card(**{**fields, **reported})
    content = bytearray(save({"weight": np.zeros(4, np.float32)}, metadata=cards.metadata(card)))
    cards.seal(content)
    path.write_bytes(content)
    assert cards.verify(content) == cards.read(path) == card
    return path
