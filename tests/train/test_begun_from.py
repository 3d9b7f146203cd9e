"""From which model a training began: whole for the run's own user, nameless where it may go to another machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import card_file
from fullfield import files
from fullfield.model import card as cards
from fullfield.model import shipped
from fullfield.train import begun_from

SCRATCH = "The network starts from scratch (random weights, seed 3)."
OURS, SHIPPED = cards.from_model("knees of Jane"), cards.from_model("The scene model")


@pytest.fixture(autouse=True)
def ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that ships."""
    (tmp_path / "weights").mkdir()
    monkeypatch.setattr(shipped, "folder", lambda: tmp_path / "weights")
    card_file.write(shipped.file_of(Path(), shipped.SHIPPED), name="The scene model")


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (SCRATCH, SCRATCH),
        ("", ""),
        (SHIPPED, SHIPPED),
        (OURS, begun_from.NAMELESS),
        (begun_from.NAMELESS, begun_from.NAMELESS),
    ],
)
def test_that_another_machine_reads_no_name_but_that_of_the_model_that_ships(sentence: str, said: str) -> None:
    assert begun_from.nameless(sentence) == said
    assert "knees" not in said


def test_that_where_no_model_ships_each_is_one_of_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "folder", lambda: tmp_path / "none")
    assert begun_from.nameless(SHIPPED) == begun_from.NAMELESS


@pytest.mark.parametrize("sentence", [SCRATCH, SHIPPED, OURS])
def test_that_the_runs_own_user_reads_the_name_that_its_checkpoints_do_not_hold(sentence: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "checkpoints").mkdir(parents=True)
    begun_from.keep(run, sentence)
    assert (run / begun_from.FILE).exists() is (sentence == OURS)
    assert begun_from.whole(run, begun_from.nameless(sentence)) == sentence


def test_that_a_sentence_is_not_that_of_a_checkpoint_that_says_another(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    begun_from.keep(tmp_path, OURS)
    assert begun_from.whole(tmp_path, SCRATCH) == SCRATCH
    assert begun_from.whole(tmp_path, SHIPPED) == SHIPPED
    other = cards.from_model("hands of Jane")
    begun_from.keep(tmp_path, other)
    assert begun_from.whole(tmp_path, begun_from.NAMELESS) == other


@pytest.mark.parametrize("left", [None, "", "[1", '"text"', "{}", '{"name": 1}'])
def test_that_without_what_was_kept_the_nameless_sentence_stands(left: Any, tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    if left is not None:
        (tmp_path / begun_from.FILE).write_text(left)
    assert begun_from.whole(tmp_path, begun_from.NAMELESS) == begun_from.NAMELESS
    begun_from.keep(tmp_path, OURS)
    assert json.loads((tmp_path / begun_from.FILE).read_text()) == {"start": OURS}


def test_that_what_is_kept_already_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "checkpoints").mkdir()
    begun_from.keep(tmp_path, OURS)
    written: list[object] = []
    monkeypatch.setattr(begun_from.files, "write_text", lambda *given: written.append(given))
    begun_from.keep(tmp_path, OURS)
    assert written == []


def test_that_the_file_of_first_weights_is_known_by_its_content_until_a_training_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    path = tmp_path / "knees.safetensors"
    card_file.write(path, name="knees of Jane")
    before = files.sha256(path)
    assert begun_from.sha256(tmp_path) == ""
    begun_from.keep(tmp_path, OURS, str(path))
    path.write_bytes(b"another one")
    begun_from.keep(tmp_path, OURS)
    assert begun_from.sha256(tmp_path) == before and begun_from.whole(tmp_path, begun_from.NAMELESS) == OURS
    begun_from.keep(tmp_path, SHIPPED, shipped.SHIPPED)
    assert begun_from.sha256(tmp_path) == files.sha256(shipped.file_of(Path(), shipped.SHIPPED))
    begun_from.keep(tmp_path, SCRATCH, "none")
    assert begun_from.sha256(tmp_path) == ""
