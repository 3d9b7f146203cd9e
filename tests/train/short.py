"""A training of seconds: its data, and its settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import training
from fullfield.data.prepared import Prepared
from training import prepared_phantoms

EPOCHS, TRAINING, VALIDATION = 2, 3, 1


def images(folder: Path) -> Prepared:
    return prepared_phantoms(folder, TRAINING + VALIDATION, rows=192, columns=176)


def settings(data: Prepared, **changes: Any) -> dict[str, Any]:
    return training.settings(data, **{"epochs": EPOCHS, "l1_steps": 2, **changes})
