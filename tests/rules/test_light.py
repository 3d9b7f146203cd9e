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
from fullfield import __version__, parts
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
    engine = declared(ROOT / "core")
    listed = {text.partition(">")[0] for text in engine.dependencies}
    assert listed.isdisjoint(parts.PACKAGES.values())
    brought = {text.partition(">")[0] for text in engine.optional_dependencies["train"]}
    assert brought <= {name.lower() for name in parts.PACKAGES.values()}


def test_that_momentum_networks_need_no_more_of_momentumnet_than_the_locks_bring(tmp_path: Path) -> None:
    light.require("momentumnet", "torch")
    environment = hidden(tmp_path, ("vit_pytorch", "imageio", "einops"))
    command = [sys.executable, "-c", "import fullfield.recomputation.momentum"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def declared(folder: Path) -> Any:
    """What the distribution that is built in `folder` declares of itself."""
    from hatchling.metadata.core import ProjectMetadata
    from hatchling.plugin.manager import PluginManager

    return ProjectMetadata(str(folder), PluginManager()).core


def test_that_the_whole_is_the_window_and_the_engine_of_its_checkout() -> None:
    whole, engine = declared(ROOT), declared(ROOT / "core")
    brought, *window = whole.dependencies
    assert brought == f"fullfield-engine @ {(ROOT / 'core').as_uri()}"
    assert {text.partition("=")[0].rstrip("!<>") for text in window} == {"pyqtgraph", "pyside6-essentials"}
    for extra in ("train", "all"):
        assert whole.optional_dependencies[extra] == [brought.replace("engine", "engine[train]")]
    assert whole.requires_python == engine.requires_python


def test_that_what_is_built_for_an_index_names_the_engine_of_its_own_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLFIELD_RELEASE", "yes")
    whole = declared(ROOT)
    assert whole.dependencies[0] == f"fullfield-engine=={__version__}"
    assert whole.optional_dependencies["train"] == [f"fullfield-engine[train]=={__version__}"]


def wheel_of(folder: Path) -> Any:
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]


def test_that_the_engine_has_all_of_the_command_line_and_nothing_of_the_window() -> None:
    assert wheel_of(ROOT)["only-include"] == ["app/fullfield_app/gui"]
    listed = wheel_of(ROOT / "core")["force-include"]
    inside = {Path(target).name for target in listed.values() if target.startswith("fullfield_app/")}
    there = {path.name for path in (ROOT / "app" / "fullfield_app").iterdir()} - {"__pycache__", "gui"}
    assert inside == there


def test_that_the_engine_brings_all_resources_and_so_the_weights_that_ship() -> None:
    assert wheel_of(ROOT / "core")["force-include"]["../resources"] == "fullfield/resources"
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()  # hatch leaves those out, too
    assert not any("safetensors" in line or line.startswith(("resources", "weights")) for line in ignored)


def test_that_everything_but_the_window_is_imported_without_qt(tmp_path: Path) -> None:
    names = [name for name in ALL if parts.is_light(name) and not name.startswith("fullfield_app.gui")]
    command = [sys.executable, "-c", _IMPORT_ALL]
    environment = hidden(tmp_path, (*parts.PACKAGES, *parts.WINDOW))
    done = subprocess.run(command, input=json.dumps(names), env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == {}
