"""A blind grading that another page asks for: which images, and which model against what they get now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class GradingWish:
    """`images`: files to open and enhance; `model`: the file of the model that is graded."""

    images: tuple[Path, ...]
    model: Path
