"""Finding a model by name."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import card_file
import map_file
from fullfield import files
from fullfield.errors import CannotWrite, ModelError
from fullfield.image import guards
from fullfield.model import registry, shipped, tried, uses


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_file: Path) -> Path:
    """This user's models: one that is one, and a file that is none."""
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path / "models"))
    registry.folder().mkdir()
    shutil.copy(model_file, registry.folder() / "knee-512.safetensors")
    (registry.folder() / "broken.safetensors").write_bytes(b"nothing")
    return registry.folder()


def test_that_the_known_models_are_those_of_the_folder_with_their_cards(folder: Path) -> None:
    (only,) = registry.known()
    assert (only.name, only.card.network.encoder) == ("knee-512", "resnet18")


@pytest.mark.parametrize("choice", ["knee-512", "knee-512.safetensors"])
def test_that_a_name_finds_the_file(folder: Path, choice: str) -> None:
    assert registry.resolve(choice) == folder / "knee-512.safetensors"


def test_that_a_path_is_itself(model_file: Path, folder: Path) -> None:
    assert registry.resolve(str(model_file)) == model_file


def test_that_a_wrong_name_is_met_with_the_nearest_one(folder: Path) -> None:
    with pytest.raises(ModelError, match="Did you mean 'knee-512'"):
        registry.resolve("knee-521.safetensors")


def test_that_no_name_leads_out_of_the_folder(folder: Path) -> None:
    (folder.parent / "secret.safetensors").write_bytes(b"x")
    with pytest.raises(ModelError):
        registry.resolve("../secret")


def test_that_without_a_model_the_text_says_what_else_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path / "none yet"))
    assert registry.known() == ()
    with pytest.raises(ModelError, match="Use a preset, which needs no model") as error:
        registry.resolve("chest")
    assert str(tmp_path) not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_that_listing_models_needs_no_torch() -> None:
    code = "import sys, fullfield.model.registry; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_a_kept_model_is_checked_whole_and_never_takes_another_ones_place(folder: Path, model_file: Path) -> None:
    first, second = registry.keep(model_file, "knee-512"), registry.keep(model_file, "../Knees: 2048")
    assert first.name == "knee-512-2" and second.path.parent == folder and "/" not in second.name
    assert second.path.read_bytes() == model_file.read_bytes()
    assert {known.name for known in registry.known()} == {"knee-512", first.name, second.name}


@pytest.mark.parametrize("name", ["preset", "shipped"])
def test_that_no_kept_model_has_a_name_that_means_something_else(folder: Path, model_file: Path, name: str) -> None:
    assert registry.keep(model_file, name).name == f"{name}-2"


def test_that_a_name_of_long_letters_is_cut_to_what_a_file_can_have(folder: Path, model_file: Path) -> None:
    for end in ("", "-2"):
        assert registry.keep(model_file, "𠀀" * 80).name == "𠀀" * 50 + end


def test_that_a_damaged_model_is_neither_kept_nor_exported(folder: Path, tmp_path: Path) -> None:
    content = bytearray((folder / "knee-512.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / "flipped.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match="checksum"):
        registry.keep(tmp_path / "flipped.safetensors", "new")
    (folder / "knee-512.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match="checksum"):
        registry.export("knee-512", tmp_path / "out.safetensors")
    assert not (tmp_path / "out.safetensors").exists()


def test_that_an_exported_model_is_the_same_file(folder: Path, tmp_path: Path, model_file: Path) -> None:
    registry.export("knee-512", tmp_path / "out.safetensors")
    assert (tmp_path / "out.safetensors").read_bytes() == model_file.read_bytes()


def test_that_what_was_measured_of_a_model_goes_with_it_and_is_not_the_next_ones_of_its_name(folder: Path) -> None:
    path = folder / "knee-512.safetensors"
    measured = [path.with_suffix(suffix) for suffix in (guards.OWN, tried.BESIDE)]
    for one in measured:
        one.write_text("{}")
    registry.remove("knee-512")
    assert not any(one.exists() for one in (path, *measured))


def test_that_a_new_model_has_nothing_that_was_measured_of_one_that_was_deleted_by_hand(
    folder: Path, model_file: Path
) -> None:
    measured = [folder / f"gone{suffix}" for suffix in (guards.OWN, tried.BESIDE)]
    for one in measured:
        one.write_text("{}")
    assert registry.keep(model_file, "gone").name == "gone-2"
    assert all(one.exists() for one in measured)


def test_that_a_new_model_is_not_taken_for_a_body_part_in_the_place_of_one_that_was_deleted_by_hand(
    folder: Path, model_file: Path, tmp_path: Path
) -> None:
    kept = registry.keep(model_file, "chest")
    registry.set_default("chest", "chest")
    (folder / f"chest{guards.OWN}").write_text("{}")
    kept.path.unlink()
    other = card_file.write(tmp_path / "other.safetensors", name="another")
    assert registry.keep(other, "chest").name == "chest-2"
    assert registry.keep(model_file, "chest").name == "chest", "the very one is back"
    assert registry.defaults() == {"chest": "chest"}


def test_that_a_body_part_has_one_default_and_none_when_its_model_goes(folder: Path, model_file: Path) -> None:
    registry.keep(model_file, "chest")
    registry.set_default("chest", "knee-512")
    registry.set_default("chest", "chest")
    registry.set_default("extremity", "knee-512")
    assert registry.defaults() == {"chest": "chest", "extremity": "knee-512"}
    registry.set_default("extremity", "")
    registry.remove("chest")
    assert registry.defaults() == {} and not (folder / "chest.safetensors").exists()
    registry.set_default("chest", "knee-512")
    (folder / "knee-512.safetensors").unlink()  # by hand
    assert registry.defaults() == {}


def test_that_one_step_leads_back_to_what_was_used_before_and_forth_again(folder: Path, model_file: Path) -> None:
    registry.keep(model_file, "chest")
    with pytest.raises(ModelError, match="Cannot go back"):
        registry.go_back("chest")
    registry.set_default("chest", "knee-512")
    registry.set_default("chest", "chest")
    assert registry.go_back("chest").model == "knee-512" == registry.defaults()["chest"]
    assert registry.go_back("chest").model == "chest"
    registry.remove("knee-512")
    assert registry.go_back("chest").model == "" and registry.defaults() == {}, "a preset, where the model is gone"


def test_that_a_model_whose_file_is_away_for_a_moment_is_still_the_choice_of_its_body_part(
    folder: Path, model_file: Path
) -> None:
    registry.keep(model_file, "chest")
    registry.set_default("chest", "knee-512")
    (folder / "knee-512.safetensors").rename(folder / "away")
    registry.set_default("skull", "chest")
    assert registry.defaults() == {"skull": "chest"}
    (folder / "away").rename(folder / "knee-512.safetensors")
    assert registry.defaults() == {"chest": "knee-512", "skull": "chest"}


def test_that_no_step_leads_back_to_a_file_that_was_never_in_use(folder: Path, model_file: Path) -> None:
    registry.keep(model_file, "chest")
    registry.set_default("chest", "knee-512")
    registry.set_default("chest", "chest")
    map_file.write(folder / "knee-512.safetensors")
    with pytest.raises(ModelError, match="has been changed since it was chosen"):
        registry.go_back("chest")
    assert registry.defaults() == {"chest": "chest"}


def test_that_a_model_is_pinned_by_its_content_and_one_of_an_earlier_version_by_its_name(folder: Path) -> None:
    path = folder / "knee-512.safetensors"
    (folder / registry.DEFAULTS).write_text('{"chest": "knee-512"}')
    assert registry.pinned("chest") == path and registry.pinned("skull") is None
    registry.set_default("chest", "knee-512")
    assert registry.pinned("chest") == path
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ModelError, match="was chosen"):
        registry.pinned("chest")


@pytest.mark.parametrize("text", ['{"chest": {"model": "knee-512"', "[]", '{"chest": 5}'])
def test_that_choices_that_cannot_be_read_are_never_written_over(folder: Path, text: str) -> None:
    (folder / registry.DEFAULTS).write_text(text)
    for change in (
        lambda: registry.set_default("skull", "knee-512"),
        lambda: registry.set_default("skull", ""),
        lambda: registry.go_back("chest"),
        lambda: registry.pinned("chest"),
    ):
        with pytest.raises(ModelError, match="delete it and choose the models again"):
            change()
    assert (folder / registry.DEFAULTS).read_text() == text and not registry.defaults()


@pytest.mark.parametrize("choice", ["shipped", "shipped.safetensors"])
def test_that_the_name_of_the_model_that_ships_means_it_and_no_file_of_that_name(folder: Path, choice: str) -> None:
    own, path = folder / "shipped.safetensors", shipped.folder() / "shipped.safetensors"
    own.write_bytes(b"a user's")
    with pytest.raises(ModelError, match="Cannot use the shipped model"):
        registry.resolve(choice)
    map_file.write(path)
    assert registry.resolve(choice) == path and registry.resolve(str(own)) == own
    assert [known.path for known in registry.known()] == [path, folder / "knee-512.safetensors"]
    with pytest.raises(ModelError, match="Cannot delete the shipped model"):
        registry.remove("shipped")
    assert registry.keep(path, "shipped").name == "shipped-2"
    assert own.read_bytes() == b"a user's" and path.exists()


class Meeting:
    """Two that are at the same place at once, where nothing keeps them apart."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self._barrier, self._does = threading.Barrier(2), does

    def __call__(self, *given: Any) -> Any:
        result = self._does(*given)
        with contextlib.suppress(threading.BrokenBarrierError):
            self._barrier.wait(1.0)
        return result


def test_that_two_choices_at_once_are_both_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "_whole", Meeting(uses._whole))
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda part: uses.put(folder, part, "knee-512"), ("chest", "hand")))
    assert registry.defaults() == {"chest": "knee-512", "hand": "knee-512"}


def test_that_two_models_kept_at_once_under_one_name_are_both_kept(
    folder: Path, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write_bytes
    meeting = Meeting(lambda *_: None)

    def write_together(target: Path, content: bytes) -> None:
        meeting()
        write(target, content)

    monkeypatch.setattr(files, "write_bytes", write_together)
    with ThreadPoolExecutor(2) as both:
        kept = list(both.map(lambda _: registry.keep(model_file, "hip").name, range(2)))
    assert sorted(kept) == ["hip", "hip-2"] and all((folder / f"{name}.safetensors").is_file() for name in kept)


def test_that_a_folder_that_takes_no_model_is_told_as_fullfield_s_own(
    model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path / "models"))
    (tmp_path / "models").write_bytes(b"a file where the folder should be")
    with pytest.raises(CannotWrite, match=r"own folder of this user .models.*FULLFIELD_MODELS"):
        registry.keep(model_file, "ours")
