"""Which plan is chosen, and what is said of the others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fullfield.errors import UsageError
from fullfield.plan import planner
from fullfield.plan.question import Question
from fullfield.plan.sets import Sets
from fullfield.protocol.plan import Plan
from fullfield.techniques import compose
from fullfield.techniques.base import Technique, Tier
from fullfield.techniques.site import Site
from techniques.stepping import site

GIB = 2**30
CARD = site("cuda", (8, 0))


def asked(budget: int = GIB, **changes: object) -> Question:
    values = {"height": 192, "width": 192, "encoder": "resnet18", "always": (), "budget": budget, **changes}
    return Question(**values)  # type: ignore[arg-type]


def sets(question: Question, where: Site = CARD, tier: Tier = Tier.USUAL) -> list[tuple[str, ...]]:
    return [tuple(map(str, one)) for one in Sets(question, where).of(tier)]


def made(*techniques: str, gib: float, time: float, exact: bool = True) -> Plan:
    return Plan(
        size=(512, 512),
        batch=1,
        techniques=techniques,
        exact=exact,
        process_bytes=round(gib * GIB),
        peak_bytes=round(gib * GIB),
        allocator_bytes=round(gib * GIB),
        optimizer_bytes=0,
        host_bytes=0,
        flop_factor=time,
        time_factor=time,
        by_kind={},
        peak_at="backward",
    )


PLANS = [
    made("plain", gib=8, time=1.0),
    made("cheap", gib=4, time=1.3),
    made("useless", gib=5, time=1.4),
    made("small", gib=2, time=2.0),
    made("least", gib=1, time=4),
]


def test_that_the_fastest_plan_within_the_budget_is_chosen_and_says_why() -> None:
    ladder = planner.choose(PLANS, 6 * GIB)
    assert ladder.plan.techniques == ("cheap",)
    assert ladder.plan.reason == ("chosen because it is the fastest of 4 plans that fit 6.0 GiB: it takes 4.0 GiB.")
    assert ladder.refused == ("plain: refused because it takes 8.0 GiB, more than 6.0 GiB.",)


def test_that_each_rung_of_the_ladder_takes_less_and_plans_that_save_nothing_are_left_out() -> None:
    assert [one.techniques for one in planner.choose(PLANS, 9 * GIB).next] == [("cheap",), ("small",), ("least",)]


def test_that_of_equally_fast_plans_the_plainer_one_is_chosen_and_what_it_does_not_need_is_left_out() -> None:
    choice = [made("a", "optimizer_in_backward", gib=3, time=1.0), made("a", gib=4, time=1.0)]
    assert planner.choose(choice, 5 * GIB).plan.techniques == ("a",)
    assert planner.choose(choice, 3 * GIB).plan.techniques == ("a", "optimizer_in_backward"), "where it is needed"


def test_that_a_rung_that_saves_next_to_nothing_is_none() -> None:
    ladder = planner.choose([*PLANS, made("nearly", gib=7.98, time=1.01)], 9 * GIB)
    assert ("nearly",) not in [one.techniques for one in ladder.next]


def test_that_a_set_is_laid_out_in_the_fastest_way_and_in_others_only_where_that_makes_it_fit() -> None:
    seen: list[tuple[str, ...]] = []
    gib = {(): 4.0, ("channels_last",): 3.9, ("compile",): 3.6, ("channels_last", "compile"): 3.5}

    def predict(techniques: tuple[Technique, ...]) -> Plan:
        names = tuple(map(str, techniques))
        seen.append(names)
        layout = tuple(one for one in names if one in ("channels_last", "compile"))
        slower = 2.0 if set(names) & {"recompute", "checkpointing", "hybrid_bands"} else 1.0
        time = slower * (0.96 if "channels_last" in names else 1.0) * (1.03 if "compile" in names else 1.0)
        return made(*names, gib=gib[layout] / slower, time=time)

    def chosen(budget: float, where: Site) -> tuple[str, ...]:
        seen.clear()
        return planner.plan(asked(round(budget * GIB)), where, predict).plan.techniques

    cpu = site()
    assert chosen(4.0, cpu) == ("channels_last",)
    assert all("channels_last" in one and "compile" not in one for one in seen)
    assert chosen(3.55, cpu) == ("channels_last", "compile"), "what a compiler saves makes it fit"
    assert chosen(4.0, CARD) == ()
    assert not any({"channels_last", "compile"} & set(one) for one in seen)
    assert chosen(3.95, CARD) == ("channels_last",), "and so may another layout, where it is no faster"
    assert chosen(3.8, CARD) == ("channels_last", "compile")
    assert ("channels_last",) not in seen, "another layout alone does not save a twentieth"
    assert chosen(2.0, CARD) == ("checkpointing",)
    assert not any({"channels_last", "compile"} & set(one) for one in seen), "4.0 GiB are too far from the budget"


def test_that_ranks_say_less_only_where_the_link_is_the_limit_and_a_step_is_clearly_shorter_so() -> None:
    two = replace(CARD, devices=CARD.devices * 2, shape=replace(CARD.shape, batch=2))
    shares = {"bf16": 0.5, "powersgd": 0.06}

    def chosen(said: float, *, approximate: bool = True, where: Site = two, late: float = 0.0) -> Plan:
        """Of a step that computes for a second, and says for `said` seconds what can be shorter, `late` what cannot."""

        def predict(techniques: tuple[Technique, ...]) -> Plan:
            texts = tuple(map(str, techniques))
            share = next((share for name, share in shares.items() if any(name in text for text in texts)), 1.0)
            waits = late + share * said if any("data_parallel" in text for text in texts) else 9.0
            time = 1.0 + waits + (0.5 if any("precision" in text for text in texts) else 0.0)
            whole = made(*texts, gib=1, time=time, exact=approximate is False or share == 1.0)
            return replace(whole, waiting=waits / time)

        question = replace(asked(2 * GIB, batch=2, approximate=approximate), cards="GTX 1650 x2")
        return planner.plan(question, where, predict).plan

    def said(plan: Plan) -> list[str]:
        return [text.partition("format=")[2] for text in plan.techniques if "compression" in text]

    assert said(chosen(0.3)) == [], "less than a quarter of a step"
    assert said(chosen(0.6)) == ["bf16"], "a quarter is no more, so nothing stronger is asked about"
    assert said(chosen(3.0)) == ["powersgd,rank=16"]
    assert said(chosen(0.1, late=0.6)) == [], "it is not what could be shorter that takes the time"
    exact = chosen(3.0, approximate=False)
    assert said(exact) == [] and exact.waits_long
    (note,) = chosen(3.0).notes
    assert note.startswith("The link is the limit: without gradient_compression") and "waits 75% of a step" in note


@pytest.mark.parametrize(("named", "wanted"), [((), False), (("optimizer_offload",), True)])
def test_that_what_would_save_nothing_here_is_proposed_only_where_it_is_named(
    named: tuple[str, ...], wanted: bool
) -> None:
    for question in (asked(always=named), asked(before=named)):
        found = sets(question, site())
        assert found
        assert all(("optimizer_offload" in one) is wanted for one in found)
        assert not any("offload_activations" in one for one in found)


def test_that_a_budget_that_nothing_keeps_is_refused_with_the_least_that_there_is() -> None:
    with pytest.raises(UsageError, match=r"the least is 1\.0 GiB; the budget is 512\.0 MiB") as caught:
        planner.choose(PLANS, GIB // 2)
    assert "such as precision" in caught.value.hint, "a training has no option to allow what is not exact"
    with pytest.raises(UsageError) as caught:
        planner.choose([replace(one, exact=False) for one in PLANS], GIB // 2)
    assert caught.value.hint == "Allow more memory, or choose a smaller size.", "they were looked at already"


plans = st.lists(
    st.builds(
        made,
        st.text("abc", min_size=1, max_size=3),
        gib=st.floats(0.1, 10),
        time=st.sampled_from([1.0, 1.1, 1.5, 1.51, 2.0, 4.0]),
    ),
    min_size=1,
    max_size=12,
)


@given(plans, st.floats(0.1, 12), st.floats(0.1, 1.0))
@example([made("a", gib=1.0, time=1.0), made("aa", gib=1.0, time=1.0)], 1.0, 1.0)
def test_that_the_chosen_plan_fits_no_faster_one_does_and_a_smaller_budget_is_never_faster(
    choice: list[Plan], gib: float, share: float
) -> None:
    budget = round(gib * GIB)
    fitting = [one for one in choice if one.process_bytes <= budget]
    if not fitting:
        with pytest.raises(UsageError):
            planner.choose(choice, budget)
        return
    ladder = planner.choose(choice, budget)
    assert ladder.plan.process_bytes <= budget
    assert ladder.plan.time_factor == min(one.time_factor for one in fitting)
    assert ladder == planner.choose(list(reversed(choice)), budget), "the order of the question decides nothing"
    peaks = [ladder.plan.process_bytes, *(one.process_bytes for one in ladder.next)]
    assert peaks == sorted(peaks, reverse=True)
    try:
        smaller = planner.choose(choice, round(budget * share))
    except UsageError:
        return
    assert smaller.plan.time_factor >= ladder.plan.time_factor


def test_that_sets_that_cannot_be_combined_are_never_asked_about_and_the_order_is_fixed() -> None:
    first = sets(asked(always=("banded_loss",)))
    assert first == sets(asked(always=("banded_loss",)))
    assert len(first) == len(set(first)) > 10
    assert all("banded_loss" in one for one in first)
    assert not any("precision" in text for one in first for text in one), "approximate sets only where they are allowed"
    assert any("precision" in one for one in sets(asked(approximate=True)))


def test_that_a_training_that_has_begun_is_planned_with_the_optimizer_that_it_has() -> None:
    for before in ((), ("optimizer_offload",)):
        found = sets(asked(before=before))
        assert found
        assert all(("optimizer_offload" in one) is bool(before) for one in found)
    with_options = ("optimizer_offload:chunk=8",)
    assert all(with_options[0] in one for one in sets(asked(before=with_options))), "with the options that it has"
    other = sets(asked(before=with_options, always=("optimizer_8bit",)))
    assert other and all("optimizer_8bit" in one for one in other), "but for one that is asked for by name"


def test_that_what_is_impossible_here_is_said_and_costs_no_other_plan() -> None:
    def predict(techniques: tuple[Technique, ...]) -> Plan:
        names = [one.name for one in techniques]
        if "recompute" in names:
            raise UsageError("No.", detail="recompute: not on this machine.")
        return made(*names, gib=1.0, time=1.0)

    ladder = planner.plan(asked(2 * GIB), CARD, predict)
    assert ladder.refused.count("recompute: not on this machine.") == 1


def test_that_where_every_plan_is_impossible_here_the_reasons_are_told() -> None:
    def predict(techniques: tuple[Technique, ...]) -> Plan:
        raise UsageError("No.", detail="accumulate: a batch of 1 cannot be divided.")

    with pytest.raises(UsageError, match="No plan is possible here") as caught:
        planner.plan(asked(always=("accumulate",)), CARD, predict)
    assert caught.value.detail == "accumulate: a batch of 1 cannot be divided."


@pytest.mark.parametrize(
    ("budget_gib", "rungs", "tight", "full_bands", "utmost"),
    [
        (8.0, 0, False, False, False),
        (3.0, 0, True, False, False),
        (1.5, 0, True, False, False),
        (1.5, 1, True, True, False),
        (0.6, 0, True, True, False),
        (0.6, 1, True, True, True),
        (0.4, 0, True, True, True),
    ],
)
def test_that_ways_that_take_long_to_trace_are_asked_about_only_where_a_plan_or_its_rung_needs_them(
    budget_gib: float, rungs: int, tight: bool, full_bands: bool, utmost: bool
) -> None:
    seen: list[str] = []

    def predict(techniques: tuple[Technique, ...]) -> Plan:
        names = [str(one) for one in techniques]
        text = "+".join(names)
        seen.append(text)
        if "full_bands" in text:
            return made(*names, gib=0.3 if "tier=host" in text else 0.5, time=3.0)
        if "d1" in text:
            return made(*names, gib=1.0, time=2.0)
        return made(*names, gib=3.0, time=1.5) if "hybrid_bands" in text else made(*names, gib=4.0, time=1.0)

    planner.plan(asked(round(budget_gib * GIB), rungs=rungs), CARD, predict)
    assert any("d1" in text for text in seen) is tight
    assert any("full_bands" in text for text in seen) is full_bands
    assert any("tier=host" in text for text in seen) is utmost


@pytest.mark.parametrize("rungs", [0, 1])
def test_that_rungs_of_a_training_remember_what_its_plan_does_and_are_looked_for_until_there_is_one(rungs: int) -> None:
    def predict(techniques: tuple[Technique, ...]) -> Plan:
        names = [str(one) for one in techniques]
        if "full_bands" in names:
            return made(*names, gib=0.9, time=3.0)
        if "optimizer_offload" in names:
            return made(*names, gib=1.0, time=1.1)
        return made(*names, gib=2.0, time=1.0)

    ladder = planner.plan(asked(4 * GIB, rungs=rungs), CARD, predict)
    offloaded = ["optimizer_offload" in one.techniques for one in ladder.next]
    assert offloaded == [not rungs], "a training goes on by a rung from its checkpoint"
    assert rungs == 0 or ladder.next[0].techniques == ("full_bands",)


CHANGING = ("ema", "gradient_clipping", "lamb", "rate_scaling")


def test_that_what_changes_the_training_is_never_proposed_and_in_every_plan_where_it_is_named() -> None:
    for approximate in (False, True):
        for tier in Tier:
            proposed = {
                text.partition(":")[0] for one in sets(asked(approximate=approximate), tier=tier) for text in one
            }
            assert proposed.isdisjoint({*CHANGING, "lars"})
    found = sets(asked(always=CHANGING))
    assert found
    assert all({text.partition(":")[0] for text in one} >= set(CHANGING) for one in found)


@pytest.mark.parametrize(("lowest", "portions"), [(0, "spatial"), (128, "spatial"), (96, "spatial:processes=2")])
def test_that_no_image_is_shared_among_more_than_the_lowest_can_be(lowest: int, portions: str) -> None:
    four = asked(height=256, lowest=lowest, batch=2, processes=4, always=("banded_loss",))
    there = replace(CARD, devices=CARD.devices * 4, shape=replace(CARD.shape, height=256, batch=2), lowest=lowest)

    def predict(techniques: tuple[Technique, ...]) -> Plan:
        texts = tuple(map(str, techniques))
        if compose.refusals(techniques, there):
            raise UsageError("These techniques are impossible here.")
        return made(*texts, gib=0.5, time=1.0 if "spatial" in texts else 2.0 + ("spatial:processes=2" not in texts))

    assert portions in planner.plan(four, there, predict).plan.techniques


def test_that_where_the_lowest_image_is_too_low_to_be_shared_that_is_not_proposed() -> None:
    four = asked(height=256, lowest=96, processes=4, always=("banded_loss",))
    there = replace(CARD, devices=CARD.devices * 4, shape=replace(CARD.shape, height=256), lowest=96)
    with pytest.raises(UsageError, match=r"fewer images in a batch \(1\)") as found:
        planner.plan(four, there, lambda techniques: made(*map(str, techniques), gib=0.5, time=1.0))
    said = "Choose --batch 4 or more, or fewer --processes. Images of 96 rows are divided into 3 parts at most, not 4."
    assert found.value.hint == said
