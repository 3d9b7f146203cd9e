"""What a training has told, folded: bounded, and the same however often it was interrupted."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from fullfield.protocol.events import (
    LINE,
    BaselineMeasured,
    EpochDone,
    Event,
    MemorySampled,
    Notice,
    PlanMade,
    RunEnded,
    RunFailed,
    RungTaken,
    RunStarted,
    SampleWritten,
    StepDone,
)
from fullfield.protocol.plan import Plan
from fullfield.runs import run_state
from fullfield.runs.decimated import MOST, DecimatedCurve
from fullfield.runs.run_state import RunSnapshot, RunState


def epoch(number: int, loss: float = 5.0, **changes: float) -> EpochDone:
    return EpochDone(
        epoch=number,
        epochs=10,
        train_loss=loss,
        validation_loss=loss,
        psnr_db=30.0,
        fine_sd_ratio=1.0,
        fine_correlation=0.9,
        learning_rate=1e-3,
        seconds=6.0,
        **changes,
    )


def step(number: int, **changes: float) -> StepDone:
    return StepDone(epoch=1, step=number, steps=100, loss=100.0 / number, seconds=0.5, **changes)


def memory(seconds: float, count: int, phase: str = "forward", *, card: bool = False) -> MemorySampled:
    on_card = {"reserved_bytes": count, "peak_bytes": count, "allocated_bytes": count} if card else {}
    return MemorySampled(seconds=seconds, step=1, phase=phase, border=True, host_bytes=7 if card else count, **on_card)


def reported(*events: Event) -> RunSnapshot:
    state = RunState()
    for event in events:
        state.apply(event)
    return state.snapshot()


def test_that_a_curve_of_any_length_has_a_bounded_number_of_points_and_loses_no_peak() -> None:
    highest, mean = DecimatedCurve(), DecimatedCurve(mean=True)
    for number in range(100_000):
        value = 9999.0 if number == 54_321 else float(number % 100)
        highest.add(number, value)
        mean.add(number, 2.0)
    for curve in (highest.curve(), mean.curve()):
        assert MOST / 2 <= len(curve.x) <= MOST and list(curve.x) == sorted(curve.x) and curve.x[-1] == 99_999
    assert max(highest.curve().y) == 9999.0 and set(mean.curve().y) == {2.0}


def test_that_a_few_values_stay_as_they_are() -> None:
    few = DecimatedCurve()
    for number in range(5):
        few.add(number, number * 2)
    assert few.curve().x == (0, 1, 2, 3, 4) and few.curve().y == (0, 2, 4, 6, 8)


def test_that_a_pause_is_left_out_of_time_and_of_the_memory_curve() -> None:
    first = [RunStarted(job="train", pid=1, time=100.0), memory(0.0, 5), memory(10.0, 6), step(1, time=110.0)]
    second = [RunStarted(job="train", pid=2, time=9000.0), memory(0.0, 5), memory(4.0, 8), step(2, time=9004.0)]
    found = reported(*first, RunEnded(reason="paused", time=111.0), *second)
    assert found.seconds == pytest.approx(11 + 4)
    assert found.memory.curves["host_bytes"].x == (0.0, 10.0, 10.0, 14.0)
    assert (found.ended, found.step, found.stepping) == ("", 2, True)


def test_that_the_days_between_a_death_and_a_resume_are_no_time_at_work() -> None:
    first = [RunStarted(job="train", pid=1, time=100.0), step(1, time=110.0)]
    second = [RunStarted(job="train", pid=2, time=9000.0), step(2, time=9004.0)]
    assert reported(*first, *second).seconds == pytest.approx(10 + 4)
    assert reported(*first, RunEnded(reason="died"), *second).seconds == pytest.approx(10 + 4)


def test_that_a_run_that_goes_on_forgets_the_error_that_ended_it() -> None:
    failed = [RunStarted(job="train", pid=1), RunFailed(error={"title": "Full disk."}), RunEnded(reason="failed")]
    assert reported(*failed).error["title"] == "Full disk." and reported(*failed).ended == "failed"
    again = reported(*failed, RunStarted(job="train", pid=2))
    assert not again.error and again.ended == "" and not again.stepping


def test_that_an_epoch_made_again_after_a_kill_takes_the_place_of_the_first() -> None:
    found = reported(epoch(1, 8.0), epoch(2, 6.0), epoch(3, 5.0), RunStarted(job="train", pid=2), epoch(2, 6.1))
    assert [(one.epoch, one.validation_loss) for one in found.epochs] == [(1, 8.0), (2, 6.1)]


def test_that_the_best_epoch_is_one_that_is_still_there() -> None:
    before = [epoch(1, 8.0), epoch(2, 6.0), epoch(3, 5.0)]
    found = reported(*before, RunStarted(job="train", pid=2), epoch(2, 6.1)).best
    assert found is not None and (found.epoch, found.validation_loss) == (2, 6.1)


def test_that_an_epoch_whose_loss_is_no_number_is_never_the_best() -> None:
    assert reported(epoch(1, math.nan)).best is None
    found = reported(epoch(1, math.nan), epoch(2, 6.0), epoch(3, math.nan), epoch(4, 6.0)).best
    assert found is not None and found.epoch == 2


def test_that_the_best_of_more_epochs_than_are_kept_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_state, "MOST_EPOCHS", 8)
    found = reported(*(epoch(number, abs(number - 7.0)) for number in range(1, 40)))
    assert found.best is not None and found.best.epoch == 7 and len(found.epochs) <= 8


def test_that_steps_made_again_take_the_place_of_the_first() -> None:
    again = [RunStarted(job="train", pid=2), step(6), step(7)]
    found = reported(*(step(number) for number in range(1, 10)), *again).steps_loss
    assert found.x == tuple(range(1, 8)) and found.y == tuple(100.0 / number for number in range(1, 8))
    assert reported(*(step(number) for number in (1, 2, 2))).steps_loss.x == (1, 2)


def test_that_a_curve_of_any_length_goes_on_from_a_step_that_is_made_again() -> None:
    state = RunState()
    for number in [*range(1, 5001), *range(1777, 3001)]:
        state.apply(step(number))
    found = state.snapshot().steps_loss
    assert list(found.x) == sorted(set(found.x)) and found.x[-1] == 3000
    assert list(found.y) == sorted(found.y, reverse=True)


def test_that_the_time_left_follows_from_the_last_epochs() -> None:
    assert reported(*(step(number) for number in range(1, 11))).seconds_left == pytest.approx(90 * 0.5)
    steps = [step(number) for number in range(1, 51)]
    assert reported(*steps, epoch(5)).seconds_left == pytest.approx(6.0 * 10 * 0.5)
    assert reported(*steps, RunEnded(reason="stopped")).seconds_left is None


def test_that_a_rung_changes_what_is_predicted_and_what_it_runs_by() -> None:
    plan = Plan(techniques=("a",), peak_bytes=900)
    rung = RungTaken(text="t", before=["a"], techniques=["a", "b"], step=3, left=1, peak_bytes=500)
    before = reported(PlanMade(plan=plan, budget_bytes=1000), memory(3.0, 850, card=True))
    assert before.techniques == ("a",) and before.memory.predicted_bytes == 900
    after = reported(
        PlanMade(plan=plan, budget_bytes=1000), memory(3.0, 850, card=True), rung, memory(1.0, 480, card=True)
    )
    assert after.techniques == ("a", "b") and after.memory.predicted_bytes == 500 and after.memory.budget_bytes == 1000
    assert after.memory.rungs == (3.0,) and after.memory.curves["reserved_bytes"].x == (3.0, 4.0)
    assert after.memory.on_card and after.memory.peak_bytes == 850


def test_that_a_plan_that_is_made_after_a_rung_is_what_it_runs_by_then() -> None:
    rung = RungTaken(text="t", before=["a"], techniques=["a", "b"], step=3, left=1, peak_bytes=500)
    events = (PlanMade(plan=Plan(techniques=("a",))), rung)
    assert reported(*events).rung == rung
    resumed = reported(*events, RunStarted(job="train", pid=2), PlanMade(plan=Plan(techniques=("a", "c"))))
    assert resumed.techniques == ("a", "c") and resumed.rung is None and resumed.rungs == (rung,)
    assert reported(*events, RunStarted(job="train", pid=2)).rung == rung, "by what is left of the same plan"


def test_that_without_a_card_the_peak_is_the_computers() -> None:
    found = reported(memory(0.0, 100), memory(1.0, 300, "backward"), memory(2.0, 200))
    assert not found.memory.on_card and found.memory.peak_bytes == 300
    assert found.memory.backward.y == (300.0,) and found.memory.forward.y == (100.0, 200.0)


def test_that_the_prediction_is_that_of_the_process_and_stays_when_the_training_is_gone_on_with() -> None:
    plan = PlanMade(plan=Plan(process_bytes=1500, peak_bytes=900), budget_bytes=2000)
    begun = (plan, memory(0.0, 700, ""), memory(1.0, 1300), memory(2.0, 900, ""))
    held = reported(*begun).memory
    assert (held.predicted_bytes, held.budget_bytes) == (1500, 2000)
    resumed = (RunStarted(job="train", pid=2), replace(plan, budget_bytes=0))
    for more in ((), (memory(0.0, 690, ""),)):
        again = reported(*begun, *resumed, *more).memory
        assert (again.predicted_bytes, again.budget_bytes) == (1500, 2000)


def test_that_what_was_held_by_other_techniques_is_not_held_against_a_new_plan() -> None:
    plan = PlanMade(plan=Plan(process_bytes=1500, techniques=("a",)))
    began = (plan, memory(1.0, 1300), memory(2.0, 1400, "backward"), RunStarted(job="train", pid=2))
    held = (memory(1.0, 700), memory(2.0, 800, "backward"))
    less = reported(*began, replace(plan, plan=Plan(process_bytes=900, techniques=("a", "b"))), *held).memory
    assert (less.predicted_bytes, less.peak_bytes, less.phases["backward"].host_bytes) == (900, 800, 800)
    assert "held up to 800 B, of 900 B predicted" in less.sentence and less.backward.y == (1400.0, 800.0)
    same = reported(*began, plan, *held).memory
    assert same.peak_bytes == same.phases["backward"].host_bytes == 1400


def test_that_a_sample_that_made_room_is_no_longer_told_of() -> None:
    def sample(number: int, *removed: int) -> SampleWritten:
        names = {"sample": f"s/{number}.npy", "input": "s/input.npy", "reference": "s/reference.npy"}
        return SampleWritten(epoch=number, image=0, images=3, removed=list(removed), **names)

    assert set(reported(sample(1), sample(2), sample(3, 2)).samples) == {(0, 1), (0, 3)}


def test_that_samples_of_epochs_that_are_made_again_are_no_longer_told_of() -> None:
    def sample(number: int, image: int) -> SampleWritten:
        names = {"sample": f"s/{number}.npy", "input": "s/input.npy", "reference": "s/reference.npy"}
        return SampleWritten(epoch=number, image=image, images=3, **names)

    assert set(reported(sample(1, 0), sample(2, 0), sample(3, 1), sample(2, 1)).samples) == {(0, 1), (1, 2)}


def test_that_baselines_are_those_of_the_last_start_that_measured_them() -> None:
    def baseline(name: str, loss: float) -> BaselineMeasured:
        figures = {"psnr_db": 20.0, "fine_sd_ratio": 1.0, "fine_correlation": 1.0}
        return BaselineMeasured(name=name, validation_loss=loss, **figures)

    first, second = RunStarted(job="train", pid=1), RunStarted(job="train", pid=2)
    before = [baseline("unprocessed", 9.0), baseline("CLAHE (clip 1)", 8.0)]
    after = [baseline("unprocessed", 5.0), baseline("CLAHE (clip 2)", 4.0)]
    assert reported(first, *before, second).baselines == tuple(before)
    assert reported(first, *before, second, *after).baselines == tuple(after)


def test_that_what_is_shown_of_a_run_of_100_000_events_is_bounded() -> None:
    state = RunState()
    for number in range(1, 50_001):
        state.apply(step(number))
        state.apply(memory(float(number), 100 + number % 50))
        if number % 100 == 0:
            state.apply(Notice(text=f"{number}"))
    found = state.snapshot()
    assert len(found.steps_loss.x) <= MOST and len(found.notices) <= run_state.MOST_NOTICES
    assert all(len(curve.x) <= MOST for curve in found.memory.curves.values())


def test_that_the_curve_is_of_one_rank_and_the_peak_of_the_fullest() -> None:
    one = reported(memory(1.0, 10), memory(2.0, 20))
    two = reported(memory(1.0, 10), replace(memory(1.5, 90), rank=1), memory(2.0, 20))
    assert two.memory.curves == one.memory.curves and two.memory.forward == one.memory.forward
    assert (one.memory.peak_bytes, two.memory.peak_bytes) == (20, 90)
    assert two.memory.phases["forward"].host_bytes == 90


def test_that_a_line_that_is_cut_is_known_until_it_is_back_or_anything_comes_over_it() -> None:
    cut = Notice(text="The line to the node gpu is cut.", level="warning", topic=LINE)
    back = Notice(text="The line to the node gpu is back.", topic=LINE)
    step = StepDone(epoch=1, step=1, steps=2, loss=1.0, seconds=0.1)
    for ends in (back, step, RunStarted(job="train", pid=1)):
        state = RunState()
        state.apply(cut)
        state.apply(Notice(text="Something else.", level="warning"))
        assert state.snapshot().cut == cut.text
        state.apply(ends)
        assert state.snapshot().cut == ""
