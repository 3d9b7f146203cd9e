"""A map model of no training, written without torch: it shows the preset's tone with more of the image's own detail."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from fullfield import files
from fullfield.model import card as cards
from fullfield.model import map_form
from fullfield.model.card import Card
from fullfield.model.families import registry as families
from fullfield.model.map_form import CELL, COARSE, CODES, KNOTS, WIDTHS
from fullfield.model.shipped import FACTS, Facts
from fullfield.model.spec import named
from fullfield.model.tried import Tried

LICENCE = "MIT, for tests"


def write(path: Path, **reported: Any) -> str:
    """The model file, whole and sealed; its SHA-256. `reported`: fields of its card."""
    fields = {
        "name": "flat map",
        "network": named("map"),
        "input_kind": "any",
        "normalisation": families.normalisation("map").to_json(),
        "licence": LICENCE,
        **reported,
    }
    content = bytearray(save(_tensors(), metadata=cards.metadata(Card(**fields))))
    cards.seal(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return files.sha256(path)


def write_facts(model: Path, **tried: Tried) -> None:
    """Beside the file of a model that ships: what is told of it."""
    facts = Facts(sha256=files.sha256(model), data_licence=LICENCE, made_by="a test", tried=tried)
    (model.parent / FACTS).write_text(json.dumps(asdict(facts)))


def _tensors() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    first, last, head = WIDTHS[0], WIDTHS[-1], map_form.HEAD
    shapes: dict[str, tuple[int, ...]] = {"entry": (first, CELL * CELL + COARSE, 3, 3), "everywhere": (last, last)}
    for number, (narrow, wide) in enumerate(pairwise(WIDTHS)):
        shapes |= {f"widen.{number}": (wide, narrow, 1, 1), f"narrow.{number}": (narrow, wide, 1, 1)}
    blocks = {f"down.{number}": width for number, width in enumerate(WIDTHS)} | {"bottom": last}
    blocks |= {f"up.{number}": width for number, width in enumerate(WIDTHS[:-1])}
    shapes |= {f"{block}.{part}": (width, width, 3, 3) for block, width in blocks.items() for part in "ab"}
    shapes |= {"seen": (head, first, 1, 1), "mixed": (head, head, 1, 1)}
    shapes |= {"gain": (1, head, 1, 1), "tone": (2 + KNOTS, first, 1, 1)}
    made = {f"{layer}.weight": np.zeros(shape, np.float32) for layer, shape in shapes.items()}
    made |= {f"{layer}.bias": np.zeros(shape[0], np.float32) for layer, shape in shapes.items()}
    made["level.weight"] = np.zeros((head, 2 + CODES, 1, 1), np.float32)
    steeper = map_form.BEGIN_SLOPE / map_form.SLOPE
    made["gain.bias"][:] = map_form.BEGIN_GAIN - map_form.GAIN
    made["tone.bias"][1:] = math.log(steeper)
    made["tone.bias"][1] = 1 - steeper
    return {f"maps.{name}": tensor for name, tensor in made.items()}
