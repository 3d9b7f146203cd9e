"""The network's stages have names in one room alone: elsewhere a stage is asked for by its role."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullfield.model.stages import STAGES
from support import ROOT

ROOM = ROOT / "core" / "fullfield" / "model"
SOURCES = [*sorted((ROOT / "core").rglob("*.py")), *sorted((ROOT / "app").rglob("*.py"))]
NAMED = re.compile(rf"(?:^|(?<=[=+,])|(?<=\.\.))(?:{'|'.join(STAGES)})(?:\.\w+)?(?=$|[+,]|\.\.)")
# A name by itself, or with what lies inside of the stage; also as an option's value, and in a list or range of them
# ("hybrid_bands:nested=layer1+layer2"). What has blanks is a sentence, such as one on what users may type.


def named(source: str) -> Iterator[str]:
    """The names of stages in string literals, of f-strings in their fixed parts too; sentences are none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not re.search(r"\s", node.value):
            yield from NAMED.findall(node.value)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ('stages["layer1"]', ["layer1"]),
        ('takes = ("d3", INPUT)', ["d3"]),
        ('POOL = "layer1.pool"', ["layer1.pool"]),
        ('f"{x}" if y else "head"', ["head"]),
        ('"hybrid_bands:nested=layer1+layer2,rows=9"', ["layer1", "layer2"]),
        ('f"checkpointing:by=parts,parts=layer1.blocks+layer4..d2+{x}"', ["layer1.blocks", "layer4", "d2"]),
        ('"features=stem4+header"', []),
        ('option("Which parts, such as layer1.blocks+layer4..d2")', []),
        ('"""layer1 and the stem."""', []),
        ("stages[LAYERS[0]]", []),
    ],
)
def test_that_the_rule_sees_names_of_stages_and_nothing_else(source: str, wanted: list[str]) -> None:
    assert list(named(source)) == wanted


def test_that_no_string_names_a_stage_outside_of_the_model() -> None:
    elsewhere = (path for path in SOURCES if not path.is_relative_to(ROOM))
    found = {path: names for path in elsewhere if (names := list(named(path.read_text("utf-8"))))}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in found.items()} == {}


def test_that_the_stages_are_named_in_one_file_of_the_model() -> None:
    files = {path.relative_to(ROOM) for path in ROOM.rglob("*.py") if list(named(path.read_text("utf-8")))}
    assert files == {Path("stages.py")}
