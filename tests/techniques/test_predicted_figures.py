"""What a technique says that a step takes with it, in figures that were measured or counted, each beside what it was
before: plans rely on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fullfield.memory.account import MemoryEstimate, Shape
from fullfield.memory.costs import NORM, Costs, Facts, Work
from fullfield.techniques import registry
from fullfield.techniques.base import SAME_MEMORY
from fullfield.techniques.site import Card, Site
from techniques import stepping

MIB = 1 << 20
FULL = "full_bands:rows=192:block_rows=56:keep=fewest:"
FACTS = Facts(
    weights={"stem": 4 * MIB, "layer1": 12 * MIB}, buffers=2 * MIB, tensors=10, largest=8 * MIB, channels=100,
    parameters={"stages.stem.a": 4 * MIB, "stages.layer1.b": 8 * MIB, "stages.layer1.c": 4 * MIB},
)  # fmt: skip
BEFORE = MemoryEstimate(
    shape=Shape(height=256, width=512, batch=4, encoder="resnet18"),
    time=2.0,
    waits=7,
    update_starts=5,
    state=2.0,
    host_state=0.5,
    beside=0.25,
    copies=0.5,
    notes=("before",),
    exchanged=Work(shared=1, collectives=1),
)


def site(kind: str = "cpu", ranks: int = 1, **changes: Any) -> Site:
    found = stepping.site(kind, (8, 0), shape=BEFORE.shape, costs=Costs(FACTS), **changes)
    return replace(found, devices=found.devices * ranks)


def changed(text: str, here: Site, before: MemoryEstimate = BEFORE) -> dict[str, Any]:
    """What a technique makes another of the estimate; of the notes those that it adds."""
    after = registry.read(text).predict(before, here)
    found = {name: value for name, value in vars(after).items() if value != getattr(before, name)}
    if "notes" in found:
        assert after.notes[: len(before.notes)] == before.notes
        found["notes"] = len(after.notes) - len(before.notes)
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("optimizer_8bit", {"state": 0.51, "host_state": 0.0, "update": 13.3 / 2, "time": 2 + 3.0 / 2, "waits": 307}),
        ("optimizer_4bit", {"state": 0.267, "host_state": 0.0, "update": 13.3 / 2, "time": 2 + 1.6 / 2, "waits": 307}),
        (
            "optimizer_offload",
            {"state": 0.0, "host_state": 2.0, "update": 0.5, "sent": 4.0, "waits": 7 + 4 * 14, "update_starts": 117},
        ),
        (
            "optimizer_offload:chunk=16",
            {"state": 0.0, "host_state": 2.0, "update": 1.0, "sent": 4.0, "waits": 7 + 4 * 11, "update_starts": 93},
        ),
        ("lars", {"state": 1.0, "host_state": 0.0, "update_starts": 85}),
        ("lamb", {"host_state": 0.0, "update": 0.5, "update_starts": 155}),
        ("ema", {"copies": 0.5 + 1.125, "update_starts": 25, "of_owners": Work(shared=8 * 3, collectives=1)}),
        ("gradient_clipping", {"update_starts": 13, "of_owners": NORM}),
        ("optimizer_in_backward", {"released": True, "waits": 17, "update_starts": 45}),
        ("rate_scaling", {}),
        ("channels_last", {"layout": "channels_last", "time": 1.92}),
        ("precision", {"precision": "bf16", "time": 2 / 1.73}),
        ("precision:format=fp16", {"precision": "fp16", "of_owners": NORM}),
        ("precision:format=fp32", {}),
        ("compressed_activations", {"codec": "8", "time": 4.4}),
        ("compressed_activations:bits=4,block=64", {"codec": "4x64", "time": 4.4}),
        ("offload_activations", {"codec": "offload", "time": 2.3}),
        ("offload_activations:ahead=2", {"codec": "offload:1+2", "time": 2.3}),
        ("offload_activations:smallest=0.5", {"codec": "offload:0.5+1", "time": 2.3}),
        ("banded_loss", {"loss": "banded", "stored_reference": True}),
        ("accumulate", {"shape": replace(BEFORE.shape, batch=1), "waiting": 3}),
        ("accumulate:images=3", {"shape": replace(BEFORE.shape, batch=3), "waiting": 1}),
        ("accumulate:images=9", {}),
    ],
)  # fmt: skip
def test_that_a_step_takes_these_figures_more_or_less(text: str, wanted: Mapping[str, Any]) -> None:
    for kind in ("cpu", "cuda"):
        found = changed(text, site(kind))
        compiled = {"time"} if kind == "cuda" and text.endswith("bit") else set()
        notes = found.pop("notes", 0)
        assert found == {name: approximately(value) for name, value in wanted.items() if name not in compiled}
        assert notes <= 1


def approximately(value: Any) -> Any:
    return pytest.approx(value) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("text", "cpu", "card"),
    [
        ("optimizer_8bit", "optimizer in eight bits", "optimizer in eight bits"),
        ("optimizer_4bit", "optimizer in four bits", "optimizer in four bits"),
        ("optimizer_offload", SAME_MEMORY, "Moving the optimizer to the host saves"),
        ("offload_activations", SAME_MEMORY, ""),
        ("full_bands:tier=host", SAME_MEMORY, ""),
        ("full_bands", "", ""),
        ("lars", "choose a learning rate far above that of Adam", "choose a learning rate far above that of Adam"),
        ("ema", "one more copy of them", "one more copy of them"),
        ("optimizer_in_backward", "saves the gradients", "saves the gradients"),
        ("compressed_activations", "", "measured on one alone"),
        ("precision", "", "measured on one alone"),
        ("precision:format=fp16", "", "measured on one alone"),
        ("precision:format=fp32", "", ""),
        ("momentum", "MomentumNet saves little", "MomentumNet saves little"),
        ("quantization", "takes more memory", "takes more memory"),
        ("compile", "", ""),
        ("compile:budget=0.5", "keeps fewer of them", "keeps fewer of them"),
        ("channels_last", "", ""),
        ("lamb", "", ""),
    ],
)  # fmt: skip
def test_that_what_is_known_of_it_is_said_beside_what_was_said_before(text: str, cpu: str, card: str) -> None:
    for kind, said in (("cpu", cpu), ("cuda", card)):
        before, *notes = registry.read(text).predict(BEFORE, site(kind)).notes
        assert before == "before" and len(notes) == bool(said)
        assert all(said in note for note in notes)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("recompute", 1.13, 1.22),
        ("hybrid_bands", 1.11, 1.19),
        ("full_bands", 1.11, 1.2),
        ("compile", 1.0, 1.04),
        ("quantization", 1.4, 1.6),
        ("momentum", 1.0, 1.0),
        ("checkpointing", 1.0, 1.0),
    ],
)
def test_that_a_step_of_equal_flops_takes_as_long_as_was_measured(text: str, least: float, most: float) -> None:
    after = registry.read(text).predict(BEFORE, site())
    assert least <= after.time / BEFORE.time <= most
    assert after.parts != BEFORE.parts


@pytest.mark.parametrize(
    ("text", "methods"),
    [
        ("recompute", {"recomputed"}),
        ("momentum", {"plain", "momentum"}),
        ("quantization", {"quantized"}),
        ("compile", {"compiled:1"}),
        ("compile:budget=0.25", {"compiled:0.25"}),
        ("full_bands", {f"{FULL}tier=device:limit=16:whole="}),
        ("full_bands:tier=host", {f"{FULL}tier=host:limit=16:whole="}),
        ("full_bands:whole=layer3+layer4,limit=2.5", {f"{FULL}tier=device:limit=2.5:whole=layer3+layer4"}),
    ],
)  # fmt: skip
def test_that_parts_are_run_by_methods_that_name_what_decides_on_their_costs(text: str, methods: set[str]) -> None:
    assert {part.method for part in registry.read(text).predict(BEFORE, site()).parts} == methods


@pytest.mark.parametrize(
    ("stored", "portions", "tier", "loss"),
    [
        (True, (), "host", "banded-away"),
        (True, (), "device", "banded"),
        (False, (), "host", "banded"),
        (True, (1, 1), "host", "banded"),
    ],
)
def test_that_a_prediction_lies_in_the_host_tier_where_the_loss_takes_it_from_there(
    stored: bool, portions: tuple[int, ...], tier: str, loss: str
) -> None:
    before = replace(BEFORE, loss="banded", stored_reference=stored, portions=portions)
    after = registry.read(f"full_bands:tier={tier}").predict(before, site())
    assert after.loss == loss and after.stored_input
    assert after.parts[0].method.endswith(":away") is loss.endswith("away")


def test_that_without_a_compiler_the_loss_in_bands_is_another_one() -> None:
    assert changed("banded_loss", site(compiler="There is none."))["loss"] == "banded-eager"


def test_that_of_a_network_that_nobody_knows_no_bytes_are_told() -> None:
    unknown = replace(site(), costs=Costs(Facts(weights={}, buffers=0, largest=9)))
    assert changed("ema", unknown) == {"copies": 1.5, "notes": 1}
    assert "update" not in changed("lamb", unknown)


def of_ranks(count: int, kind: str = "cuda") -> Site:
    return site(kind, count)


@pytest.mark.parametrize("ranks", [2, 3])
def test_that_pytorchs_ways_share_images_and_say_what_they_say(ranks: int) -> None:
    here = of_ranks(ranks)
    share = replace(BEFORE.shape, batch=2)
    ddp = changed("ddp", here)
    assert (ddp.pop("shape"), ddp.pop("beside")) == (share, 1.25)
    own = Work(shared=1 + 16 * MIB + 1600, collectives=1 + 2 + 2)  # a sum of each bucket, and of statistics two
    assert ddp == {"exchanged": own}
    divided = changed("zero_optimizer", here)
    assert divided == {"state": 1.0, "exchanged": Work(shared=1 + 8 * MIB, collectives=4)}
    equal = replace(here, costs=Costs(replace(FACTS, largest=MIB)))
    assert changed("zero_optimizer", equal)["state"] == pytest.approx(2 / ranks)


@pytest.mark.parametrize(
    "text", ["ddp", "fsdp", "zero_optimizer", "data_parallel", "spatial", "model_parallel", "zero"]
)
def test_that_what_several_processes_do_is_refused_to_one(text: str) -> None:
    refused = registry.read(text).refuse(site())
    assert (
        refused is not None
        and "There is one process" in refused.text
        and "fullfield train --processes 2" in refused.hint
    )


@pytest.mark.parametrize("text", ["ddp", "fsdp", "zero_optimizer"])
def test_that_pytorchs_ways_are_for_devices_of_one_kind(text: str) -> None:
    cards = of_ranks(2)
    assert registry.read(text).refuse(cards) is None
    cpu = Card(kind="cpu", title="the CPU", total_bytes=1, free_bytes=1)
    mixed = replace(cards, devices=(cards.devices[0], cpu))
    refused = registry.read(text).refuse(mixed)
    assert mixed.mixed and refused is not None and refused.hint == "Use data_parallel."
    assert registry.read("data_parallel").refuse(mixed) is None
