"""What simple methods reach on the validation part, measured once: the figures that a network has to beat.

The unprocessed input (as the network gets it), CLAHE with the clip and tile that do best on the training part, and the
conventional processor on the same input; not where the reference is what that processor makes of this very input, for
nothing can be held against itself.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from fullfield import checked, files
from fullfield.data import prepared as pairs
from fullfield.data import reference
from fullfield.data.prepared import LEVELS, Item, Prepared, Unit, View
from fullfield.errors import InputRefused, UsageError
from fullfield.image import clahe
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind, Relationship
from fullfield.model.weakness import CONVENTIONAL, ON_SIMULATED, UNPROCESSED
from fullfield.train import evaluate
from fullfield.train.evaluate import Quality

FILE = "baselines.json"
CLAHE = "CLAHE"
CLIPS, TILES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0), (2, 4, 8)
TUNED_ON, TUNED_SOON = 16, 2  # 24 settings are tried on each image; where minutes count, on two
TUNED_PIXELS = 1 << 25  # of them together: 16 images of 1024², one of native size, on which that takes a minute


Method = Callable[[Unit, InputKind], Unit]


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """One method: its `name` with what was chosen, and its figures."""

    name: str
    quality: Quality


def measured(
    run: Path,
    prepared: Prepared,
    training: tuple[Item, ...],
    validation: tuple[Item, ...],
    each: Callable[[], None],
    tuned_on: int = TUNED_ON,
) -> Iterator[Baseline]:
    """The baselines of a run, remembered in its folder with what they were measured on. `each` is called per image and
    may raise to stop. `tuned_on`: so many images, spread over the part, decide CLAHE's clip and tile; large ones are
    fewer."""
    tuning = _spread(training, tuned_on)
    of = _identity(prepared, tuning, validation)
    try:
        values = checked.parse((run / FILE).read_bytes())
        rows = values["baselines"] if values["of"] == of else []
        found = [Baseline(name=row["name"], quality=Quality(**row["quality"])) for row in rows]
    except (OSError, ValueError, KeyError, TypeError):
        found = []
    if found:
        yield from found
        return
    clip, tiles = _tuned(prepared, tuning, each)
    held = pairs.views(validation)
    apart = tuple(view for view in held if not prepared.conventional or pairs.is_simulated(view))
    methods: dict[str, tuple[Method, tuple[View, ...]]] = {
        UNPROCESSED: (lambda plane, _: plane, held),
        f"{CLAHE} (clip {clip:g}, {tiles}×{tiles} tiles)": (_equalising(clip, tiles), held),
        CONVENTIONAL if apart == held else ON_SIMULATED: (processed, apart),
    }
    for name, (method, views) in methods.items():
        if not views:
            continue
        try:
            baseline = Baseline(name=name, quality=_quality(prepared, views, method, each))
        except (InputRefused, UsageError):  # no preset is for this kind of input: then there is no such baseline
            continue
        found.append(baseline)
        yield baseline
    values = {"of": of, "baselines": [asdict(baseline) for baseline in found]}
    files.write_text(run / FILE, json.dumps(values, indent=1))


def _identity(prepared: Prepared, tuning: tuple[Item, ...], validation: tuple[Item, ...]) -> str:
    """The hash of all that decides the figures: another run's may lie in a folder where none has come to a step."""
    measured_on = [[(item.key, item.simulated, item.kinds) for item in part] for part in (tuning, validation)]
    return hashlib.sha256(f"{prepared.identity} {prepared.conventional} {measured_on}".encode()).hexdigest()


def _spread(training: tuple[Item, ...], most: int) -> tuple[Item, ...]:
    """At most so many of them, of at most `TUNED_PIXELS` where that is more than one."""
    largest = max((item.rows * item.columns for item in training), default=1)
    count = max(1, min(most, TUNED_PIXELS // largest))
    return training[:: max(1, len(training) // count)][:count]


def _tuned(prepared: Prepared, training: tuple[Item, ...], each: Callable[[], None]) -> tuple[float, int]:
    some = pairs.views(training)

    def loss(choice: tuple[float, int]) -> float:
        return _quality(prepared, some, _equalising(*choice), each).loss

    return min(itertools.product(CLIPS, TILES), key=loss)


def _equalising(clip: float, tiles: int) -> Method:
    return lambda plane, _: clahe.equalise(plane, clip=clip, tiles=tiles)


def _quality(prepared: Prepared, views: tuple[View, ...], method: Method, each: Callable[[], None]) -> Quality:
    found = []
    for view in views:
        item, kind = view
        plane, wanted = prepared.load(item, kind)
        found.append((view, evaluate.of_pair(method(plane, kind), wanted)))
        each()
    return evaluate.over_kinds(found)


def processed(plane: Unit, kind: InputKind) -> Unit:
    """What the conventional processor makes of an input of this kind. Raises InputRefused where no preset is for it."""
    image = Image(
        pixels=np.rint(plane * LEVELS).astype(np.uint16),
        bits=16,
        high=HighValues.BRIGHT,
        kind=kind,
        relationship=Relationship.LOGARITHMIC if kind is InputKind.RAW else Relationship.UNKNOWN,
    )
    rows, columns = plane.shape
    nothing = Header(source_format="", sha256="", rows=rows, columns=columns, bits_stored=16, photometric="MONOCHROME2")
    return reference.enhanced(image, reference.fitting(image, nothing))
