"""`fullfield bench detect`: are things seen? d′ of signals that were put into the latent of scenes before the exposure.

Each scene is exposed at several doses with the same noise twice, once with the signals in it and once without; each
method shows both, and an observer (`bench.observer`) says how well each signal is seen. A cell is one signal at one
dose. It counts where the source or the method shows it with a d′ of at least `FAINT`; what nobody sees, nobody loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fullfield import replacing, standard_output
from fullfield.bench import observer
from fullfield.bench.detect_table import Cell, Table
from fullfield.bench.displayed import SOURCE, Way, subject, ways
from fullfield.bench.speak import say
from fullfield.data.scenes import detector, latent, makers, signals
from fullfield.data.scenes.detector import DOSES, Exposure
from fullfield.data.scenes.latent import PARTS, Latent, Mask
from fullfield.data.scenes.makers import Maker
from fullfield.data.scenes.signals import Placed, Signal
from fullfield.errors import InputRefused, UsageError
from fullfield.image import presets
from fullfield.image.image import Image, InputKind
from fullfield.image.phantoms.shapes import Plane
from fullfield.image.presets import AUTO
from fullfield.model import tried as beside
from fullfield.model.tried import Tried

NOISES = 2
"""Pictures of each exposure, with and without the signals."""

_STREAM = 0xDE7C7


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One scene: which part, whether its pictures are raw or processed, what is looked for and where."""

    part: str
    kind: InputKind
    signals: tuple[Signal, ...]
    where: str = "anatomy"


def settings(*, quick: bool) -> tuple[Setting, ...]:
    """The scenes of a run: 200 signals; `quick`: 36 of them, on two scenes."""
    discs = signals.discs()
    if quick:
        few = tuple(one for number, one in enumerate(discs) if number % 12 in (3, 7, 11) and number // 12 % 2)
        return (
            Setting(part="hand", kind=InputKind.RAW, signals=(*few, *signals.fractures()[::4]), where="bone"),
            Setting(
                part="chest",
                kind=InputKind.PROCESSED,
                signals=(*signals.nodules()[::2], *signals.edges()[::2]),
                where="lung",
            ),
        )
    parts = (
        ("abdomen", InputKind.RAW),
        ("chest", InputKind.PROCESSED),
        ("pelvis", InputKind.PROCESSED),
        ("knee", InputKind.RAW),
    )
    spread = [Setting(part=part, kind=kind, signals=discs[place::4]) for place, (part, kind) in enumerate(parts)]
    return (
        *spread,
        Setting(part="chest", kind=InputKind.RAW, signals=(*signals.edges(), *signals.nodules()), where="lung"),
        Setting(part="foot", kind=InputKind.PROCESSED, signals=signals.fractures()[::2], where="bone"),
        Setting(part="hand", kind=InputKind.RAW, signals=signals.fractures()[1::2], where="bone"),
        Setting(part="breast", kind=InputKind.RAW, signals=signals.specks()),
    )


def _everywhere() -> tuple[Setting, ...]:
    """Discs, a quarter of them each, on every part of a body, raw and processed."""
    discs = signals.discs()
    scenes = [
        (part, kind) for part, made in PARTS.items() if made.words for kind in (InputKind.RAW, InputKind.PROCESSED)
    ]
    return tuple(
        Setting(part=part, kind=kind, signals=discs[number % 4 :: 4]) for number, (part, kind) in enumerate(scenes)
    )


def bench(
    *, json: bool, quick: bool = False, everywhere: bool = False, seed: int = 0, model: Path | None = None,
    tried: Path | None = None,
) -> int:  # fmt: skip
    """The table on standard output; the exit code is 1 where the aims are missed. `tried`: where to write how the model
    did beside the presets; see `fullfield.model.tried`.

    Raises MissingPart, ModelError, UsageError for `tried` of no model, OutputInvalid, CannotWrite.
    """
    if tried is not None and model is None:
        raise UsageError("There is no model that is tried.", hint="Name one with --model.")
    if tried is not None:
        replacing.refuse_other(tried, lambda there: beside.is_ours(there.read()))
    scenes = _everywhere() if everywhere else settings(quick=quick)
    table = run(ways(model), scenes, seed=seed, doses=DOSES[1:2] if quick else DOSES)
    if tried is not None:
        beside.write(tried, by_preset(table))
    standard_output.write((table.json() if json else table.text()) + "\n")
    return 0 if table.stands else 1


def by_preset(table: Table) -> dict[str, Tried]:
    """How the judged method did on the images that each preset is meant for, beside that preset."""
    cells: dict[str, list[Cell]] = {}
    for cell in table.cells:
        meant = presets.meant(**subject(cell.part), kind=InputKind(cell.kind))
        cells.setdefault(meant, []).append(cell)
    lines = {name: table.line(table.judged, AUTO, among) for name, among in sorted(cells.items())}
    return {
        name: Tried(signals=line.cells, median=round(line.median, 3), lost=round(line.below, 3))
        for name, line in lines.items()
        if line is not None
    }


def run(
    methods: tuple[Way, ...],
    scenes: tuple[Setting, ...],
    *,
    seed: int,
    doses: tuple[float, ...] = DOSES,
    longer: int | None = None,
) -> Table:
    """Measure; `longer`: pixels of the scenes' longer side, None a detector's own."""
    cells, left_out, refused = [], 0, []
    for number, setting in enumerate(scenes):
        scene = latent.draw(setting.part, seed + number, longer=longer)
        random = np.random.default_rng([_STREAM, seed, number])
        placed = signals.place(setting.signals, _where(scene, setting.where), scene.spacing_mm, random)
        left_out += len(setting.signals) - len(placed)
        say(f"{setting.part}, {setting.kind}: {len(placed)} signals, pixels of {scene.spacing_mm:.3f} mm")
        for dose in doses:
            shown = _Shown(scene, placed, setting.kind, dose=dose, seed=seed + number)
            found = {}
            for way in methods:
                try:
                    found[way.name] = shown.by(way)
                except InputRefused as error:
                    refused.append(f"{way.name}, {setting.part}: {error.title}")
            cells += list(_cells(found, placed, scene, setting, dose))
    return Table(
        seed=seed,
        judged=methods[-1].name,
        cells=tuple(cells),
        left_out=left_out,
        refused=tuple(dict.fromkeys(refused)),
    )


class _Shown:
    """The pictures of one scene at one dose: with and without the signals, of the same noises."""

    def __init__(self, scene: Latent, placed: tuple[Placed, ...], kind: InputKind, *, dose: float, seed: int) -> None:
        self._scene, self._placed = scene, placed
        exposure = replace(detector.draw(scene, seed, blades=False), kerma=dose, saturation=np.inf, columns=())
        maker = makers.draw(seed)
        with_signals = replace(scene, attenuation=signals.added(scene, placed))
        self._pairs = []
        for noise in range(NOISES):
            plain = detector.expose(scene, exposure, noise=noise)
            more = detector.expose(with_signals, exposure, noise=noise, level=scene.attenuation)
            within = makers.logarithm(plain)
            self._pairs.append(tuple(_image(one, maker, kind, scene.spacing_mm, within) for one in (more, plain)))

    def by(self, way: Way) -> list[observer.Seen]:
        """What an observer sees of each signal, by a method. Raises InputRefused."""
        pictures = [tuple(way.picture(image, self._scene.part) for image in pair) for pair in self._pairs]
        present, absent = ([pair[side] for pair in pictures] for side in (0, 1))
        reach = [int(np.ceil(one.signal.reach / self._scene.spacing_mm)) for one in self._placed]
        return [
            observer.see(present, absent, at=(one.row, one.column), reach=reach[number])
            for number, one in enumerate(self._placed)
        ]


def _image(counted: detector.Counted, maker: Maker, kind: InputKind, spacing: float, within: Plane) -> Image:
    if kind is InputKind.RAW:
        return makers.raw(counted, maker, spacing)
    return makers.processed(counted, maker, spacing, within=within)


def _cells(
    found: dict[str, list[observer.Seen]], placed: tuple[Placed, ...], scene: Latent, setting: Setting, dose: float
) -> Iterator[Cell]:
    for number, one in enumerate(placed):
        source = found[SOURCE][number]
        yield Cell(
            part=setting.part,
            kind=setting.kind.value,
            dose=dose,
            spacing_mm=scene.spacing_mm,
            signal=one.signal.kind,
            size=one.signal.size,
            contrast=one.signal.contrast,
            density=float(scene.attenuation[one.row, one.column]),
            d_prime={name: seen[number].d_prime for name, seen in found.items()},
            agreement={name: seen[number].with_source(source) for name, seen in found.items()},
        )


def _where(scene: Latent, name: str) -> Mask:
    """Where signals may lie."""
    if name == "bone":
        return scene.bone & scene.anatomy
    if name == "lung":
        middle = np.median(scene.attenuation[scene.anatomy])
        rows, columns = (np.linspace(-1, 1, side) for side in scene.attenuation.shape)
        inner = (np.abs(rows)[:, None] < 0.55) & (np.abs(columns)[None, :] < 0.7)
        return scene.anatomy & inner & (scene.attenuation < np.float32(0.9 * middle))
    return scene.anatomy


__all__ = ["NOISES", "Exposure", "Setting", "bench", "by_preset", "run", "settings"]
