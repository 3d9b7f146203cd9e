"""The settings of a training on a clinic's own images that is over in some ten minutes: a map network from a model, or
from none.

What it takes is the number of images that it is shown in all, so many epochs are made as there are images for. The
learning rate is the usual one from a model, too: a quarter of it reached less in the same time (decision 073).
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from fullfield.model.families.gain_map import GainMap

IMAGES = 2000
"""In all epochs, those that are kept apart counted with: a fifth of a second of one core for each that is shown."""

SIZE = 512
"""Pixels: a step takes a quarter of that at the usual size, and one set of weights serves every size."""

LEAST, MOST = 4, 80
"""Epochs: with fewer nothing is learned, with more a few images are learned by heart."""

WARM_UP = 0.1
"""The share of steps in which the learning rate rises: a model that is there already is not shaken at once."""

VALIDATION = 0.2


def settings(data: Path, *, weights: str) -> dict[str, str | float | bool]:
    """By field of `Training`. `data`: the folder of images, which are counted; `weights`: a model's file, or none."""
    epochs = min(max(round(IMAGES / max(_count(data), 1)), LEAST), MOST)
    return {
        "network": GainMap.name,
        **GainMap.defaults,
        "size": SIZE,
        "warm_up": WARM_UP,
        "epochs": epochs,
        "validation": VALIDATION,
        "weights": weights,
        "compare": True,
    }


def _count(data: Path) -> int:
    """How many images the network is shown of a folder, as its names tell: of two that are a pair, one."""
    from fullfield.data import index, pairs  # numpy, and the reader's child: not before it is asked for

    names = index.listed(data)
    tops = {PurePosixPath(name).parts[0].lower() for name in names}
    paired = (data / pairs.LIST).is_file() or {pairs.RAW, pairs.REFERENCE} <= tops
    return len(names) // 2 if paired else len(names)
