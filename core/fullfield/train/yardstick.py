"""What a network is held against: the baselines that it has to beat, and the bounds of results that are believed.

Both are measured once, on the images held back, before the first step; the model's card carries them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fullfield import files
from fullfield.data import prepared as pairs
from fullfield.data.prepared import Item, Prepared
from fullfield.image import trust
from fullfield.image.bounds import Bounds
from fullfield.train.baselines import Baseline

FILE = "bounds.json"


@dataclass(frozen=True, kw_only=True)
class Yardstick:
    """`baselines`: measured on the images held back. `bounds`: calibrated on their references."""

    baselines: tuple[Baseline, ...]
    bounds: Bounds

    @property
    def losses(self) -> dict[str, float]:
        """The baselines' losses, 100·(1 − MS-SSIM), by name."""
        return {baseline.name: baseline.quality.loss for baseline in self.baselines}


def bounds(run: Path, prepared: Prepared, validation: tuple[Item, ...], each: Callable[[], None]) -> Bounds:
    """The bounds of a run, remembered in its folder. `each` is called per image and may raise to stop."""
    try:
        return Bounds.from_json(json.loads((run / FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        pass
    found = []
    for item, kind in pairs.views(validation):
        given, wanted = prepared.load(item, kind)
        found.append(trust.agreement(trust.whole(given), trust.whole(wanted), (given.shape[0], given.shape[1])))
        each()
    calibrated = trust.calibrated(found)
    files.write_text(run / FILE, json.dumps(calibrated.to_json()))
    return calibrated
