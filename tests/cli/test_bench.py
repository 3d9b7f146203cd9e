"""The options of `fullfield bench`."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import map_file
from fullfield import other_python, parts
from fullfield.errors import MissingPart, ModelError
from fullfield.model import shipped
from fullfield_app import arguments
from fullfield_app.cli import bench


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a command line passes to its bench; nothing is measured."""

    def read(*words: str, here: bool = True) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        fake = SimpleNamespace(bench=lambda **values: found.append(values) or 0)
        modules: dict[str, Any] = {bench.__name__: bench, **{one.module: fake for one in bench.BENCHES.values()}}
        monkeypatch.setattr(importlib, "import_module", modules.__getitem__)
        monkeypatch.setattr(parts, "is_here", lambda name: here)
        assert arguments.parse(["bench", *words])() == 0
        return found[0]

    return read


@pytest.mark.parametrize("name", bench.BENCHES)
def test_that_every_bench_has_its_module_and_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert importlib.util.find_spec(bench.BENCHES[name].module)
    with pytest.raises(SystemExit) as ended:
        arguments.parse(["bench", name, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(f"--{option}" in shown for option in bench.BENCHES[name].options)


def test_that_an_option_that_is_not_given_is_not_passed(given: Any) -> None:
    assert given("loss") == {"json": False}
    assert given("exact", "--json") == {"json": True, "quick": False}
    assert given("single", "--quick") == {"json": False, "quick": True}


def test_that_options_are_read_as_what_they_are(given: Any, tmp_path: Path) -> None:
    values = given("single", "--out", str(tmp_path), "--only", "original", "AMP", "--epochs", "2", "--data", "images")
    assert values["out"] == tmp_path
    assert list(values["only"]) == ["original", "AMP"]
    assert (values["epochs"], values["data"]) == (2, Path("images"))
    assert given("cost", "--price", "0.5", "--repeat", "3")["price"] == 0.5
    assert given("quality", "images") == {"json": False, "folder": Path("images")}
    assert given("quality") == {"json": False}
    assert given("size", "--budget", "8GiB", "--least", "0.2")["least"] == 0.2


@pytest.mark.parametrize("name", ["quality", "detect", "phantoms", "guards"])
def test_that_a_model_is_found_by_its_name_also_the_one_that_ships(given: Any, name: str) -> None:
    path = shipped.folder() / "shipped.safetensors"
    map_file.write(path)
    assert given(name, "--model", "shipped")["model"] == given(name, "--model", str(path))["model"] == path
    with pytest.raises(ModelError, match="Cannot find the model 'another'"):
        given(name, "--model", "another")


def test_that_a_bench_refuses_what_is_none_of_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["conventional", "--quick"], ["cost", "--epochs", "3"], ["nonsense"]):
        with pytest.raises(SystemExit) as ended:
            arguments.parse(["bench", *words])
        assert ended.value.code == 2
    assert "throughput" in capsys.readouterr().err


def test_that_help_imports_neither_torch_nor_matplotlib() -> None:
    code = (
        "import contextlib, io, sys\nfrom fullfield_app.__main__ import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main(['bench', 'single', '--help'])\n"
        "sys.exit(bool({'torch', 'matplotlib', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["quality", "detect", "phantoms", "guards"])
def test_that_a_bench_that_is_given_a_model_or_sizes_runs_in_the_training_part_too(
    monkeypatch: pytest.MonkeyPatch, light_installation: Callable[..., None], name: str
) -> None:
    asked: list[list[str]] = []
    light_installation()
    monkeypatch.setattr(other_python, "call", lambda command: asked.append(command) or 7)  # type: ignore[func-returns-value]
    assert arguments.parse(["bench", name, "--model", "mine"])() == 7
    assert asked[0][5:] == [name, "--model", "mine"]
    if name == "quality":
        assert arguments.parse(["bench", name, "--sizes", "256", "native"])() == 7
        light_installation(installed=False)
        with pytest.raises(MissingPart, match="needs the training part"):
            arguments.parse(["bench", name, "--sizes", "256"])()


def test_that_a_model_is_benched_here_where_there_is_no_training_part(given: Any, tmp_path: Path) -> None:
    map_file.write(tmp_path / "map.safetensors")
    values = given("phantoms", "--model", str(tmp_path / "map.safetensors"), here=False)
    assert values["model"] == tmp_path / "map.safetensors", "a map network needs none"


def test_that_a_bench_of_a_light_installation_runs_in_the_training_part_beside_it(
    monkeypatch: pytest.MonkeyPatch, light_installation: Callable[..., None], tmp_path: Path
) -> None:
    asked: list[list[str]] = []
    light_installation()
    monkeypatch.setattr(other_python, "call", lambda command: asked.append(command) or 7)  # type: ignore[func-returns-value]
    words = ["exact", "--json", "--quick"]
    assert arguments.parse(["bench", *words])() == 7
    more = ["size", "--budget", "4GiB", "--only", "plain", "bands", "--least", "0.5"]
    arguments.parse(["bench", *more])()
    begin = [str(tmp_path / "python"), "-P", "-m", "fullfield_app", "bench"]
    assert [command[:5] for command in asked] == [begin, begin]
    assert [command[5:] for command in asked] == [words, more]


def test_that_a_bench_that_needs_nothing_of_it_runs_here(given: Any) -> None:
    assert given("conventional", "--repeat", "2") == {"json": False, "repeat": 2}
