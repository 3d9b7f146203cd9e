"""The job "survey": a data folder is looked at before it is trained on, and references are proposed for review.

Of the commands `Propose` only the latest is answered, and of `Split`. While nothing is asked, thumbnails of all pairs
are drawn.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from fullfield import array_file, files
from fullfield.checked import Fields, PixelSize
from fullfield.context import Context
from fullfield.data import index, pairs, planes, review, reviewed, split, survey
from fullfield.data.index import Index
from fullfield.data.pairs import NothingToTrainOn, Origin, Pair, Pairing
from fullfield.data.prepared import LEVELS, Unit
from fullfield.data.reference import Reference, processed
from fullfield.data.review import Verdict
from fullfield.data.survey import Radiograph, Survey
from fullfield.dicom.read import Decoder
from fullfield.errors import FullfieldError, InputRefused, InputUnreadable, Interrupted
from fullfield.image import normalise, presets, resample
from fullfield.protocol.setup_commands import Propose, Split
from fullfield.protocol.setup_events import DataRead, DataSurveyed, PairDrawn, ReferenceProposed, ReferenceRefused
from fullfield.protocol.small import SurveySpec

TICK_SECONDS = 0.02
REPORTED_SECONDS = 0.1  # between two words on how far it is
THUMBNAIL = 192  # pixels, the longer side
MOST_DRAWN = 400  # pairs: more thumbnails than anyone looks through
LARGEST = 1536  # pixels of a proposed reference: what a screen shows of it


def run(spec: SurveySpec, context: Context) -> Fields:
    """Survey the folder, then answer until the run is asked to stop. Raises what `index` raises."""
    folder = files.private_folder(context.folder / "survey")
    with Decoder() as decoder:
        desk = _Desk(spec, context, decoder, folder)
        desk.survey()
        drawing = desk.draw()
        while not context.stopping():
            commands = context.commands()
            for split in [one for one in commands if isinstance(one, Split)][-1:]:
                desk.tell(split)
            for propose in [one for one in commands if isinstance(one, Propose)][-1:]:
                desk.propose(propose)
            if not commands and not next(drawing, False):
                time.sleep(TICK_SECONDS)
    return {}


class _Desk:
    """One data folder, indexed, and what is asked of it."""

    def __init__(self, spec: SurveySpec, context: Context, decoder: Decoder, folder: Path) -> None:
        self._spec, self._context, self._decoder, self._folder = spec, context, decoder, folder
        self._reference = Reference(spec.reference)
        self._reported = 0.0
        self._index = Index(sources=())
        self._pairing: Pairing | None = None
        self._problem = ""

    def survey(self) -> None:
        """Index and pair, then tell; also of data that nothing can be trained on, with their problems."""
        data = Path(self._spec.data)
        self._index = index.build(data, self._decoder, progress=self._progress)
        try:
            self._pairing = pairs.find(data, self._index, reference=self._spec.reference)
        except NothingToTrainOn as error:
            self._pairing = Pairing(pairs=(), origin=Origin.SINGLE, problems=error.problems)
            self._problem = f"{error.reason} {error.hint}"
        self.tell(self._spec)

    def tell(self, settings: SurveySpec | Split) -> None:
        """Leave the survey with the split of a training with these settings."""
        assert self._pairing is not None
        pairing, problem = self._pairing, self._problem
        verdicts: Mapping[str, Verdict] = {}
        try:
            verdicts = review.load() if settings.review else {}
        except InputUnreadable as error:
            problem = problem or f"{error.detail} {error.hint}"
        try:
            pairing = pairs.for_use(pairing, self._index, settings.use_on)
        except NothingToTrainOn as error:
            problem = problem or f"{error.reason} {error.hint}"
        left = reviewed.apply(pairing, verdicts, processes=self._reference.processes).pairing
        found = of(pairing, left, validation=settings.validation, seed=settings.seed)
        path = self._folder / f"{time.monotonic_ns()}-{survey.SURVEY}"
        survey.save(replace(found, problem=problem or found.problem), path)
        self._context.emit(DataSurveyed(survey=str(path)))

    def draw(self) -> Iterator[bool]:
        """Draw one thumbnail after another; True for each."""
        assert self._pairing is not None
        for pair in self._pairing.pairs[:MOST_DRAWN]:
            try:
                source, reference, pixel_size = self._drawn(pair)
            except FullfieldError:  # that it cannot be used is told by the training's own preparation
                continue
            path = self._folder / f"{pair.key}.npy"
            drawn = np.stack((source, reference))  # they are of one matrix
            array_file.save(path, np.rint(drawn * 255).astype(np.uint8))
            self._context.emit(PairDrawn(key=pair.key, drawn=str(path), pixel_size=pixel_size))
            yield True

    def propose(self, asked: Propose) -> None:
        """Make a reference as it is asked for, and leave it beside its image."""
        try:
            self._propose(asked)
        except FullfieldError as error:
            self._context.emit(ReferenceRefused(number=asked.number, key=asked.key, error=error.as_fields()))

    def _propose(self, asked: Propose) -> None:
        number, key = asked.number, asked.key
        pair = self._pair(key)
        decoded = self._decoder.decode(self._index.path(pair.source))
        wanted = asked.size or max(decoded.image.pixels.shape)
        image = resample.at_size(decoded.image, min(wanted, LARGEST))
        preset = presets.load(asked.preset) if asked.preset else self._reference.preset(image, decoded.header)
        plane, made_by = processed(image, preset, asked.strength)
        for older in (*self._folder.glob("image-*.npy"), *self._folder.glob("reference-*.npy")):
            if int(older.stem.rpartition("-")[2]) < number - 1:  # the last one is still on the screen
                with contextlib.suppress(OSError):  # Windows keeps what the window maps; it goes with the run
                    older.unlink()
        self._context.emit(
            ReferenceProposed(
                number=number,
                key=key,
                image=self._left(f"image-{number}", normalise.to_target(image)),
                reference=self._left(f"reference-{number}", plane),
                preset=preset.name,
                made_by=made_by,
                pixel_size=decoded.image.pixel_size,
            )
        )

    def _left(self, name: str, plane: Unit) -> str:
        path = self._folder / f"{name}.npy"
        array_file.save(path, np.rint(plane * np.float32(LEVELS)).astype(np.uint16))
        return str(path)

    def _drawn(self, pair: Pair) -> tuple[Unit, Unit, PixelSize]:
        """Image, reference, and a pixel's size of both."""
        decoded = self._decoder.decode(self._index.path(pair.source))
        image, pixel_size = resample.at_size(decoded.image, THUMBNAIL), decoded.image.pixel_size
        if pair.reference is None:
            plane = normalise.to_target(image)
            try:
                return plane, self._reference.make(image, decoded.header)[0], pixel_size
            except InputRefused:  # a preset for another kind of image: there is no reference to show
                return plane, np.zeros_like(plane), pixel_size
        other = self._decoder.decode(self._index.path(pair.reference))
        return normalise.to_target(image), planes.stretched(resample.at_size(other.image, THUMBNAIL)), pixel_size

    def _pair(self, key: str) -> Pair:
        assert self._pairing is not None
        found = next((pair for pair in self._pairing.pairs if pair.key == key), None)
        if found is None:
            raise InputUnreadable("Cannot show the reference.", detail="The image is not part of the data any more.")
        return found

    def _progress(self, done: int, total: int) -> None:
        if self._context.stopping():
            raise Interrupted("The data were not read to the end.")
        if done == total or time.monotonic() - self._reported > REPORTED_SECONDS:
            self._reported = time.monotonic()
            self._context.emit(DataRead(done=done, total=total))


def of(pairing: Pairing, left: Pairing, *, validation: float, seed: int) -> Survey:
    """The survey of a folder's pairs; the split is that of a training with these settings on what a review has `left`.

    Images that turn out to be of no use when a training prepares them are not known yet: its parts may lack some.
    """
    numbers = {name: place for place, name in enumerate(sorted({pair.patient for pair in pairing.pairs}))}
    kept = {pair.key: str(numbers[pair.patient]) for pair in left.pairs}
    problem, held = "", frozenset[str]()
    try:
        held = frozenset(split.by_patient(kept.items(), fraction=validation, seed=seed).validation)
    except InputRefused as error:
        problem = f"{error.detail} {error.hint}".strip()
    return Survey(
        radiographs=tuple(_radiograph(pair, numbers[pair.patient] + 1, kept, held) for pair in pairing.pairs),
        problems=pairing.problems,
        origin=pairing.origin.name.lower(),
        problem=problem,
        use_on=pairing.use_on if pairing.pairs else "",
    )


def _radiograph(pair: Pair, patient: int, kept: Collection[str], held: Collection[str]) -> Radiograph:
    source = pair.source
    return Radiograph(
        key=pair.key,
        sha256=source.sha256,
        relative=source.relative,
        patient=patient,
        rows=source.rows,
        columns=source.columns,
        kind=source.kind.value,
        own=pair.reference is not None,
        held=pair.key in held,
        rejected=pair.key not in kept,
    )
