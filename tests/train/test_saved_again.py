"""A step that is saved twice: within an epoch and at its end, or by a stop in the validation and after it."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
import torch

from fullfield import files
from fullfield.errors import CannotWrite
from fullfield.nodes import results
from fullfield.train.checkpoint import Store
from fullfield.train.checkpoint_file import Checkpoint

TENSORS = {"network.weight": torch.ones(64)}


def latest(run: Path) -> Checkpoint:
    with Store(run) as store:
        found = store.latest()
    assert found is not None
    return found


def test_that_a_step_saved_again_leaves_what_is_listed_until_the_list_names_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise CannotWrite("Full.") from OSError(errno.ENOSPC, "No space left on device")

    with Store(tmp_path) as store:
        store.save(1, TENSORS, {"progress": {"step": 1}})
        monkeypatch.setattr(files, "write_text", full)
        with pytest.raises(CannotWrite):
            store.save(1, TENSORS, {"progress": {"step": 1, "epoch": 1}})
        monkeypatch.undo()
    assert latest(tmp_path).fields == {"progress": {"step": 1}}
    with Store(tmp_path) as store:
        store.latest()
        for epoch in (1, 2, 3):
            store.save(1, TENSORS, {"progress": {"step": 1, "epoch": epoch}})
        (left,) = store.folder.glob("step-*")
    assert results.is_checkpoint(f"checkpoints/{left.name}")
    assert latest(tmp_path).fields == {"progress": {"step": 1, "epoch": 3}}


def test_that_checkpoints_without_a_list_are_in_the_order_of_their_steps(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for step in (1, 2, 2):
            store.save(step, TENSORS, {"progress": {"step": step}})
        for name in ("index.json", "index.copy.json"):
            (store.folder / name).write_text('{"checkpoints": []}')
    assert latest(tmp_path).fields == {"progress": {"step": 2}}
