"""How well a model shows signals by how well presets do, as `fullfield bench detect --everywhere` finds it: kept beside
the model's file (`BESIDE` in place of its suffix), by the preset that is meant for such images. No torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import checked, files

BESIDE = ".tried.json"
MOST_LOST = 0.2
"""Of the signals: the share that may be less well seen than by the preset, by more than a tenth."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """On drawn images of one kind: how many signals were seen at all, the median of the ratios of d′ (the model's by
    the preset's), and the share of those below 0.9."""

    signals: int
    median: float
    lost: float

    @property
    def behind(self) -> bool:
        """Whether the preset shows more."""
        return self.median < 1 or self.lost > MOST_LOST


def read(model: Path) -> dict[str, Tried]:
    """What lies beside a model's file; nothing where it was not tried, or the file is damaged."""
    try:
        return _parsed(model.with_suffix(BESIDE).read_bytes())
    except (OSError, ValueError, AttributeError):
        return {}


def is_ours(content: bytes) -> bool:
    """Whether it is such a file's."""
    try:
        return bool(_parsed(content))
    except (ValueError, AttributeError):
        return False


def _parsed(content: bytes) -> dict[str, Tried]:
    return {str(name): checked.make(Tried, one) for name, one in checked.parse(content).items()}


def write(path: Path, tried: Mapping[str, Tried]) -> None:
    """Raises CannotWrite."""
    files.write_text(path, json.dumps({name: asdict(one) for name, one in tried.items()}, indent=1) + "\n")


__all__ = ["BESIDE", "MOST_LOST", "Tried", "is_ours", "read", "write"]
