"""From a question to a plan, with a real trace of a small network's step."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.errors import UsageError
from fullfield.plan import libraries, predicting, where
from fullfield.plan.question import Question

MIB = 2**20
pytestmark = pytest.mark.usefixtures("traced")


def asked(**changes: object) -> Question:
    return Question(**{"height": 192, "width": 200, "encoder": "resnet18", "device": "cpu", **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("height", "width", "nearest"),
    [(100, 100, "192"), (0, 200, "192x200"), (20000, 192, "16384x192"), (20000, 100, "16384x192")],
)
def test_that_an_impossible_size_is_refused_with_the_nearest_that_works(height: int, width: int, nearest: str) -> None:
    with pytest.raises(UsageError) as caught:
        asked(height=height, width=width)
    assert caught.value.hint == f"The nearest that works is {nearest}."


@pytest.mark.parametrize(("batch", "nearest"), [(0, 1), (100_000, 4096), (10**13, 4096)])
def test_that_an_impossible_batch_is_refused_with_the_nearest_that_works(batch: int, nearest: int) -> None:
    with pytest.raises(UsageError) as caught:
        asked(batch=batch)
    assert caught.value.hint == f"The nearest that works is {nearest}."


@pytest.mark.parametrize(("encoder", "hint"), [("resnet99", "Did you mean"), ("vgg", "Choose from resnet34, resnet18")])
def test_that_an_encoder_that_there_is_none_of_is_refused_with_those_there_are(encoder: str, hint: str) -> None:
    with pytest.raises(UsageError, match=encoder) as caught:
        asked(encoder=encoder)
    assert hint in caught.value.hint


def test_that_a_size_off_the_grid_is_padded_and_that_is_what_the_plan_says() -> None:
    plan = predicting.ladder(asked(techniques=())).plan
    assert plan.size == (192, 224)
    assert plan.exact
    assert plan.flop_factor == 1.0
    assert sum(plan.by_kind.values()) <= plan.peak_bytes
    assert plan.by_kind["weights"] > 50 * MIB
    assert plan.optimizer_bytes == pytest.approx(2 * plan.by_kind["weights"], rel=0.01)


def test_that_the_same_question_has_the_same_answer_the_second_time_from_the_disk(on_disk: Path) -> None:
    question = asked(techniques=("recompute",))
    first = predicting.ladder(question)
    assert list(on_disk.glob("costs-resnet18-*.json"))
    assert predicting.ladder(question) == first


def test_that_checkpoints_are_placed_best_beside_shorter_numbers() -> None:
    plan = predicting.ladder(asked(gpu="RTX 3060", techniques=("checkpointing:by=optimal", "precision"))).plan
    plain = predicting.ladder(asked(gpu="RTX 3060", techniques=("precision",))).plan
    assert plan.peak_bytes < plain.peak_bytes


def test_that_damaged_costs_on_the_disk_are_traced_again(traced: Path) -> None:
    question = asked(techniques=())
    first = predicting.ladder(question)
    for path in traced.glob("costs-resnet18-*.json"):
        path.write_text('{"version": 0}')
    assert predicting.ladder(question) == first


def test_that_a_technique_that_is_impossible_here_is_refused_with_its_reason() -> None:
    with pytest.raises(UsageError, match="impossible here") as caught:
        predicting.ladder(asked(techniques=("precision:format=tf32",)))
    assert "precision" in caught.value.detail


def test_that_a_plan_for_a_card_that_is_not_here_says_that_it_is_an_estimate_and_counts_its_context() -> None:
    here = predicting.ladder(asked(techniques=())).plan
    there = predicting.ladder(asked(techniques=(), gpu="RTX 3070")).plan
    assert here.estimate == ""
    assert there.estimate.startswith("an estimate for a card that is not here")
    assert there.context_bytes == where.CONTEXT_BYTES and here.context_bytes == 0
    assert here.peak_bytes == here.allocator_bytes + here.reserved_bytes
    assert here.process_bytes >= here.peak_bytes + 900 * MIB + here.loader_bytes and here.library_bytes == 900 * MIB
    assert there.process_bytes == there.peak_bytes and there.library_bytes == 0
    assert here.loader_bytes == 3 * 2 * 192 * 224 * 4
    for plan in (here, there):
        assert plan.reserved_bytes > 0
    doubt = there.peak_bytes - there.allocator_bytes - there.reserved_bytes - there.context_bytes
    assert doubt == pytest.approx(0.1 * there.allocator_bytes, rel=0.02)


def test_that_a_plan_says_what_its_techniques_have_to_say_of_their_figures() -> None:
    (note,) = predicting.ladder(asked(techniques=("optimizer_in_backward",))).plan.notes
    assert "gradients of weights" in note


def test_that_a_budget_that_a_card_has_not_is_planned_for_and_said() -> None:
    notes = predicting.ladder(asked(gpu="RTX 2060", budget=64 << 30)).plan.notes
    assert notes[-1] == "The budget, 64.0 GiB, is more than RTX 2060 has: 6.0 GiB."
    assert predicting.ladder(asked(gpu="RTX 2060", budget=6 << 30)).plan.notes == notes[:-1]


def test_that_parts_that_no_checkpoint_would_look_at_are_refused() -> None:
    with pytest.raises(UsageError, match="Say by=parts"):
        predicting.ladder(asked(techniques=("checkpointing:parts=layer1",)))
    predicting.ladder(asked(techniques=("checkpointing:by=parts,parts=layer1",)))


def test_that_on_a_cpu_a_budget_is_held_against_the_process() -> None:
    plain = predicting.ladder(asked(techniques=("banded_loss",))).plan
    found = predicting.ladder(asked(budget=plain.process_bytes))
    assert found.plan.process_bytes <= plain.process_bytes
    with pytest.raises(UsageError, match="No plan fits"):
        predicting.ladder(asked(budget=900 * MIB))  # enough for all tensors, and not for one library more


def test_that_what_this_process_holds_beyond_measured_libraries_belongs_to_its_plans(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(predicting.devices, "used_bytes", lambda: 830 * MIB)
    elsewhere, here = (
        predicting.ladder(asked(techniques=("banded_loss",), trains_here=trains_here)).plan
        for trains_here in (False, True)
    )
    assert here.process_bytes == elsewhere.process_bytes + 30 * MIB
    assert here.peak_bytes == elsewhere.peak_bytes
    within = here.process_bytes - 1
    assert "banded_loss" not in " ".join(predicting.ladder(asked(budget=within)).refused)
    found = predicting.ladder(asked(budget=within, trains_here=True))
    assert found.budget == within
    assert all(plan.process_bytes <= within for plan in (found.plan, *found.next))


def test_that_libraries_that_cannot_be_measured_make_the_plan_an_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "MODULE", "fullfield.there_is_no_such_module")
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path))
    plan = predicting.ladder(asked(techniques=("optimizer_8bit",))).plan
    assert plan.library_bytes == libraries.UNMEASURED.whole
    assert plan.estimate.startswith("an estimate")


def test_that_the_batches_that_wait_grow_with_the_batch() -> None:
    one, two = (predicting.ladder(asked(techniques=(), batch=batch)).plan for batch in (1, 2))
    assert two.loader_bytes == 2 * one.loader_bytes
