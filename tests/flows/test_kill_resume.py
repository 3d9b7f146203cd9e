"""A killed training goes on bit for bit. All twenty moments: `python tests/flows/kill_resume.py --moments 20`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import warm

narrowed = warm.narrow(by=2)  # of a narrower one, a checkpoint is written too soon to be killed within


@pytest.fixture
def kill_resume() -> ModuleType:
    found = importlib.util.spec_from_file_location("kill_resume", Path(__file__).with_name("kill_resume.py"))
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["kill_resume"] = module
    found.loader.exec_module(module)
    return module


@pytest.mark.training
@pytest.mark.slow
def test_that_a_training_killed_between_and_then_inside_checkpoint_writes_ends_bit_identical(
    kill_resume: ModuleType, tmp_path: Path
) -> None:
    (end,) = kill_resume.trials(tmp_path, 2, epochs=2, encoder="resnet18", of_a_run=2)
    assert end.identical and end.resumed and end.inside_write
