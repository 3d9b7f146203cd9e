"""What the planner is told to try at a site, when, and what is impossible or of no use there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fullfield.memory.account import Shape
from fullfield.memory.costs import Key
from fullfield.techniques import networks, registry
from fullfield.techniques.base import Tier
from fullfield.techniques.checkpointing import Checkpointing
from fullfield.techniques.recompute import Recompute
from fullfield.techniques.site import Card, Site
from techniques import stepping


def site(
    kind: str = "cuda", ranks: int = 1, *, batch: int = 1, encoder: str = "resnet18", height: int = 512, lowest: int = 0
) -> Site:
    shape = Shape(height=height, width=512, batch=batch, encoder=encoder)
    found = stepping.site(kind, (8, 0), shape=shape, lowest=lowest)
    return replace(found, devices=found.devices * ranks)


FULL = "full_bands:"
HYBRID = "hybrid_bands"


@pytest.mark.parametrize(
    ("name", "where", "found"),
    [
        ("checkpointing", {}, ["checkpointing USUAL"]),
        ("recompute", {}, ["recompute USUAL"]),
        ("offload_activations", {}, ["offload_activations USUAL"]),
        ("optimizer_offload", {}, ["optimizer_offload USUAL"]),
        ("optimizer_in_backward", {}, ["optimizer_in_backward USUAL"]),
        ("precision", {}, ["precision USUAL", "precision:format=fp16 USUAL"]),
        (
            "hybrid_bands",
            {},
            [
                f"{HYBRID} USUAL",
                f"{HYBRID}:rows=256,nested=stem+layer1+layer2+layer3 USUAL",
                f"{HYBRID}:rows=256,nested=stem+layer1+layer2+layer3+layer4+d1+d2 TIGHT",
            ],
        ),
        (
            "full_bands",
            {},
            [
                f"{FULL}limit=22.0,whole=layer4 LAST_RESORT",
                "full_bands LAST_RESORT",
                f"{FULL}block_rows=48,limit=12.0 UTMOST",
                f"{FULL}block_rows=40,limit=10.5 UTMOST",
                f"{FULL}tier=host UTMOST",
                f"{FULL}rows=32,block_rows=24,tier=host UTMOST",
            ],
        ),
        ("zero", {"ranks": 2}, ["zero USUAL", "zero:level=2 USUAL", "zero:level=3 USUAL"]),
        ("zero", {}, []),
        ("data_parallel", {"ranks": 2, "batch": 2}, ["data_parallel:batch_norm=joint USUAL"]),
        ("data_parallel", {"ranks": 2}, []),
        ("data_parallel", {"batch": 2}, []),
        ("spatial", {"ranks": 2}, ["spatial USUAL"]),
        ("spatial", {"ranks": 4}, ["spatial USUAL"]),
        ("spatial", {"ranks": 4, "batch": 2}, ["spatial USUAL", "spatial:processes=2 USUAL"]),
        ("spatial", {"ranks": 4, "height": 96}, []),
        ("spatial", {"ranks": 3, "height": 96}, ["spatial USUAL"]),
        ("spatial", {"ranks": 4, "lowest": 96}, []),
        ("spatial", {"ranks": 4, "lowest": 96, "batch": 2}, ["spatial:processes=2 USUAL"]),
        ("spatial", {"ranks": 16}, ["spatial USUAL"]),
        ("spatial", {"ranks": 17, "height": 4096}, []),
        (
            "spatial",
            {"ranks": 12, "batch": 12, "height": 96},
            ["spatial:processes=2 USUAL", "spatial:processes=3 USUAL"],
        ),
        (
            "spatial",
            {"ranks": 6, "batch": 2},
            ["spatial USUAL", "spatial:processes=3 USUAL"],
        ),
        ("gradient_compression", {"ranks": 2}, []),
        ("gradient_compression", {"batch": 2}, []),
        ("gradient_compression", {"kind": "cpu", "ranks": 2, "batch": 2}, []),
        (
            "gradient_compression",
            {"ranks": 2, "batch": 2},
            [
                "gradient_compression:format=bf16 USUAL shortens",
                "gradient_compression:format=powersgd,rank=16 USUAL shortens",
            ],
        ),
        ("channels_last", {}, ["channels_last USUAL layout"]),
        ("compile", {}, ["compile USUAL layout"]),
    ],
)
def test_that_it_is_proposed_with_these_options_and_then(name: str, where: dict[str, Any], found: list[str]) -> None:
    proposed = registry.all_techniques()[name].candidates(site(**where))
    assert [
        f"{one.technique} {one.tier.name}{' layout' * (one.least_memory is not None)}{' shortens' * one.shortens}"
        for one in proposed
    ] == found
    for one in proposed:
        assert one.technique.refuse(site(**where)) is None
        assert one.least_memory is None or 0.8 < one.least_memory < 1.0


def test_that_what_takes_longer_is_asked_about_later() -> None:
    assert list(Tier) == [Tier.USUAL, Tier.TIGHT, Tier.LAST_RESORT, Tier.UTMOST] == sorted(Tier)


@pytest.mark.parametrize(
    "name", ["accumulate", "banded_loss", "compressed_activations", "ema", "lamb", "lars", "momentum", "ddp", "fsdp"]
)
def test_that_who_wants_it_names_it(name: str) -> None:
    assert registry.all_techniques()[name].candidates(site(ranks=2, batch=2)) == ()


@pytest.mark.parametrize(
    ("text", "of_no_use"),
    [
        ("offload_activations", True),
        ("optimizer_offload", True),
        ("full_bands:tier=host", True),
        ("full_bands", False),
        ("checkpointing", False),
        ("recompute", False),
    ],
)
def test_that_moving_to_the_hosts_memory_is_of_no_use_on_a_cpu(text: str, of_no_use: bool) -> None:
    found = registry.read(text).useless(site("cpu"))
    assert (found is not None) is of_no_use
    assert registry.read(text).useless(site("cuda")) is None
    assert found is None or found.text.startswith("There is no card here")


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("accumulate", {"batch": 2}, ""),
        ("accumulate", {}, "A batch of one image cannot be divided."),
        ("accumulate:images=2", {"batch": 3}, ""),
        ("accumulate:images=3", {"batch": 3}, "A batch of 3 images is not divided by 3 at a time."),
        ("accumulate:images=4", {"batch": 3}, "A batch of 3 images is not divided by 4 at a time."),
        ("rate_scaling", {}, "The learning rate was chosen for batches of this size"),
        ("rate_scaling", {"batch": 2}, ""),
        ("recompute", {}, ""),
        ("recompute", {"encoder": "resnet50"}, "It is written for the blocks of ResNet-34 and ResNet-18; resnet50"),
        ("momentum", {}, ""),
        ("momentum", {"encoder": "mobilenet_v2"}, "The blocks of mobilenet_v2 change the form of their images"),
        ("hybrid_bands:nested=stem", {"encoder": "mobilenet_v2"}, "This network's stem makes a map"),
        ("hybrid_bands:nested=layer1", {"encoder": "mobilenet_v2"}, ""),
        ("hybrid_bands:nested=stem", {}, ""),
        ("checkpointing:parts=layer1", {}, "Parts are named, and by=everything chooses others."),
        ("checkpointing:by=parts,parts=layer1", {}, ""),
        ("checkpointing:budget=5", {}, "budget does nothing with by=everything"),
        ("checkpointing:by=optimal,budget=5", {}, ""),
        ("checkpointing:by=periodic,budget=5", {}, "budget does nothing with by=periodic"),
        ("checkpointing:segments=2", {}, "segments does nothing with by=everything"),
        ("checkpointing:by=periodic,segments=2", {}, ""),
        ("checkpointing:by=optimal,segments=2", {}, "segments does nothing with by=optimal"),
        ("spatial", {}, "There is one process."),
        ("spatial:processes=3", {"ranks": 4, "batch": 2}, "4 processes cannot be divided into groups of 3"),
        ("spatial:processes=1", {"ranks": 4, "batch": 4}, "4 processes cannot be divided into groups of 1"),
        ("spatial:processes=2", {"ranks": 4, "batch": 2}, ""),
        ("spatial:processes=2", {"ranks": 4}, "There are more groups of processes (2) than images in a batch."),
        ("spatial:processes=2,portions=3+1", {"ranks": 4, "batch": 2}, ""),
        ("spatial:processes=2,portions=3+1+1", {"ranks": 4, "batch": 2}, "2 processes share an image, and 3 portions"),
        ("spatial:portions=8+8", {"ranks": 2}, ""),
        ("spatial:portions=9+8", {"ranks": 2}, "Images of 512 rows are divided into 16 parts at most, not 17."),
        ("spatial:portions=2+1", {"ranks": 2, "lowest": 96}, ""),
        ("spatial", {"ranks": 4, "lowest": 96}, "Images of 96 rows are divided into 3 parts at most, not 4."),
        ("data_parallel", {"ranks": 2}, ""),
        ("data_parallel:portions=3+1", {"ranks": 3}, "3 processes share the images, and 2 portions are named."),
        ("zero", {}, "There is one process, which keeps everything."),
        ("zero", {"ranks": 2}, ""),
        ("gradient_compression", {}, "There is one process, which sends nothing."),
        ("gradient_compression:share=0.1", {"ranks": 2}, "share is an option of topk."),
        ("gradient_compression:format=topk,share=0.1", {"ranks": 9}, ""),
        ("gradient_compression:format=topk,share=0.1", {"ranks": 10}, "With 10 processes topk sends as many bytes"),
        ("gradient_compression:format=int8", {"ranks": 7}, ""),
        ("gradient_compression:format=int8", {"ranks": 8}, "With 8 processes int8 sends as many bytes"),
        ("model_parallel", {"ranks": 11}, ""),
        ("model_parallel", {"ranks": 12}, "The network has 11 parts, too few for 12 processes."),
        ("model_parallel:last=layer1+d1", {"ranks": 3}, ""),
        ("model_parallel:last=d1+layer1", {"ranks": 3}, "d1+layer1 does not divide the network among 3 processes."),
        ("model_parallel:last=layer1+layer1", {"ranks": 3}, "layer1+layer1 does not divide the network"),
        ("model_parallel:last=d1", {"ranks": 3}, "d1 does not divide the network among 3 processes."),
        ("model_parallel:last=d1+head", {"ranks": 3}, "d1+head does not divide the network among 3 processes."),
    ],
)
def test_that_what_is_impossible_says_why_and_what_is_possible(text: str, where: dict[str, Any], said: str) -> None:
    refused = registry.read(text).refuse(site(**where))
    assert (refused is not None) is bool(said)
    if refused is not None:
        assert refused.text.startswith(said) and refused.hint


@pytest.mark.parametrize("missing", ["", "There is no compiler."])
def test_that_without_a_compiler_only_what_compiles_nothing_is_compiled(missing: str) -> None:
    here = replace(site(), compiler=missing)
    refused = registry.read("compile").refuse(here)
    assert (refused is not None) is bool(missing)
    assert refused is None or (refused.text, refused.hint) == (missing, "Install one, or leave it out.")
    assert registry.read("compile:backend=aot_eager").refuse(here) is None


def test_that_a_technique_is_refused_for_its_network_before_its_own_reasons() -> None:
    small = site(encoder="map")
    for text in ("accumulate", "zero", "recompute"):
        refused = networks.refused(registry.read(text), small)
        assert refused is not None and "map network" in refused.text
    assert networks.refused(registry.read("precision"), small) is None
    found = networks.refused(registry.read("accumulate"), site())
    assert found is not None and found.text == "A batch of one image cannot be divided."


@pytest.mark.parametrize(
    ("method", "found"),
    [
        ("recomputed", "recompute"),
        ("checkpoint", "checkpointing:by=parts,parts=layer2"),
        ("checkpoint-blocks", "checkpointing:by=parts,parts=layer2.blocks"),
        ("checkpoint-from-stem", "checkpointing:by=parts,parts=stem..layer2"),
        ("plain", ""),
        ("compiled:1", ""),
    ],
)
def test_that_who_traces_a_part_finds_the_technique_that_runs_it_so(method: str, found: str) -> None:
    key = Key(part="layer2", method=method, variant="")
    running = [kind.running(key) for kind in registry.all_techniques().values()]
    assert [str(one) for one in running if one is not None] == ([found] if found else [])
    assert Checkpointing.running(key) is None or Recompute.running(key) is None


@pytest.mark.parametrize("text", ["precision", "precision:format=fp16", "precision:format=tf32"])
def test_that_a_card_and_the_cpu_compute_in_one_format(text: str) -> None:
    cards = site(ranks=2)
    cpu = Card(kind="cpu", title="the CPU", total_bytes=1, free_bytes=1)
    mixed = replace(cards, devices=(cards.devices[0], cpu))
    refused = registry.read(text).refuse(mixed)
    assert refused is not None and "round to" in refused.text and refused.hint == "Leave it out."
    assert registry.read("precision:format=fp32").refuse(mixed) is None and registry.read(text).refuse(cards) is None


@pytest.mark.parametrize(
    ("kind", "capability", "slow", "impossible"),
    [
        ("cuda", (8, 0), (), []),
        ("cuda", (7, 5), (), ["tf32", "bf16"]),
        ("cpu", (0, 0), (), ["tf32"]),
        ("cpu", (0, 0), ("bf16",), ["tf32", "bf16"]),
        ("cpu", (0, 0), ("bf16", "fp16"), ["tf32", "bf16", "fp16"]),
    ],
)
def test_that_the_slowest_of_several_devices_decides_on_the_format(
    kind: str, capability: tuple[int, int], slow: tuple[str, ...], impossible: list[str]
) -> None:
    able = replace(stepping.site(kind, (9, 0)).devices[0], slow=())
    other = replace(able, capability=capability, slow=slow)
    for devices in ((other,), (able, other), (other, able)):
        here = replace(site(kind), devices=devices)
        refused = {
            name: registry.read(f"precision:format={name}").refuse(here) for name in ("fp32", "tf32", "bf16", "fp16")
        }
        assert [name for name, reason in refused.items() if reason] == impossible
        if kind == "cuda" and impossible:
            assert refused["bf16"] is not None and refused["bf16"].hint == "Choose precision:format=fp16."
