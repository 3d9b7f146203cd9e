"""Checkpoints under every misfortune that can be made on purpose."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import torch

from fullfield import files
from fullfield.errors import CannotWrite, ModelError, UsageError
from fullfield.train.checkpoint import Checkpoint, Store


def tensors(step: int) -> dict[str, torch.Tensor]:
    return {"network.weight": torch.full((64,), float(step)), "count": torch.tensor(step)}


def save(store: Store, *steps: int) -> None:
    for step in steps:
        store.save(step, tensors(step), {"progress": {"step": step}})


def latest(run: Path) -> Checkpoint:
    with Store(run) as store:
        found = store.latest()
    assert found is not None
    return found


def test_that_the_newest_of_three_kept_checkpoints_comes_back(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2, 3, 4, 5)
        assert sorted(path.name for path in store.folder.glob("step-*")) == [
            f"step-{step:09d}.safetensors" for step in (3, 4, 5)
        ]
    found = latest(tmp_path)
    assert found.fields == {"progress": {"step": 5}}
    assert torch.equal(found.tensors["network.weight"], torch.full((64,), 5.0))
    assert found.notices == ()


def test_that_an_empty_folder_has_no_checkpoint(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.latest() is None


@pytest.mark.parametrize("place", [0, 3, 40, -300, -100, -1])
def test_that_one_flipped_bit_gives_way_to_the_checkpoint_before_and_is_said(tmp_path: Path, place: int) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    path = tmp_path / "checkpoints" / "step-000000002.safetensors"
    content = bytearray(path.read_bytes())
    content[place] ^= 0x10
    path.write_bytes(content)
    found = latest(tmp_path)
    assert found.fields["progress"]["step"] == 1
    assert found.notices == ("The checkpoint of step 2 is damaged or missing; the one before it is used.",)


@pytest.mark.parametrize("length", [0, 7, 100])
def test_that_a_checkpoint_cut_short_gives_way(tmp_path: Path, length: int) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    path = tmp_path / "checkpoints" / "step-000000002.safetensors"
    path.write_bytes(path.read_bytes()[:length])
    assert latest(tmp_path).fields["progress"]["step"] == 1


def test_that_a_damaged_list_is_replaced_by_its_copy(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    (tmp_path / "checkpoints" / "index.json").write_text("{")
    found = latest(tmp_path)
    assert found.fields["progress"]["step"] == 2
    assert found.notices == ("The list of checkpoints is damaged; its copy is used.",)


def test_that_only_damaged_checkpoints_stop_the_run_instead_of_starting_it_anew(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    for path in (tmp_path / "checkpoints").glob("step-*"):
        path.write_bytes(b"nothing")
    with Store(tmp_path) as store, pytest.raises(ModelError, match="All of its checkpoints are damaged"):
        store.latest()


def test_that_checkpoints_whose_list_is_gone_are_neither_deleted_nor_passed_over(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2, 3)
    for path in (tmp_path / "checkpoints").glob("index*.json"):
        path.unlink()
    with Store(tmp_path) as store, pytest.raises(ModelError, match="list of its checkpoints is gone"):
        store.latest()
    assert len(list((tmp_path / "checkpoints").glob("step-*"))) == 3


@pytest.mark.parametrize("name", ["step-000000001.safetensors", "best-000000001.safetensors"])
def test_that_a_single_file_without_a_list_is_refused_and_kept(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        path = store.folder / name
        path.write_bytes(b"weeks of training")
        with pytest.raises(ModelError, match="list of its checkpoints is gone"):
            store.latest()
    assert path.read_bytes() == b"weeks of training"


def test_that_a_first_checkpoint_killed_before_its_list_starts_the_training_anew(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.latest() is None
        (store.folder / "step-000000001.safetensors").write_bytes(b"renamed, and killed before the list named it")
    with Store(tmp_path) as store:
        assert store.latest() is None


@pytest.mark.parametrize("call", ["replace", "fsync"])
@pytest.mark.parametrize("number", range(4))
def test_that_a_disk_that_fails_at_any_moment_of_a_save_leaves_the_last_good_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2, 3)
        owner, real = (Path, Path.replace) if call == "replace" else (os, os.fsync)
        count = 0

        def failing(*values: object) -> object:
            nonlocal count
            count += 1
            if count > number:
                raise OSError(28, "No space left on device")
            return real(*values)  # type: ignore[operator]

        monkeypatch.setattr(owner, call, failing)
        try:
            save(store, 4)
        except CannotWrite as error:
            assert error.title == "Cannot save a checkpoint."
            assert "No space left" in error.detail
        monkeypatch.undo()
    assert latest(tmp_path).fields["progress"]["step"] in (3, 4)


def test_that_weights_that_are_not_finite_are_never_saved(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1)
        with pytest.raises(ModelError, match="diverged"):
            store.save(2, {"network.weight": torch.tensor([1.0, float("nan")])}, {})
    assert latest(tmp_path).fields["progress"]["step"] == 1


def test_that_two_processes_cannot_train_in_one_folder(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(UsageError, match="Another process"), Store(tmp_path):
        pass


def test_that_what_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1)
    folder = tmp_path / "checkpoints"
    (folder / f".abc{files.PART_SUFFIX}").write_bytes(b"half")
    (folder / "step-000000009.safetensors").write_bytes(b"renamed, and killed before the list named it")
    assert latest(tmp_path).fields["progress"]["step"] == 1
    left = {path.name for path in folder.iterdir()} - {"lock"}
    assert left == {"index.copy.json", "index.json", "step-000000001.safetensors"}


def test_that_a_best_model_is_kept_as_long_as_a_checkpoint_needs_it(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for step in range(1, 6):
            if step in (1, 3):
                (store.folder / f"best-{step:09d}.safetensors").write_bytes(b"model")
            best = "best-000000001.safetensors" if step < 3 else "best-000000003.safetensors"
            store.save(step, tensors(step), {}, best=best)
        assert [path.name for path in store.folder.glob("best-*")] == ["best-000000003.safetensors"]
    assert json.loads((tmp_path / "checkpoints" / "index.json").read_text())["checkpoints"][-1]["step"] == 5
