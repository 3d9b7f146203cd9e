"""What is known of a run's checkpoints without reading them, and what is told where one cannot be left."""

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
from fullfield.train.checkpoint import Store, keeping_the_last
from fullfield.train.checkpoint_file import VERSION, is_entry, parsed, unreadable

TENSORS = {"network.weight": torch.ones(4)}
NAMES = [f"step-{step:09d}.safetensors" for step in range(9)]


def saved(run: Path, *steps: int, **more: Any) -> Path:
    with Store(run) as store:
        store.latest()
        for step in steps:
            store.save(step, TENSORS, {"spec": {"epochs": step}, "data": "images", **more})
    return run / "checkpoints"


def test_that_it_is_known_by_which_settings_it_was_begun_of_the_newest_whose_header_can_be_read(tmp_path: Path) -> None:
    assert Store(tmp_path).begun() is None and not Store(tmp_path).has_steps and Store(tmp_path).step == 0
    folder = saved(tmp_path, 1, 2, 3)
    for spoiled, found in (((), 3), ((3,), 2), ((3, 2), 1)):
        for step in spoiled:
            (folder / NAMES[step]).write_bytes(b"\x05\x00\x00\x00\x00\x00\x00\x00[1, 2")
        begun = Store(tmp_path).begun()
        assert begun is not None and begun["spec"] == {"epochs": found}
    (folder / NAMES[1]).unlink()
    assert Store(tmp_path).begun() is None
    assert Store(tmp_path).has_steps and Store(tmp_path).step == 3, "its list names them"


@pytest.mark.parametrize("field", ["spec", "data"])
def test_that_a_header_that_does_not_say_how_it_was_begun_is_passed_over(field: str, tmp_path: Path) -> None:
    saved(tmp_path, 1)
    with Store(tmp_path) as store:
        store.latest()
        store.save(2, TENSORS, {name: "x" for name in ("spec", "data") if name != field})
        assert store.begun() == {"version": VERSION, "spec": {"epochs": 1}, "data": "images"}
        assert store.step == 2


def test_that_what_a_killed_training_had_half_written_goes_and_what_others_write_now_stays(tmp_path: Path) -> None:
    parts = [tmp_path / name for name in ("checkpoints/.1.part", "samples/image-000/.2.part", ".3.part", ".4.part")]
    for part in parts:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(b"half a model")
        os.utime(part, (1, 1))
    os.utime(parts[-1])  # as a name that the window gives the run
    with Store(tmp_path, writes=False):
        assert all(part.exists() for part in parts)
    with Store(tmp_path):
        assert [part for part in parts if part.exists()] == parts[-1:]
        os.utime(parts[-1], (1, 1))  # it was left just before this training was resumed
    assert not parts[-1].exists()


def test_that_what_the_list_says_of_the_newest_is_known_once_it_was_found(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.newest is None
        sha256 = store.save(7, TENSORS, {}, best="best-1.safetensors")
        assert store.newest == {"file": NAMES[7], "sha256": sha256, "step": 7, "best": "best-1.safetensors"}
    assert Store(tmp_path).newest is None


def test_that_a_rank_that_does_not_write_leaves_nothing_and_locks_nobody_out(tmp_path: Path) -> None:
    with Store(tmp_path, writes=False) as reader, Store(tmp_path) as store:
        assert reader.save(1, TENSORS, {}) == "" and list(tmp_path.rglob("step-*")) == []
        store.save(1, TENSORS, {})
        store.folder.joinpath("best-000000009.safetensors").write_bytes(b"of nobody")
        assert reader.latest() is not None and reader.folder.joinpath("best-000000009.safetensors").exists()
    assert list((tmp_path / "checkpoints").glob("*.part*")) == []


def test_that_what_no_list_names_is_forgotten_with_the_next_save(tmp_path: Path) -> None:
    folder = saved(tmp_path, 1)
    with Store(tmp_path) as store:
        store.latest()
        for name in ("best-000000001.safetensors", "best-000000002.safetensors", NAMES[5]):
            (folder / name).write_bytes(b"left")
        store.save(2, TENSORS, {}, best="best-000000002.safetensors")
    assert sorted(path.name for path in folder.glob("*.safetensors")) == [
        "best-000000002.safetensors",
        NAMES[1],
        NAMES[2],
    ]


def test_that_of_checkpoints_without_a_list_the_last_three_are_adopted_with_their_best(tmp_path: Path) -> None:
    folder = saved(tmp_path, 1, 2, 3, progress={"best": {"file": "best-000000001.safetensors"}})
    (folder / "step-000000000.safetensors").write_bytes((folder / NAMES[1]).read_bytes())
    (folder / "step-x.safetensors").write_bytes((folder / NAMES[1]).read_bytes())
    (folder / "best-000000001.safetensors").write_bytes(b"the best")
    for name in ("index.json", "index.copy.json"):
        (folder / name).write_text('{"checkpoints": []}')
    with Store(tmp_path) as store:
        found = store.latest()
        assert found is not None and found.notices == (
            "The list of checkpoints is empty; those that lie there are whole and are used.",
        )
        assert store.newest is not None and (store.newest["step"], store.newest["best"]) == (
            3,
            "best-000000001.safetensors",
        )
    left = {path.name for path in folder.glob("*.safetensors")}
    assert left == {*NAMES[1:4], "best-000000001.safetensors"}


CHECK = (
    "Check the disk, the network and your permissions, then go on with the training (--resume): nothing was removed."
)


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (OSError(errno.ENOSPC, "full"), "Free some space, then go on with the training (--resume)."),
        (OSError(errno.EFBIG, "too large"), "Have that limit raised, then go on with the training (--resume)."),
        (OSError("7680 requested and 0 written"), "Free some space, then go on with the training (--resume)."),
        (OSError(errno.EROFS, "read-only"), CHECK),
        (OSError(errno.EIO, "broken"), CHECK),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_that_a_file_that_cannot_be_written_is_told_by_what_is_kept(
    cause: OSError, said: str, kept: bool, tmp_path: Path
) -> None:
    if kept:
        saved(tmp_path, 1)
    error = CannotWrite("Cannot write.", detail="The disk says so.", hint="Do as it says.")
    error.__cause__ = cause
    with pytest.raises(CannotWrite) as raised, keeping_the_last(Store(tmp_path)):
        raise error
    assert (str(raised.value).startswith("Cannot save a checkpoint."), raised.value.detail) == (
        True,
        "The disk says so.",
    )
    assert raised.value.hint == (f"The last good checkpoint is kept. {said}" if kept else said)


def test_that_a_folder_that_is_gone_is_told_with_its_own_hint(tmp_path: Path) -> None:
    error = CannotWrite("Cannot write.", detail="It is gone.", hint="Bring it back.")
    error.__cause__ = FileNotFoundError(errno.ENOENT, "gone")
    assert files.is_gone(error.__cause__)
    with pytest.raises(CannotWrite) as raised, keeping_the_last(Store(tmp_path)):
        raise error
    assert raised.value.hint == "Bring it back."


def test_that_a_folder_that_cannot_be_made_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")
    with pytest.raises(CannotWrite), Store(tmp_path / "run"):
        pass


@pytest.mark.parametrize(
    ("changes", "whole"),
    [
        ({}, True),
        ({"file": 1}, False),
        ({"sha256": None}, False),
        ({"step": "1"}, False),
        ({"best": None}, False),
        ({"more": 1}, True),
    ],
)
def test_that_an_entry_of_the_list_has_all_of_its_values(changes: dict[str, Any], whole: bool) -> None:
    entry = {"file": "a", "sha256": "b", "step": 1, "best": "", **changes}
    assert is_entry(entry) is whole
    assert not is_entry({name: value for name, value in entry.items() if name != "file"})
    assert not is_entry([entry]) and not is_entry(None)


def test_that_a_file_is_parsed_without_its_version_and_another_versions_is_refused(tmp_path: Path) -> None:
    folder = saved(tmp_path, 1)
    found = parsed(folder / NAMES[1])
    assert found is not None and found.fields == {"spec": {"epochs": 1}, "data": "images"} and found.notices == ()
    for version, refused in ((VERSION, False), (VERSION + 1, True), (0, True), (None, True)):
        with Store(tmp_path) as store:
            store.save(2, TENSORS, {} if version == VERSION else {"version": version})
        if refused:
            with pytest.raises(ModelError, match="another version"):
                parsed(folder / NAMES[2])
        else:
            assert parsed(folder / NAMES[2]) is not None


def test_that_what_the_system_says_is_passed_on() -> None:
    assert unreadable("It cannot be read now.", OSError(errno.EIO, "Input error")).detail == (
        "It cannot be read now. The system says: Input error."
    )
    assert unreadable("It cannot be read now.", OSError()).detail == "It cannot be read now. The system says: OSError."


@pytest.mark.parametrize("texts", [("[", "{}"), ('{"checkpoints": 1}', '{"checkpoints": [1]}')])
def test_that_two_lists_that_are_damaged_are_refused_and_one_is_replaced(
    texts: tuple[str, str], tmp_path: Path
) -> None:
    folder = saved(tmp_path, 1)
    whole = (folder / "index.json").read_text()
    for name, text in zip(("index.json", "index.copy.json"), texts, strict=True):
        (folder / name).write_text(text)
    with Store(tmp_path) as store, pytest.raises(ModelError, match="and its copy are damaged"):
        store.latest()
    (folder / "index.copy.json").write_text(whole)
    with Store(tmp_path) as store:
        found = store.latest()
        assert found is not None and found.notices == ("The list of checkpoints is damaged; its copy is used.",)
        store.save(2, TENSORS, {})
    listed = [json.loads((folder / name).read_text())["checkpoints"] for name in ("index.json", "index.copy.json")]
    assert listed[0] == listed[1] and [entry["step"] for entry in listed[0]] == [1, 2]


def test_that_nobody_else_trains_in_its_folder_until_it_ends(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(UsageError, match="Another process is training in it"), Store(tmp_path):
        pass
    with Store(tmp_path):
        pass


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_that_a_state_that_no_reader_of_json_would_take_is_not_saved(value: float, tmp_path: Path) -> None:
    folder = saved(tmp_path, 1)
    with Store(tmp_path) as store:
        store.latest()
        with pytest.raises(ValueError, match="JSON"):
            store.save(2, TENSORS, {"progress": {"loss_sum": value}})
    assert [path.name for path in folder.glob("step-*")] == [NAMES[1]]
