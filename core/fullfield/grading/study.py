"""A blind grading as a value: pairs, criteria, and each reader's answers in an order that only a seed knows.

No patient value: an image is the hash of its content and its place in the list from which it was chosen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fullfield.grading import statistics
from fullfield.grading.statistics import Outcome
from fullfield.image.method import Method

HASH_LENGTH = 12


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One image shown twice. `image`: the beginning of its content's SHA-256; `position`: in the list, from 1.

    `reference`, `test`: what each is enhanced with; None: it is the original.
    """

    image: str
    position: int
    reference: Method | None
    test: Method | None


@dataclass(frozen=True, kw_only=True)
class Place:
    """What is shown at one place of a reading: the pair of this number, its test image on the left or not."""

    pair: int
    test_left: bool


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answers to one pair as they were clicked: −2 left much better … +2 right much better, None: not yet.

    `reference`, `test`: how the two images were made, in words; `made_by`: the SHA-256 of the preset, or of the model's
    file, that made the test image, "" in gradings of versions that did not keep it.
    """

    clicked: tuple[int | None, ...]
    reference: str = ""
    test: str = ""
    made_by: str = ""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One reader's way through the pairs; `answers` by their place in it. `ended`: it is told which image was which."""

    reader: str
    seed: int
    answers: tuple[Answer, ...]
    ended: bool = False


@dataclass(frozen=True, kw_only=True)
class Study:
    """`started`: date and time, local, to the minute; `source`: where the criteria come from; `readings`: at least one,
    of which the last is the one that goes on."""

    started: str
    pairs: tuple[Pair, ...]
    criteria: tuple[str, ...]
    source: str
    readings: tuple[Reading, ...]

    @property
    def reading(self) -> Reading:
        """The one that goes on."""
        return self.readings[-1]

    def order(self) -> tuple[Place, ...]:
        """In which order, and on which sides, the reading that goes on shows the pairs."""
        return order(self.reading.seed, len(self.pairs))

    def answered(self, place: int) -> bool:
        """Every criterion is answered there."""
        return None not in self.reading.answers[place].clicked

    @property
    def done(self) -> int:
        """How many pairs are answered wholly."""
        return sum(self.answered(place) for place in range(len(self.pairs)))

    @property
    def finished(self) -> bool:
        """All of them are."""
        return self.done == len(self.pairs)

    def first_open(self) -> int:
        """Where to go on; 0 when all is answered."""
        return next((place for place in range(len(self.pairs)) if not self.answered(place)), 0)

    def with_answer(self, place: int, answer: Answer) -> Study:
        """The same with other answers to the pair at a place."""
        answers = list(self.reading.answers)
        answers[place] = answer
        return self._with(replace(self.reading, answers=tuple(answers)))

    def with_end(self) -> Study:
        """The same, unblinded: this reading takes no more answers."""
        return self._with(replace(self.reading, ended=True))

    def _with(self, reading: Reading) -> Study:
        return replace(self, readings=(*self.readings[:-1], reading))

    def with_reader(self, reader: str, seed: int) -> Study:
        """The same pairs once more, for another reader, in another order."""
        return replace(self, readings=(*self.readings, begin(reader, seed, self.pairs, self.criteria)))


@dataclass(frozen=True, kw_only=True)
class Score:
    """One answer unblinded: `score` is + where the test image was better; `clicked` as in `Answer`."""

    pair: int
    criterion: int
    reader: int
    place: int
    test_left: bool
    clicked: int
    score: int
    answer: Answer


def new(pairs: Sequence[Pair], criteria: Sequence[str], *, source: str, reader: str, seed: int, started: str) -> Study:
    """A grading that begins."""
    reading = begin(reader, seed, pairs, criteria)
    return Study(started=started, pairs=tuple(pairs), criteria=tuple(criteria), source=source, readings=(reading,))


def begin(reader: str, seed: int, pairs: Sequence[Pair], criteria: Sequence[str]) -> Reading:
    """A reading without answers."""
    empty = Answer(clicked=(None,) * len(criteria))
    return Reading(reader=reader, seed=seed, answers=(empty,) * len(pairs))


def order(seed: int, count: int) -> tuple[Place, ...]:
    """Every pair once, in random order; the test image on the left in half of them (the odd one by chance)."""
    chance = random.Random(seed)
    pairs = list(range(count))
    chance.shuffle(pairs)
    lefts = [number % 2 == 0 for number in range(count)]
    if count % 2 and chance.random() < 0.5:
        lefts = [not left for left in lefts]
    chance.shuffle(lefts)
    return tuple(Place(pair=pair, test_left=left) for pair, left in zip(pairs, lefts, strict=True))


def scores(study: Study) -> Iterator[Score]:
    """Every answer that was given, unblinded, by pair, criterion and reader."""
    found = []
    for number, reading in enumerate(study.readings):
        for place, shown in enumerate(order(reading.seed, len(study.pairs))):
            answer = reading.answers[place]
            for criterion, clicked in enumerate(answer.clicked):
                if clicked is not None:
                    found.append(
                        Score(
                            pair=shown.pair,
                            criterion=criterion,
                            reader=number,
                            place=place,
                            test_left=shown.test_left,
                            clicked=clicked,
                            score=-clicked if shown.test_left else clicked,
                            answer=answer,
                        )
                    )
    return iter(sorted(found, key=lambda score: (score.pair, score.criterion, score.reader)))


def outcomes(study: Study) -> tuple[Outcome, ...]:
    """What can be said of each criterion, over all readers."""
    given = list(scores(study))
    return tuple(
        statistics.describe(
            text,
            [
                [score.score for score in given if (score.pair, score.criterion) == (pair, criterion)]
                for pair in range(len(study.pairs))
            ],
        )
        for criterion, text in enumerate(study.criteria)
    )
