"""Cards that a plan can be made for without having them: memory, capability and rates as NVIDIA states them.

The rates are peaks of ordinary arithmetic in fp32, at the usual clock, which no training reaches: they say how one card
stands to another, and its arithmetic to its memory.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from dataclasses import dataclass

from fullfield.errors import UsageError
from fullfield.units import format_bytes, parse_bytes

GIB = 2**30


@dataclass(frozen=True, kw_only=True)
class KnownCard:
    """`total_bytes`: of its memory; `capability`: compute capability, which decides what it can compute with.

    `rates`: FLOPs a second in fp32, and bytes a second between its memory and its units.
    """

    title: str
    total_bytes: int
    capability: tuple[int, int]
    rates: tuple[float, float]


def _cards(capability: tuple[int, int], **stated: tuple[float, float, float]) -> list[KnownCard]:
    """By name: GiB, TFLOP/s, GB/s."""
    return [
        KnownCard(
            title=name.replace("_", " "),
            total_bytes=int(size * GIB),
            capability=capability,
            rates=(teraflops * 1e12, gigabytes * 1e9),
        )
        for name, (size, teraflops, gigabytes) in stated.items()
    ]


MOST = 64  # that train together
UNNAMED_CAPABILITY = (8, 0)  # of a card of which only the memory is said
UNKNOWN_RATES = (10e12, 350e9)  # of a card that is not listed: a middling one of 2020
CARDS = (
    *_cards((6, 1), GTX_1050_Ti=(4, 2.1, 112), GTX_1060=(6, 4.4, 192), GTX_1070=(8, 6.5, 256), GTX_1080=(8, 8.9, 320)),
    *_cards((6, 1), GTX_1080_Ti=(11, 11.3, 484), Quadro_P2000=(5, 3.0, 140), Quadro_P4000=(8, 5.3, 243)),
    *_cards((7, 0), V100=(16, 15.7, 900)),
    *_cards((7, 5), GTX_1650=(4, 3.0, 128), GTX_1660=(6, 5.0, 192), RTX_2060=(6, 6.5, 336), RTX_2070=(8, 7.5, 448)),
    *_cards((7, 5), RTX_2080=(8, 10.1, 448), RTX_2080_Ti=(11, 13.4, 616), T4=(16, 8.1, 320), T1000=(4, 2.5, 160)),
    *_cards((8, 0), A100=(40, 19.5, 1555)),
    *_cards((8, 6), RTX_3050=(8, 9.1, 224), RTX_3060=(12, 12.7, 360), RTX_3070=(8, 20.3, 448)),
    *_cards((8, 6), RTX_3080=(10, 29.8, 760), RTX_3090=(24, 35.6, 936)),
    *_cards((8, 6), A2000=(6, 8.0, 288), A4000=(16, 19.2, 448), A5000=(24, 27.8, 768)),
    *_cards((8, 9), RTX_4060=(8, 15.1, 272), RTX_4070=(12, 29.1, 504), RTX_4080=(16, 48.7, 717)),
    *_cards((8, 9), RTX_4090=(24, 82.6, 1008), L4=(24, 30.3, 300)),
    *_cards((9, 0), H100=(80, 66.9, 3350), H200=(141, 66.9, 4800)),
    *_cards((12, 0), RTX_5060=(8, 19.2, 448), RTX_5070=(12, 30.9, 672), RTX_5080=(16, 56.3, 960)),
    *_cards((12, 0), RTX_5090=(32, 104.8, 1792)),
)

PROCESSOR = KnownCard(title="cpu", total_bytes=0, capability=(0, 0), rates=(0.0, 0.0))
"""In a list of cards: the CPU of this computer beside them."""


def find(name: str, instead: str = "--gpu 8GiB") -> KnownCard:
    """The card of a name, whatever the case and with or without "NVIDIA" and "GeForce"; or one of which only the memory
    is known, such as "8 GiB" (a plain number is of a name), taken for one from 2020 on. `instead`: how its memory is
    said where it was asked for. Raises UsageError."""
    if not name.strip().isdecimal():
        with contextlib.suppress(UsageError):
            size = parse_bytes(name)
            return KnownCard(
                title=f"a card with {format_bytes(size)}",
                total_bytes=size,
                capability=UNNAMED_CAPABILITY,
                rates=UNKNOWN_RATES,
            )
    by_name = {_plain(card.title): card for card in CARDS}
    plain = _plain(name)
    if plain not in by_name:
        if re.search(r",\s*[A-Za-z]|\sx\s*\d{1,9}\s*$", name):
            raise UsageError(
                f"Cannot plan for {name[:60]!r}.",
                detail="That is more than one card.",
                hint=f'Name several by --cards "{name[:60]}".',
            )
        numbered = [one for one in by_name if re.sub(r"\D", "", one) == plain]
        near = numbered or difflib.get_close_matches(plain, by_name, n=1)
        hint = f"Did you mean {by_name[near[0]].title!r}?" if near else f"Give its memory instead: {instead}."
        raise UsageError(f"The card {name[:60]!r} is not known.", hint=hint)
    return by_name[plain]


def several(text: str) -> list[KnownCard]:
    """Of "GTX 1650 x4, RTX 2070" or "RTX 2070, cpu": one for each. Raises UsageError."""
    found: list[KnownCard] = []
    count = 0
    for part in text.split(","):
        words = " ".join(part.split())  # on one line
        name, times, number = re.fullmatch(r"(.*?)( x *(\d{1,9}))?", words).groups()  # type: ignore[union-attr]
        card = PROCESSOR if name.lower() == "cpu" else find(name, f'--cards "8GiB{times or ""}"')
        found += [card] * min(int(number or 1), MOST)
        count += int(number or 1)
    if PROCESSOR in found[:-1] or found == [PROCESSOR]:
        raise UsageError(
            f"Cannot plan for {text[:60]!r}.",
            detail="The CPU is named once, and behind cards.",
            hint='Write for instance "RTX 2070, cpu".',
        )
    if not 1 <= count <= MOST:
        raise UsageError(f"Cannot plan for {count} cards.", hint=f"Name from 1 to {MOST} of them.")
    return found


def rates(title: str) -> tuple[float, float]:
    """Of the card that a driver calls `title`, such as "NVIDIA GeForce RTX 3060 Laptop GPU"; else `UNKNOWN_RATES`."""
    said = f" {_words(title)} "
    named = [card for card in CARDS if f" {_words(card.title)} " in said]
    return max(named, key=lambda card: len(card.title)).rates if named else UNKNOWN_RATES


def _words(name: str) -> str:
    return " ".join(re.split(r"[^a-z0-9]+", name.lower()))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"nvidia|geforce|quadro", "", name.lower()))
