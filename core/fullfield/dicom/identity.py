"""Who writes, and the UIDs of what is written.

UIDs are derived, not drawn: the same source enhanced by the same recipe into the same pixels is the same instance, so a
batch that is done again does not fill an archive with twins. What must be told apart by content is: files in the wild
share SOP Instance UIDs, so the hash of the source's content goes into the UID of what is made from it.
"""

from __future__ import annotations

import hashlib
import uuid

from fullfield import __version__
from fullfield.image.image import Recipe
from fullfield.image.values import Window

PRODUCT = "Fullfield"
VERSION = __version__
IMPLEMENTATION_CLASS_UID = "2.25.253557963951213457241157427555871206709"
IMPLEMENTATION_VERSION_NAME = f"FULLFIELD_{VERSION.partition('.dev')[0]}"[:16]


def derived_uid(purpose: str, *parts: str) -> str:
    """A UID under 2.25 (PS3.5 B.2) that depends on `purpose` and on every one of `parts`."""
    text = "\0".join((PRODUCT, purpose, *parts))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return f"2.25.{uuid.UUID(bytes=digest[:16], version=5).int}"


def series_uid(*, source_series: str, sop_class: str, recipe: Recipe) -> str:
    """One new series per series of the source, class of the output and recipe."""
    return derived_uid("series", source_series, sop_class, *_recipe(recipe))


def instance_uid(
    *, source_sha256: str, source_instance: str, pixels_sha256: str, recipe: Recipe, window: Window | None = None
) -> str:
    """One new instance per content of the source file, recipe and result, and per window that it was given."""
    shown = (f"{window.low:g} {window.high:g} {window.sigmoid}",) if window is not None else ()
    return derived_uid("instance", source_sha256, source_instance, pixels_sha256, *_recipe(recipe), *shown)


def _recipe(recipe: Recipe) -> tuple[str, ...]:
    return (VERSION, recipe.method, recipe.name, recipe.version, recipe.sha256, recipe.parameters)
