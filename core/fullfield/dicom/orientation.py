"""Patient Orientation (0020,0020): which directions of the body a picture's rows and columns run in."""

from __future__ import annotations

import re

from pydicom.dataset import Dataset

_BIPED = re.compile(r"[LRAPHF]{1,3}")
_QUADRUPED = re.compile(r"(?:LE|RT|D|V|CR|CD|R|M|L|PR|DI|PA|PL){1,3}")


def directions(dataset: Dataset) -> list[str]:
    """The direction of its rows and that of its columns, as PS3.3 C.7.6.1.1.1 writes them; empty where it does not.

    The letters are those of people unless Anatomical Orientation Type (0010,2210) is QUADRUPED: one direction, and up
    to two that refine it. "Not Defined" and other words of makers are no directions.
    """
    value = dataset.get("PatientOrientation") or ()
    found = [value] if isinstance(value, str) else [str(item) for item in value]
    rule = _QUADRUPED if dataset.get("AnatomicalOrientationType") == "QUADRUPED" else _BIPED
    return found if len(found) == 2 and all(map(rule.fullmatch, found)) else []
