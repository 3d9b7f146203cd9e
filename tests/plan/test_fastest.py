"""Nothing exact that is offered beside a plan is faster than it and fits: single techniques and pairs, all asked."""

from __future__ import annotations

from itertools import combinations

import pytest

from fullfield.errors import UsageError
from fullfield.plan import predicting
from fullfield.plan.plan import ABSENT
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.plan.spec import USUAL_TECHNIQUES
from fullfield.protocol.plan import Plan
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Effect
from fullfield.units import format_bytes

pytestmark = pytest.mark.usefixtures("traced")
SITES = ("", "RTX 2060", "H100")  # this CPU, and cards of which one computes slowly and one waits for the program
SHARES = (0.0, 0.1, 0.3, 0.6, 0.9, 1.0)  # of the way from what takes least to what takes most


def asked(gpu: str, **changes: object) -> Question:
    values = {"height": 192, "width": 192, "encoder": "resnet18", "device": "cpu", "gpu": gpu, **changes}
    return Question(**values)  # type: ignore[arg-type]


def offered(predictor: Predictor) -> list[Plan]:
    """Every exact technique beside the usual ones, alone and in pairs, where it is of use."""
    exact = [name for name, kind in registry.all_techniques().items() if kind.effect is Effect.EXACT]
    exact = [name for name in exact if name not in USUAL_TECHNIQUES]
    found = []
    for names in ((), *combinations(exact, 1), *combinations(exact, 2)):
        try:
            techniques = compose.read((*USUAL_TECHNIQUES, *names))
            if not any(one.useless(predictor.site) for one in techniques):
                found.append(predictor.plan(techniques))
        except UsageError:
            continue
    return found


@pytest.mark.parametrize("gpu", SITES)
def test_that_no_exact_technique_or_pair_beats_the_fastest_plan_that_fits(gpu: str) -> None:
    predictor = Predictor(asked(gpu))
    plans = offered(predictor)
    assert len(plans) > 15
    assert {"channels_last", "compile", "recompute"} <= {text for one in plans for text in one.techniques}
    least, most = min(one.process_bytes for one in plans), max(one.process_bytes for one in plans)
    for share in SHARES:
        budget = round(least + share * (most - least))
        chosen = predicting.answer(asked(gpu, budget=budget), predictor).plan
        faster = [
            f"{' + '.join(one.techniques)} {one.time_factor} in {format_bytes(one.process_bytes)}"
            for one in plans
            if one.process_bytes <= budget and one.time_factor < chosen.time_factor
        ]
        assert not faster, f"in {format_bytes(budget)} {chosen.techniques} at {chosen.time_factor} was chosen"
        assert chosen.process_bytes <= budget


def test_that_a_plan_with_room_to_spare_updates_as_usual_and_a_cpu_keeps_nothing_elsewhere() -> None:
    roomy = predicting.ladder(asked("", budget=64 << 30)).plan
    assert "optimizer_in_backward" not in roomy.techniques
    predictor = Predictor(asked(""))
    found = predicting.answer(asked("", budget=roomy.process_bytes), predictor)
    texts = " ".join(text for one in (found.plan, *found.next) for text in one.techniques)
    assert found.next
    assert "offload" not in texts and "tier=host" not in texts


def test_that_on_a_fast_card_a_step_of_many_small_kernels_is_slower_than_its_flops_say() -> None:
    fast, slow = Predictor(asked("H100")), Predictor(asked("GTX 1050 Ti"))
    small = ("hybrid_bands:rows=32,block_rows=16", "full_bands:rows=16,block_rows=16")
    names = ("checkpointing", "recompute", *small)
    on_fast, on_slow = (
        {name: one.plan(compose.read((*USUAL_TECHNIQUES, name))) for name in names} for one in (fast, slow)
    )
    for name in ("recompute", *small):
        assert on_fast[name].time_factor > 1.25 * on_fast[name].flop_factor
        assert on_fast[name].time_factor > on_slow[name].time_factor > on_slow[name].flop_factor
        assert on_fast[name].estimate == ABSENT
        assert "for each operation, as one H200 showed them: no step was measured" in on_fast[name].notes[-1]
    on_cpu = Predictor(asked("")).plan(compose.read((*USUAL_TECHNIQUES, "recompute")))
    assert on_cpu.time_factor == pytest.approx(1.15 * on_cpu.flop_factor, rel=1e-3)
    assert on_cpu.estimate == ""


def test_that_what_is_moved_to_the_same_memory_says_so_where_it_is_named_and_not_beside_a_card() -> None:
    for technique in ("optimizer_offload", "offload_activations", "full_bands:tier=host"):
        here = predicting.ladder(asked("", techniques=(technique,))).plan
        assert "saves nothing" in here.notes[-1]
        assert not any(
            "saves nothing" in note for note in predicting.ladder(asked("T4", techniques=(technique,))).plan.notes
        )
