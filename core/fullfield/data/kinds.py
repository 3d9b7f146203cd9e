"""What a model is to be used on, and so what it learns from: raw images, processed ones, or both.

A processed image can be learned from as it is, and as a raw one that is simulated from it (`acquire`). A raw image is
raw alone: nothing here plays the display processing of a vendor.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy, which the command line's help can do without
    from fullfield.image.image import InputKind

AUTO, BOTH = "auto", "both"
RAW, PROCESSED = "raw", "processed"  # the values of InputKind
CHOICES = (AUTO, RAW, PROCESSED, BOTH)
ANY = "any"
"""What a card and a list of prepared pairs call the input of a model for both."""


def decided(use_on: str, found: Collection[InputKind]) -> str:
    """`use_on`, where it is "auto" by the kinds that are `found` among the images: a model then serves all of them."""
    if use_on != AUTO:
        return use_on
    return BOTH if len(set(found)) > 1 else str(next(iter(found), RAW))


def inputs(use_on: str, kind: InputKind) -> tuple[InputKind, ...]:
    """As which kinds of input an image of `kind` is learned from; `use_on` is decided. Empty: it is of no use."""
    from fullfield.image.image import InputKind

    wanted = {RAW: (InputKind.RAW,), PROCESSED: (InputKind.PROCESSED,), BOTH: tuple(InputKind)}[use_on]
    return tuple(one for one in wanted if kind is InputKind.PROCESSED or one is InputKind.RAW)
