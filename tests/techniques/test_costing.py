"""What is kept of traces from one run to the next, and what becomes of it where it is damaged or cannot be written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import narrow
from fullfield.memory import forms
from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.memory.costs import Key, MapForm, Moment, PartCost
from fullfield.techniques import compose
from fullfield.techniques.checkpointing import Checkpointing
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Card, Site

KEY = Key(part="stem", method="plain", variant=str(Shape(height=192, width=192)))


def with_a_cost(folder: Path) -> Costing:
    """A costing that has something to keep."""
    costing = Costing("resnet18", "none", folder=folder)
    moment = Moment(bytes=10, holds=(True,), makes=True)
    costing.costs.known[str(KEY)] = PartCost(
        forward=(moment,),
        saved=moment,
        backward=(moment,),
        left=moment,
        in_place=(False,),
        gradients=(4,),
        map_bytes=4,
        flops_forward=1,
        flops_backward=2,
        form=MapForm(shape=(1,), stride=(1,)),
    )
    return costing


def test_that_what_is_kept_is_known_the_next_time(tmp_path: Path) -> None:
    first = with_a_cost(tmp_path)
    first.keep()
    second = Costing("resnet18", "none", folder=tmp_path)
    assert second.costs.known == first.costs.known
    assert second.costs.facts == first.costs.facts


def test_that_a_cache_that_cannot_be_written_costs_nothing_but_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the place of a folder")
    with_a_cost(tmp_path / "file").keep()
    assert "cannot be kept" in caplog.text


@pytest.mark.parametrize("damage", ["wrong types", "nesting", "cut", "not text", "another version"])
def test_that_a_damaged_cache_is_an_empty_one(damage: str, tmp_path: Path) -> None:
    with_a_cost(tmp_path).keep()
    (path,) = tmp_path.glob("costs-*.json")
    kept = path.read_text()
    begin = kept.index("{")
    values = json.loads(kept[begin:])
    values["facts"]["weights"] = "x"
    damaged = {
        "wrong types": kept[:begin] + json.dumps(values),
        "nesting": kept[:begin] + "[" * 100_000 + "]" * 100_000,
        "cut": kept[: len(kept) // 2],
        "not text": "\udcff",
        "another version": json.dumps({"version": 0}),
    }
    path.write_bytes(damaged[damage].encode("utf-8", "surrogateescape"))
    costing = Costing("resnet18", "none", folder=tmp_path)
    assert costing.costs.known == {}
    assert sum(costing.costs.facts.weights.values()) > 2**20


def test_that_the_plain_step_that_times_are_told_by_shares_its_parts_with_the_sets_of_a_cpu() -> None:
    costing = Costing("resnet18", "none")
    shape = Shape(height=192, width=192, encoder="resnet18")
    for kind, others in (("cpu", 0), ("cuda", 12)):
        card = Card(kind=kind, title="one", total_bytes=1 << 33, free_bytes=1 << 33)
        site = Site(devices=(card,), shape=shape, costs=costing.costs)
        _, account = costing.account(compose.read(["channels_last", "banded_loss"]), site)
        assert sum("contiguous" in key for key in costing.costs.known) == others, "traced for a card alone"
        assert account.flop_factor == pytest.approx(1.0, abs=0.01), "but for the loss"


def test_that_forms_are_forgotten_with_the_plan_that_they_were_found_for() -> None:
    costing = Costing("resnet18", "none")
    card = Card(kind="cpu", title="one", total_bytes=1 << 33, free_bytes=1 << 33)
    shape = Shape(height=192, width=192, encoder="resnet18")
    costing.account((), Site(devices=(card,), shape=shape, costs=costing.costs))
    assert forms._known
    costing.keep()
    assert not forms._known


def test_that_a_part_is_traced_beside_the_set_that_asks_for_it_whatever_else_is_asked_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    costing = Costing("resnet18", "none")
    card = Card(kind="cuda", title="one", total_bytes=1 << 33, free_bytes=1 << 33, capability=(8, 0))
    site = Site(devices=(card,), shape=Shape(height=192, width=192, encoder="resnet18"), costs=costing.costs)
    other = replace(site, shape=Shape(height=256, width=192, encoder="resnet18"))
    key = Key(part="d5", method="checkpoint", variant=f"{site.shape}/bf16//contiguous")
    asked: list[Site] = []

    def with_plan(self: Checkpointing, before: MemoryEstimate, site: Site) -> Checkpointing:
        if not asked:  # another question of the same network, at another size, comes between
            asked.append(other)
            costing.with_plans(compose.read(["checkpointing:by=optimal"]), other)
            site.costs.of(key)
        return Checkpointing()

    monkeypatch.setattr(Checkpointing, "with_plan", with_plan)
    costing.with_plans(compose.read(["precision:format=bf16", "checkpointing:by=optimal"]), site)
    assert asked and str(key) in costing.costs.known, "in the format and size of its own set"


def test_that_a_cost_that_no_set_asks_for_is_not_known_rather_than_traced_beside_another() -> None:
    costing = Costing("resnet18", "none")
    with pytest.raises(KeyError, match="stem"):
        costing.costs.of(KEY)


def test_that_who_waits_is_asked_before_each_part_is_traced_and_may_stop_it() -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    costing = Costing("resnet18", "none", each=stop)
    card = Card(kind="cpu", title="one", total_bytes=1 << 33, free_bytes=1 << 33)
    shape = Shape(height=192, width=192, encoder="resnet18")
    with pytest.raises(Stopped):
        costing.account((), Site(devices=(card,), shape=shape, costs=costing.costs))
    assert not costing.costs.known


def test_that_ranks_whose_images_are_normalised_together_are_reckoned_with_what_they_say_for_that() -> None:
    said = {}
    with narrow.everywhere(8):
        costing = Costing("resnet18", "none")
        card = Card(kind="cpu", title="one", total_bytes=1 << 33, free_bytes=1 << 33)
        shape = Shape(height=192, width=192, batch=2, encoder="resnet18")
        two = Site(devices=(card, card), shape=shape, costs=costing.costs)
        for text in ("data_parallel", "data_parallel:batch_norm=joint"):
            said[text] = costing.account(compose.read([text]), two)[1].works[0]
    own, joint = said.values()
    norms = 30  # 20 of the encoder, and 10 of the decoder
    assert joint.collectives - own.collectives == 2 * norms, "one in forward, one in backward"
    assert joint.flops == own.flops and joint.shared > own.shared and joint.passed == own.passed == 0
