"""What each of several processes is said to keep and to say where weights are divided, of a network of three small
tensors, reckoned by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fullfield.distribution.buckets import Summed
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.memory.costs import Costs, Facts, Work
from fullfield.memory.kept import Moved
from fullfield.techniques import compose, registry
from fullfield.techniques.fsdp import NOBODY
from fullfield.techniques.site import Card, Site
from techniques import stepping

SHAPE = Shape(height=256, width=256, batch=5, encoder="resnet18")
SIZES = {"stages.stem.a": 12, "stages.layer1.b": 16, "stages.head.c": 20}
FACTS = Facts(
    weights={"stem": 12, "layer1": 16, "pool": 0, "head": 20},
    buffers=8,
    channels=4,
    parameters=SIZES,
    lengths={"stages.stem.a": 3, "stages.layer1.b": 4, "stages.head.c": 5},
)
BEFORE = MemoryEstimate(
    shape=SHAPE, exchanged=Work(shared=1, collectives=1), summed=Summed(gradients=FACTS.backward(), after=True)
)


def site(ranks: int) -> Site:
    found = stepping.site("cuda", (8, 0), shape=SHAPE, costs=Costs(FACTS))
    return replace(found, devices=found.devices * ranks)


@pytest.mark.parametrize(
    ("level", "once", "again"),
    [
        (1, Work(shared=24, collectives=2), Work()),
        (2, Work(shared=24, collectives=2), Work(shared=24, collectives=3)),
        (3, Work(), Work(shared=24 + 2 * 14 + 10, collectives=8)),
    ],
)
def test_that_each_tensor_is_its_owners_and_goes_as_often_as_the_level_says(
    level: int, once: Work, again: Work
) -> None:
    after = registry.read(f"zero:level={level}").predict(BEFORE, site(2))
    assert after.owned is not None
    first, second = after.owned.by_rank  # the largest first, each to the one that has least by then
    assert first == {"stem": 0, "layer1": 0, "pool": 0, "head": 20}
    assert second == {"stem": 12, "layer1": 16, "pool": 0, "head": 0}
    assert after.owned.order == {"stem": [(12, 1)], "layer1": [(16, 1)], "pool": [], "head": [(20, 0)]}
    assert (after.owned.gradients, after.owned.weights) == (level >= 2, level >= 3)
    assert after.summed == (BEFORE.summed if level == 1 else None)
    assert (after.exchanged, after.again) == (BEFORE.exchanged + once + again, again), "again in each forward"


def test_that_a_stage_is_cut_in_pieces_that_are_padded_where_they_are_not_alike() -> None:
    after = registry.read("fsdp").predict(BEFORE, site(2))
    assert after.shape == replace(SHAPE, batch=3) and after.owned is not None
    kept = {"stem": 8, "layer1": 8, "pool": 0, "head": 12}
    assert after.owned.by_rank == (kept, kept) and after.owned.gradients and after.owned.weights
    order = {"stem": [(4, NOBODY)], "layer1": [(8, NOBODY)], "pool": [(0, NOBODY)], "head": [(8, NOBODY)]}
    assert after.owned.order == order
    assert after.owned.moved == {
        "stem": Moved(whole=16, going=12 + 16 + 16),
        "layer1": Moved(whole=16, going=5 * 8),
        "pool": Moved(whole=0, going=0),
        "head": Moved(whole=24, going=20 + 24 + 24),
    }
    assert after.exchanged == Work(shared=1 + 3 * 56 // 2 + 64, collectives=1 + 9 + 2)


@pytest.mark.parametrize(("ranks", "images"), [(2, 3), (4, 2), (5, 1), (6, 1)])
def test_that_the_fullest_process_has_so_many_images(ranks: int, images: int) -> None:
    for text in ("fsdp", "ddp", "data_parallel"):
        assert registry.read(text).predict(BEFORE, site(ranks)).shape.batch == images


@pytest.mark.parametrize("joint", [False, True])
def test_that_images_are_dealt_by_portions_to_groups_that_share_rows(joint: bool) -> None:
    text = f"data_parallel:batch_norm={'joint' if joint else 'own'},portions=2+1+1+1"
    alone = registry.read(text).predict(BEFORE, site(4))
    assert (alone.images, alone.shape.batch) == ((2, 1, 1, 1), 2)
    assert alone.joint == 4 * joint
    assert alone.summed == Summed(gradients=FACTS.backward(), after=joint)
    assert alone.exchanged == Work(shared=1 + 64, collectives=3)
    pairs = registry.read(text).predict(replace(BEFORE, portions=(1, 1)), site(4))
    assert (pairs.images, pairs.shape.batch, pairs.joint) == ((3, 2), 3, 2 * joint)
    alike = registry.read("data_parallel").predict(replace(BEFORE, portions=(1, 1)), site(4))
    assert (alike.images, alike.shape.batch) == ((3, 2), 3)
    assert registry.read("data_parallel").predict(BEFORE, site(5)).images == (), "one each"


@pytest.mark.parametrize(
    ("text", "sent", "copies", "beside"),
    [
        ("format=fp16", 0.5, 0.5, 0.0),
        ("format=bf16", 0.5, 0.5, 0.0),
        ("format=int8", 0.25, 3.0, 1.0),
        ("format=topk,share=0.1", 0.2, 3.0, 1.0),
        ("format=powersgd,rank=2", 0.0078, 3.0, 1.007),
    ],
)
def test_that_compressed_gradients_take_so_much_less_to_send_and_more_to_remember(
    text: str, sent: float, copies: float, beside: float
) -> None:
    technique = registry.read(f"gradient_compression:{text}")
    after = technique.predict(replace(BEFORE, beside=0.25), site(2))
    assert after.summed is not None and BEFORE.summed is not None
    assert (after.summed.sent, after.summed.copies) == (pytest.approx(sent), copies)
    assert after.beside == pytest.approx(0.25 + beside)
    assert after.summed.gradients == BEFORE.summed.gradients and after.summed.after
    nothing = replace(BEFORE, summed=None)
    assert technique.predict(nothing, site(2)) == nothing, "what it needs is missing"


def test_that_on_a_card_and_the_cpu_the_first_one_updates_what_is_no_other_ones_alone() -> None:
    cards = site(2)
    cpu = Card(kind="cpu", title="the CPU", total_bytes=1, free_bytes=1)
    mixed = replace(cards, devices=(cards.devices[0], cpu))
    led = compose.predict(compose.read(["data_parallel"]), mixed)
    assert led.owned is not None
    assert [sum(own.values()) for own in led.owned.by_rank] == [48, 0]
    plain = compose.predict(compose.read(["data_parallel"]), cards)
    assert plain.owned is None
    assert led.exchanged.collectives > plain.exchanged.collectives and led.exchanged.shared > plain.exchanged.shared
    zero = compose.predict(compose.read(["data_parallel", "zero"]), mixed)
    assert zero.owned is not None and [sum(own.values()) for own in zero.owned.by_rank] == [20, 28]


@pytest.mark.parametrize(
    ("portions", "processes", "ranks", "found"),
    [("", 0, 3, (1, 1, 1)), ("", 2, 4, (1, 1)), ("3+1", 0, 2, (3, 1)), ("3+1", 2, 4, (3, 1))],
)
def test_that_each_of_those_that_share_an_image_has_its_portion_of_rows(
    portions: str, processes: int, ranks: int, found: tuple[int, ...]
) -> None:
    technique = registry.read(f"spatial:portions={portions},processes={processes}")
    assert technique.predict(BEFORE, site(ranks)).portions == found
    assert technique.needed == (("banded_loss", "data_parallel") if processes else ("banded_loss",))
    assert ("data_parallel" in technique.excluded) is not bool(processes)
    assert "recompute" in technique.excluded
