"""Images by patient, study and series: which group each belongs to, and what a group is called. No Qt's model.

Names of patients and dates of studies are patient data: they are told apart from neutral titles ("Patient 1"), which
are given in the order in which the groups turned up and stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from fullfield.image.header import Header
from fullfield_app.gui.widgets.label import clean

Key = tuple[str, ...]
OPENING: Key = ("opening",)
NOT_OPENED: Key = ("not opened",)
JOINT = " · "  # between the parts of a title
translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where an image belongs: `key` of its series (patient, study, series), and its header's texts for the three: name
    and ID of the patient, date of the study, what the series shows. `neutral`: of the series, without patient data.
    """

    key: Key
    texts: tuple[tuple[str, ...], ...] = field(default=((), (), ()), repr=False)
    neutral: str = ""


@dataclass(frozen=True, kw_only=True)
class Group:
    """A group of the tree: `parts` are the keys that its title is made of, `children` groups or indexes of images."""

    key: Key
    parts: tuple[Key, ...]
    children: tuple[Group | int, ...]


def placement_of(header: Header) -> Placement:
    """The patient, study and series of an image."""
    patient = header.patient
    who = tuple(clean(part) for part in (patient.name.replace("^", ", ").strip(", "), patient.id) if part)
    person = "\n".join(patient.identifiers()) or header.study_instance_uid
    subject = " ".join(part for part in (header.modality, header.body_part) if part)
    return Placement(
        key=(person, header.study_instance_uid, header.series_instance_uid),
        texts=(who, (_date(header.study_date),), (clean(subject),)),
        neutral=clean(subject),
    )


def arrange(indexes: Iterable[int], places: Mapping[int, Placement | Key]) -> tuple[Group | int, ...]:
    """The tree of images, groups in the order of their first image; a level with one group joins the next.

    An image whose place is a key belongs to that group: it has not been opened. What is being opened comes last.
    """
    patients: dict[str, dict[str, dict[str, list[int]]]] = {}
    others: dict[Key, list[int]] = {}
    for index in indexes:
        place = places[index]
        if isinstance(place, Placement):
            person, study, series = place.key
            patients.setdefault(person, {}).setdefault(study, {}).setdefault(series, []).append(index)
        else:
            others.setdefault(place, []).append(index)
    groups = [_patient(person, studies) for person, studies in patients.items()]
    groups += [Group(key=key, parts=(key,), children=tuple(items)) for key, items in others.items()]
    return tuple(sorted(groups, key=lambda group: (group.key == OPENING, _first(group))))


def _first(group: Group) -> int:
    """The image that came first of a group."""
    return min(child if isinstance(child, int) else _first(child) for child in group.children)


def _patient(person: str, studies: dict[str, dict[str, list[int]]]) -> Group:
    made = [_study((person, study), series) for study, series in studies.items()]
    if len(made) == 1:
        return Group(key=made[0].key, parts=((person,), *made[0].parts), children=made[0].children)
    return Group(key=(person,), parts=((person,),), children=tuple(made))


def _study(key: Key, series: dict[str, list[int]]) -> Group:
    made = [Group(key=(*key, uid), parts=((*key, uid),), children=tuple(items)) for uid, items in series.items()]
    if len(made) == 1:
        return Group(key=made[0].key, parts=(key, *made[0].parts), children=made[0].children)
    return Group(key=key, parts=(key,), children=tuple(made))


class Titles:
    """What groups are called. A patient, study or series keeps its number as long as the list lasts."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._texts: dict[Key, tuple[str, ...]] = {}
        self._neutral: dict[Key, str] = {}

    def learn(self, place: Placement) -> None:
        """An image has turned up."""
        for depth, text in enumerate(place.texts, 1):
            key = place.key[:depth]
            siblings = sum(1 for other in self._numbers if len(other) == depth and other[:-1] == key[:-1])
            self._numbers.setdefault(key, siblings + 1)
            self._texts.setdefault(key, text)
        self._neutral.setdefault(place.key, place.neutral)

    def known(self, place: Placement) -> str:
        """All by which an image can be found: its patient's name, ID and number, date and subject."""
        texts = (text for part in place.texts for text in part)
        number = self._numbers.get(place.key[:1])
        return " ".join((*texts, place.neutral, _numbered(number) if number and any(place.key) else ""))

    def say(self, group: Group, *, names: bool) -> str:
        """The title of a group; `names`: with patient data."""
        return JOINT.join(self.parts(group, names=names))

    def parts(self, group: Group, *, names: bool) -> tuple[str, ...]:
        """What the title is joined of: who (name, then ID), when and what, as far as one group is all of them."""
        if group.key == OPENING:
            return (translate("grouping", "Opening…"),)
        if group.key == NOT_OPENED:
            return (translate("grouping", "Not opened"),)
        if not any(group.key):
            return (translate("grouping", "Without patient data"),)
        first, *merged = group.parts
        found = (*self._part(first, names=names), *(text for key in merged for text in self._short(key, names=names)))
        return tuple(filter(None, found))

    def _part(self, key: Key, *, names: bool) -> tuple[str, ...]:
        """A level that has others beside it: its number, or the texts that tell it from them."""
        texts = self._short(key, names=names)
        text = "".join(texts[:1])
        if len(key) == 1:
            return texts or (_numbered(self._numbers[key]),)
        if len(key) == 2:
            return (translate("grouping", "Study {number}").format(number=text or self._numbers[key]),)
        word = translate("grouping", "Series {number}").format(number=self._numbers[key])
        return (f"{word}, {text}" if text else word,)

    def _short(self, key: Key, *, names: bool) -> tuple[str, ...]:
        """What is known of a level; of an only one no number is needed."""
        if len(key) == 3:
            return (self._neutral.get(key, ""),)
        return self._texts.get(key, ()) if names else ()


def _numbered(number: int) -> str:
    return translate("grouping", "Patient {number}").format(number=number)


def _date(text: str) -> str:
    """A DICOM date with its month as a word, so that nobody takes it for the day; empty where it is none."""
    return QLocale().toString(QDate.fromString(text, "yyyyMMdd"), "d MMM yyyy")
