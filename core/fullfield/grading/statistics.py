"""What can be said of scores from −2 to +2, honestly for few pairs: exact tests, and a word where there are too few.

The unit is the pair: where several readers graded it, the mean of their scores, for they saw the same image.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SCORES = (-2, -1, 0, 1, 2)
LEVEL = 0.05
FEWEST = 6
"""Pairs that differ: with fewer, even if all favour one side, the Wilcoxon test cannot reach 0.05 (2·½⁵ = 0.0625)."""
ADVISABLE = 20
"""Pairs, from which on the outcome may decide what is used."""
RESAMPLES = 10_000
_SEED = 16260

Interval = tuple[float, float]
Values = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One criterion. `n`: pairs; `counts`: of all readers' scores, −2 … +2; + favours the second method of the session.

    `better`, `equal`, `worse`: pairs by the sign of their mean score. `mean_interval`: 95 %, bootstrap over pairs;
    `share_interval`: 95 %, Clopper-Pearson, of `better` among the pairs that differ. `p`: Wilcoxon signed-rank, exact,
    two-sided. None: too few pairs to say.
    """

    criterion: str
    n: int
    counts: tuple[int, ...]
    mean: float
    median: float
    better: int
    equal: int
    worse: int
    mean_interval: Interval | None
    share_interval: Interval | None
    p: float | None

    @property
    def decided(self) -> int:
        """Pairs with a preference: only those say something in the tests."""
        return self.better + self.worse

    @property
    def enough(self) -> bool:
        """There are enough of them for a test at 0.05."""
        return self.decided >= FEWEST


def describe(criterion: str, scores_by_pair: Sequence[Sequence[int]]) -> Outcome:
    """The outcome of one criterion; `scores_by_pair`: for each pair the scores of its readers, none where none."""
    graded = [scores for scores in scores_by_pair if scores]
    means = np.array([sum(scores) / len(scores) for scores in graded], dtype=np.float64)
    every = [score for scores in graded for score in scores]
    better, worse = int((means > 0).sum()), int((means < 0).sum())
    enough = better + worse >= FEWEST
    return Outcome(
        criterion=criterion,
        n=len(graded),
        counts=tuple(every.count(score) for score in SCORES),
        mean=float(means.mean()) if graded else math.nan,
        median=float(np.median(means)) if graded else math.nan,
        better=better,
        equal=len(graded) - better - worse,
        worse=worse,
        mean_interval=bootstrap(means) if enough else None,
        share_interval=clopper_pearson(better, better + worse) if enough else None,
        p=wilcoxon(means) if enough else None,
    )


def favoured(outcomes: Sequence[Outcome]) -> bool:
    """Whether the second method may take the first one's place: 20 pairs or more, better by at least one criterion and
    worse by none, where a criterion counts whose p is below the `limit`. Better: in its mean and in more pairs, for
    in the mean alone a few pairs that are much better outweigh many that are worse."""
    if not outcomes or min(outcome.n for outcome in outcomes) < ADVISABLE:
        return False
    sure = [outcome for outcome in outcomes if outcome.p is not None and outcome.p < limit(outcomes)]
    return bool(sure) and all(outcome.mean > 0 and outcome.better > outcome.worse for outcome in sure)


def limit(outcomes: Sequence[Outcome]) -> float:
    """Below which a p holds for all of these together: 0.05 over the number that were tested (Bonferroni)."""
    return LEVEL / max(1, sum(outcome.enough for outcome in outcomes))


def wilcoxon(values: Sequence[float] | Values) -> float:
    """The two-sided p of the signed-rank test (Wilcoxon 1945), exact also with ties; zeros take no part.

    The distribution of the sum of positive ranks is built rank by rank, each of which is in it with probability ½;
    tied values share their mean rank. Ranks are counted double, so that they are whole.
    """
    given = np.round(np.asarray(values, dtype=np.float64), 9)  # means of readers: 1/3 is 1/3 whatever its last bit
    given = given[given != 0]
    if not given.size:
        return 1.0
    sizes = np.abs(given)
    ordered = np.sort(sizes)
    below = np.searchsorted(ordered, sizes, side="left")
    ranks = below + np.searchsorted(ordered, sizes, side="right") + 1
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1.0
    for rank in ranks.tolist():
        chances[rank:] = (chances[rank:] + chances[:-rank]) / 2
        chances[:rank] /= 2
    positive = int(ranks[given > 0].sum())
    lower, upper = float(chances[: positive + 1].sum()), float(chances[positive:].sum())
    return min(1.0, 2 * min(lower, upper))


def bootstrap(values: Values) -> Interval:
    """The 95 % percentile interval of the mean over pairs; the same for the same values."""
    generator = np.random.default_rng(_SEED)
    means = np.concatenate(
        [generator.choice(values, (RESAMPLES // 10, values.size)).mean(axis=1) for _ in range(10)]  # in parts: memory
    )
    low, high = np.percentile(means, [100 * LEVEL / 2, 100 * (1 - LEVEL / 2)])
    return float(low), float(high)


def clopper_pearson(hits: int, of: int) -> Interval:
    """The exact 95 % interval of a share (Clopper & Pearson 1934)."""
    low = 0.0 if hits == 0 else _solve(lambda share: 1 - _at_most(hits - 1, of, share) - LEVEL / 2)
    high = 1.0 if hits == of else _solve(lambda share: LEVEL / 2 - _at_most(hits, of, share))
    return low, high


def _at_most(hits: int, of: int, share: float) -> float:
    """The chance of at most so many hits; in logarithms, for the numbers of ways outgrow a float."""
    log_hit, log_miss = math.log(share), math.log1p(-share)
    ways = (math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) for k in range(hits + 1))
    return sum(math.exp(way + k * log_hit + (of - k) * log_miss) for k, way in enumerate(ways))


def _solve(rising: Callable[[float], float]) -> float:
    """Where a function that rises from below zero to above it, on 0 … 1, is zero: by halves."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
