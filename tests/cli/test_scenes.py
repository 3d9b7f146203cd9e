"""`fullfield scenes`: pairs that a training takes as they are, and sizes that are none."""

from __future__ import annotations

import runpy
import shlex
import subprocess
from pathlib import Path

import pytest

from fullfield import system
from fullfield.data import prepared, split
from fullfield.data.scenes import pairs
from fullfield.errors import InputRefused
from fullfield.plan.spec import SMALLEST
from fullfield_app import arguments


def test_that_scenes_are_left_where_they_were_asked_for_and_the_training_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = arguments.parse(["scenes", str(tmp_path / "out"), "--count", "2", "--seed", "5", "--size", str(SMALLEST)])()

    made = prepared.load(tmp_path / "out")
    assert code == 0
    assert made.size == SMALLEST and len(made.items) == 2
    assert made.normalisation["preset_tone"]
    assert f"fullfield train --network map --data {tmp_path / 'out'} --size {SMALLEST}" in capsys.readouterr().err


def test_that_the_training_that_is_named_can_be_typed_as_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs, "write", lambda *_, **__: None)
    assert arguments.parse(["scenes", str(tmp_path / "our scenes"), "--count", "2"])() == 0
    reported = capsys.readouterr().err
    assert reported.startswith("2 scenes. Train on them: fullfield train ")
    quoted = f'"{tmp_path / "our scenes"}"' if system.WINDOWS else shlex.quote(str(tmp_path / "our scenes"))
    assert f" --data {quoted} --size" in reported


def test_that_of_a_single_scene_no_training_is_named_for_none_could_be_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert arguments.parse(["scenes", str(out), "--count", "1", "--size", str(SMALLEST)])() == 0
    assert capsys.readouterr().err == "1 scene. A training needs at least 2: it holds some back.\n"
    [item] = prepared.load(out).items
    with pytest.raises(InputRefused, match="two patients"):
        split.by_patient([(item.key, item.patient)], fraction=0.2, seed=0)


@pytest.mark.parametrize("size", ["64", str(SMALLEST - 1), "large", "-1", "512,", "512,64"])
def test_that_a_size_that_is_none_is_refused(size: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as left:
        arguments.parse(["scenes", str(tmp_path), "--size", size])
    assert left.value.code == 2


def test_that_the_model_of_scenes_is_made_by_two_commands_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: called.append([*map(str, command[3:])]))
    script = Path(__file__).parents[2] / "packaging" / "scene_model.py"
    assert runpy.run_path(str(script))["make"](tmp_path) == tmp_path / "run" / "model.safetensors"
    assert [command[0] for command in called] == ["scenes", "train"]
    for command in called:
        arguments.parse(command)  # every option is one that there is
