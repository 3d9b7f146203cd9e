"""`fullfield models`: what it lists, and what its words change."""

from __future__ import annotations

from pathlib import Path

import pytest

import map_file
from fullfield import files
from fullfield.errors import ModelError, UsageError
from fullfield.model import registry, shipped
from fullfield.model import tried as beside
from fullfield.model.tried import Tried
from fullfield_app import arguments
from fullfield_app.cli.speak import typed


def test_that_a_model_is_kept_used_for_a_body_part_and_left_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ours.safetensors"
    map_file.write(path, input_kind="processed")

    def said(*words: str) -> str:
        assert arguments.parse(["models", *words])() == 0
        return capsys.readouterr().out

    assert "No model yet." in said()
    assert f"ours\n  SHA-256 {files.sha256(path)}\n" in said("keep", str(path))
    assert f"{'chest':18}ours   (before: preset)" in said("use", "ours", "--part", "chest")
    assert registry.defaults() == {"chest": "ours"}
    assert f"{'chest':18}preset   (before: ours)" in said("back", "--part", "chest")
    for wrong, hint in ((("use", "other", "--part", "chest"), "ours, preset"), (("back",), "chest")):
        with pytest.raises(UsageError) as refused:
            said(*wrong)
        assert hint in refused.value.hint


def test_that_a_model_whose_file_was_changed_is_not_listed_as_in_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    map_file.write(tmp_path / "ours.safetensors")
    registry.set_default("chest", registry.keep(tmp_path / "ours.safetensors", "ours").name)
    map_file.write(registry.folder() / "ours.safetensors", licence="another")
    assert arguments.parse(["models"])() == 0
    assert f"{'chest':18}ours   (its file has been changed: a preset is used)" in capsys.readouterr().out


def test_that_a_model_that_is_kept_under_another_name_than_was_asked_is_told_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ours.safetensors"
    map_file.write(path)

    def said(*words: str) -> str:
        assert arguments.parse(["models", "keep", str(path), *words, "-q"])() == 0
        return capsys.readouterr().err

    assert said() == said("--name", "theirs.safetensors") == ""
    assert said() == "Kept as ours-2.\n" and said("--name", "shipped") == "Kept as shipped-2.\n"


def test_that_an_older_model_that_is_called_preset_is_no_preset_and_it_is_said_how_to_use_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = registry.folder() / "preset.safetensors"
    map_file.write(path)
    assert arguments.parse(["models", "use", "preset", "--part", "chest"])() == 0
    assert registry.defaults() == {}
    assert f"keep it as NAME: fullfield models keep {typed(path)} --name NAME" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("list", "ours"),
        ("--part", "chest"),
        ("use", "ours", "--part", "chest", "--name", "x"),
        ("back", "ours", "--part", "chest"),
        ("keep", "ours.safetensors", "--part", "chest"),
    ],
)
def test_that_what_a_word_does_not_take_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="does not go with"):
        arguments.parse(["models", *words])()


def test_that_the_shipped_model_is_listed_used_and_left_and_refused_in_words_where_there_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def said(*words: str) -> str:
        assert arguments.parse(["models", *words])() == 0
        return capsys.readouterr().out

    with pytest.raises(ModelError, match="Cannot use the shipped model"):
        said("use", "shipped", "--part", "chest")
    sha256 = map_file.write(shipped.folder() / "shipped.safetensors")
    assert said().startswith(f"shipped\n  SHA-256 {sha256}\n\n")
    tried = {"chest": Tried(signals=60, median=1.204, lost=0.0), "skull-raw": Tried(signals=60, median=0.5, lost=0.9)}
    map_file.write_facts(shipped.folder() / "shipped.safetensors", **tried)
    shows = "signals seen, by how well presets show them: Chest: 1.20; Skull, raw input: 0.50"
    (line,) = (line for line in said().splitlines() if line.startswith("  left to the preset: "))
    assert f"{sha256}\n  {shows}\n{line}\n" in said() and "Skull, raw input" in line and "Chest;" not in line
    own = registry.keep(shipped.folder() / "shipped.safetensors", "own").path
    beside.write(own.with_suffix(beside.BESIDE), {"chest": Tried(signals=60, median=0.7, lost=0.0)})
    assert f"own\n  SHA-256 {sha256}\n  signals seen, by how well presets show them: Chest: 0.70\n\n" in said()
    assert f"{'chest':18}shipped   (before: preset)" in said("use", "shipped", "--part", "chest")
    assert f"{'chest':18}preset   (before: shipped)" in said("back", "--part", "chest")


def test_that_choices_that_cannot_be_read_are_not_listed_as_presets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path))
    (tmp_path / registry.DEFAULTS).write_text('{"chest": ')
    with pytest.raises(ModelError, match="Cannot tell which models were chosen") as refused:
        arguments.parse(["models"])()
    assert refused.value.exit_code == 9
