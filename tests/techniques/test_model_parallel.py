"""Parts of the network on several processes: who has which, and what each is said to take."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import torch

from fullfield.errors import UsageError
from fullfield.memory.account import Shape
from fullfield.model.stages import DECODERS, HEAD, LAYERS, STAGES, STEM
from fullfield.plan import step_time
from fullfield.plan.spec import TrainSpec, differences, shared
from fullfield.techniques import compose, here, registry
from fullfield.techniques.base import Effect
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Site
from techniques.stepping import site as site_of

HALVES, BALANCED = "model_parallel", "model_parallel:cut=balanced"
CARD = replace(site_of("cuda").devices[0], flops_per_second=1e13, bytes_per_second=1e15)


@cache
def costing() -> Costing:
    torch.set_num_threads(1)
    return Costing("resnet18", "cpu")


def site(ranks: int, batch: int = 4) -> Site:
    shape = Shape(height=192, width=192, batch=batch, encoder="resnet18")
    here_ = here.site(here_device(), shape, costing().costs)
    return replace(here_, devices=here_.devices * ranks)


@cache
def here_device():  # type: ignore[no-untyped-def]
    from fullfield.hardware import devices

    return devices.choose(devices.CPU)


def placed(ranks: int, *texts: str, batch: int = 4) -> tuple[tuple[str, ...], ...]:
    return costing().account(compose.read(texts), site(ranks, batch))[0].placed


def peaks(ranks: int, *texts: str, batch: int = 4) -> list[int]:
    return [one.peak for one in costing().account(compose.read(texts), site(ranks, batch))[1].devices]


def test_that_the_encoder_is_on_the_first_half_and_the_decoder_with_the_head_on_the_rest() -> None:
    assert placed(2, HALVES) == ((STEM, *LAYERS), (*DECODERS, HEAD))
    three = placed(3, HALVES)
    assert three[0] == (STEM, *LAYERS) and three[1] + three[2] == (*DECODERS, HEAD) and all(three)
    assert placed(len(STAGES), HALVES) == tuple((name,) for name in STAGES)


@pytest.mark.parametrize("ranks", [2, 3])
def test_that_a_balanced_cut_leaves_the_fullest_rank_as_little_as_any_can(ranks: int) -> None:
    found = max(peaks(ranks, BALANCED))
    names = list(STAGES)
    if ranks == 2:
        others = [(last,) for last in names[:-1]]
    else:
        others = [(one, other) for place, one in enumerate(names[:-2]) for other in names[place + 1 : -1]]
    every = [max(peaks(ranks, f"model_parallel:last={'+'.join(last)}")) for last in others]
    assert found == min(every) < max(every) and len(every) == (10 if ranks == 2 else 45)
    assert [part for own in placed(ranks, BALANCED) for part in own] == names


@pytest.mark.parametrize("beside", ["recompute", "checkpointing:by=periodic", "checkpointing:by=optimal"])
def test_that_a_part_that_does_the_work_of_several_stages_is_on_one_rank(beside: str) -> None:
    found = placed(3, BALANCED, beside)
    assert len(found) == 3 and all(found)


def test_that_ranks_hold_other_parts_and_so_take_other_memory() -> None:
    gpipe, interleaved = (peaks(2, f"model_parallel:schedule={name}", batch=6) for name in ("gpipe", "1f1b"))
    (alone,) = peaks(1, "accumulate", batch=6)
    assert gpipe[0] > interleaved[0] and gpipe[1] > interleaved[1], "1F1B keeps fewer images"
    assert max(interleaved) < alone
    assert peaks(2, "model_parallel:schedule=gpipe", batch=2)[1] < gpipe[1]
    assert peaks(2, "model_parallel", batch=3)[1] == peaks(2, "model_parallel", batch=3)[1]


def test_that_ranks_wait_for_the_first_and_the_last_image_of_a_batch() -> None:
    def factor(batch: int) -> float:
        cards = replace(site(2, batch), devices=(CARD, CARD))
        return step_time.factor(*costing().account(compose.read([HALVES]), cards), cards)

    assert 0.5 < factor(32) < factor(2) < factor(1)


def test_that_shares_of_the_work_and_the_waiting_are_told() -> None:
    (one,) = compose.with_plans(compose.read([HALVES]), site(2))
    (note,) = compose.predict([one], site(2)).notes
    assert note.startswith("2 processes have parts of the network with these shares of its work: ")
    assert note.endswith("With 4 images in a batch each waits for others 20% of the time, at least.")
    (one,) = compose.with_plans(compose.read([HALVES]), site(2, batch=1))
    assert "they take turns" in compose.predict([one], site(2, batch=1)).notes[0]


def test_that_a_plan_is_written_with_the_last_stage_of_each_rank_and_read_back() -> None:
    (one,) = compose.with_plans(compose.read([HALVES]), site(2))
    assert str(one) == f"model_parallel:last={LAYERS[-1]}"
    (again,) = compose.with_plans([registry.read(str(one))], site(2))
    assert str(again) == str(one)


@pytest.mark.parametrize(
    ("ranks", "text", "words"),
    [
        (1, HALVES, "one process"),
        (12, HALVES, "11 parts"),
        (3, f"model_parallel:last={STEM}", "does not divide"),
        (3, f"model_parallel:last={LAYERS[1]}+{STEM}", "does not divide"),
        (2, f"model_parallel:last={HEAD}", "does not divide"),
    ],
)
def test_that_what_cannot_be_divided_is_refused(ranks: int, text: str, words: str) -> None:
    (refused,) = compose.refusals([registry.read(text)], site(ranks))
    assert words in refused
    assert not compose.refusals([registry.read(HALVES)], site(2, batch=1))


def test_that_more_processes_than_parts_are_refused_in_words() -> None:
    with pytest.raises(UsageError, match="Choose fewer processes"):
        compose.with_plans(compose.read([HALVES, "recompute"]), replace(site(len(STAGES)), costs=traced("recompute")))


def test_that_a_process_without_a_part_is_refused_in_words() -> None:
    with pytest.raises(UsageError, match="nothing to run"):
        placed(2, f"model_parallel:last={DECODERS[-1]}", "recompute")


def traced(beside: str):  # type: ignore[no-untyped-def]
    costing().account(compose.read([HALVES, beside]), site(2))
    return costing().costs


@pytest.mark.parametrize(
    "other",
    [
        "data_parallel",
        "zero",
        "spatial",
        "accumulate",
        "optimizer_in_backward",
        "hybrid_bands",
        "full_bands",
        "momentum",
        "ema",
        "quantization",
        "compressed_activations",
    ],
)
def test_that_what_does_not_go_with_it_says_why(other: str) -> None:
    (why,) = compose.exclusions([registry.read(other), registry.read(HALVES)])
    assert len(why) > 60


def test_that_it_is_exact_for_one_image_and_normalises_several_one_by_one() -> None:
    one = registry.read(HALVES)
    assert one.effect_on(site(2, batch=1)) is Effect.EXACT and one.effect_on(site(2)) is Effect.MODEL


def test_that_it_goes_on_with_a_training_that_takes_images_one_by_one_and_with_no_other() -> None:
    def spec(*techniques: str, batch: int = 4) -> TrainSpec:
        return TrainSpec(data="-", batch=batch, techniques=techniques)

    assert not differences(spec(HALVES), spec("accumulate")) and not differences(spec("accumulate"), spec(BALANCED))
    assert differences(spec(HALVES), spec()) == ["techniques"]
    assert differences(spec(HALVES, "lamb"), spec("accumulate")) == ["techniques"]
    assert not differences(spec(HALVES, batch=1), spec(batch=1))
    assert shared(spec(HALVES, batch=1), 2) == (HALVES,)
    assert shared(replace(spec(batch=1), fit="2GiB"), 2) == (), "what they share, the planner chooses"
    with pytest.raises(UsageError):
        shared(spec(batch=1), 2)
