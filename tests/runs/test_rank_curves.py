"""The processes of a training, folded from its events: what each holds, who waits, which one was lost."""

from __future__ import annotations

from fullfield.memory.readback import Readback, summary
from fullfield.protocol.events import Event, PlanMade, RungTaken, RunStarted
from fullfield.protocol.plan import Plan, RankPlan
from fullfield.protocol.rank_events import RankLost, RanksSampled, RankStarted, RankState
from fullfield.runs import rank_curves
from fullfield.runs.run_state import RunSnapshot, RunState

PLAN = PlanMade(
    plan=Plan(process_bytes=90, devices=(RankPlan(process_bytes=90), RankPlan(process_bytes=70))), budget_bytes=200
)


def begun(world: int = 2) -> list[Event]:
    started = [RankStarted(rank=rank, world=world, device="cpu", title=f"card {rank}") for rank in range(world)]
    return [RunStarted(job="train", pid=1, world=world), *started]


def sampled(seconds: float, *states: RankState) -> RanksSampled:
    return RanksSampled(seconds=seconds, step=1, ranks=states)


def state(
    rank: int, host: int, *, seconds: float = 1.0, waiting: float | None = 0.5, card: int | None = None
) -> RankState:
    return RankState(
        rank=rank,
        seconds=seconds,
        phase="backward",
        host_bytes=host,
        device_bytes=card,
        waiting=waiting,
        sent_bytes=3,
        shared_bytes=4,
    )


def reported(*events: Event) -> RunSnapshot:
    folded = RunState()
    for event in events:
        folded.apply(event)
    return folded.snapshot()


def test_that_each_process_has_its_curve_its_own_prediction_and_the_budget() -> None:
    first, second = reported(
        *begun(), PLAN, sampled(1.0, state(0, 50), state(1, 60)), sampled(2.0, state(0, 80)), sampled(3.0, state(1, 40))
    ).ranks
    assert (first.curve.x, first.curve.y) == ((1.0, 2.0), (50.0, 80.0))
    assert (second.curve.x, second.curve.y) == ((1.0, 3.0), (60.0, 40.0))
    assert [(one.peak_bytes, one.held_bytes) for one in (first, second)] == [(80, 80), (60, 40)]
    assert [(one.predicted_bytes, one.budget_bytes) for one in (first, second)] == [(90, 200), (70, 200)]
    assert [(one.title, one.phase, one.sent_bytes) for one in (first, second)] == [
        ("card 0", "backward", 7),
        ("card 1", "backward", 7),
    ]


def test_that_on_cards_the_memory_is_that_of_the_card() -> None:
    found = reported(*begun(), sampled(1.0, state(0, 50, card=500), state(1, 60, card=700)))
    assert [one.peak_bytes for one in found.ranks] == [500, 700]


def test_that_waiting_is_that_of_the_last_minute_by_its_time() -> None:
    early = sampled(1.0, state(0, 5, waiting=1.0))
    late = [sampled(100.0, state(0, 5, seconds=3.0, waiting=0.0)), sampled(101.0, state(0, 5, waiting=0.8))]
    assert reported(early, *late).ranks[0].waiting == 0.2
    assert reported(sampled(1.0, state(0, 5, waiting=None))).ranks[0].waiting is None


def test_that_a_lost_process_is_known_until_the_run_goes_on() -> None:
    lost = [*begun(), sampled(1.0, state(0, 50), state(1, 60)), RankLost(rank=1, world=2, how="frozen")]
    assert [one.lost for one in reported(*lost).ranks] == ["", "frozen"]
    again = reported(*lost, *begun(), sampled(1.0, state(0, 55), state(1, 65))).ranks
    assert [one.lost for one in again] == ["", ""] and [one.peak_bytes for one in again] == [55, 65]
    assert again[0].curve.x == (1.0, 2.0), "the time between is left out"


def test_that_one_process_that_goes_on_with_the_training_of_two_is_none_of_them() -> None:
    two = [*begun(), sampled(1.0, state(0, 50), state(1, 60))]
    assert reported(*two, RunStarted(job="train", pid=2)).ranks == ()
    assert len(reported(*two, *begun(3)).ranks) == 3


def test_that_a_run_of_one_process_has_none_and_the_peak_is_of_the_fullest_of_several() -> None:
    assert reported(RunStarted(job="train", pid=1), PLAN).ranks == ()
    assert reported(*begun(), sampled(1.0, state(0, 50), state(1, 60))).memory.peak_bytes == 60


def test_that_what_is_kept_of_a_long_run_is_bounded() -> None:
    events = (sampled(float(moment), state(0, moment), state(1, 5)) for moment in range(1, 20_000))
    found = reported(*begun(), *events).ranks
    assert all(len(one.curve.x) <= rank_curves.MOST_POINTS for one in found) and found[0].peak_bytes == 19_999


def test_that_a_line_tells_the_peak_of_each_process_beside_its_prediction() -> None:
    mib = 1 << 20
    plan = PlanMade(plan=Plan(devices=(RankPlan(process_bytes=9 * mib), RankPlan(process_bytes=7 * mib))))
    events = [sampled(1.0, state(0, 5 * mib), state(1, 6 * mib)), sampled(2.0, state(0, 4 * mib))]
    assert summary([plan, *events]).of_ranks() == (
        "Process 1 held up to 5.0 MiB, of 9.0 MiB predicted. Process 2 held up to 6.0 MiB, of 7.0 MiB predicted."
    )
    assert summary(events).of_ranks() == "Process 1 held up to 5.0 MiB. Process 2 held up to 6.0 MiB."
    rung = RungTaken(text="", before=[], techniques=[], step=1, left=0)
    assert summary([plan, *events, rung]).of_ranks() == "" == Readback().of_ranks()
    assert reported(*begun(), *events).memory.sentence.startswith("Process 1 held")
