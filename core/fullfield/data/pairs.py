"""Which image is the network's input and which its reference: found by list, name, header, or to be simulated.

In this order, the first that the folder offers: `pairs.csv`; `raw/` beside `reference/`, matched by name; DICOM, where
a file names its predecessor (Source Image Sequence) or where one exposure is there For Processing and For
Presentation; else single images. Of Fullfield's own results only those take part that are listed or lie in such
folders: somebody wants them there. What of all this is learned from, and as which kind of input, follows from what the
model is to be used on (`for_use`, `fullfield.data.kinds`).
"""

from __future__ import annotations

import csv
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path, PurePosixPath

from fullfield.data import kinds
from fullfield.data.index import Index, Problem, Source
from fullfield.data.repeated import once
from fullfield.errors import InputRefused
from fullfield.image.image import InputKind
from fullfield.image.presets import AUTO
from fullfield.image.values import SUFFIXES

PAIRS = "pairs"
LIST = "pairs.csv"
MOST_REPORTED = 3  # problems, in an error
OWN = "is a result of Fullfield, which is learned from only where it lies in reference/ or pairs.csv lists it."
_LAY = "Lay them as raw/ and reference/ with equal names, or list them in pairs.csv."
_MEND = "Mend what is named here, or choose a preset or the image itself as the reference."
OTHER_KIND = "is a raw image, and the model is to be used on processed ones."
SEVERAL = "is one of several that differ in their suffix or in capital letters: its partner is not clear."
RAW, REFERENCE = "raw", "reference"
DICOM = "dicom"  # of `Source.source_format`
_INPUT_COLUMNS, _REFERENCE_COLUMNS, _PATIENT_COLUMNS = ("raw", "input"), ("reference", "processed"), ("patient",)


class NothingToTrainOn(InputRefused):
    """No pair is left. `reason`: why, without the problems of the files; `problems`: all of these.

    The detail names the first of them: where an error is told, there is no list to look at.
    """

    def __init__(self, reason: str, *, hint: str, problems: Sequence[Problem] = ()) -> None:
        reported = " ".join([reason, *(problem.sentence() for problem in problems[:MOST_REPORTED])])
        super().__init__("Cannot find anything to train on in the data.", detail=reported, hint=hint)
        self.reason, self.problems = reason, tuple(problems)


class Origin(StrEnum):
    """Where a pair comes from."""

    LIST = "pairs.csv"
    NAMES = "raw/ and reference/"
    DICOM = "DICOM headers"
    SINGLE = "single images"


@dataclass(frozen=True, kw_only=True)
class Pair:
    """An input and its reference, or None where the reference is to be made from the image.

    `key` names the pair by content; `patient` is the same for all pairs of one patient.
    """

    source: Source
    reference: Source | None
    patient: str = field(repr=False)

    @property
    def key(self) -> str:
        """Sixteen digits of the contents' hash."""
        if self.reference is None:
            return self.source.sha256[:16]
        return hashlib.sha256((self.source.sha256 + self.reference.sha256).encode()).hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """The pairs in sorted order, and what was wrong with the others. `use_on`: what the model is to be used on, as far
    as that is decided: "raw", "processed" or "both"."""

    pairs: tuple[Pair, ...]
    origin: Origin
    problems: tuple[Problem, ...] = ()
    use_on: str = ""


def find(folder: Path, index: Index, *, reference: str) -> Pairing:
    """The pairs of an indexed folder. `reference` is that of `TrainSpec`: "pairs" refuses to simulate, the name of a
    preset or "image" makes references even where pairs are.

    Raises NothingToTrainOn.
    """
    pairing = _offered(folder, index) if reference in (AUTO, PAIRS) else None
    if pairing is None:
        if reference == PAIRS:
            raise NothingToTrainOn("No pairs were found.", hint=_LAY, problems=[*index.problems, *_originals(index)[1]])
        pairing = _single(index)
    pairs, repeated = once(pairing.pairs, index)
    problems = [*index.problems, *pairing.problems, *repeated]
    if not pairs:
        mend = _MEND if problems else _LAY
        raise NothingToTrainOn(
            f"{len(index.sources)} files can be read, and no pair is among them.",
            hint="Choose the folder that holds the radiographs." if pairing.origin is Origin.SINGLE else mend,
            problems=problems,
        )
    return Pairing(pairs=tuple(pairs[key] for key in sorted(pairs)), origin=pairing.origin, problems=tuple(problems))


def for_use(pairing: Pairing, index: Index, use_on: str) -> Pairing:
    """Of these pairs those that a model for such images learns from. `use_on`: as in `TrainSpec`.

    Raises NothingToTrainOn where it is to be used on processed images and none of the inputs is one.
    """
    found = [pair.source.kind for pair in pairing.pairs]
    use = kinds.decided(use_on, found)
    if use != kinds.RAW and InputKind.PROCESSED not in found:
        raise NothingToTrainOn(
            "The model is to be used on processed images, and all of these are raw.",
            hint="Let it be used on raw images, or add images that are processed for display.",
            problems=pairing.problems,
        )
    served = {pair.key: bool(kinds.inputs(use, pair.source.kind)) for pair in pairing.pairs}
    problems = [index.problem("kind", OTHER_KIND, pair.source) for pair in pairing.pairs if not served[pair.key]]
    return replace(
        pairing,
        pairs=tuple(pair for pair in pairing.pairs if served[pair.key]),
        problems=(*pairing.problems, *problems),
        use_on=use,
    )


def _offered(folder: Path, index: Index) -> Pairing | None:
    if (folder / LIST).is_file():
        return _listed(folder / LIST, index)
    tops = {PurePosixPath(name).parts[0].lower() for name in index.numbers if "/" in name}  # also of unreadable files
    return _by_name(index) if {RAW, REFERENCE} <= tops else _by_header(index)


def _listed(path: Path, index: Index) -> Pairing:
    """`pairs.csv`: the columns `raw` (or `input`), `reference` and perhaps `patient`, paths below its folder; with
    semicolons where a spreadsheet of such a language saved it."""
    hint = "Save it as CSV with the columns raw and reference."
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            first = stream.readline()
            stream.seek(0)
            table = csv.DictReader(stream, delimiter=";" if ";" in first and "," not in first else ",")
            rows = [(table.line_num, row) for row in table]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise NothingToTrainOn("pairs.csv is not a table in UTF-8.", hint=hint, problems=index.problems) from error
    columns = {name.strip().lower() for name in table.fieldnames or ()}
    if columns.isdisjoint(_INPUT_COLUMNS) or columns.isdisjoint(_REFERENCE_COLUMNS):
        raise NothingToTrainOn("pairs.csv lacks the columns raw and reference.", hint=hint, problems=index.problems)
    by_name = {source.relative: source for source in index.sources}
    lines, problems = [], []
    inputs, references = defaultdict(set), defaultdict(set)  # of each image its partners in all lines
    for number, row in rows:
        names = [_cell(row, columns).replace("\\", "/") for columns in (_INPUT_COLUMNS, _REFERENCE_COLUMNS)]
        one, other = (by_name.get(str(PurePosixPath(name))) for name in names)
        if one is not None and other is not None:
            patient = _cell(row, _PATIENT_COLUMNS) or _patient(one, other)
            lines.append((number, one, other, patient))
            references[one.relative].add(other.relative)
            inputs[other.relative].add(one.relative)
        elif any(str(cell or "").strip() for name, cell in row.items() if name):
            missing = "reference" if one is not None else "raw image"
            text = f"Line {number} of pairs.csv: its {missing} is not there or cannot be read."
            problems.append(Problem(kind="unpaired", text=text))
    pairs = []
    for number, one, other, patient in lines:
        if len(references[one.relative]) == len(inputs[other.relative]) == 1:
            pairs.append(Pair(source=one, reference=other, patient=patient))
        else:
            text = f"Line {number} of pairs.csv: one of its images is in another line with another partner."
            problems.append(Problem(kind="ambiguous", text=text))
    return _checked(pairs, index, Origin.LIST, problems)


def _by_name(index: Index) -> Pairing:
    """`raw/a/7.dcm` goes with `reference/a/7.png`: the same path without the suffix, whatever the case. Where several
    differ in that alone, those of one whole name go together, and the others are left out."""
    sides: dict[str, dict[str, list[Source]]] = {RAW: defaultdict(list), REFERENCE: defaultdict(list)}
    for source in index.sources:
        path = PurePosixPath(source.relative)
        if (top := path.parts[0].lower()) in sides:
            sides[top][_without_suffix(_below(source).casefold())].append(source)
    pairs, problems = [], []
    for name in {**sides[RAW], **sides[REFERENCE]}:
        ones, others = sides[RAW].get(name, []), sides[REFERENCE].get(name, [])
        found = _partners(ones, others)
        pairs += [Pair(source=one, reference=other, patient=_patient(one, other)) for one, other in found]
        paired = {id(source) for both in found for source in both}
        for side, sources in ((REFERENCE, ones), (RAW, others)):
            without = "unpaired", f"has no partner of the same name in {side}/."
            kind, text = ("ambiguous", SEVERAL) if ones and others else without
            problems += [index.problem(kind, text, source) for source in sources if id(source) not in paired]
    return _checked(pairs, index, Origin.NAMES, problems)


def _partners(ones: Sequence[Source], others: Sequence[Source]) -> list[tuple[Source, Source]]:
    """Each with the only one of the other side; of several, first by what is before the suffix as it is spelled, then
    by whole names in whatever case, and last as these are spelled."""
    if len(ones) == len(others) == 1:
        return [(ones[0], others[0])]
    found: list[tuple[Source, Source]] = []
    left = [(place, source) for place, sources in enumerate((ones, others)) for source in sources]
    for spelled in (_without_suffix, str.casefold, str):
        groups: dict[str, tuple[list[Source], list[Source]]] = defaultdict(lambda: ([], []))
        for place, source in left:
            groups[spelled(_below(source))][place].append(source)
        found += [(one[0], other[0]) for one, other in groups.values() if len(one) == len(other) == 1]
        paired = {id(source) for both in found for source in both}
        left = [(place, source) for place, source in left if id(source) not in paired]
    return found


def _below(source: Source) -> str:
    """Its path below `raw/` or `reference/`."""
    return str(PurePosixPath(*PurePosixPath(source.relative).parts[1:]))


def _without_suffix(path: str) -> str:
    stem, dot, suffix = path.rpartition(".")
    return stem if (dot + suffix).casefold() in SUFFIXES else path


def _patient(source: Source, reference: Source) -> str:
    """The patient of a pair: whom a header names, before what the name of a file may mean."""
    return (reference if source.source_format != reference.source_format == DICOM else source).patient


def _by_header(index: Index) -> Pairing | None:
    """DICOM pairs, or None where there is not one."""
    index, problems = _originals(index)
    by_uid = {source.uid: source for source in index.sources if source.uid}
    pairs: list[Pair] = []
    for source in index.sources:
        before = next((by_uid[uid] for uid in source.predecessors if uid in by_uid), None)
        if before is not None and before is not source:
            pairs.append(Pair(source=before, reference=source, patient=before.patient))
    taken = {id(part) for pair in pairs for part in (pair.source, pair.reference)}
    for same in _exposures(index, taken):
        raw = [source for source in same if source.intent == "FOR PROCESSING"]
        shown = [source for source in same if source.intent == "FOR PRESENTATION"]
        found = list(_together(raw, shown))
        pairs += [Pair(source=one, reference=other, patient=one.patient) for one, other in found]
        taken |= {id(source) for both in found for source in both}
        text = f"is one of {len(raw)} + {len(shown)} images of one view: which belong together is not clear."
        unclear = [one for one in raw if id(one) not in taken and any(_may_be_one(one, other) for other in shown)]
        unclear += [one for one in shown if id(one) not in taken and any(_may_be_one(one, other) for other in raw)]
        problems += [index.problem("ambiguous", text, source) for source in unclear]
    if not pairs:
        return None
    known = taken | {id(source) for source in index.sources if any(p.relative == source.relative for p in problems)}
    problems += [
        index.problem("unpaired", "has no partner.", source) for source in index.sources if id(source) not in known
    ]
    return _checked(pairs, index, Origin.DICOM, problems)


def _together(raw: Sequence[Source], shown: Sequence[Source]) -> Iterable[tuple[Source, Source]]:
    """Each of one view with the only one that it can belong to."""
    for one in raw:
        others = [other for other in shown if _may_be_one(one, other)]
        if len(others) == 1 and sum(_may_be_one(source, others[0]) for source in raw) == 1:
            yield one, others[0]


def _may_be_one(one: Source, other: Source) -> bool:
    """Whether nothing says that these are of two exposures."""
    said = [source.acquired.partition(" ") for source in (one, other)]
    return said[0][0] != said[1][0] or said[0][2] == said[1][2]


def _exposures(index: Index, taken: set[int]) -> Iterable[list[Source]]:
    groups: dict[str, list[Source]] = defaultdict(list)
    for source in index.sources:
        if source.exposure and id(source) not in taken:
            groups[source.exposure].append(source)
    return groups.values()


def _single(index: Index) -> Pairing:
    index, problems = _originals(index)
    pairs = [Pair(source=source, reference=None, patient=source.patient) for source in index.sources]
    return Pairing(pairs=tuple(pairs), origin=Origin.SINGLE, problems=tuple(problems))


def _originals(index: Index) -> tuple[Index, list[Problem]]:
    """The index without this program's results, each of which is a problem."""
    own = [source for source in index.sources if source.enhanced]
    originals = tuple(source for source in index.sources if not source.enhanced)
    return replace(index, sources=originals), [index.problem("own", OWN, source) for source in own]


def _checked(pairs: list[Pair], index: Index, origin: Origin, problems: list[Problem]) -> Pairing:
    """Without the pairs whose two images are not of one matrix."""
    kept = []
    for pair in pairs:
        assert pair.reference is not None
        one, other = (pair.source.rows, pair.source.columns), (pair.reference.rows, pair.reference.columns)
        if one == other:
            kept.append(pair)
        else:
            text = f"its matrix is {one[1]}×{one[0]}, its reference's {other[1]}×{other[0]}."
            problems.append(index.problem("matrix", text, pair.source))
    return Pairing(pairs=tuple(kept), origin=origin, problems=tuple(problems))


def _cell(row: dict[str, str | None], columns: tuple[str, ...]) -> str:
    lowered = {str(name).strip().lower(): value for name, value in row.items() if name}
    return next(((lowered[name] or "").strip() for name in columns if name in lowered), "")
