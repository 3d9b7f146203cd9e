"""A blind grading: order, sides, answers, and what they mean unblinded."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from fullfield import files
from fullfield.errors import CannotWrite, InputUnreadable
from fullfield.grading import store, study
from fullfield.grading.statistics import describe
from fullfield.grading.study import Answer, Pair, Study
from fullfield.image.method import Method

METHOD = Method(choice="chest", kind="processed", changes=(("detail.gain", 0.5), ("edges.gains", (0.1, 0.2, 0.3))))
CRITERIA = ("Nitidez «trabéculas»", "Overall")


def pairs(count: int) -> list[Pair]:
    return [Pair(image=f"{number:012x}", position=number + 1, reference=None, test=METHOD) for number in range(count)]


def begun(count: int = 6, seed: int = 1) -> Study:
    return study.new(pairs(count), CRITERIA, source="ours", reader="AB", seed=seed, started="2026-01-02 03:04")


def graded(begun: Study, prefer_test: int = 1) -> Study:
    """Every pair answered: the test image is `prefer_test` better on the first criterion, equal on the second."""
    for place, shown in enumerate(begun.order()):
        clicked = -prefer_test if shown.test_left else prefer_test
        begun = begun.with_answer(place, Answer(clicked=(clicked, 0), reference="original", test="preset chest 1.0.0"))
    return begun


@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_that_every_pair_is_shown_once_with_sides_in_balance(count: int) -> None:
    for seed in range(20):
        order = study.order(seed, count)
        assert sorted(place.pair for place in order) == list(range(count))
        assert abs(2 * sum(place.test_left for place in order) - count) <= 1


def test_that_order_and_sides_differ_from_seed_to_seed_and_stay_for_one() -> None:
    assert study.order(1, 40) == study.order(1, 40)
    orders = {tuple(place.pair for place in study.order(seed, 40)) for seed in range(10)}
    sides = {tuple(place.test_left for place in study.order(seed, 40)) for seed in range(10)}
    assert len(orders) == len(sides) == 10


def test_that_with_one_pair_either_side_occurs() -> None:
    assert {study.order(seed, 1)[0].test_left for seed in range(20)} == {True, False}


@pytest.mark.parametrize("preference", [-2, -1, 0, 1, 2])
def test_that_a_positive_score_means_the_test_image_was_better_on_whichever_side_it_was(preference: int) -> None:
    done = graded(begun(7), preference)
    assert {score.score for score in study.scores(done) if score.criterion == 0} == {preference}
    assert {score.test_left for score in study.scores(done)} == {True, False}
    assert [outcome.mean for outcome in study.outcomes(done)] == [preference, 0]


def test_that_a_pair_counts_as_answered_with_its_last_criterion() -> None:
    half = begun().with_answer(0, Answer(clicked=(1, None)))
    assert not half.answered(0) and half.done == 0 and half.first_open() == 0
    whole = half.with_answer(0, Answer(clicked=(1, 0)))
    assert whole.answered(0) and whole.done == 1 and whole.first_open() == 1 and not whole.finished
    assert graded(begun()).finished


def test_that_another_reader_sees_the_same_pairs_anew_and_the_first_one_s_answers_stay() -> None:
    second = graded(begun()).with_reader("CD", seed=9)
    assert second.done == 0 and second.order() != begun().order()
    done = graded(second, -1)
    by_reader = {(score.reader, score.score) for score in study.scores(done) if score.criterion == 0}
    assert by_reader == {(0, 1), (1, -1)}
    outcome = study.outcomes(done)[0]
    assert (outcome.n, outcome.equal, sum(outcome.counts)) == (6, 6, 12)


def test_that_a_paused_grading_goes_on_where_it_was() -> None:
    half = begun().with_answer(0, Answer(clicked=(1, None), test="preset chest 1.0.0"))
    path = store.free_path(half.started)
    store.save(half, path)
    assert store.load(path) == half
    assert store.kept() == (store.Kept(path=path, study=half),)


def test_that_a_grading_is_not_saved_over_what_another_window_has_made_of_it() -> None:
    first = begun()
    ours, theirs = (first.with_answer(0, Answer(clicked=(score, None))) for score in (1, 2))
    path = store.free_path(first.started)
    store.save(first, path)
    store.save(theirs, path, over=first)
    with pytest.raises(CannotWrite, match="Another window has changed it"):
        store.save(ours, path, over=first)
    assert store.load(path) == theirs


def test_that_a_second_grading_of_the_same_minute_has_its_own_file() -> None:
    first = store.free_path("2026-01-02 03:04")
    store.save(begun(), first)
    assert store.free_path("2026-01-02 03:04") not in (first, None)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:100],
        lambda text: text.replace('"version": 1', '"version": 99'),
        lambda text: text.replace('"choice": "chest"', '"chosen": "chest"'),
        lambda text: json.dumps({**json.loads(text), "pairs": []}),
        lambda text: "[]",
    ],
)
def test_that_a_damaged_file_is_told_and_costs_no_other(damage: Callable[[str], str]) -> None:
    good, bad = files.gradings_folder() / "1.json", files.gradings_folder() / "2.json"
    store.save(begun(), good)
    bad.write_text(damage(good.read_text()))
    with pytest.raises(InputUnreadable, match="damaged"):
        store.load(bad)
    assert [kept.path for kept in store.kept()] == [good]


def test_that_the_table_has_a_line_per_pair_criterion_and_reader() -> None:
    done = graded(graded(begun()).with_reader("", seed=9), -2)
    lines = list(csv.DictReader(store.table(done).splitlines()))
    assert len(lines) == 6 * 2 * 2 and tuple(lines[0]) == store.COLUMNS
    assert {line["reader"] for line in lines} == {"AB", "2"}
    for line in lines:
        clicked = int(line["clicked"])
        assert int(line["score"]) == (-clicked if line["test_side"] == "left" else clicked)
    assert {(line["reference"], line["test"]) for line in lines} == {("original", "preset chest 1.0.0")}
    assert {line["criterion"] for line in lines} == set(CRITERIA)


def test_that_the_table_does_not_say_where_a_model_lies() -> None:
    model = [replace(pair, test=Method(choice="/somebody/s/folder/knee-v2.safetensors")) for pair in pairs(1)]
    done = study.new(model, CRITERIA, source="", reader="", seed=1, started="2026-01-02 03:04")
    text = store.table(done.with_answer(0, Answer(clicked=(1, 1))))
    assert "knee-v2" in text and "folder" not in text


def test_that_the_statistics_have_a_line_per_criterion_and_say_nothing_of_too_few_pairs() -> None:
    many = describe("Noise", [[2], [1], [1], [2], [1], [1], [0], [-1]])
    enough, few, none = csv.DictReader(
        store.statistics((many, describe("Edges", [[1], [1]]), describe("Motion", []))).splitlines()
    )
    assert tuple(enough) == store.STATISTICS
    assert (enough["pairs"], enough["mean"], enough["better"], enough["worse"]) == ("8", "0.875", "6", "1")
    assert float(enough["mean_low"]) < 0.875 < float(enough["mean_high"]) and enough["answers_0"] == "1"
    assert many.p is not None and float(enough["p"]) == pytest.approx(many.p, rel=1e-5)
    assert (few["mean"], few["mean_low"], few["p"]) == ("1", "", "")
    assert (none["pairs"], none["mean"], none["share_better"]) == ("0", "", "")


def test_that_a_reader_or_a_criterion_is_no_formula_in_the_tables() -> None:
    done = graded(study.new(pairs(2), ("@SUM(A1)", "-1"), source="ours", reader="=cmd|'x'!A1", seed=1, started="now"))
    lines = list(csv.DictReader(store.table(done).splitlines()))
    assert {line["reader"] for line in lines} == {"'=cmd|'x'!A1"}
    assert {line["criterion"] for line in lines} == {"'@SUM(A1)", "-1"}
    assert "\n'@SUM(A1)," in store.statistics([describe("@SUM(A1)", [[1], [2]])])
