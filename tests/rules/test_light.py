"""The light part is light: it imports nothing of the training part, and the list of what that is is exact."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import light
from fullfield import parts
from light import hidden
from support import ROOT

_IMPORT_ALL = """
import importlib, json, sys
failed = {}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        failed[name] = error.name
print(json.dumps(failed))
"""
ALL = sorted(
    ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
    for folder in (ROOT / "core", ROOT / "app")
    for path in folder.rglob("*.py")
    if path.name != "__main__.py"
)


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By module, the package whose absence keeps it from being imported where the training part is hidden."""
    environment = hidden(tmp_path_factory.mktemp("hidden"), parts.PACKAGES)
    code = [sys.executable, "-c", _IMPORT_ALL]
    done = subprocess.run(code, input=json.dumps(ALL), env=environment, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_that_every_module_of_the_light_part_is_imported_without_the_training_part(failed: dict[str, str]) -> None:
    light = [name for name in ALL if parts.is_light(name)]
    assert {name: package for name, package in failed.items() if name in light} == {}
    assert len(light) > 300 and "fullfield_app.gui.main_window" in light and "fullfield.enhance.batch" in light


def test_that_no_module_is_of_the_training_part_without_need(failed: dict[str, str]) -> None:
    assert set(ALL) >= parts.MODULES
    assert {name for name in parts.MODULES if name not in failed} == set()
    for room in parts.ROOMS:
        assert any(name.startswith(f"{room}.") for name in failed)


def test_that_what_is_hidden_is_what_the_project_calls_its_training_part() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = {text.partition(">")[0] for text in project["dependencies"]}
    assert listed.isdisjoint(parts.PACKAGES.values())
    brought = {text.partition(">")[0] for text in project["optional-dependencies"]["train"]}
    assert brought <= set(parts.PACKAGES.values())


def test_that_momentum_networks_need_no_more_of_momentumnet_than_the_locks_bring(tmp_path: Path) -> None:
    light.require("momentumnet", "torch")
    environment = hidden(tmp_path, ("vit_pytorch", "imageio", "einops"))
    command = [sys.executable, "-c", "import fullfield.recomputation.momentum"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def project(path: str) -> dict[str, Any]:
    values: dict[str, Any] = tomllib.loads((ROOT / path).read_text("utf-8"))
    return values


def test_that_the_engine_asks_for_the_same_as_the_whole_but_for_the_window() -> None:
    whole, engine = project("pyproject.toml")["project"], project("core/pyproject.toml")["project"]
    without = [text for text in whole["dependencies"] if not text.startswith(("PySide6", "pyqtgraph"))]
    assert engine["dependencies"] == without and len(without) == len(whole["dependencies"]) - 2
    assert engine["optional-dependencies"]["train"] == whole["optional-dependencies"]["train"]
    assert engine["requires-python"] == whole["requires-python"]


def test_that_the_engine_has_all_of_the_command_line_and_nothing_of_the_window(tmp_path: Path) -> None:
    build = project("core/pyproject.toml")["tool"]["hatch"]["build"]["targets"]["wheel"]
    inside = {Path(target).name for target in build["force-include"].values() if target.startswith("fullfield_app/")}
    there = {path.name for path in (ROOT / "app" / "fullfield_app").iterdir()} - {"__pycache__", "gui"}
    assert inside == there


def test_that_everything_but_the_window_is_imported_without_qt(tmp_path: Path) -> None:
    names = [name for name in ALL if parts.is_light(name) and not name.startswith("fullfield_app.gui")]
    command = [sys.executable, "-c", _IMPORT_ALL]
    environment = hidden(tmp_path, (*parts.PACKAGES, *parts.WINDOW))
    done = subprocess.run(command, input=json.dumps(names), env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == {}
