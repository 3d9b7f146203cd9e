"""Which sets the planner asks about: whatever the registry's techniques propose, and it names none of them itself."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from fullfield.errors import UsageError
from fullfield.memory.account import MemoryEstimate
from fullfield.plan import planner, predicting, question, session, sets, spec, totals, where
from fullfield.plan.question import Question
from fullfield.plan.sets import Sets
from fullfield.protocol.plan import Plan
from fullfield.techniques import costing, registry, sharing
from fullfield.techniques.base import Candidate, Effect, Reason, Stage, Technique, Tier
from fullfield.techniques.build import Build
from fullfield.techniques.site import Site
from fullfield.train import shared
from fullfield_app.cli import ensemble, plan, train
from techniques.stepping import site

GIB = 2**30
ROOMY = 64 * GIB


class Own(Technique):
    """A technique that no file of the program knows: the optimizer keeps nothing, in half the time."""

    name = "own"
    title, sentence, source = "Own", "Keeps nothing.", "this test"
    stage = Stage.STEP
    effect = Effect.EXACT

    @classmethod
    def candidates(cls, site: Site) -> tuple[Candidate, ...]:
        return (Candidate(technique=cls()),)

    def predict(self, before: MemoryEstimate, site: Site) -> MemoryEstimate:
        return replace(before, state=0.0, time=before.time / 2)

    def apply(self, build: Build) -> None:
        raise AssertionError("what is applied after the parts is no matter of a prediction")


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> type[Own]:
    """The registry with one line more; a technique of this test's own, that tests may change."""
    kind = type("Own", (Own,), {})
    monkeypatch.setitem(registry.all_techniques(), Own.name, kind)
    return kind


def asked(**changes: object) -> Question:
    values = {"height": 192, "width": 192, "encoder": "resnet18", "device": "cpu", "budget": ROOMY, **changes}
    return Question(**values)  # type: ignore[arg-type]


def names(where: Site, tier: Tier = Tier.USUAL, **changes: object) -> list[set[str]]:
    return [{one.name for one in techniques} for techniques in Sets(asked(**changes), where).of(tier)]


@pytest.mark.usefixtures("traced")
def test_that_a_technique_of_another_file_is_proposed_without_another_edit(own: type[Own]) -> None:
    chosen = predicting.ladder(asked()).plan
    assert "own" in chosen.techniques
    without = predicting.ladder(asked(techniques=tuple(text for text in chosen.techniques if text != "own"))).plan
    assert chosen.time_factor == pytest.approx(without.time_factor / 2, rel=1e-3)
    assert chosen.process_bytes < without.process_bytes


@pytest.mark.usefixtures("own")
def test_that_what_is_proposed_is_tried_with_all_that_it_goes_with() -> None:
    found = names(site("cuda", (8, 0)))
    for beside in ("recompute", "hybrid_bands", "optimizer_offload", "optimizer_in_backward"):
        assert any({"own", beside} <= one for one in found)
    assert {"banded_loss", "own"} in found and {"banded_loss"} in found


def test_that_nothing_is_asked_about_that_does_not_go_with_it(own: type[Own]) -> None:
    own.excludes = {"recompute": "They do not go together."}
    own.needs = ("optimizer_offload",)
    found = names(site("cuda", (8, 0)))
    assert not any({"own", "recompute"} <= one for one in found)
    assert [one for one in found if "own" in one]
    assert all("optimizer_offload" in one for one in found if "own" in one), "what it needs is proposed with it"


def test_that_what_saves_nothing_here_is_proposed_only_where_it_is_named(
    own: type[Own], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "useless", lambda self, site: Reason(text="No."))
    assert not any("own" in one for one in names(site()))
    assert all("own" in one for one in names(site(), always=("own",)))


@pytest.mark.parametrize(
    ("effect", "approximate", "wanted"),
    [
        (Effect.EXACT, False, True),
        (Effect.APPROXIMATE, False, False),
        (Effect.APPROXIMATE, True, True),
        (Effect.MODEL, True, False),
    ],
)
def test_that_what_is_not_exact_is_proposed_where_that_is_allowed_and_another_model_never(
    own: type[Own], effect: Effect, approximate: bool, wanted: bool
) -> None:
    own.effect = effect
    assert any("own" in one for one in names(site(), approximate=approximate)) is wanted


def test_that_a_candidate_is_asked_about_in_its_tier_and_not_before(
    own: type[Own], monkeypatch: pytest.MonkeyPatch
) -> None:
    late = classmethod(lambda cls, site: (Candidate(technique=cls(), tier=Tier.LAST_RESORT),))
    monkeypatch.setattr(own, "candidates", late)
    assert not any("own" in one for tier in (Tier.USUAL, Tier.TIGHT) for one in names(site(), tier))
    found = names(site(), Tier.LAST_RESORT)
    assert {"banded_loss", "channels_last", "own"} in found
    assert all(one & {"own", "full_bands"} for one in found), "the sets of earlier tiers are not asked about again"


def test_that_a_layout_is_chosen_by_the_time_that_it_declares_and_left_where_it_does_not_go(
    own: type[Own], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all("channels_last" in one for one in names(site())), "the fastest that is declared for a CPU"
    own.excludes = {"channels_last": "They do not go together."}
    assert all("channels_last" not in one for one in names(site()) if "own" in one)
    layout = classmethod(lambda cls, site: (Candidate(technique=cls(), least_memory=0.9),))
    monkeypatch.setattr(own, "candidates", layout)
    assert all("own" in one and "channels_last" not in one for one in names(site())), "it takes half the time"
    assert not any("own" in one for one in names(site("cuda", (8, 0)))), "on a card the plain layout comes first"
    (share,) = (
        share
        for share, one in Sets(asked(), site("cuda", (8, 0))).in_other_layouts((registry.read("banded_loss"),))
        if {two.name for two in one} == {"banded_loss", "own"}
    )
    assert share == 0.9


def test_that_techniques_of_every_plan_that_do_not_go_together_are_refused_by_name() -> None:
    with pytest.raises(UsageError, match="recompute does not go with checkpointing"):
        Sets(asked(always=("recompute", "checkpointing")), site())


@pytest.mark.parametrize(
    "module",
    [
        planner,
        sets,
        session,
        predicting,
        question,
        totals,
        where,
        costing,
        spec,
        sharing,
        shared,
        train,
        plan,
        ensemble,
    ],
    ids=lambda one: one.__name__,
)
def test_that_who_asks_the_registry_names_no_technique(module: ModuleType) -> None:
    """Neither as a text nor by importing its file; keywords and torch's own names are none."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    files = {kind.__module__ for kind in registry.all_techniques().values()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert node.value.partition(":")[0] not in registry.all_techniques(), node.value
        imported = [f"{node.module}.{one.name}" for one in node.names] if isinstance(node, ast.ImportFrom) else []
        assert not {*imported, getattr(node, "module", None)} & files


def test_that_where_a_batch_has_fewer_images_than_cards_groups_of_them_share_each_image_and_none_is_idle() -> None:
    one = site("cuda", (8, 0))
    four = replace(one, devices=one.devices * 4, shape=replace(one.shape, height=512, width=512, batch=2))
    texts = [set(map(str, techniques)) for techniques in Sets(asked(), four).of(Tier.USUAL)]
    joint = "data_parallel:batch_norm=joint"
    assert {"banded_loss", joint, "spatial:processes=2"} in texts
    assert all(any(text.startswith(("spatial", "model_parallel")) for text in found) for found in texts)


def test_that_of_two_processes_no_set_leaves_them_without_what_they_share() -> None:
    one = site("cpu", (0, 0))
    two = replace(one, devices=one.devices * 2, shape=replace(one.shape, batch=2))
    found = [techniques for tier in Tier for techniques in Sets(asked(), two).of(tier)]
    assert found and all(any(each.stage.of_ranks for each in techniques) for techniques in found)


def test_that_processes_of_which_some_would_have_no_image_are_refused_before_anything_is_asked_about() -> None:
    one = site("cpu", (0, 0))
    two = replace(one, devices=one.devices * 2)

    def predict(techniques: tuple[Technique, ...]) -> Plan:
        raise AssertionError(techniques)

    with pytest.raises(UsageError, match="Cannot train in 2 processes") as refused:
        planner.plan(asked(always=("data_parallel",), processes=2), two, predict)
    assert refused.value.detail == "There are fewer images in a batch (1) than processes."


def test_that_the_planner_asks_of_each_set_once_whatever_the_tiers(own: type[Own]) -> None:
    seen: list[tuple[str, ...]] = []

    def predict(techniques: tuple[Technique, ...]) -> Plan:
        seen.append(tuple(map(str, techniques)))
        raise UsageError("No.", detail="Not here.")

    with pytest.raises(UsageError, match="No plan is possible"):
        planner.plan(asked(), site("cuda", (8, 0)), predict)
    assert len(seen) == len(set(seen)) > 40
    texts = {text for one in seen for text in one}
    proposed = [one for kind in registry.all_techniques().values() for one in kind.candidates(site("cuda", (8, 0)))]
    exact = {
        str(one.technique) for one in proposed if one.technique.effect is Effect.EXACT and one.least_memory is None
    }
    assert texts == {*exact, "banded_loss"}, "every candidate of every tier, where nothing fits"
