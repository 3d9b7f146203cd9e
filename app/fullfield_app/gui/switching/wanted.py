"""What is about to come into use for a part of the body, as another page asks for it; where images of it may lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fullfield.image.method import Method
from fullfield_app import recent
from fullfield_app.gui.switching.finder import Own

Images = Callable[[], Sequence[Path]]


def opened_last() -> list[Path]:
    """The files and folders that this user opened last, as far as a list of them is kept: reads it."""
    return [Path(text) for text in recent.load()]


@dataclass(frozen=True, kw_only=True)
class Switch:
    """`part`: of the body, a key. `now`, `new`: what is in use there, and what would be, in words. `model`: the file of
    the latter, None: it is the preset that fits. `use`: does it. `images`: where images of the user's own lie."""

    part: str
    now: str
    new: str
    model: Path | None
    use: Callable[[], object]
    images: Images = opened_last

    def methods(self, own: Own) -> tuple[Method, Method]:
        """What an image is enhanced with now, and what it would be."""
        return Method(), Method(choice=own.preset if self.model is None else str(self.model))
