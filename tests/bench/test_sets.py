"""Which sets of techniques are compared, and why one is not."""

from __future__ import annotations

import pytest

from fullfield.bench import cost, paper, sets
from fullfield.bench.machine import Machine
from fullfield.bench.paper import Setting
from fullfield.bench.sets import Choice
from fullfield.errors import FullfieldError, UsageError
from fullfield.memory.account import Shape
from fullfield.techniques import registry
from fullfield.techniques.site import Card

GIB = 2**30
SHAPE = Shape(height=512, width=512)
CPU = Card(kind="cpu", title="the CPU", total_bytes=16 * GIB, free_bytes=8 * GIB)
RTX_2060 = Card(kind="cuda", title="RTX 2060", total_bytes=6 * GIB, free_bytes=5 * GIB, capability=(7, 5))


def machine(card: Card, *, compiler: str = "") -> Machine:
    return Machine(device="cpu", why="", card=card, torch="2.0", threads=1, compiler=compiler)


def reasons(choices: list[Choice]) -> dict[str, str]:
    return {one.name: one.reason for one in choices}


def test_that_the_papers_rows_on_one_card_are_all_there_in_its_order() -> None:
    theirs = [one.name for one in paper.TABLE if one.setting is Setting.SINGLE]
    assert [one.paper for one in sets.paper("cuda")] == theirs


def test_that_amp_is_fp16_on_a_card_and_bf16_on_a_cpu_which_its_row_says() -> None:
    on_card, on_cpu = (next(one for one in sets.paper(kind) if one.name == "AMP") for kind in ("cuda", "cpu"))
    assert on_card.techniques == ("precision:format=fp16",) and not on_card.note
    assert on_cpu.techniques == ("precision:format=bf16",) and "bf16" in on_cpu.note


def test_that_every_technique_is_compared_and_none_twice() -> None:
    there = sets.paper("cpu")
    names = [name for one in [*there, *sets.alone(there)] for name in one.techniques if len(one.techniques) == 1]
    assert sorted(text.partition(":")[0] for text in names) == sorted(registry.all_techniques())


def test_that_a_set_that_is_impossible_keeps_its_place_with_the_reason() -> None:
    there = sets.paper("cuda")
    reported = reasons(sets.possible([*there, *sets.alone(there)], machine(RTX_2060, compiler="No compiler."), SHAPE))
    assert "never finished" in reported["AMP+Quant"]
    assert "cannot be divided" in reported["accumulate"]
    assert reported["precision"].startswith("precision: This card has no bf16 units.")
    assert "No compiler." in reported["compile"]
    assert reported["original"] == reported["AMP+Chkp+Mom"] == ""


def test_that_rows_that_were_not_asked_for_say_so_and_unknown_ones_are_refused() -> None:
    there = sets.asked(sets.paper("cpu"), ("AMP", "Chkp"))
    assert [one.name for one in there if not one.reason] == ["AMP", "Chkp"]
    assert {one.reason for one in there if one.reason} == {sets.NOT_ASKED}
    assert sets.asked(there, ()) == there
    with pytest.raises(UsageError, match="original, AMP"):
        sets.asked(there, ("Chpk",))


def test_that_plans_are_the_planners_and_none_is_a_row_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = [("a",), ("b",), ("c",), ("d",)]
    monkeypatch.setattr(sets, "_plans", lambda *_: plans)
    names = ["plan: fastest", "plan: in between", "plan: smallest"]
    assert [(one.name, one.techniques) for one in sets.planned(machine(CPU), SHAPE)] == list(
        zip(names, [("a",), ("c",), ("d",)], strict=True)
    )
    assert [one.techniques for one in sets.planned(machine(CPU), SHAPE, whole=True)] == plans

    def fail(*_: object) -> list[tuple[str, ...]]:
        raise FullfieldError("No plan fits.", detail="The budget is 1 MiB.")

    monkeypatch.setattr(sets, "_plans", fail)
    assert {one.reason for one in sets.planned(machine(CPU), SHAPE)} == {"No plan fits. The budget is 1 MiB."}


@pytest.mark.parametrize("count", [0, 1, 2])
def test_that_a_quick_bench_has_its_rows_also_where_there_is_one_plan_or_none(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = [("a",), ("b",)][:count]

    def few(*_: object) -> list[tuple[str, ...]]:
        if not plans:
            raise FullfieldError("No plan fits.")
        return plans

    monkeypatch.setattr(sets, "_plans", few)
    for whole in (False, True):
        found = sets.planned(machine(CPU), SHAPE, whole=whole)
        there = sets.asked(sets.paper("cpu")[:2] + found, cost.QUICK)
        assert [one.name for one in there[2:]] == ["plan: fastest", "plan: smallest"]
        assert [one.techniques for one in found] == ([plans[0], plans[-1]] if plans else [(), ()])


def test_that_a_failure_costs_its_own_row_and_ctrl_c_the_rest() -> None:
    def measure(choice: Choice) -> dict[str, int]:
        if choice.name == "bad":
            raise FullfieldError("It failed.", detail="No memory.")
        if choice.name == "stop":
            raise KeyboardInterrupt
        return {"value": 1}

    names = ("good", "bad", "also good", "stop", "later")
    reported = sets.measured([Choice(name=name, techniques=()) for name in names], measure)
    assert reported.stopped
    assert list(reported.found) == ["good", "also good"]
    assert [one.reason for one in reported.choices] == ["", "It failed. No memory.", "", sets.STOPPED, sets.STOPPED]


def test_that_a_table_says_whether_gradients_stay_exact() -> None:
    def exact(*techniques: str) -> object:
        return sets.cells(Choice(name="x", techniques=techniques), machine(CPU), SHAPE)["exact"]

    assert exact() is exact("checkpointing") is True
    assert exact("precision") is exact("momentum") is False
    assert exact("precision", "quantization") is None
