"""What a training that shall fit is run by, the first time and when it is gone on with."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.distribution.team import ALONE
from fullfield.errors import OutOfMemory, UsageError
from fullfield.hardware import links
from fullfield.plan import predicting, where
from fullfield.plan import spec as specs
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Notice, PlanMade, RungTaken
from fullfield.protocol.plan import Plan, RankPlan
from fullfield.train import fit, shared
from fullfield.train.fit import Rung
from training import FakeContext, prepared_phantoms

ASKED = TrainSpec(data="images", fit="auto")
PLANNED = [
    Rung(spec=replace(ASKED, techniques=("banded_loss",)), peak_bytes=4 << 30, time_factor=1.0),
    Rung(spec=replace(ASKED, techniques=("banded_loss", "recompute")), peak_bytes=2 << 30, time_factor=1.4),
]


def test_that_a_training_that_is_gone_on_with_is_run_by_what_is_left_of_its_plan(tmp_path: Path) -> None:
    fit.keep(ASKED, PLANNED[1:], tmp_path)
    assert fit._planned(ASKED, tmp_path) == PLANNED[1:]


def test_that_another_question_or_a_damaged_note_is_planned_anew(tmp_path: Path) -> None:
    assert fit._planned(ASKED, tmp_path) == []
    fit.keep(ASKED, PLANNED, tmp_path)
    assert fit._planned(replace(ASKED, fit="4GiB"), tmp_path) == []
    (tmp_path / fit.PLAN).write_text("[1")
    assert fit._planned(ASKED, tmp_path) == []


@pytest.mark.parametrize(
    "other", [{"size": 1024}, {"batch": 8}, {"encoder": "mobilenet_v2"}, {"data": "others"}], ids=str
)
def test_that_another_training_in_a_folder_where_nothing_was_saved_is_planned_anew(
    other: dict[str, Any], tmp_path: Path
) -> None:
    fit.keep(ASKED, PLANNED, tmp_path)
    assert fit._planned(replace(ASKED, **other), tmp_path) == []
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "step-000000001.safetensors").touch()
    assert fit._planned(replace(ASKED, data="where they were moved to"), tmp_path), "it is gone on with as it was"


def test_that_a_plan_may_differ_from_what_was_asked_but_not_what_changes_the_numbers() -> None:
    assert specs.differences(ASKED, PLANNED[1].spec) == []
    assert specs.differences(replace(ASKED, techniques=("momentum",)), PLANNED[0].spec) == ["techniques"]
    assert specs.differences(TrainSpec(data="images"), TrainSpec(data="images", techniques=("recompute",)))


def test_that_a_rung_tells_what_it_costs_against_the_one_before() -> None:
    reported = fit.taken(OutOfMemory("Memory ran out.", detail="A step is too large."), PLANNED[0], PLANNED[1:], step=7)
    assert (reported.peak_bytes_before, reported.peak_bytes, reported.time_factor) == (4 << 30, 2 << 30, 1.4)
    assert (reported.techniques, reported.left, reported.step) == (["banded_loss", "recompute"], 0, 7)
    assert reported.text.startswith("Memory ran out.") and "from the last checkpoint" in reported.text


def test_that_a_note_of_an_earlier_version_has_no_figures_and_is_used(tmp_path: Path) -> None:
    fit.keep(ASKED, PLANNED, tmp_path)
    values = json.loads((tmp_path / fit.PLAN).read_text())
    del values["figures"]
    (tmp_path / fit.PLAN).write_text(json.dumps(values))
    assert [rung.spec for rung in fit._planned(ASKED, tmp_path)] == [rung.spec for rung in PLANNED]
    assert {rung.peak_bytes for rung in fit._planned(ASKED, tmp_path)} == {0}


def test_that_a_training_that_has_saved_something_is_planned_anew_by_what_it_ran_by(tmp_path: Path) -> None:
    assert fit._before(ASKED, tmp_path) is None
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "step-000000001.safetensors").touch()
    assert fit._before(ASKED, tmp_path) == ASKED.techniques
    fit.keep(ASKED, PLANNED[1:], tmp_path)
    assert fit._before(replace(ASKED, fit="1GiB"), tmp_path) == PLANNED[1].spec.techniques


@pytest.mark.parametrize(("note", "told"), [("[1", True), ('{"techniques": []}', True), (None, False)])
def test_that_a_training_whose_plan_is_damaged_says_that_it_may_go_on_by_other_techniques(
    note: str | None, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(question: Question) -> Ladder:
        raise UsageError("No plan fits this budget.")

    monkeypatch.setattr(predicting, "ladder", refuse)
    data, context = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=224), FakeContext(tmp_path / "run")
    (context.folder / "checkpoints").mkdir(parents=True)
    (context.folder / "checkpoints" / "step-000000001.safetensors").touch()
    if note is not None:
        (context.folder / fit.PLAN).write_text(note)
    with pytest.raises(UsageError):
        fit.rungs(ASKED, data, context)
    assert any("other techniques than before" in event.text for event in context.reported(Notice)) is told


@pytest.mark.parametrize(("asked_for", "budget"), [("", 0), ("auto", 0), ("4GiB", 4 << 30)])
def test_that_a_training_asks_one_question_and_says_that_it_trains_in_this_process(
    asked_for: str, budget: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[Question] = []

    def refuse(question: Question) -> Ladder:
        questions.append(question)
        raise UsageError("No plan fits this budget.")

    monkeypatch.setattr(predicting, "ladder", refuse)
    spec = TrainSpec(data="images", fit=asked_for, encoder="resnet18", techniques=("banded_loss", "recompute"))
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=224)
    context = FakeContext(tmp_path / "run")
    if asked_for:
        with pytest.raises(UsageError):
            fit.rungs(spec, data, context)
    else:
        assert fit.rungs(spec, data, context) == [Rung(spec=spec)], "who builds the network says why"
    (question,) = questions
    assert (question.height, question.width, question.budget, question.trains_here) == (192, 224, budget, True)
    assert question.always == spec.techniques
    with contextlib.suppress(UsageError):
        fit.rungs(replace(spec, batch=64), data, FakeContext(tmp_path / "larger"))
    assert questions[-1].batch == 2, "there are no more images"
    with contextlib.suppress(UsageError):
        fit.rungs(replace(spec, batch=64), data, FakeContext(tmp_path / "learning"), training=1)
    assert questions[-1].batch == 1, "there are no more to learn from"
    assert question.techniques == (None if asked_for else spec.techniques), "just these where nothing is to fit"


def test_that_what_was_planned_for_other_processes_is_planned_anew(tmp_path: Path) -> None:
    fit.keep(ASKED, PLANNED, tmp_path, ranks=2)
    assert fit._planned(ASKED, tmp_path, ranks=2) == PLANNED
    assert fit._planned(ASKED, tmp_path, ranks=1) == fit._planned(ASKED, tmp_path, ranks=3) == []


def test_that_every_number_of_processes_that_there_may_be_is_planned_for_before_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []

    def ladder(question: Question) -> Ladder:
        asked.append(question)
        if question.processes == 4:
            raise UsageError("No plan fits this budget.")
        techniques = ("banded_loss", "recompute") if question.processes == 1 else ("banded_loss", "data_parallel")
        plan = Plan(techniques=techniques, size=(192, 192), process_bytes=1 << 30, by_kind={}, peak_at="")
        return Ladder(plan=plan, next=(), refused=())

    monkeypatch.setattr(predicting, "ladder", ladder)
    together = ("banded_loss", "data_parallel:batch_norm=joint")
    spec = TrainSpec(data="images", fit="auto", batch=2, techniques=together)
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    context = FakeContext(tmp_path / "run")
    context.worlds = (1, 2)
    others = shared.others(spec, context, ALONE)
    alone = shared.divided(spec, context, ALONE)
    assert alone.techniques == ("banded_loss",) and others[2].techniques == spec.techniques
    (first,) = fit.rungs(alone, data, context, others=others)
    assert [(one.processes, one.always) for one in asked] == [(1, alone.techniques), (2, spec.techniques)]
    assert asked[1].before == first.spec.techniques, "what the optimizer remembers goes on"
    reported = [notice.text for notice in context.reported(Notice)]
    assert any(text.startswith("Of 2 processes: ") for text in reported)
    (later,) = fit.rungs(alone, data, context)
    (of_two,) = fit._planned(spec, context.folder, ranks=2)
    assert later == first and of_two.spec.techniques == ("banded_loss", "data_parallel") and len(asked) == 2
    with pytest.raises(UsageError, match=r"where it may come to 4 processes\. No plan fits"):
        fit.rungs(replace(alone, seed=1), data, FakeContext(tmp_path / "other"), others={4: spec})


def test_that_nodes_are_planned_for_by_what_each_has_and_by_the_link_that_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []

    def ladder(question: Question) -> Ladder:
        asked.append(question)
        held = tuple(RankPlan(name=f"{name}", process_bytes=3 << 30) for name in "ab"[: question.ranks])
        return Ladder(plan=Plan(size=(192, 192), process_bytes=3 << 30, devices=held), next=(), refused=())

    monkeypatch.setattr(predicting, "ladder", ladder)
    spec = TrainSpec(data="images", device="cpu", techniques=("banded_loss", "data_parallel:batch_norm=joint"), batch=2)
    data = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192)
    context = FakeContext(tmp_path / "run")
    context.worlds = (1, 2)
    context.nodes = tuple(Computer(name=name, cores=8, free_bytes=size << 30) for name, size in (("a", 8), ("b", 2)))
    between = links.of_sums(1e-3, 0.101, 4 << 20, 2)
    alone = shared.divided(spec, context, ALONE)
    fit.rungs(alone, data, context, others=shared.others(spec, context, ALONE), between=between)
    assert [(one.together, one.processes, one.ranks) for one in asked] == [(1, 1, 1), (2, 1, 2)]
    assert [one.name for one in asked[1].nodes] == ["a", "b"]
    assert where.link(asked[1]).bytes_per_second == between.bytes_per_second
    warned = [notice.text for notice in context.reported(Notice) if notice.level == "warning"]
    assert warned == ["At 192×192 a process takes 3.0 GiB on b, which has 2.0 GiB for it."]


@pytest.mark.parametrize(
    ("step", "died", "words"), [(0, True, "from its first step"), (7, False, "from the last checkpoint")]
)
def test_that_a_rung_that_is_left_is_told_with_all_that_changes(step: int, died: bool, words: str) -> None:
    error = OutOfMemory("Memory ran out.", detail="A step is too large.")
    more = [*PLANNED[1:], Rung(spec=ASKED)]
    told = fit.taken(error, PLANNED[0], more, step=step, died=died)
    assert told == RungTaken(
        text=f"Memory ran out. A step is too large. It goes on {words}, in less memory, more slowly and with the same "
        "gradients: banded_loss + recompute.",
        before=["banded_loss"],
        techniques=["banded_loss", "recompute"],
        step=step,
        left=1,
        peak_bytes=2 << 30,
        time_factor=1.4,
        peak_bytes_before=4 << 30,
        time_factor_before=1.0,
        died=died,
    )


def test_that_a_rung_of_which_nothing_is_known_says_so_by_zeros() -> None:
    assert (Rung(spec=ASKED).peak_bytes, Rung(spec=ASKED).time_factor) == (0, 0.0)


@pytest.mark.parametrize("asked_for", ["", "auto"])
def test_that_a_plan_is_told_with_its_reason_where_it_was_chosen_and_kept_with_the_rungs_below(
    asked_for: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = [
        Plan(techniques=names, size=(192, 192), process_bytes=size << 30, time_factor=time, reason="It is the fastest.")
        for names, size, time in ((("banded_loss",), 4, 1.0), (("banded_loss", "recompute"), 2, 1.4))
    ]
    ladder = Ladder(plan=plans[0], next=(plans[1],), refused=(), budget=5 << 30)
    monkeypatch.setattr(predicting, "ladder", lambda question: ladder)
    data, context = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192), FakeContext(tmp_path / "run")
    spec = replace(ASKED, fit=asked_for, techniques=("banded_loss",))
    found = fit.rungs(spec, data, context)
    assert [(one.spec.techniques, one.peak_bytes, one.time_factor) for one in found] == [
        (("banded_loss",), 4 << 30, 1.0),
        (("banded_loss", "recompute"), 2 << 30, 1.4),
    ]
    (made,) = context.reported(PlanMade)
    assert made.plan.techniques == plans[0].techniques and made.budget_bytes == 5 << 30
    (said,) = context.reported(Notice)
    assert said.text.endswith("It is the fastest." if asked_for else ".") and said.level == "info"
    assert ("It is the fastest" in said.text) is bool(asked_for)
    assert (context.folder / fit.PLAN).exists() is bool(asked_for)
    assert fit._planned(spec, context.folder) == (found if asked_for else [])


@pytest.mark.parametrize(
    ("rows", "columns", "found", "lowest"),
    [(100, 400, (192, 416), 128), (400, 100, (416, 192), 416), (90, 90, (192, 192), 96)],
)
def test_that_a_step_is_planned_for_no_less_than_the_loss_computes_on_and_rows_are_those_that_there_are(
    rows: int, columns: int, found: tuple[int, int], lowest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []

    def refuse(question: Question) -> Ladder:
        asked.append(question)
        raise UsageError("No plan.")

    monkeypatch.setattr(predicting, "ladder", refuse)
    data = prepared_phantoms(tmp_path / "data", 1, rows=rows, columns=columns)
    fit.rungs(TrainSpec(data="images"), data, FakeContext(tmp_path / "run"))
    (question,) = asked
    assert (question.height, question.width, question.lowest) == (*found, lowest)
    assert (question.rungs, question.processes, question.together, question.nodes) == (1, 1, 0, ())


@pytest.mark.parametrize("damaged", [False, True])
def test_that_a_plan_of_those_that_go_on_counts_where_there_is_none_of_those_that_began(
    damaged: bool, tmp_path: Path
) -> None:
    fit.keep(ASKED, PLANNED[1:], tmp_path, ranks=2, name=fit.OTHER.format(2))
    assert fit._planned(ASKED, tmp_path, ranks=2) == PLANNED[1:]
    fit.keep(ASKED, PLANNED[:1], tmp_path, ranks=2)
    if damaged:
        (tmp_path / fit.PLAN).write_text("[")
    assert fit._planned(ASKED, tmp_path, ranks=2) == (PLANNED[1:] if damaged else PLANNED[:1])
    assert fit._planned(replace(ASKED, fit=""), tmp_path, ranks=2) == [], "nothing is to fit"


@pytest.mark.parametrize("batch", [2, 8])
def test_that_a_process_for_which_a_set_has_no_image_is_told_and_nothing_where_all_have_one(
    batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    portions = "data_parallel:portions=7+1" if batch > 2 else "data_parallel"
    spec = TrainSpec(data="images", encoder="resnet18", batch=batch, techniques=(portions,))
    data, context = prepared_phantoms(tmp_path / "data", 2, rows=192, columns=192), FakeContext(tmp_path / "run")

    def ladder(question: Question) -> Ladder:
        assert question.batch == 2 and question.named
        raise UsageError("These techniques are impossible here.", detail="It is said by who builds.")

    monkeypatch.setattr(predicting, "ladder", ladder)
    place = fit._Place(context=context, processes=2, between=None)
    assert fit._rungs(spec, data, place, 2) == [Rung(spec=spec)]
    idle = ["By the portions that are named one of them has none of the 2 images of a batch."]
    assert [notice.text for notice in context.reported(Notice)] == (idle if batch > 2 else [])
