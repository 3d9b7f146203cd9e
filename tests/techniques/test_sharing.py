"""What several processes share where nobody says it: planned, trained and looked at before a start by one rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.distribution.team import Team
from fullfield.errors import UsageError
from fullfield.plan import predicting
from fullfield.plan import spec as specs
from fullfield.plan.question import Question
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Notice
from fullfield.techniques import compose, sharing
from fullfield.techniques.site import Several
from fullfield.train import shared
from train.ranks import RankContext

ROWS, IMAGES = ("banded_loss", "spatial"), ("banded_loss", "data_parallel")
OWN_CARDS = Several(ranks=2, batch=1, network="resnet34", listed=2)


def question(**changes: object) -> Question:
    given = {"height": 192, "width": 192, "techniques": ("banded_loss",), **changes}
    return Question(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("device", "batch", "ranks", "wanted"),
    [
        ("cuda:0,cuda:1", 1, 2, ROWS),
        ("cuda:0,cuda:1", 2, 2, IMAGES),
        ("cuda:0,cuda:1,cuda:2", 2, 3, ROWS),
        ("cuda:0,cuda:1", 1, 1, ("banded_loss",)),
        ("cuda:0,cpu", 2, 2, IMAGES),
        ("auto", 3, 3, IMAGES),
    ],
)
def test_that_a_training_and_its_plan_share_the_same(
    device: str, batch: int, ranks: int, wanted: tuple[str, ...]
) -> None:
    assert specs.shared(TrainSpec(data="-", device=device, batch=batch), ranks) == wanted
    named = question(device=device, batch=batch, processes=ranks).named
    assert list(map(str, named)) == list(map(str, compose.read(wanted)))


@pytest.mark.parametrize("device", ["cuda:0,cpu", "cuda:0,cuda:0", "auto", "cuda:0", "cpu"])
def test_that_a_plan_refuses_fewer_images_than_processes_as_a_training_does(device: str) -> None:
    for asked in (
        lambda: specs.shared(TrainSpec(data="-", device=device), 2),
        lambda: question(device=device, processes=2).named,
        lambda: question(device=device, processes=2, techniques=IMAGES).named,
    ):
        with pytest.raises(
            UsageError, match=r"2 processes.*fewer images in a batch \(1\).*--techniques banded_loss spatial"
        ):
            asked()


@pytest.mark.parametrize(("portions", "least"), [("1+1", 2), ("3+1", 4), ("7+1", 8), ("1+7", 7), ("5+1+1", 7)])
def test_that_portions_by_which_a_process_has_no_image_of_a_batch_are_refused_with_what_would_do(
    portions: str, least: int
) -> None:
    named, ranks = compose.read([f"data_parallel:portions={portions}"]), portions.count("+") + 1
    with pytest.raises(UsageError, match=f"Choose --batch {least} or more"):
        sharing.refuse_idle(named, Several(ranks=ranks, batch=least - 1, network="resnet34"))
    sharing.refuse_idle(named, Several(ranks=ranks, batch=least, network="resnet34"))
    given = Team(0, ranks).portioned(tuple(map(int, portions.split("+"))))
    assert 0 in given.counts(least - 1) and 0 not in given.counts(least)


def test_that_cards_that_need_not_be_here_share_as_if_they_were() -> None:
    alone, two = (question(cards="GTX 1650 x2", batch=batch).named for batch in (1, 2))
    assert {*map(str, alone)} == {*ROWS} and {*map(str, two)} == {*IMAGES}
    with pytest.raises(UsageError, match="fewer images"):
        _ = question(cards="GTX 1650, cpu").named


def test_that_several_computers_do_not_share_rows_unasked() -> None:
    with pytest.raises(UsageError, match="fewer machines"):
        specs.shared(TrainSpec(data="-", device="cuda:0,cuda:1"), 4, computers=2)
    with pytest.raises(UsageError, match="fewer images"):
        _ = question(device="cuda:0,cuda:1", processes=2, nodes=(Computer(name="a"), Computer(name="b"))).named
    with pytest.raises(UsageError, match="fewer images"):
        _ = question(cards="GTX 1650 x2", link="1GbE").named


def test_that_cards_of_one_other_computer_share_as_those_of_this_one() -> None:
    assert specs.shared(TrainSpec(data="-", device="cuda:0,cuda:1"), 2, computers=1) == ROWS
    there = question(device="cuda:0,cuda:1", processes=2, nodes=(Computer(name="gpu"),)).named
    assert {*map(str, there)} == {*ROWS}
    assert {*map(str, question(cards="GTX 1650 x2", link="PCIe").named)} == {*ROWS}


def test_that_what_the_planner_was_told_to_deal_among_too_many_is_refused_with_the_reason() -> None:
    why = r"fewer images in a batch \(1\)"
    for device in ("cuda:0,cuda:1", "auto"):
        asked = TrainSpec(data="-", device=device, techniques=IMAGES, fit="auto")
        with pytest.raises(UsageError, match=why):
            specs.shared(asked, 2)
        assert specs.shared(replace(asked, batch=2), 4) == asked.techniques, "groups may share the rows of each"
        assert specs.shared(replace(asked, techniques=ROWS[:1]), 2) == ROWS[:1]
    with pytest.raises(UsageError, match=why):
        predicting.ladder(question(encoder="resnet18", cards="RTX 3070 x2", techniques=None, always=IMAGES))


def test_that_it_is_told_as_an_event_whoever_reads_it(tmp_path: Path) -> None:
    for spec, text in (
        (
            TrainSpec(data="-", device="cuda:0,cuda:1"),
            "2 processes share the rows of each image (spatial): a batch has fewer images than there are cards.",
        ),
        (TrainSpec(data="-", batch=2), "2 processes share the images of every batch (data_parallel)."),
    ):
        context = RankContext(tmp_path, Team(0, 2))
        found = shared.divided(spec, context, Team(0, 2))
        assert [one.text for one in context.reported(Notice)] == [text]
        assert len(found.techniques) == 2
        again = RankContext(tmp_path, Team(0, 2))
        assert shared.divided(found, again, Team(0, 2)) == found and not again.reported(Notice), "who said it knows"


def test_that_the_last_that_is_meant_is_taken_where_none_is_possible_and_says_why_where_it_is_refused() -> None:
    found = sharing.decided(("quantization",), replace(OWN_CARDS, batch=2))
    with pytest.raises(UsageError, match="data_parallel does not go with quantization"):
        compose.read(found)
    with pytest.raises(UsageError, match="fewer images"):
        sharing.decided((), OWN_CARDS)  # rows need the loss in bands


def test_that_a_network_that_cannot_share_rows_shares_images() -> None:
    small = replace(OWN_CARDS, network="map")
    assert sharing.decided(ROWS[:1], replace(small, batch=2)) == IMAGES
    with pytest.raises(UsageError, match="fewer images"):
        sharing.decided(ROWS[:1], small)


def test_that_only_what_can_be_is_advised_with_what_else_is_named() -> None:
    def hint(*techniques: str, network: str = "resnet34") -> str:
        with pytest.raises(UsageError) as refused:
            sharing.decided(techniques, Several(ranks=2, batch=1, network=network))
        return refused.value.hint

    assert "--techniques banded_loss ema spatial;" in hint("banded_loss", "ema")
    assert "--techniques banded_loss spatial;" in hint(*IMAGES)
    for one in ("checkpointing", "momentum", "compile"):
        assert hint("banded_loss", one) == "Choose --batch 2 or more, or fewer --processes."
    assert hint(network="map") == "Choose --batch 2 or more, or fewer --processes."


@pytest.mark.parametrize(
    ("batch", "why"), [(1, "fewer images in a batch (1)"), (2, "By the portions"), (3, "By the portions")]
)
def test_that_it_is_told_whether_images_or_portions_leave_a_process_without_an_image(batch: int, why: str) -> None:
    named = compose.read(["data_parallel:portions=3+1"])
    with pytest.raises(UsageError) as refused:
        sharing.refuse_idle(named, Several(ranks=2, batch=batch, network="resnet34"))
    assert why in refused.value.detail
