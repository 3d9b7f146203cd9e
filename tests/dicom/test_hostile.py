"""Hostile and odd files: each is judged as it must be, and none crashes, hangs or swells the program."""

from __future__ import annotations

import importlib.util
import json
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused, InputUnreadable
from sources import compressed, dataset, encoded
from support import shared

SECONDS_EACH = 30.0
MEMORY = 2 << 30


@pytest.fixture
def decoder(tmp_path: Path) -> Iterator[Decoder]:
    with Decoder(tmp_path / "cache", memory=MEMORY, seconds=SECONDS_EACH) as made:
        yield made


def verdict(decoder: Decoder, path: Path) -> str:
    try:
        decoded = decoder.decode(path)
    except (InputRefused, InputUnreadable) as refusal:
        assert refusal.title and refusal.detail + refusal.hint and str(path.parent) not in str(refusal)
        found = "reject"
    else:
        assert decoded.image.pixels.max() <= decoded.image.top and decoded.header.patient.name.isprintable()
        found = "accept"
    return found


def mutants() -> ModuleType:
    path = shared("yardsticks") / "mutate.py"
    spec = importlib.util.spec_from_file_location("mutate", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_that_every_hostile_file_gets_its_verdict(decoder: Decoder) -> None:
    folder = shared("hostile")
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [
        (row["file"], row["what"], found)
        for row in rows
        if (found := verdict(decoder, folder / row["file"])) != row["expect"] and row["expect"] != "either"
    ]
    assert len(rows) == 624 and wrong == []


@pytest.mark.parametrize(
    "seed",
    ["robyoung__RG3_JPLY", "robyoung__RG3_JPLL", "robyoung__RG3_JLSL", "robyoung__RG3_RLE", "pydicomdata100__RG3_J2KR"],
)
def test_that_mutants_of_a_compressed_radiograph_are_read_or_refused(
    decoder: Decoder, tmp_path: Path, seed: str
) -> None:
    mutate, content = mutants(), (shared("data/dicom") / f"{seed}.dcm").read_bytes()
    for number in range(25):
        (tmp_path / "IM").write_bytes(mutate.random_mut(content, random.Random(f"{seed} {number}")))
        verdict(decoder, tmp_path / "IM")


@pytest.mark.slow
def test_that_hundreds_of_mutants_are_read_or_refused(decoder: Decoder, tmp_path: Path) -> None:
    mutate, content = mutants(), encoded(dataset())
    for number in range(600):
        (tmp_path / "IM").write_bytes(mutate.random_mut(content, random.Random(number)))
        verdict(decoder, tmp_path / "IM")


def test_that_a_crafted_codestream_costs_itself_alone(decoder: Decoder, tmp_path: Path) -> None:
    """Bytes of a sound codestream are overwritten where its tables stand; a codec that dies is replaced."""
    here = Path(__file__).parent
    chance = random.Random(5)
    for name, syntax in (
        ("bone_extended.jpg", "1.2.840.10008.1.2.4.51"),
        ("bone_reversible.jhc", "1.2.840.10008.1.2.4.201"),
    ):
        stream = (here / name).read_bytes()
        for _ in range(8):
            crafted = bytearray(stream)
            for _ in range(chance.choice((1, 2, 8))):
                crafted[chance.randrange(20, len(crafted))] = chance.randrange(256)
            (tmp_path / "IM").write_bytes(compressed(dataset(), bytes(crafted), syntax))
            verdict(decoder, tmp_path / "IM")
    (tmp_path / "IM").write_bytes(encoded(dataset()))
    assert verdict(decoder, tmp_path / "IM") == "accept"
