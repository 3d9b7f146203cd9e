"""From a folder of radiographs to prepared pairs: index, pair, then decode, simulate, process and resample each once.

The result lies in this user's cache under a name made of everything it depends on; a second training on the same data
finds it, and one that was interrupted goes on where it was. Problems are collected and told; they cost only their pair.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fullfield import checked, files
from fullfield.checked import Fields
from fullfield.data import eviction, index, kinds, pairs, planes, prepared, review, reviewed
from fullfield.data.index import Index, Problem, Reader
from fullfield.data.pairs import Pair, Pairing
from fullfield.data.planes import Planes, Way
from fullfield.data.prepared import Item, Prepared
from fullfield.data.reference import Reference
from fullfield.data.reviewed import Reviewed
from fullfield.errors import InputRefused, InputUnreadable
from fullfield.image.cache import Decoded
from fullfield.image.image import InputKind
from fullfield.image.normalise import DEFAULT, Normalisation

VERSION = 7
NOTE = "data.json"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True)
class Request:
    """What shall be prepared: `size` None is native; `reference`, `review`, `use_on` as in `TrainSpec`; `seed`: of
    simulation; `normalisation`: of all inputs."""

    folder: Path
    size: int | None
    reference: str
    seed: int
    review: bool = True
    use_on: str = kinds.AUTO
    normalisation: Normalisation = DEFAULT


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What a folder of radiographs was found to hold, before anything of it is prepared."""

    request: Request
    listed: Index
    reference: Reference
    judged: Reviewed


def look(request: Request, reader: Reader, *, progress: Progress) -> Looked:
    """Index a folder and find its pairs. Raises InputUnreadable where it is missing, and as `review.load`."""
    reference = Reference(request.reference)  # first, for a wrong name is told before thousands of files are read
    verdicts = review.load() if request.review else {}
    listed = index.build(request.folder, reader, progress=lambda done, total: progress("Reading the data", done, total))
    found = pairs.for_use(pairs.find(request.folder, listed, reference=request.reference), listed, request.use_on)
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
    maker = Maker(looked, folder, reader)
    for done, pair in enumerate(pairing.pairs, 1):
        maker.make(pair)
        progress("Preparing the images", done, len(pairing.pairs))
    result = maker.finish(pairing)
    prepared.save(result)
    return result


def note(run: Path, prepared_data: Prepared, request: Request) -> None:
    """Leave in a run's folder which prepared pairs it uses."""
    values = {"request": _name(request), "prepared": prepared_data.folder.name, "use_on": prepared_data.use_on}
    files.write_text(run / NOTE, json.dumps({**values, "identity": prepared_data.identity}))


def noted(run: Path, request: Request) -> Prepared | None:
    """The prepared pairs that a run used before, if they are still in the cache: a training so goes on although its
    source is not connected, or a preset has changed since."""
    try:
        values = checked.parse((run / NOTE).read_bytes())
        folder = eviction.cache() / str(values["prepared"])
        same = values["request"] == _name(request) and request.use_on in (kinds.AUTO, _begun_for(values))
        found = prepared.load(folder, arrays=False) if same else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputRefused, InputUnreadable):
        return None
    eviction.use(folder)
    return found


def as_begun(run: Path, request: Request) -> Request:
    """The request with what the run's model is to be used on, once that is decided: images that join the folder later
    do not change it."""
    try:
        values = checked.parse((run / NOTE).read_bytes())
        same = values["request"] == _name(request) and request.use_on == kinds.AUTO
        return replace(request, use_on=_begun_for(values)) if same else request
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return request


def _begun_for(values: Fields) -> str:
    """What a run's note says; before version 5 nobody was asked, and models were for raw images."""
    return str(values.get("use_on", kinds.RAW))


def _name(request: Request) -> str:
    unreviewed = "" if request.review else "|not reviewed"
    way_in = "" if request.normalisation == DEFAULT else f"|{request.normalisation.to_json()}"
    text = f"{request.folder.absolute()}|{request.size}|{request.reference}|{request.seed}{unreviewed}{way_in}"
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
    if Normalisation.from_json(found.normalisation) != request.normalisation:
        raise InputRefused(
            "Cannot train this network on these data.",
            detail="They were prepared for another kind of network, whose input is normalised otherwise.",
            hint="Train on the images themselves.",
        )
    if request.use_on not in (kinds.AUTO, found.use_on):
        raise InputRefused(
            f"Cannot train a model to be used on these images: {request.use_on}.",
            detail=f"The data were prepared for: {found.use_on}.",
            hint=f"Choose --use-on {found.use_on}, or train on the images themselves.",
        )
    return found


def _identity(looked: Looked) -> str:
    request, judged, reference = looked.request, looked.judged, looked.reference
    use_on = judged.pairing.use_on
    parts = [f"{VERSION} {request.size} {request.seed} {use_on} {reference.identity} {request.normalisation}"]
    parts += [f"{pair.key} {pair.patient} {judged.identity(pair)}".strip() for pair in judged.pairing.pairs]
    parts += [f"{key} {verdict.judgement} {verdict.made_by}" for key, verdict in sorted(judged.verdicts.items())]
    parts += [f"rejected {judged.rejected}"] if judged.rejected else []
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, kw_only=True)
class _Made:
    """One pair's record while the others are made."""

    kinds: tuple[InputKind, ...]
    rows: int
    columns: int
    mm_per_pixel: float | None
    modality: str
    sha256: tuple[str, ...]
    simulated: bool
    made_by: str
    pixel_size: tuple[float, float]


def _recorded(values: Fields) -> tuple[_Made | None, list[tuple[str, str]]]:
    """What a pair's record holds. Raises KeyError, TypeError and ValueError where it is none."""
    problems = [(str(kind), str(text)) for kind, text, _ in values["problems"]]
    made = values["made"]
    if made is None:
        return None, problems
    arrays, found = tuple(map(str, made["sha256"])), tuple(map(InputKind, made["kinds"]))
    if len(arrays) != 1 + len(found):
        raise ValueError("not a hash for each array")
    pixel_size = tuple(made["pixel_size"])
    return _Made(**{**made, "kinds": found, "sha256": arrays, "pixel_size": pixel_size}), problems


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
            if values.pop("read", True):  # else of today, as of a share that is away: the next training looks again
                files.write_text(record, json.dumps(values))
            made, problems = _recorded(values)
        self._problems += [self._index.problem(kind, text, pair.source) for kind, text in problems]
        if made is not None:
            self._made[pair.key] = made

    def _fresh(self, pair: Pair) -> Fields:
        """What a pair's record holds: `made` (None: takes no part) and `problems`; and whether it could be `read`."""
        try:
            found, source = self.planes(pair)
        except (InputRefused, InputUnreadable) as error:
            problems = [("unusable", f"cannot be used: {error.detail or error.title}", True)]
            return {"made": None, "problems": problems, "read": isinstance(error, InputRefused)}
        problems = list(found.problems)
        if any(fatal for _, _, fatal in problems):
            return {"made": None, "problems": problems}
        arrays = zip(prepared.PARTS, found.arrays)
        made = _Made(
            kinds=tuple(found.inputs),
            rows=found.reference.shape[0],
            columns=found.reference.shape[1],
            mm_per_pixel=found.mm_per_pixel,
            modality=source.header.modality,
            sha256=tuple(prepared.save_plane(self._folder, pair.key, part, plane) for part, plane in arrays),
            simulated=found.simulated,
            made_by=found.made_by,
            pixel_size=source.image.pixel_size,
        )
        return {"made": asdict(made), "problems": problems}

    def planes(self, pair: Pair) -> tuple[Planes, Decoded]:
        """The planes of a pair, and its source. Raises InputRefused and InputUnreadable."""
        decoded = self._reader.decode(self._index.path(pair.source))
        way = Way(
            kinds=kinds.inputs(self._judged.pairing.use_on, decoded.image.kind),
            size=self._request.size,
            seed=self._request.seed,
            key=pair.key,
            normalisation=self._request.normalisation,
        )
        if not way.kinds:  # it was another file when the folder was listed
            raise InputRefused("Cannot learn from the image.", detail="It is raw.")
        if pair.reference is not None:
            other = self._reader.decode(self._index.path(pair.reference))
            return planes.from_pair(decoded.image, other.image, way), decoded
        made = planes.from_single(
            decoded,
            lambda image: self._judged.make(pair, image, decoded.header, self._reference),
            way,
            processes=self._reference.processes,
        )
        return made, decoded

    def finish(self, pairing: Pairing) -> Prepared:
        """The list of what was made. Raises InputRefused where nothing was."""
        made, problems = self._made, (*pairing.problems, *self._problems)
        if not made:
            raise InputRefused(
                "Cannot find anything to train on in the data.",
                detail=f"None of {len(pairing.pairs)} pairs can be used. {problems[0].sentence() if problems else ''}",
                hint="Mend or replace the images named here.",
            )
        found = {kind for one in made.values() for kind in one.kinds}
        patients = {name: place for place, name in enumerate(sorted({p.patient for p in pairing.pairs}))}
        return Prepared(
            folder=self._folder,
            size=self._request.size,
            input_kind=kinds.ANY if len(found) > 1 else found.pop(),
            normalisation=self._request.normalisation.to_json(),
            reference=_reported({one.made_by for one in made.values()}),
            simulated=all(one.simulated for one in made.values()),
            items=tuple(_item(pair, made[pair.key], patients) for pair in pairing.pairs if pair.key in made),
            problems=tuple(problem.sentence() for problem in problems),
            reviewed=self._judged.counted({key: one.made_by for key, one in made.items()}),
            conventional=self._reference.processes and any(pair.reference is None for pair in pairing.pairs),
        )


def _reported(makers: set[str]) -> str:
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
        kinds=made.kinds,
        simulated=made.simulated,
        pixel_size=made.pixel_size,
    )
