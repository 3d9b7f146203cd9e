"""What can be said of scores: against textbooks and against enumeration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullfield.grading.statistics import FEWEST, Outcome, bootstrap, clopper_pearson, describe, favoured, wilcoxon


def enumerated(values: list[float]) -> float:
    """The two-sided p by trying every pattern of signs."""
    sizes = [abs(value) for value in values if value]
    ranks = [sum(other < size for other in sizes) + (sum(other == size for other in sizes) + 1) / 2 for size in sizes]
    seen = sum(rank for rank, value in zip(ranks, [value for value in values if value], strict=True) if value > 0)
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in itertools.product((False, True), repeat=len(ranks))
    ]
    lower, upper = sum(each <= seen for each in sums), sum(each >= seen for each in sums)
    return min(1.0, 2 * min(lower, upper) / len(sums))


def test_that_the_depression_scores_of_hollander_and_wolfe_give_their_p() -> None:
    first = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    second = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    assert wilcoxon(first - second) == pytest.approx(2 * 0.01953125)  # V = 40, one-sided 0.01953


@pytest.mark.parametrize("count", range(1, 12))
def test_that_agreement_of_all_pairs_is_as_rare_as_coins_say(count: int) -> None:
    assert wilcoxon([1.0] * count) == pytest.approx(min(1.0, 2 * 0.5**count))


def test_that_the_smallest_number_of_pairs_is_the_first_that_can_reach_the_level() -> None:
    assert wilcoxon([2.0] * FEWEST) < 0.05 <= wilcoxon([2.0] * (FEWEST - 1))


@settings(max_examples=60)
@given(st.lists(st.sampled_from([-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2]), min_size=1, max_size=10))
def test_that_the_exact_p_is_that_of_enumeration_with_ties_and_zeros(values: list[float]) -> None:
    assert wilcoxon(values) == pytest.approx(enumerated(values), abs=1e-12)


def test_that_only_zeros_say_nothing() -> None:
    assert wilcoxon([0, 0, 0]) == 1.0


def test_that_the_last_bit_of_a_mean_of_three_readers_makes_no_rank_of_its_own() -> None:
    third = [1 / 3, 0.1 + 0.7 / 3, 1 - 2 / 3, -1 / 3, 1 / 3, 1 / 3, 1 / 3]
    assert wilcoxon(third) == pytest.approx(enumerated([1, 1, 1, -1, 1, 1, 1]))


def test_that_many_pairs_give_the_normal_approximation_s_p() -> None:
    generator = np.random.default_rng(3)
    values = generator.normal(0.1, 1, 300)
    ranks = np.argsort(np.argsort(np.abs(values))) + 1
    positive, count = ranks[values > 0].sum(), 300
    mean, deviation = count * (count + 1) / 4, math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    z = (abs(positive - mean) - 0.5) / deviation
    assert wilcoxon(values) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.02)


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (8, 10, 0.4439, 0.9748),
        (10, 10, 0.6915, 1.0),
        (0, 10, 0.0, 0.3085),
        (5, 10, 0.1871, 0.8129),
        (81, 263, 0.2527, 0.3676),
    ],
)
def test_that_the_interval_of_a_share_is_clopper_and_pearson_s(hits: int, of: int, low: float, high: float) -> None:
    assert clopper_pearson(hits, of) == pytest.approx((low, high), abs=5e-5)


def test_that_thousands_of_pairs_are_no_trouble() -> None:
    low, high = clopper_pearson(1500, 2500)
    assert 0.58 < low < 0.6 < high < 0.62


def test_that_the_bootstrap_is_repeatable_and_near_the_normal_interval() -> None:
    values = np.random.default_rng(5).choice([-1.0, 0.0, 1.0, 2.0], 80)
    low, high = bootstrap(values)
    half = 1.96 * values.std() / math.sqrt(80)
    assert (low, high) == bootstrap(values)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03)


def test_that_an_outcome_counts_pairs_once_and_scores_by_reader() -> None:
    outcome = describe("Noise", [[2, 1], [1, -1], [-2, -1], [], [0, 1], [1, 1], [2, 2], [1, 2], [2, 1]])
    assert (outcome.n, outcome.better, outcome.equal, outcome.worse) == (8, 6, 1, 1)
    assert outcome.counts == (1, 2, 1, 7, 5)
    assert outcome.mean == pytest.approx(np.mean([1.5, 0, -1.5, 0.5, 1, 2, 1.5, 1.5]))
    assert outcome.median == 1.25 and outcome.decided == 7 and outcome.enough
    assert outcome.p == pytest.approx(wilcoxon([1.5, -1.5, 0.5, 1, 2, 1.5, 1.5]))


def test_that_too_few_pairs_that_differ_say_nothing() -> None:
    outcome = describe("Noise", [[2]] * 5 + [[0]] * 40)
    assert not outcome.enough
    assert (outcome.p, outcome.mean_interval, outcome.share_interval) == (None, None, None)
    assert outcome.mean == pytest.approx(10 / 45)


def test_that_no_answer_at_all_is_no_number() -> None:
    outcome = describe("Noise", [[], []])
    assert outcome.n == 0 and math.isnan(outcome.mean) and math.isnan(outcome.median)


def test_that_a_method_takes_the_others_place_by_twenty_pairs_that_favour_it_and_by_nothing_less() -> None:
    def outcomes(*scores: int, pairs: int = 20) -> tuple[Outcome, ...]:
        return tuple(describe("", [[score]] * pairs) for score in scores)

    assert favoured(outcomes(1, 0))
    assert not favoured(outcomes(1, 0, pairs=19))
    assert not favoured(outcomes(0, 0)) and not favoured(outcomes(1, -1))
    assert not favoured(())


def test_that_few_pairs_that_are_much_better_do_not_outweigh_many_that_are_worse() -> None:
    outcome = describe("", [(-1, 0, 0)] * 30 + [(2, 2, 2)] * 6)
    assert outcome.mean > 0 and outcome.p is not None and outcome.p < 0.05, "the ranks speak against it"
    assert not favoured([outcome])
