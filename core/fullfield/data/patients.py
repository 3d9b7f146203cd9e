"""Whose image a file is, where no header says so: from its name and folder.

Two images of one patient must not part over training and validation, so when in doubt names are put together.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_PERSON = re.compile(r"^(?:patient|pat|subject|subj|sub|case|animal|p)[-_ ]?\d+$", re.IGNORECASE)
_VIEWS = frozenset(
    {
        "l",
        "r",
        "left",
        "right",
        "cc",
        "mlo",
        "ml",
        "lm",
        "lcc",
        "rcc",
        "lmlo",
        "rmlo",
        "ap",
        "pa",
        "lat",
        "ll",
        "vd",
        "dv",
    }
    | {"oblique", "obl", "frontal", "lateral", "front", "side", "view", "image", "img", "raw", "reference", "ref"}
    | {"processed", "for", "presentation", "processing"}
)
_NUMBER = re.compile(r"^\d{5,}$")  # of a patient, as a folder's name; fewer digits may be a size or a year
_COUNTED = re.compile(r"^(?:view|image|img|im|series|study|frame)?\d{1,4}$")
_VIEW = re.compile(r"^(?:view|image|img|series|study|frame)?\d{0,2}$", re.IGNORECASE)


def of_name(relative: str) -> str:
    """The group of the file `relative` (a path with `/` below the data's folder).

    A folder named like `patient0012` decides; else the name without its view and trailing count
    (`00001300_000` → `00001300`, `1_L_CC` → `1`); a name that is a view only (`L-CC`) belongs to its folder, one that
    only counts (`1`, `IMG_0002`) to a folder whose name is a long number (`4711082/1` → `4711082`).
    """
    path = PurePosixPath(relative)
    for folder in path.parts[:-1]:
        if _PERSON.match(folder):
            return folder.lower()
    parts = [part for part in re.split(r"[-_ .]+", path.stem.lower()) if part]
    kept = [part for part in parts if part not in _VIEWS and not part.startswith("view")]
    if len(kept) > 1 and re.fullmatch(r"\d{1,3}", kept[-1]):
        kept = kept[:-1]
    if not kept or (len(parts) > len(kept) and all(_VIEW.match(part) for part in kept) and not kept[0].isdigit()):
        return str(path.parent).lower()
    if all(_COUNTED.match(part) for part in kept):
        return next(filter(_NUMBER.match, reversed(path.parts[:-1])), "_".join(kept))
    return "_".join(kept)
