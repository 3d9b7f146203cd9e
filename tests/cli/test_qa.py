"""`fullfield qa`: with which Python it measures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fullfield import other_python
from fullfield.qa import run
from fullfield_app import arguments


@pytest.mark.parametrize(("model", "code"), [(["--model", "shipped"], 7), ([], 0)])
def test_that_qa_with_a_model_runs_in_the_training_part_beside_a_light_installation(
    model: list[str],
    code: int,
    light_installation: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    asked: list[list[str]] = []
    light_installation()
    monkeypatch.setattr(run, "run", lambda asked, json, quiet: 0)
    monkeypatch.setattr(other_python, "call", lambda command: asked.append(command) or 7)  # type: ignore[func-returns-value]
    words = ["qa", "--edge", "edge.dcm", *model, "--json"]
    assert arguments.parse(words)() == code
    assert asked == ([[str(tmp_path / "python"), "-P", "-m", "fullfield_app", *words]] if model else [])
