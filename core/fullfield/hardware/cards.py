"""Cards that a plan can be made for without having them: memory and compute capability as NVIDIA states them."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from fullfield.errors import UsageError

GIB = 2**30


@dataclass(frozen=True, kw_only=True)
class KnownCard:
    """`total_bytes`: of its memory; `capability`: compute capability, which decides what it can compute with."""

    title: str
    total_bytes: int
    capability: tuple[int, int]


def _cards(capability: tuple[int, int], **gibibytes: float) -> list[KnownCard]:
    return [
        KnownCard(title=name.replace("_", " "), total_bytes=int(size * GIB), capability=capability)
        for name, size in gibibytes.items()
    ]


CARDS = (
    *_cards((6, 1), GTX_1050_Ti=4, GTX_1060=6, GTX_1070=8, GTX_1080=8, GTX_1080_Ti=11, Quadro_P2000=5, Quadro_P4000=8),
    *_cards((7, 0), V100=16),
    *_cards((7, 5), GTX_1650=4, GTX_1660=6, RTX_2060=6, RTX_2070=8, RTX_2080=8, RTX_2080_Ti=11, T4=16, T1000=4),
    *_cards((8, 0), A100=40),
    *_cards((8, 6), RTX_3050=8, RTX_3060=12, RTX_3070=8, RTX_3080=10, RTX_3090=24, A2000=6, A4000=16, A5000=24),
    *_cards((8, 9), RTX_4060=8, RTX_4070=12, RTX_4080=16, RTX_4090=24, L4=24),
    *_cards((9, 0), H100=80, H200=141),
    *_cards((12, 0), RTX_5060=8, RTX_5070=12, RTX_5080=16, RTX_5090=32),
)


def find(name: str) -> KnownCard:
    """The card of a name, whatever the case and with or without "NVIDIA" and "GeForce". Raises UsageError."""
    by_name = {_plain(card.title): card for card in CARDS}
    plain = _plain(name)
    if plain not in by_name:
        near = difflib.get_close_matches(plain, by_name, n=1)
        hint = f"Did you mean {by_name[near[0]].title!r}?" if near else "Give its memory instead: --gpu 8GiB."
        raise UsageError(f"The card {name[:60]!r} is not known.", hint=hint)
    return by_name[plain]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"nvidia|geforce|quadro", "", name.lower()))
