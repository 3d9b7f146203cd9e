"""What may be said of a technique by its options, and what is meant where nothing is said: notes of plans and
checkpoints leave out what is the default, so a training that is resumed depends on it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from fullfield.errors import UsageError
from fullfield.techniques import registry

UNSAID = {
    "spatial": {"portions": (), "processes": 0},
    "precision": {"format": "bf16"},
    "compile": {"budget": 1.0, "backend": "inductor"},
    "optimizer_offload": {"chunk": 4},
    "lars": {"trust": 0.001, "momentum": 0.9, "decay": 0.0005},
    "lamb": {"decay": 0.01},
    "model_parallel": {"cut": "encoder_decoder", "schedule": "1f1b", "last": ()},
    "data_parallel": {"batch_norm": "own", "portions": ()},
    "zero": {"level": 1},
    "gradient_compression": {"format": "fp16", "share": 0.01, "rank": 4},
    "accumulate": {"images": 1},
    "rate_scaling": {"rule": "linear", "reference": 1, "warm_up": 5.0},
    "gradient_clipping": {"norm": 1.0},
    "ema": {"decay": 0.999},
    "momentum": {"gamma": 0.9},
    "banded_loss": {"rows": 0},
    "checkpointing": {"by": "everything", "segments": 0, "budget": 0, "parts": ()},
    "hybrid_bands": {"rows": 192, "block_rows": 64, "nested": ("layer1", "layer2"), "fused": False},
    "full_bands": {"rows": 192, "block_rows": 56, "keep": "fewest", "limit": 16.0, "whole": (), "tier": "device"},
    "compressed_activations": {"bits": 8, "block": 256},
    "offload_activations": {"smallest": 1.0, "ahead": 1},
}


@pytest.mark.parametrize("name", registry.all_techniques())
def test_that_an_earlier_note_that_leaves_an_option_out_means_what_it_meant(name: str) -> None:
    options = registry.read(name).options
    assert {item.name: getattr(options, item.name) for item in fields(options)} == UNSAID.get(name, {})


@pytest.mark.parametrize(
    ("option", "low", "high"),
    [
        ("spatial:processes", (0, -1), (16, 17)),
        ("compile:budget", (0.0, -0.01), (1.0, 1.01)),
        ("optimizer_offload:chunk", (1, 0), (1024, 1025)),
        ("lars:trust", (0.0001, 0.00009), (1.0, 1.01)),
        ("lars:momentum", (0.0, -0.01), (0.999, 0.9991)),
        ("lars:decay", (0.0, -0.01), (1.0, 1.01)),
        ("lamb:decay", (0.0, -0.01), (10.0, 10.1)),
        ("gradient_compression:share", (0.0001, 0.00009), (0.2, 0.201)),
        ("gradient_compression:rank", (1, 0), (64, 65)),
        ("accumulate:images", (1, 0), None),
        ("rate_scaling:reference", (1, 0), (4096, 4097)),
        ("rate_scaling:warm_up", (0.0, -0.01), (1000.0, 1000.1)),
        ("gradient_clipping:norm", (0.01, 0.009), None),
        ("ema:decay", (0.0, -0.01), (0.9999, 0.99991)),
        ("momentum:gamma", (0.01, 0.009), (0.99, 0.991)),
        ("banded_loss:rows", (0, -1), None),
        ("checkpointing:segments", (0, -1), None),
        ("checkpointing:budget", (0, -1), None),
        ("hybrid_bands:rows", (16, 15), (4096, 4097)),
        ("hybrid_bands:block_rows", (4, 3), (4096, 4097)),
        ("full_bands:rows", (8, 7), (4096, 4097)),
        ("full_bands:block_rows", (8, 7), (4096, 4097)),
        ("full_bands:limit", (0, -1), (1000, 1000.1)),
        ("offload_activations:smallest", (0, -1), None),
        ("offload_activations:ahead", (0, -1), (8, 9)),
    ],
)
def test_that_an_option_is_taken_up_to_its_bounds_and_not_beyond(
    option: str, low: tuple[float, float], high: tuple[float, float] | None
) -> None:
    for bound in (low, high):
        if bound is not None:
            allowed, beyond = bound
            assert getattr(registry.read(f"{option}={allowed}").options, option.partition(":")[2]) == allowed
            with pytest.raises(UsageError, match="Cannot set"):
                registry.read(f"{option}={beyond}")
    if high is None:
        registry.read(f"{option}=1000000")


@pytest.mark.parametrize(
    ("option", "choices"),
    [
        ("spatial:portions", [str(number) for number in range(1, 17)]),
        ("data_parallel:portions", [str(number) for number in range(1, 17)]),
        ("precision:format", ["fp32", "tf32", "bf16", "fp16"]),
        ("compile:backend", ["inductor", "aot_eager"]),
        ("model_parallel:cut", ["encoder_decoder", "balanced"]),
        ("model_parallel:schedule", ["1f1b", "gpipe"]),
        ("data_parallel:batch_norm", ["own", "joint"]),
        ("zero:level", ["1", "2", "3"]),
        ("gradient_compression:format", ["fp16", "bf16", "int8", "topk", "powersgd"]),
        ("rate_scaling:rule", ["linear", "root"]),
        ("checkpointing:by", ["stage", "block", "everything", "periodic", "optimal", "parts"]),
        ("hybrid_bands:nested", ["stem", "layer1", "layer2", "layer3", "layer4", "d1", "d2"]),
        ("hybrid_bands:fused", ["true", "false"]),
        ("full_bands:keep", ["blocks", "stages", "fewest"]),
        ("full_bands:whole", ["layer2", "layer3", "layer4", "d1", "d2"]),
        ("full_bands:tier", ["device", "host"]),
        ("compressed_activations:bits", ["8", "4"]),
        ("compressed_activations:block", ["64", "128", "256", "512"]),
    ],
)
def test_that_of_a_list_each_is_a_choice_and_nothing_else(option: str, choices: list[str]) -> None:
    name = option.partition(":")[2]
    for choice in choices:
        value = getattr(registry.read(f"{option}={choice}").options, name)
        assert ("+".join(value) if isinstance(value, tuple) else str(value).lower()) == choice
    for other in ("0", "5", "17", "d3", "head", "none", "True"):
        if other not in choices:
            with pytest.raises(UsageError) as refused:
                registry.read(f"{option}={other}")
            allowed = "true or false" if name == "fused" else ", ".join(choices)
            assert refused.value.hint == f"Choose {allowed}."


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("lars:trust=2", "Choose from 0.0001 to 1."),
        ("gradient_clipping:norm=0", "Choose from 0.01."),
        ("optimizer_offload:chunk=1.5", "Choose from 1 to 1024."),
        ("momentum:gamma=-inf", "Choose from 0.01 to 0.99."),
        ("hybrid_bands:fused=yes", "Choose true or false."),
        ("zero:levle=1", "Did you mean 'level'?"),
        ("zero:x=1", "Choose from level."),
        ("zerro", "Did you mean 'zero'?"),
        ("qqq", f"Choose from {', '.join(registry.all_techniques())}."),
    ],
)
def test_that_a_mistake_is_answered_with_what_may_be_said(text: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        registry.read(text)
    assert refused.value.hint == hint


def test_that_several_options_and_lists_are_read_and_none_is_an_empty_list() -> None:
    options = registry.read("full_bands:rows=8,whole=layer3+d1,tier=host,limit=0").options
    assert (options.rows, options.whole, options.tier, options.limit) == (8, ("layer3", "d1"), "host", 0.0)
    assert registry.read("full_bands:whole=").options.whole == ()
    assert str(registry.read("hybrid_bands:fused=true,nested=")) == "hybrid_bands:nested=,fused=true"
    assert registry.read(str(registry.read("hybrid_bands:nested=stem+d2"))).options.nested == ("stem", "d2")


@pytest.mark.parametrize(
    ("one", "said", "has"),
    [
        ("zero:level=2", "zero:level=2", True),
        ("zero:level=2", "zero:level=3", False),
        ("zero:level=2", "zero", True),
        ("data_parallel:batch_norm=joint,portions=3+1", "data_parallel:batch_norm=joint", True),
        ("data_parallel:portions=3+1", "data_parallel:batch_norm=joint,portions=3+1", False),
        ("data_parallel:portions=3+1", "data_parallel:portions=3+1,batch_norm=own", True),
        ("hybrid_bands:fused=true", "hybrid_bands:fused=true", True),
    ],
)
def test_that_a_technique_knows_whether_it_has_the_options_that_a_text_says(one: str, said: str, has: bool) -> None:
    assert registry.read(one).has(said) is has
