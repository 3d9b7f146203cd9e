"""Techniques by their texts: every one of them, and every mistake."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from fullfield.errors import UsageError
from fullfield.techniques import registry
from techniques.stepping import site

ALL = list(registry.all_techniques())


@pytest.mark.parametrize("name", ALL)
def test_that_a_technique_says_what_it_is(name: str) -> None:
    kind = registry.all_techniques()[name]
    for text in (kind.title, kind.sentence, kind.source):
        assert text.strip() == text and text
    assert kind.sentence.endswith(".")
    prose = [word for word in ("section", " by hand", "(micro", "package ", " and what ") if word in kind.source]
    assert not prose, "a source is shown in every language as it is"
    for other, reason in kind.excludes.items():
        assert reason.endswith(".")
        assert str(registry.read(other)) in (other, other.partition(":")[0])  # it exists, with these options
    assert set(kind.needs) <= set(ALL)
    assert kind.excludes.keys().isdisjoint({name, *kind.needs})


@pytest.mark.parametrize("name", ALL)
def test_that_every_option_has_a_sentence_and_an_allowed_default(name: str) -> None:
    kind = registry.all_techniques()[name]
    for item in fields(kind.Options):
        limits = item.metadata
        assert limits["text"]
        values = item.default if isinstance(item.default, tuple) else (item.default,)
        assert not limits["choices"] or set(values) <= set(limits["choices"])
        assert limits["least"] is None or item.default >= limits["least"]
        assert limits["most"] is None or item.default <= limits["most"]


@pytest.mark.parametrize("kind", ["cpu", "cuda"])
@pytest.mark.parametrize("name", ALL)
def test_that_what_a_technique_proposes_is_itself_with_options_that_its_text_tells(name: str, kind: str) -> None:
    found = registry.all_techniques()[name].candidates(site(kind, (8, 0)))
    assert all(one.technique.name == name for one in found)
    assert all(str(registry.read(str(one.technique))) == str(one.technique) for one in found)
    assert len({str(one.technique) for one in found}) == len(found)


def test_that_techniques_that_save_memory_and_cost_no_exactness_are_proposed_without_being_asked_for() -> None:
    here = site("cuda", (8, 0))
    proposed = {name for name, one in registry.all_techniques().items() if one.candidates(here)}
    assert {"checkpointing", "full_bands", "hybrid_bands", "offload_activations", "optimizer_in_backward"} <= proposed
    assert proposed.isdisjoint({"accumulate", "ema", "lars", "momentum"})  # who names them has them


@pytest.mark.parametrize("name", ALL)
def test_that_a_technique_survives_its_text(name: str) -> None:
    technique = registry.read(name)
    assert str(technique) == name
    for item in fields(technique.Options):
        for choice in item.metadata["choices"]:
            text = f"{name}:{item.name}={str(choice).lower() if isinstance(choice, bool) else choice}"
            again = registry.read(str(registry.read(text)))
            assert again.options == registry.read(text).options


def test_that_options_are_told_in_the_text_where_they_are_not_the_default() -> None:
    assert str(registry.read("precision:format=bf16")) == "precision"
    assert str(registry.read("precision:format=fp16")) == "precision:format=fp16"
    assert str(registry.read("accumulate:images=4")) == "accumulate:images=4"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("precison", "Did you mean 'precision'?"),
        ("precision:fromat=bf16", "Did you mean 'format'?"),
        ("precision:format", "as an option"),
        ("precision:format=int8", "Choose fp32, tf32, bf16, fp16."),
        ("accumulate:images=0", "Choose from 1."),
        ("accumulate:images=few", "Choose from 1."),
        ("channels_last:way=1", "has no options"),
        ("offload_activations:smallest=nan", "Choose from 0"),
        ("offload_activations:smallest=inf", "Choose from 0"),
        ("momentum:gamma=nan", "Choose from"),
        ("compile:budget=nan", "Choose from 0 to 1"),
    ],
)
def test_that_a_mistake_is_met_with_what_is_right(text: str, word: str) -> None:
    with pytest.raises(UsageError) as reported:
        registry.read(text)
    assert word in str(reported.value)


def test_that_reading_and_looking_at_techniques_imports_no_torch() -> None:
    code = (
        "from fullfield.techniques import registry\n"
        "for kind in registry.all_techniques().values(): str(registry.read(kind.name))\n"
        "import sys; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_that_no_technique_imports_another() -> None:
    folder = Path(registry.__file__).parent
    modules = {line.partition(".")[0] for line in registry._LINES}
    for module in modules:
        text = (folder / f"{module}.py").read_text(encoding="utf-8")
        found = {other for other in modules - {module} if f"techniques.{other} " in text}
        assert not found, f"{module} imports {found}"
