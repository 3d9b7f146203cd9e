"""The result of a grading in words: rows for a table, what they allow to say, and the text that lies beside the CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from fullfield import __version__
from fullfield.grading.statistics import FEWEST, SCORES, Interval, Outcome, limit
from fullfield.grading.study import Study
from fullfield_app.gui import numbers, texts
from fullfield_app.gui.grading.candidates import Version, title_of
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

translate = QCoreApplication.translate


def versions_of(study: Study, offered: Sequence[Version]) -> tuple[str, str]:
    """The two versions in words; where images were made in different ways, all of them."""
    reference, test = (
        " / ".join(dict.fromkeys(title_of(method, offered) for method in methods))
        for methods in ([pair.reference for pair in study.pairs], [pair.test for pair in study.pairs])
    )
    return reference, test


def headings() -> tuple[str, ...]:
    """Of the table."""
    return (
        translate("grading", "Criterion"),
        translate("grading", "Pairs"),
        translate("grading", "Mean (95 %)"),
        translate("grading", "Median"),
        translate("grading", "Better / equal / worse"),
        translate("grading", "p"),
    )


def row(outcome: Outcome) -> tuple[str, ...]:
    """A criterion as cells."""
    if not outcome.n:
        return (outcome.criterion, "0", "–", "–", "–", "–")
    mean = signed(outcome.mean)
    if outcome.mean_interval is not None:
        mean = f"{mean} ({_interval(outcome.mean_interval)})"
    shares = " / ".join(
        f"{count} ({numbers.percent(100 * count / outcome.n)})"
        for count in (outcome.better, outcome.equal, outcome.worse)
    )
    p = _p(outcome.p) if outcome.p is not None else translate("grading", "too few")
    return (outcome.criterion, str(outcome.n), mean, signed(outcome.median), shares, p)


def meaning(names: tuple[str, str]) -> str:
    """What a score's sign says."""
    return translate("grading", "A score above 0 means that “{test}” was better than “{reference}”.").format(
        reference=names[0], test=names[1]
    )


def caution(outcomes: Sequence[Outcome]) -> str:
    """What these numbers cannot say; empty where there is nothing to add."""
    few = [outcome for outcome in outcomes if not outcome.enough]
    parts = []
    if few:
        parts.append(
            translate(
                "grading",
                "Too few pairs differ in {few} of {count} criteria to say anything with a test: at least {fewest} are "
                "needed, and 20 or more are advisable.",
            ).format(few=len(few), count=len(outcomes), fewest=FEWEST)
        )
    tested = len(outcomes) - len(few)
    if tested > 1:  # the limit is told rounded down: what seems to be below it, is
        parts.append(
            translate(
                "grading",
                "{count} criteria were tested: to hold for all together, a p should be below {level} (Bonferroni).",
            ).format(count=tested, level=numbers.plain(math.floor(limit(outcomes) * 1e4) / 1e4, 4))
        )
    return " ".join(parts)


def text(study: Study, outcomes: Sequence[Outcome], names: tuple[str, str]) -> str:
    """The whole result as a readable text."""
    lines = [
        translate("grading", "Blind grading of {date}").format(date=study.started),
        "",
        translate("grading", "First version: {name}").format(name=names[0]),
        translate("grading", "Second version: {name}").format(name=names[1]),
        translate("grading", "Pairs: {count}").format(count=len(study.pairs)),
        translate("grading", "Readers: {count}").format(count=len(study.readings)),
        translate("grading", "Criteria: {source}").format(source=study.source),
        meaning(names),
        "",
    ]
    for outcome in outcomes:
        lines += [*_criterion(outcome), ""]
    lines += [part for part in (caution(outcomes),) if part]
    lines += [translate("grading", _METHOD), "", texts.not_a_medical_device(), f"Fullfield {__version__}"]
    return "\n".join(lines) + "\n"


def _criterion(outcome: Outcome) -> list[str]:
    if not outcome.n:
        return [outcome.criterion, "  " + translate("grading", "No answer.")]
    _, pairs, mean, median, shares, p = row(outcome)
    scores = ", ".join(f"{signed(score, 0)}: {count}" for score, count in zip(SCORES, outcome.counts, strict=True))
    lines = [
        outcome.criterion,
        "  "
        + translate("grading", "pairs {pairs}; mean {mean}; median {median}").format(
            pairs=pairs, mean=mean, median=median
        ),
        "  " + translate("grading", "answers {scores}").format(scores=scores),
        "  " + translate("grading", "better / equal / worse: {shares}").format(shares=shares),
    ]
    if outcome.p is None or outcome.share_interval is None:
        one = translate("grading", "1 pair differs: too few for a test.")
        many = translate("grading", "{count} pairs differ: too few for a test.").format(count=outcome.decided)
        return [*lines, "  " + (one if outcome.decided == 1 else many)]
    share = tuple(100 * end for end in outcome.share_interval)
    return [
        *lines,
        "  "
        + translate(
            "grading", "second version preferred in {hits} of {count} pairs that differ (95 %: {low} to {high})"
        ).format(
            hits=outcome.better, count=outcome.decided, low=numbers.percent(share[0]), high=numbers.percent(share[1])
        ),
        "  " + translate("grading", "Wilcoxon signed-rank test, exact, two-sided: p = {p}").format(p=p),
    ]


def signed(value: float, decimals: int = 2) -> str:
    """With its sign, a real minus."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + numbers.plain(abs(value), decimals)


def _interval(ends: Interval) -> str:
    return translate("grading", "{low} to {high}").format(low=signed(ends[0]), high=signed(ends[1]))


def _p(value: float) -> str:
    """With the digits of the limit where it may be near one."""
    return numbers.plain(value, 4 if value < 0.1 else 3) if value >= 0.001 else f"< {numbers.plain(0.001, 3)}"


_METHOD = QT_TRANSLATE_NOOP(
    "grading",
    "Each pair counts once: where several readers graded it, with the mean of their scores. Intervals of means are "
    "percentiles of 10,000 bootstrap samples, those of shares are Clopper and Pearson's. Pairs with the score 0 take "
    "no part in the test.",
)
