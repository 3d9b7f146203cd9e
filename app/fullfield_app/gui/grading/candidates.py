"""The images of the list that can be graded, what their two versions can be, and the pairs this makes. No widget."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from fullfield.enhance.methods import find_offers
from fullfield.grading import criteria
from fullfield.grading.study import HASH_LENGTH, Pair
from fullfield.image import cache
from fullfield.image.method import MODEL_SUFFIX, Method
from fullfield.inputs.files import InputFile
from fullfield_app.gui.queue.row import Result, Row
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core
from fullfield_app.gui.widgets.label import clean

AUTOMATIC, ORIGINAL, LISTED = "auto", ":original", ":listed"
_TITLES = {
    ORIGINAL: QT_TRANSLATE_NOOP("grading", "Original"),
    LISTED: QT_TRANSLATE_NOOP("grading", "As enhanced in the list"),
    AUTOMATIC: QT_TRANSLATE_NOOP("grading", "Automatic"),
}
translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An image. `position`: in the list, from 1; `image`: the beginning of its content's hash; `decoded`: its folder in
    the cache, which may be gone by now; `result`: as it is enhanced in the list; `part`: the key of the criteria that
    suit it; `pixel_size`: see `Image`."""

    item: InputFile
    name: str
    position: int
    image: str
    decoded: Path
    result: Result | None
    part: str
    pixel_size: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class Version:
    """What one side of every pair can be: `ORIGINAL`, `LISTED`, or the choice of a method."""

    key: str
    title: str


def identify(rows: Sequence[Row]) -> tuple[Candidate, ...]:
    """Those of `rows` (all of the list) that are decoded; reads their headers, so it is a background task's."""
    found = []
    for position, row in enumerate(rows, 1):
        if row.decoded is None:
            continue
        result = row.result if row.exportable else None
        with contextlib.suppress(OSError, ValueError, KeyError):  # no longer in the cache: it is not offered
            found.append(candidate(row.item, name=row.name, position=position, decoded=row.decoded, result=result))
    return tuple(found)


def candidate(item: InputFile, *, name: str, position: int, decoded: Path, result: Result | None = None) -> Candidate:
    """An image that lies in the cache. Reads its header. Raises OSError, ValueError or KeyError where it does not."""
    found = cache.load(decoded)
    header = found.header
    return Candidate(
        item=item,
        name=name,
        position=position,
        image=header.sha256[:HASH_LENGTH],
        decoded=decoded,
        result=result,
        part=criteria.fitting(**header.subject),
        pixel_size=found.image.pixel_size,
    )


def versions() -> tuple[Version, ...]:
    """All that can be compared: reads the presets and models, so it is a background task's."""
    plain = [Version(key=key, title=translate("grading", title)) for key, title in _TITLES.items()]
    offered = [Version(key=offer.key, title=clean(say_core(offer.title))) for offer in find_offers()]
    return (*plain, *offered)


def pairs(candidates: Iterable[Candidate], reference: str, test: str) -> tuple[Pair, ...]:
    """A pair of each image that has both versions, and has them different; each content once."""
    found: dict[str, Pair] = {}
    for one in candidates:
        if one.result is None and LISTED in (reference, test):
            continue
        made = (_method(one, reference), _method(one, test))
        if made[0] != made[1]:
            pair = Pair(image=one.image, position=one.position, reference=made[0], test=made[1])
            found.setdefault(one.image, pair)
    return tuple(found.values())


def title_of(method: Method | None, offered: Sequence[Version]) -> str:
    """A method in words."""
    if method is None:
        return translate("grading", _TITLES[ORIGINAL])
    known = {version.key: version.title for version in offered}
    choice = method.choice
    title = known.get(choice, clean(Path(choice).stem) if choice.endswith(MODEL_SUFFIX) else clean(choice))
    return translate("grading", "{title}, changed").format(title=title) if method.changes else title


def _method(one: Candidate, key: str) -> Method | None:
    if key == ORIGINAL:
        return None
    if key == LISTED and one.result is not None:
        return one.result.method
    return Method(choice=key)
