"""Training and validation part, by patient, from a seed: the same data and seed give the same parts on every machine.

A third part is kept apart where a model is to be held against others: the validation part chooses the epoch, so that it
cannot judge what was chosen.

A patient is named by the content of the images, not by an identifier: hashes of short identifiers could be undone.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from fullfield.errors import InputRefused


@dataclass(frozen=True, kw_only=True)
class Split:
    """The keys of the parts, each sorted. No patient is in two of them. `apart`: nothing is learned or chosen by it."""

    training: tuple[str, ...]
    validation: tuple[str, ...]
    apart: tuple[str, ...] = ()


def by_patient(images: Iterable[tuple[str, str]], *, fraction: float, seed: int) -> Split:
    """Part (key, patient) pairs: about `fraction` of the images to validation, at least one on either side.

    Patients are taken in an order that the seed decides, each whole, as long as they fit: 60 images of 60 patients
    at 0.2 become 48 and 12. Raises InputRefused where there are fewer than two patients.
    """
    of_patient = _grouped(images)
    if len(of_patient) < 2:
        raise InputRefused(
            "Cannot split the data into a training and a validation part.",
            detail=f"There are {sum(map(len, of_patient.values()))} images of {len(of_patient)} patients.",
            hint="Training needs images of at least two patients; a patient is the header's Patient ID, or a folder "
            "called patient and a number, or just a long number where names below it only count, or else the first "
            "part of the file's name.",
        )
    groups = sorted((sorted(keys) for keys in of_patient.values()), key=lambda keys: _order(keys, seed))
    wanted = max(1, round(fraction * sum(map(len, groups))))
    validation: list[str] = []
    for keys in groups[:-1]:  # the last is training's, whatever its size
        if len(validation) + len(keys) <= wanted:
            validation += keys
    if not validation:  # every patient is larger than the wanted part: the smallest goes
        validation = min(groups, key=len)
    held = set(validation)
    training = [key for keys in groups for key in keys if key not in held]
    return Split(training=tuple(sorted(training)), validation=tuple(sorted(validation)))


def with_some_apart(
    images: Iterable[tuple[str, str]], *, fraction: float, seed: int, patients: int, seen: Collection[str] = ()
) -> Split:
    """Likewise, with so many patients apart, or half of them where there are fewer than twice as many; at least one.
    `seen`: keys of images that the first weights have learned from, whose patients stay in the other two parts.

    Raises InputRefused where there are too few patients for three parts.
    """
    of_patient = _grouped(images)
    if len(of_patient) < 3:
        raise InputRefused(
            "Cannot keep images apart on which the model could be judged.",
            detail=f"There are {sum(map(len, of_patient.values()))} images of {len(of_patient)} patients.",
            hint="Holding a model against others takes images of at least three patients: add images of others, "
            "or train without --compare.",
        )
    known = set(seen)
    unseen = [patient for patient, keys in of_patient.items() if not known & set(keys)]
    unseen.sort(key=lambda patient: _order(sorted(of_patient[patient]), seed))
    chosen = set(unseen[: min(patients, len(of_patient) // 2)])
    if not chosen:
        raise InputRefused(
            "Cannot keep images apart on which the model could be judged.",
            detail=f"There are {len(of_patient)} patients, and {len(unseen)} of them are new to the first weights.",
            hint="Add images of other patients, or train without --compare.",
        )
    rest = [(key, patient) for patient, keys in of_patient.items() if patient not in chosen for key in keys]
    parted = by_patient(rest, fraction=fraction, seed=seed)
    return replace(parted, apart=tuple(sorted(key for patient in chosen for key in of_patient[patient])))


def _grouped(images: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The keys of each patient."""
    of_patient: dict[str, list[str]] = defaultdict(list)
    for key, patient in images:
        of_patient[patient].append(key)
    return of_patient


def _order(keys: list[str], seed: int) -> str:
    return hashlib.sha256("|".join([str(seed), *keys]).encode()).hexdigest()
