"""What a new model is worth beside the model that it began from and the presets: figures, and a verdict in words.

They are of patients on whom nobody learned and by whom nothing was chosen. The test is the sign test: one-sided, exact,
and ties count against the new model (Dixon & Mood, The statistical sign test, JASA 41, 1946). It is offered for use
where it is better than each of the others with p < 0.05, on ten patients or more, and signals are seen no less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

LEAST = 10
"""Patients: with fewer, even a model that is better on nine in ten is so by chance too often."""
LEVEL = 0.05
BEFORE, PRESET = "before", "preset"
REASONS = 3
"""Why images were left out: as many are told."""
NOT_LOWER = 0.995
"""Of a ratio of d′ that is told with two digits: what counts as 1."""

_NAMES = {BEFORE: "the model that it began from", PRESET: "the preset"}


@dataclass(frozen=True, kw_only=True)
class Losses:
    """One patient's: 100·(1 − MS-SSIM) of each method's results, the mean over the patient's images. `before`: of the
    model that the training began from, None where there was none. `parts`: of the body, keys of presets."""

    new: float
    preset: float
    before: float | None = None
    images: int = 1
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Signals put into the latent of scenes, the new model over another method (`over`): how many count, and the median
    ratio of d′. Of those, `lost`, `lost_there`: which the new model, and the other, show with less than 0.9 of the d′
    that they have in the source; `inverted`, `inverted_there`: with the other sign, bright where they are dark."""

    over: str
    signals: int
    median: float
    lost: int
    lost_there: int
    inverted: int = 0
    inverted_there: int = 0

    @property
    def lower(self) -> bool:
        """Whether the new model shows less."""
        return self.median < NOT_LOWER or self.lost > self.lost_there

    @property
    def turned(self) -> bool:
        """Whether the new model shows more of them inverted."""
        return self.inverted > self.inverted_there


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """`before`: the name of the model that the training began from, `before_sha256` its file's; "": there was none.
    `apart`: how many patients were kept apart, of whom some may have no image that every method could take; 0: unknown.
    `left_out`: images kept apart that some method could not take; `left_out_why`: the reasons, sentences, the commonest
    first, no more than `REASONS`."""

    patients: tuple[Losses, ...]
    seen: tuple[Seen, ...]
    before: str = ""
    before_sha256: str = ""
    apart: int = 0
    left_out: int = 0
    left_out_why: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """What the new model has to beat."""
        return (BEFORE, PRESET) if self.before else (PRESET,)

    @property
    def parts(self) -> tuple[str, ...]:
        """Of the body, on most of whose patients the new model is better than each of the others."""
        shown = {part for one in self.patients for part in one.parts}
        return tuple(sorted(part for part in shown if self._is_better_on(part)))

    def _is_better_on(self, part: str) -> bool:
        own = [one for one in self.patients if part in one.parts]
        return all(2 * sum(one.new < getattr(one, other) for one in own) > len(own) for other in self.others)

    def better(self, other: str) -> int:
        """On how many patients the new model's loss is lower."""
        return sum(one.new < getattr(one, other) for one in self.patients)

    def p(self, other: str) -> float:
        """Of the sign test: how often chance alone gives as many."""
        return sign_test(self.better(other), len(self.patients))

    @property
    def objections(self) -> tuple[str, ...]:
        """Why it is not offered, in sentences; empty: it is."""
        count, found = len(self.patients), []
        if count < LEAST:
            found.append(
                f"Only {count} patients who were kept apart could be compared, and {LEAST} are needed: add reviewed "
                "images of other patients."
            )
        for other in self.others if count else ():  # of none there is nothing to test
            if self.p(other) >= LEVEL:
                found.append(
                    f"It is better than {_NAMES[other]} on {self.better(other)} of {count} patients, which chance "
                    f"alone may give (sign test, p = {self.p(other):.2g})."
                )
        if not self.seen:
            found.append("Whether signals are seen with it as well as before could not be measured.")
        for one in self.seen:
            if one.lower:
                found.append(
                    f"Less is seen with it than with {_NAMES[one.over]}: the median d′ of {one.signals} signals is "
                    f"{one.median:.2f} times as high, and {one.lost} of them lose a tenth of what the source shows, "
                    f"where {one.lost_there} did."
                )
            if one.turned:
                found.append(
                    f"More is shown inverted with it than with {_NAMES[one.over]}: {one.inverted} of {one.signals} "
                    f"signals, where {one.inverted_there} were."
                )
        return tuple(found)

    @property
    def offered(self) -> bool:
        """Whether it may be offered for use."""
        return not self.objections

    @property
    def verdict(self) -> str:
        """In sentences."""
        objections = self.objections
        if objections:
            return " ".join(("The new model is not offered for use.", *objections, *self._left_out))
        said = [f"The new model is offered for use, judged by {len(self.patients)} patients on whom nobody learned."]
        for other in self.others:
            said.append(
                f"It is better than {_NAMES[other]} on {self.better(other)} of them "
                f"(sign test, p = {self.p(other):.2g})."
            )
        for one in self.seen:
            said.append(
                f"No less is seen with it than with {_NAMES[one.over]}: the median d′ of {one.signals} signals is "
                f"{one.median:.2f} times as high."
            )
        if not self.before:
            said.append("There was no model to begin from, so that it was held against presets alone.")
        return " ".join((*said, *self._left_out))

    @property
    def _left_out(self) -> tuple[str, ...]:
        """What was not compared and why, in sentences; empty: all was."""
        if not self.left_out:
            return ()
        count = f"Images kept apart that not every method could take, and that were left out: {self.left_out}."
        return count, *self.left_out_why


def sign_test(better: int, of: int) -> float:
    """The chance of at least so many heads of so many coins."""
    return float(sum(math.comb(of, heads) for heads in range(better, of + 1)) / 2**of)


__all__ = ["BEFORE", "LEAST", "LEVEL", "PRESET", "REASONS", "Comparison", "Losses", "Seen", "sign_test"]
