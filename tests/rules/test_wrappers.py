"""What comes over a network is tensors and text, and PyTorch's own ways to train on several devices stay in their
techniques."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fullfield.nodes import results
from support import ROOT

CORE = ROOT / "core" / "fullfield"
WRAPPERS = {
    "DistributedDataParallel": "techniques/ddp.py",
    "ZeroRedundancyOptimizer": "techniques/zero_optimizer.py",
    "fully_shard": "techniques/fsdp.py",
    "FullyShardedDataParallel": "",
    "SyncBatchNorm": "",
}
"""The one file that uses each; none: no one does."""
PICKLES = re.compile(r"pickle|cPickle|_pickle|cloudpickle|dill|shelve|marshal")
OBJECTS = re.compile(r"\w+_object(_list)?")  # of torch.distributed: they run what they receive
FOREIGN = "model/foreign.py"  # reads files of others in a child that can be killed, and only weights of them


INT8 = "quantize/int8.py"  # reads what this computer has made: torch's archives can hold pickles


@cache
def used(path: Path) -> frozenset[str]:
    """Every name that the code of a module uses, and every part of those that it imports; no words of docstrings."""
    return frozenset(_names(ast.parse(path.read_text("utf-8"))))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                yield from (*module.split("."), *alias.name.split("."), f"{module}.{alias.name}")
        elif isinstance(node, ast.Attribute):
            yield node.attr
            yield ast.unparse(node)
        elif isinstance(node, ast.Name):
            yield node.id


def where(wanted: re.Pattern[str]) -> set[str]:
    files = CORE.rglob("*.py")
    return {path.relative_to(CORE).as_posix() for path in files if any(map(wanted.fullmatch, used(path)))}


@pytest.mark.parametrize("name", WRAPPERS)
def test_that_a_wrapper_is_used_by_its_own_technique_alone(name: str) -> None:
    assert where(re.compile(name)) == {WRAPPERS[name]} - {""}


def test_that_nothing_that_is_received_is_run() -> None:
    assert where(PICKLES) == set()
    assert where(re.compile(r"torch\.(load|save)")) == {FOREIGN}
    assert where(re.compile(r"torch\.export\.load")) == {INT8}
    assert not results.may_come("model-int8.pt2"), "of another machine none is ever here to be opened"
    received = {path.relative_to(CORE).as_posix() for path in CORE.rglob("*.py") if "distributed" in used(path)}
    assert {"distribution/processes.py", "distribution/meet.py"} <= received
    assert where(OBJECTS) & received == set()


def test_that_the_rule_sees_what_it_forbids(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    lines = (
        '"""DistributedDataParallel."""',
        "import pickle",
        "torch.load(x)",
        "from torch.export import load",
        "distributed.all_gather_object(a, b)",
    )
    bad.write_text("\n".join(lines))
    names = used(bad)
    assert {
        "pickle",
        "torch.load",
        "torch.export.load",
        "all_gather_object",
    } <= names and "DistributedDataParallel" not in names
    assert any(map(OBJECTS.fullmatch, names)) and any(map(PICKLES.fullmatch, names))
