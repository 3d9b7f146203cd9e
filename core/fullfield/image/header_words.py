"""What the words of a header say of an image: which body parts they name, and of which species."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

_HUMAN = frozenset({"human", "homo", "sapiens", "homosapiens"})


def named(body_part: str) -> frozenset[str]:
    """`"C-SPINE lat."` → C, SPINE, LAT, CSPINE, SPINELAT: its words, and neighbours joined as PS3.16 writes them.

    With digits also without them: `"HAND2"` → HAND2, HAND.
    """
    letters = re.findall(r"[^\W\d_]+", body_part.upper())
    joined = {first + second for first, second in itertools.pairwise(letters)}
    return _words(body_part).union(letters, joined)


def names(words: frozenset[str], part: str) -> bool:
    """Whether such words name this body part, or this species: all words of it are among them."""
    return bool(_words(part)) and _words(part) <= words


def fits(kept: tuple[str, ...], species: str) -> bool:
    """Whether a preset that keeps such species is for this one; one that keeps a single animal is for it alone."""
    if any(not _is_animal(one) for one in kept) == _is_animal(species):
        return False
    return not _is_animal(species) or len(kept) != 1 or names(_words(species), kept[0])


def kept_species(species: str) -> str:
    """A Patient Species Description as a preset keeps it; empty means human."""
    return species.lower() if _is_animal(species) else "human"


def _is_animal(species: str) -> bool:
    found = set(re.findall(r"[a-z]+", species.lower()))
    return bool(found) and not found & _HUMAN


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.upper()))


__all__ = ["fits", "kept_species", "named", "names"]
