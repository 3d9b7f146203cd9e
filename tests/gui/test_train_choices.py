"""What the form of a training means: settings, techniques, their mistakes, and what is remembered of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.plan import spec as specs
from fullfield.protocol.plan import RankPlan
from fullfield.protocol.setup_events import PlanReady
from fullfield.techniques import registry
from fullfield_app.gui.train import choices as forms
from fullfield_app.gui.train import plan_facts, remembered
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.duration import roughly
from fullfield_app.gui.train.plan_facts import Light
from fullfield_app.gui.train.techniques import Chosen, chosen, entries, readable
from fullfield_app.settings import Settings
from gui.fake_setup import GIB, plan, three_patients


def test_that_every_technique_of_the_registry_is_offered_exact_ones_first() -> None:
    found = entries()
    assert {entry.name for entry in found} == set(registry.all_techniques())
    effects = [entry.effect.value for entry in found]
    assert effects == sorted(effects, key=["exact", "approximate", "changes the model"].index)
    of_several = [entry.stage.of_ranks for entry in found if entry.effect.value == "exact"]
    assert of_several == sorted(of_several), "on a computer of one device the first ones are no impossible ones"


def test_that_a_set_is_told_in_the_order_of_application_with_options_that_differ() -> None:
    one = Chosen().switched("optimizer_in_backward", True).switched("precision", True)
    assert one.texts == ("precision", "optimizer_in_backward")
    other = one.with_option("precision", "format", "fp16")
    assert other.texts[0] == "precision:format=fp16"
    assert other.with_option("precision", "format", "bf16").texts == one.texts
    assert chosen(other.texts) == other


def test_that_options_stay_while_a_technique_is_off() -> None:
    one = Chosen().with_option("hybrid_bands", "rows", 64)
    assert one.texts == ()
    assert one.switched("hybrid_bands", True).texts == ("hybrid_bands:rows=64",)
    assert "hybrid_bands:rows=64" in one.compared


def test_that_what_cannot_join_a_set_says_why_by_titles() -> None:
    obstacles = chosen(["hybrid_bands"]).obstacles()
    assert "Work in bands" in obstacles["checkpointing"]
    assert "hybrid_bands" not in obstacles["checkpointing"]
    assert "optimizer_8bit" not in obstacles
    without = Chosen().obstacles()
    assert set(without) == {"spatial", "zero", "zero_optimizer", "gradient_compression"}
    assert all(" needs " in why for why in without.values()), "others must be chosen before"
    assert "zero" not in chosen(["data_parallel"]).obstacles()


def test_that_only_the_head_of_a_sentence_is_put_into_titles() -> None:
    text = readable("precision + recompute: refused because its precision is short.")
    assert text == "Shorter numbers + Recompute the cheap steps: refused because its precision is short."


def test_that_a_technique_that_nobody_knows_any_more_is_passed_over() -> None:
    assert chosen(["banded_loss", "gone", "precision:format=fp3"]).texts == ("banded_loss",)


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [
        ("size", 100, "192"),
        ("size", "large", "native"),
        ("size", 20000, "16384"),
        ("learning_rate", "abc", "from 1e-08 to 1"),
        ("validation", 0.95, "0.9"),
        ("epochs", 0, "from 1"),
    ],
)
def test_that_each_mistake_is_told_at_its_field_without_the_fields_name(key: str, value: object, word: str) -> None:
    found = Choices().with_value(key, value).with_value("seed", -1).mistakes()
    assert set(found) == {key, "seed"}
    assert word in found[key]
    assert not found[key].lower().startswith(key)


def test_that_a_form_without_mistakes_is_a_training() -> None:
    made = Choices().with_value("size", 1024).with_value("batch", 2).spec("/data")
    assert made == specs.TrainSpec(data="/data", size=1024, batch=2)
    assert Choices().with_value("size", 512).values == {}


@pytest.mark.parametrize(("size", "around"), [(500, (480, 512)), (193, (192, 224)), (1000, (992, 1024))])
def test_that_the_multiples_of_32_beside_a_size_are_named(size: int, around: tuple[int, int]) -> None:
    assert forms.nearest(size) == around


def test_that_a_plan_is_asked_for_the_largest_image_as_it_is_fitted() -> None:
    assert forms.shape(Choices(), None) == (512, 512)
    assert forms.shape(Choices().with_value("size", "native"), None) is None
    assert forms.shape(Choices(), three_patients()) == (512, 410)
    assert forms.shape(Choices().with_value("size", "native"), three_patients()) == (1200, 800)
    assert forms.shape(Choices().with_value("size", 192), three_patients()) == (192, 192)


def test_that_a_plan_is_told_of_the_lowest_image_that_is_not_left_out() -> None:
    first, *others = three_patients().radiographs
    low = replace(first, rows=300, held=True)
    for survey, size, found in (
        (None, 512, 0),
        (three_patients(radiographs=()), 512, 0),
        (three_patients(radiographs=(low, *others)), 512, 192),
        (three_patients(radiographs=(low, *others)), "native", 300),
        (three_patients(radiographs=(replace(low, rejected=True), *others)), "native", 1100),
    ):
        assert forms.lowest(Choices().with_value("size", size), survey) == found


def test_that_steps_are_those_of_whole_and_broken_batches() -> None:
    assert forms.steps(Choices(), three_patients()) == 100
    assert forms.steps(Choices().with_value("batch", 3).with_value("epochs", 4), three_patients()) == 4


def test_that_the_form_is_remembered_without_mistakes_and_without_names_of_files() -> None:
    form = Choices(gpu="RTX 2060", chosen=chosen(["recompute", "precision:format=fp16"]))
    form = form.with_value("size", 1024).with_value("seed", -3)
    form = form.with_value("weights", "/patients/Jane Doe/w.safetensors")
    kept = remembered.remember(Settings(), form)
    assert "Jane" not in str(kept)
    back = remembered.recall(kept)
    assert back == replace(form, values={"size": 1024})


def test_that_machines_that_trained_an_ensemble_do_not_come_back_as_ones_that_train_one_network() -> None:
    form = Choices(values={"place": "node:alpha,beta"}, members=4, least=2)
    assert remembered.recall(remembered.remember(Settings(), form)) == form


WRONG = ("augment=1", "learning_rate=NaN", "validation=-Infinity", f"warm_up=1{'0' * 400}")


def test_that_a_first_form_falls_back_where_memory_runs_out_and_a_damaged_one_is_passed_over() -> None:
    first = remembered.recall(Settings())
    assert first.value("fit") == "auto"
    kept = remembered.remember(Settings(), first)
    values = ("size=[", "epochs=3000000000", "gone=1", "batch=4", *WRONG)
    broken = replace(kept, train=replace(kept.train, values=values))
    assert remembered.recall(broken).values == {"batch": 4}


def reported(total: int, *, free: int, budget: int = 0, host: int = 0) -> PlanReady:
    by_kind = {"weights": total // 4, "activations": total // 4}
    made = replace(plan([]), process_bytes=total, host_bytes=host, by_kind=by_kind)
    return PlanReady(number=1, plan=made, free_bytes=free, asked_bytes=budget)


@pytest.mark.parametrize(
    ("total", "budget", "light"),
    [(7 * GIB, 0, Light.ROOM), (8 * GIB, 0, Light.TIGHT), (9 * GIB, 0, Light.NO), (7 * GIB, 4 * GIB, Light.NO)],
)
def test_that_the_light_is_by_what_is_free_or_by_a_smaller_budget(total: int, budget: int, light: Light) -> None:
    assert plan_facts.of(reported(total, free=8 * GIB, budget=budget), on_cpu=True).light is light


def test_that_the_parts_add_up_to_the_total() -> None:
    facts = plan_facts.of(reported(8 * GIB, free=9 * GIB, host=GIB), on_cpu=True)
    assert dict(facts.parts) == {"weights": 2 * GIB, "activations": 2 * GIB, "host": GIB, "reserve": 3 * GIB}
    beside = plan_facts.of(reported(8 * GIB, free=9 * GIB, host=GIB), on_cpu=False)
    assert sum(count for _, count in beside.parts) == 8 * GIB
    assert beside.host_bytes == GIB
    two = replace(reported(8 * GIB, free=9 * GIB, host=GIB).plan, devices=(RankPlan(host_bytes=GIB),) * 2)
    assert plan_facts.of(PlanReady(number=1, plan=two), on_cpu=False).host_bytes == 2 * GIB, "of both cards"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(29, "less than a minute"), (305, "5 min"), (601, "10 min"), (3599, "1 h 0 min"), (7800, "2 h 10 min")],
)
def test_that_a_rough_time_is_told_in_whole_minutes(seconds: float, said: str) -> None:
    assert roughly(seconds) == said
