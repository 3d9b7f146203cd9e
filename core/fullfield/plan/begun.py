"""Whether a training has saved anything: from then on it cannot go on with other settings."""

from __future__ import annotations

from pathlib import Path


def has_saved(run: Path) -> bool:
    """Whether a checkpoint lies in the run's folder, whole or not."""
    return any(run.glob("checkpoints/step-*"))
