"""From a folder of radiographs to prepared pairs: index, pair, then decode, simulate, process and resample each once.

The result lies in this user's cache under a name made of everything it depends on; a second training on the same data
finds it, and one that was interrupted goes on where it was. Problems are collected and told; they cost only their pair.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fullfield import checked, files
from fullfield.data import eviction, index, pairs, planes, prepared, review, reviewed
from fullfield.data.index import Index, Problem, Reader
from fullfield.data.pairs import Pair, Pairing
from fullfield.data.planes import Planes
from fullfield.data.prepared import Item, Prepared
from fullfield.data.reference import Reference
from fullfield.data.reviewed import Reviewed
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image import normalise
from fullfield.image.image import InputKind

VERSION = 4
NOTE = "data.json"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What shall be prepared: `size` None is native; `reference`, `review` as in `TrainSpec`; `seed`: of simulation."""

    folder: Path
    size: int | None
    reference: str
    seed: int
    review: bool = True


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What a folder of radiographs was found to hold, before anything of it is prepared."""

    request: Request
    listed: Index
    reference: Reference
    judged: Reviewed


def look(request: Request, reader: Reader, *, progress: Progress) -> Looked:
    """Index a folder and find its pairs. Raises InputUnreadable where it is missing."""
    reference = Reference(request.reference)  # first, for a wrong name is told before thousands of files are read
    listed = index.build(request.folder, reader, progress=lambda done, total: progress("Reading the data", done, total))
    found = pairs.find(request.folder, listed, reference=request.reference)
    verdicts = review.load() if request.review else {}
    judged = reviewed.apply(found, verdicts, processes=reference.processes)
    return Looked(request=request, listed=listed, reference=reference, judged=judged)


def prepare(request: Request, reader: Reader, *, progress: Progress, cache: Path | None = None) -> Prepared:
    """The pairs of a folder, prepared in the cache (or in `cache`); a prepared folder is taken as it is.

    `progress(phase, done, total)` is called after each file and may raise to stop. Raises InputRefused where nothing
    is left to train on, InputUnreadable where the folder is missing.
    """
    if prepared.is_prepared(request.folder):
        return _as_it_is(request)
    looked = look(request, reader, progress=progress)
    pairing = looked.judged.pairing
    folder = files.private_folder((cache or eviction.cache()) / _identity(looked))
    eviction.use(folder)
    eviction.trim(folder)
    with contextlib.suppress(InputRefused, InputUnreadable):  # none yet, or damaged: made from the pairs' records
        return prepared.load(folder, arrays=False)
    maker = Maker(looked, folder, reader)
    for done, pair in enumerate(pairing.pairs, 1):
        maker.make(pair)
        progress("Preparing the images", done, len(pairing.pairs))
    result = maker.finish(pairing)
    prepared.save(result)
    return result


def note(run: Path, prepared_data: Prepared, request: Request) -> None:
    """Leave in a run's folder which prepared pairs it uses."""
    values = {"request": _name(request), "prepared": prepared_data.folder.name}
    files.write_text(run / NOTE, json.dumps(values))


def noted(run: Path, request: Request) -> Prepared | None:
    """The prepared pairs that a run used before, if they are still in the cache: a training so goes on although its
    source is not connected, or a preset has changed since."""
    try:
        values = checked.parse((run / NOTE).read_bytes())
        folder = eviction.cache() / str(values["prepared"])
        found = prepared.load(folder, arrays=False) if values["request"] == _name(request) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputRefused, InputUnreadable):
        return None
    eviction.use(folder)
    return found


def _name(request: Request) -> str:
    unreviewed = "" if request.review else "|not reviewed"
    text = f"{request.folder.absolute()}|{request.size}|{request.reference}|{request.seed}{unreviewed}"
    return hashlib.sha256(text.encode()).hexdigest()


def _as_it_is(request: Request) -> Prepared:
    found = prepared.load(request.folder)
    if found.size != request.size:
        size = "native" if found.size is None else str(found.size)
        raise InputRefused(
            "Cannot train at this size.",
            detail=f"The data were prepared at size {size}.",
            hint=f"Choose --size {size}.",
        )
    return found


def _identity(looked: Looked) -> str:
    request, judged, reference = looked.request, looked.judged, looked.reference
    parts = [f"{VERSION} {request.size} {request.seed} {reference.identity} {normalise.DEFAULT}"]
    parts += [f"{pair.key} {pair.patient} {judged.identity(pair)}".strip() for pair in judged.pairing.pairs]
    parts += [f"{key} {verdict.judgement} {verdict.made_by}" for key, verdict in sorted(judged.verdicts.items())]
    parts += [f"rejected {judged.rejected}"] if judged.rejected else []
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, kw_only=True)
class _Made:
    """One pair's record while the others are made."""

    kind: InputKind
    rows: int
    columns: int
    mm_per_pixel: float | None
    modality: str
    sha256: tuple[str, str]
    simulated: bool
    made_by: str


def _recorded(values: dict[str, Any]) -> tuple[_Made | None, list[tuple[str, str]]]:
    """What a pair's record holds. Raises KeyError, TypeError and ValueError where it is none."""
    problems = [(str(kind), str(text)) for kind, text, _ in values["problems"]]
    made = values["made"]
    if made is None:
        return None, problems
    first, second = made["sha256"]
    return _Made(**{**made, "kind": InputKind(made["kind"]), "sha256": (str(first), str(second))}), problems


class Maker:
    """Makes pairs into a folder and collects what is wrong with them."""

    def __init__(self, looked: Looked, folder: Path, reader: Reader) -> None:
        self._request, self._folder, self._reader = looked.request, folder, reader
        self._index, self._reference, self._judged = looked.listed, looked.reference, looked.judged
        self._made: dict[str, _Made] = {}
        self._problems: list[Problem] = []

    def make(self, pair: Pair) -> None:
        """Leave the arrays of a pair and its record, or note why it takes no part."""
        record = self._folder / f"{pair.key}.json"
        try:
            made, problems = _recorded(json.loads(record.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            values = self._fresh(pair)
            files.write_text(record, json.dumps(values))
            made, problems = _recorded(values)
        self._problems += [self._index.problem(kind, text, pair.source) for kind, text in problems]
        if made is not None:
            self._made[pair.key] = made

    def _fresh(self, pair: Pair) -> dict[str, object]:
        """What a pair's record holds: `made` (None: takes no part) and `problems`."""
        try:
            found, modality = self.planes(pair)
        except (InputRefused, InputUnreadable) as error:
            return {"made": None, "problems": [("unusable", f"cannot be used: {error.detail or error.title}", True)]}
        problems = list(found.problems)
        if any(fatal for _, _, fatal in problems):
            return {"made": None, "problems": problems}
        made = _Made(
            kind=found.kind,
            rows=found.input.shape[0],
            columns=found.input.shape[1],
            mm_per_pixel=found.mm_per_pixel,
            modality=modality,
            sha256=(
                prepared.save_plane(self._folder, pair.key, "input", found.input),
                prepared.save_plane(self._folder, pair.key, "reference", found.reference),
            ),
            simulated=found.simulated,
            made_by=found.made_by,
        )
        return {"made": asdict(made), "problems": problems}

    def planes(self, pair: Pair) -> tuple[Planes, str]:
        """Both planes of a pair, and the modality. Raises InputRefused and InputUnreadable."""
        size, seed = self._request.size, self._request.seed
        decoded = self._reader.decode(self._index.path(pair.source))
        if pair.reference is not None:
            other = self._reader.decode(self._index.path(pair.reference))
            return planes.from_pair(decoded.image, other.image, size=size), decoded.header.modality
        made = planes.from_single(
            decoded,
            lambda image: self._judged.make(pair, image, decoded.header, self._reference),
            pair.key,
            size=size,
            seed=seed,
            processes=self._reference.processes,
        )
        return made, decoded.header.modality

    def finish(self, pairing: Pairing) -> Prepared:
        """The list of what was made, all of one input kind. Raises InputRefused where nothing was."""
        kinds = Counter(made.kind for made in self._made.values())
        kind = kinds.most_common(1)[0][0] if kinds else InputKind.RAW
        kept = {key: made for key, made in self._made.items() if made.kind is kind}
        for pair in pairing.pairs:
            if pair.key in self._made and pair.key not in kept:
                text = f"is a {self._made[pair.key].kind} image among {kind} ones: a network is trained for one kind."
                self._problems.append(self._index.problem("kind", text, pair.source))
        problems = (*pairing.problems, *self._problems)
        if not kept:
            raise InputRefused(
                "Cannot find anything to train on in the data.",
                detail=f"None of {len(pairing.pairs)} pairs can be used. {problems[0].sentence() if problems else ''}",
                hint="Mend or replace the images named here.",
            )
        patients = {name: place for place, name in enumerate(sorted({p.patient for p in pairing.pairs}))}
        return Prepared(
            folder=self._folder,
            size=self._request.size,
            input_kind=kind,
            normalisation=normalise.DEFAULT.to_json(),
            reference=_told({made.made_by for made in kept.values()}),
            simulated=all(made.simulated for made in kept.values()),
            items=tuple(_item(pair, kept[pair.key], patients) for pair in pairing.pairs if pair.key in kept),
            problems=tuple(problem.sentence() for problem in problems),
            reviewed=self._judged.counted({key: made.made_by for key, made in self._made.items()}),
        )


def _told(makers: set[str]) -> str:
    """Who made the references, each maker once, with the presets that it used."""
    presets: dict[str, list[str]] = {}
    for text in sorted(makers):
        maker, _, preset = text.partition(", preset ")
        presets.setdefault(maker, []).append(preset)
    return "; ".join(f"{maker} ({', '.join(names)})" if any(names) else maker for maker, names in presets.items())


def _item(pair: Pair, made: _Made, patients: dict[str, int]) -> Item:
    sources = (pair.source,) if pair.reference is None else (pair.source, pair.reference)
    return Item(
        key=pair.key,
        patient=patients[pair.patient],
        rows=made.rows,
        columns=made.columns,
        mm_per_pixel=made.mm_per_pixel,
        modality=made.modality,
        source_sha256=tuple(source.sha256 for source in sources),
        sha256=made.sha256,
    )
