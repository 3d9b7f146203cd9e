"""Checkpoints under every misfortune that can be made on purpose."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from fullfield import files
from fullfield.errors import CannotWrite, ModelError, UsageError
from fullfield.model import tensor_file
from fullfield.train.checkpoint import Store
from fullfield.train.checkpoint_file import Checkpoint


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


def test_that_a_save_says_by_which_hash_its_file_is_known(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        reported = [store.save(step, tensors(step), {}) for step in (1, 2)]
        found = [files.sha256(store.folder / f"step-{step:09d}.safetensors") for step in (1, 2)]
        listed = json.loads((store.folder / "index.json").read_text())["checkpoints"]
    assert reported == found == [entry["sha256"] for entry in listed] and len(set(reported)) == 2


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


def test_that_a_run_whose_listed_checkpoints_are_gone_is_none_that_begins(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert not store.has_steps
        save(store, 1)
    for path in (tmp_path / "checkpoints").glob("step-*"):
        path.unlink()
    with Store(tmp_path) as store:
        assert store.has_steps, "first weights are not looked for"
        with pytest.raises(ModelError, match="All of its checkpoints are damaged"):
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


def emptied(run: Path) -> None:
    for path in (run / "checkpoints").glob("index*.json"):
        path.write_text(json.dumps({"version": 1, "checkpoints": []}))


def test_that_a_first_checkpoint_killed_before_its_list_is_gone_on_from(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.latest() is None
        store.save(1, tensors(1), {"progress": {"step": 1, "best": {"file": "best-000000001.safetensors"}}})
        (store.folder / "best-000000001.safetensors").write_bytes(b"the best model")
    emptied(tmp_path)
    found = latest(tmp_path)
    assert found.fields["progress"]["step"] == 1
    assert found.notices == ("The list of checkpoints is empty; those that lie there are whole and are used.",)
    assert (tmp_path / "checkpoints" / "best-000000001.safetensors").exists()


def test_that_empty_lists_delete_no_checkpoint_that_lies_there(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2, 3)
    emptied(tmp_path)
    newest = tmp_path / "checkpoints" / "step-000000003.safetensors"
    newest.write_bytes(newest.read_bytes()[:-5])
    found = latest(tmp_path)
    assert found.fields["progress"]["step"] == 2
    with Store(tmp_path) as store:
        assert store.latest() is not None
        save(store, 4)
    assert latest(tmp_path).fields["progress"]["step"] == 4


def test_that_empty_lists_and_only_damaged_checkpoints_are_refused_and_kept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.latest() is None
        path = store.folder / "step-000000001.safetensors"
        path.write_bytes(b"weeks of training")
        with pytest.raises(ModelError, match="list of its checkpoints is empty"):
            store.latest()
    assert path.read_bytes() == b"weeks of training"


def test_that_a_best_model_without_any_checkpoint_is_not_deleted_by_the_training_begun_anew(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.latest() is None
        (store.folder / "best-000000007.safetensors").write_bytes(b"weeks of training")
        assert store.latest() is None
        save(store, 1)
        assert (store.folder / "best-000000007.safetensors").read_bytes() == b"weeks of training"


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ESTALE])
@pytest.mark.parametrize("name", ["step-000000002.safetensors", "index"])
def test_that_what_cannot_be_read_now_is_neither_damaged_nor_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, name: str
) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    opened = Path.open

    def refused(path: Path, mode: str = "r", *rest: Any, **named: Any) -> Any:  # what reads a file goes through it
        if path.name.startswith(name) and mode.startswith("r"):
            raise OSError(number, os.strerror(number))
        return opened(path, mode, *rest, **named)

    monkeypatch.setattr(Path, "open", refused)
    with Store(tmp_path) as store, pytest.raises(ModelError, match="cannot be read now") as error:
        store.latest()
    assert os.strerror(number) in error.value.detail
    monkeypatch.undo()
    assert latest(tmp_path).fields["progress"]["step"] == 2


def test_that_a_folder_in_a_checkpoints_place_is_told_in_a_sentence(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1)
        (store.folder / "step-000000002.safetensors").mkdir()
        with pytest.raises(ModelError, match="A folder has the name of a checkpoint"):
            store.latest()


DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("text", [DEEP, '{"checkpoints": {"file": 1}}', '{"checkpoints": [{"file": []}]}', "[]"])
def test_that_a_crafted_list_gives_way_to_its_copy(tmp_path: Path, text: str) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    (tmp_path / "checkpoints" / "index.json").write_text(text)
    assert latest(tmp_path).fields["progress"]["step"] == 2


def crafted(run: Path, metadata: dict[str, str]) -> None:
    """Put a file with another state in the newest checkpoint's place, and its hash into the lists."""
    path = run / "checkpoints" / "step-000000002.safetensors"
    tensor_file.write(path, tensor_file.Content(tensors(2), metadata))
    for name in ("index.json", "index.copy.json"):
        values = json.loads((run / "checkpoints" / name).read_text())
        values["checkpoints"][-1]["sha256"] = files.sha256(path)
        (run / "checkpoints" / name).write_text(json.dumps(values))


@pytest.mark.parametrize("state", ["[1, 2]", DEEP, "3", '{"version": 1'])
def test_that_a_state_that_is_none_gives_way_to_the_checkpoint_before(tmp_path: Path, state: str) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    crafted(tmp_path, {"state": state})
    assert latest(tmp_path).fields["progress"]["step"] == 1


def test_that_a_checkpoint_of_another_version_is_refused_and_kept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        save(store, 1, 2)
    crafted(tmp_path, {"state": json.dumps({"version": 99})})
    with Store(tmp_path) as store, pytest.raises(ModelError, match="another version of Fullfield"):
        store.latest()
    assert (tmp_path / "checkpoints" / "step-000000002.safetensors").exists()


def test_that_a_full_disk_at_the_first_save_promises_no_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Store(tmp_path) as store:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(CannotWrite, match="No space left") as first:
            save(store, 1)
        with pytest.raises(ModelError) as diverged:
            store.save(2, {"network.weight": torch.tensor([float("nan")])}, {})
        assert diverged.value.hint == "Start again with a smaller learning rate."
        monkeypatch.undo()
        save(store, 1)
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(CannotWrite) as second:
            save(store, 2)
    assert first.value.hint == "Free some space, then go on with the training (--resume)."
    assert second.value.hint.startswith("The last good checkpoint is kept.")


def test_that_a_limit_of_files_is_not_told_as_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def limited(handle: int) -> None:
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr(os, "fsync", limited)
    with Store(tmp_path) as store, pytest.raises(CannotWrite, match="ulimit -f") as refused:
        save(store, 1)
    assert refused.value.hint == "Have that limit raised, then go on with the training (--resume)."


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
