"""The command line's grammar: what is wrong is said with what to do, and exits with 2."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullfield.errors import ExitCode, UsageError
from fullfield_app import arguments
from fullfield_app.__main__ import _have_streams, main
from fullfield_app.arguments import parse
from fullfield_app.cli import qa


def said(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    """What is told when the grammar refuses."""
    with pytest.raises(SystemExit) as caught:
        parse(given)
    assert caught.value.code == 2
    return capsys.readouterr().err


BATCH = ("--batch", "in", "-o", "out")


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (("--batch", "in"), "needs -o OUT"),
        (("--batch", "-o", "out"), "at least one input"),
        (("--batch", "", "-o", "out"), "unset variable"),
        (("--batch", "in", "-o", ""), "unset variable"),
        *(((*BATCH, option), "unset variable") for option in ("--on=", "--model=", "--preset=")),
        (("train", "--data", "", "--out", "run"), "--data: it is empty: an unset variable?"),
        (("train", "--data", "in", "--out", ""), "unset variable"),
        (("train", "--data", "in", "--out", "run", "--on", ""), "unset variable"),
        (("train", "--data", "in", "--out", "run", "--on", "a,b", "--nodes", ""), "unset variable"),
        (("train", "--data", "in", "--out", "run", "--fit", ""), "unset variable"),
        *((("plan", option, ""), "unset variable") for option in ("--on", "--cards", "--gpu", "--budget", "--link")),
        (("report", "", "-o", "run.html"), "unset variable"),
        (("report", "run", "-o", ""), "unset variable"),
        ((*BATCH, "--log-file", ""), "unset variable"),
        ((*BATCH, "--config", ""), "unset variable"),
        (("doctor", "--bundle", ""), "unset variable"),
        *(
            (("qa", option, ""), "unset variable")
            for option in ("--edge", "--trend", "--csv", "--config", "--model", "--preset")
        ),
        (("bench", "quality", "--sheet", ""), "unset variable"),
        (("install", "training", "--wheels", ""), "unset variable"),
        (("node", "forget", ""), "unset variable"),
        (("node", "add", "gpu", "", "--allow-images"), "unset variable"),
        (("bench", "single", "--data", ""), "unset variable"),
        (("--batch", "in", "-o", "smb://server/share"), "under which it is mounted"),
        ((*BATCH, "--jobs", "0"), "'0' is no whole number from 1"),
        ((*BATCH, "--device", "gpu"), "none of auto, cpu, cuda:0"),
        ((*BATCH, "--device", "cuda:0"), "--device goes with --model"),
        ((*BATCH, "--model", "m", "--jobs", "2"), "--jobs goes with presets"),
        ((*BATCH, "--preset", "chest", "--model", "m"), "not allowed with"),
        ((*BATCH, "--formatt", "tiff"), "did you mean --format?"),
        (("--json", "."), "--json goes with --batch"),
        ((".", "--preset", "chest"), "--preset goes with --batch"),
        ((".", "--overwrite"), "--overwrite goes with --batch"),
        ((".", "--strict"), "--strict goes with --batch"),
        ((".", "--format", "tiff"), "--format goes with --batch"),
        ((".", "--contact-sheet"), "--contact-sheet goes with --batch"),
        ((".", "--no-recursive"), "--recursive goes with --batch"),
        ((".", "--log-file", "log"), "--log-file goes with --batch"),
        ((".", "--quiet"), "--quiet goes with --batch"),
        (("trian",), "did you mean fullfield train?"),
        (("bench", "conventional", "--repeat", "0"), "'0' is no whole number from 1"),
        ((*BATCH, "--timeout", "1" + 30 * "0"), "is no whole number from 1 to 999999999"),
        (("bench", "single", "--size", "100", "--quick"), "'100' is no whole number from 192 to 16384"),
        (("bench", "cost", "--price", "nan"), "'nan' is no number above 0"),
        (("bench", "size", "--least", "inf"), "'inf' is no number above 0"),
        (("bench", "size", "--budget", "0"), "no memory at all"),
    ],
)
def test_that_a_mistake_is_told_with_the_way_out(
    given: tuple[str, ...], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert word in said(capsys, *given)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (("--help",), "an image's result by another method is replaced by this run's"),
        (("qa", "--help"), "the figures and errors alone"),
    ],
)
def test_that_the_help_says_what_an_option_does(
    given: tuple[str, ...], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(given)
    assert word in " ".join(capsys.readouterr().out.split())


def test_that_a_settings_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('preset = "chest"\n', encoding="utf-8-sig")
    assert callable(parse([*BATCH, "--config", str(tmp_path / "run.toml")]))


@pytest.mark.parametrize("option", ["--model", "--mod", "--model=m"])
def test_that_a_model_on_the_command_line_replaces_the_files_preset(option: str, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('preset = "chest"\noverwrite = true\n')
    model = [option] if "=" in option else [option, "m"]
    assert callable(parse([*BATCH, "--config", str(tmp_path / "run.toml"), *model, "--skip-existing"]))


def test_that_paths_in_a_list_of_a_settings_file_are_meant_from_its_folder_as_single_ones_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'edge = ["a.dcm", "b.dcm"]\nmodel = ["shipped"]\ncsv = "out.csv"\n'
    (tmp_path / "run.toml").write_text(text)
    values: list[argparse.Namespace] = []
    monkeypatch.setattr(qa, "run", lambda given: values.append(given) or 0)
    parse(["qa", "--config", str(tmp_path / "run.toml")])()
    assert values[0].edge == [tmp_path / "a.dcm", tmp_path / "b.dcm"] and values[0].csv == tmp_path / "out.csv"
    assert values[0].model == ["shipped"], "a name stays a name"


@pytest.mark.skipif(os.name == "nt", reason="Windows always has a screen")
def test_that_a_window_without_a_screen_is_one_plain_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="no screen"):
        parse([])


def test_that_a_program_without_a_console_says_what_it_says_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["plan", "--size", "nonsense"]) == ExitCode.USAGE


def test_that_a_batch_is_led_without_numpy() -> None:
    code = (
        "import sys, fullfield_app.cli.batch; sys.exit(bool({'torch', 'numpy', 'cv2', 'pydicom'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('output = ""', "unset variable"),
        ('output = "smb://server/share"', "is an address"),
    ],
)
def test_that_what_a_settings_file_says_is_refused_as_what_is_typed_is(
    text: str, word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.toml").write_text(text)
    assert word in said(capsys, "--batch", str(tmp_path), "--config", str(tmp_path / "run.toml"))


def test_that_a_list_of_machines_in_a_settings_file_is_one_and_no_input(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('on = ["gpu", "local"]')
    given = arguments._with_config(arguments._main_parser(), ["in", "--config", str(tmp_path / "run.toml")])
    values = arguments._main_parser().parse_args(given)
    assert values.on == "gpu,local" and values.inputs == ["in"]
    (tmp_path / "run.toml").write_text('output = ["a", "b"]')
    with pytest.raises(UsageError) as refused:
        parse(["--config", str(tmp_path / "run.toml")])
    assert "output (it takes no list)" in refused.value.detail


@pytest.mark.parametrize(
    ("text", "typed"),
    [('model = "shipped"\ndevice = "cpu"', ("--preset", "chest")), ('preset = "hand"\njobs = 2', ("--model", "m"))],
)
def test_that_what_goes_with_a_method_of_a_settings_file_goes_where_another_is_typed(
    text: str, typed: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "run.toml").write_text(text)
    assert callable(parse([*BATCH, "--config", str(tmp_path / "run.toml"), *typed]))


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a folder that somebody is in")
def test_that_a_current_folder_that_is_gone_is_told_before_anything_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["doctor"]) == 7
    assert "Cannot work in the current folder." in capsys.readouterr().err


def test_that_a_name_in_a_settings_file_is_no_file_without_a_suffix_beside_it(tmp_path: Path) -> None:
    for name in ("chest", "cpu", "weights.safetensors"):
        (tmp_path / name).write_bytes(b"a radiograph")
    (tmp_path / "run.toml").write_text('preset = "chest"\ndevice = "cpu"\nmodel = "weights.safetensors"')
    given = arguments._with_config(arguments._main_parser(), ["in", "--config", str(tmp_path / "run.toml")])
    assert given[:3] == ["--preset=chest", "--device=cpu", f"--model={tmp_path / 'weights.safetensors'}"]


@pytest.mark.parametrize("text", ["seed = " + "9" * 5000, "seed = 0x" + "f" * 5000, "seed = " + "[" * 9000, "seed ="])
def test_that_a_settings_file_that_cannot_be_read_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.toml").write_text(text)
    with pytest.raises(UsageError, match=r"settings file run\.toml.* It is no TOML"):
        arguments._with_config(arguments._main_parser(), ["in", "--config", str(tmp_path / "run.toml")])


def test_that_a_standard_input_that_was_closed_is_one_from_which_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by `fullfield install training <&-`, which asks whether a terminal is there."""
    monkeypatch.setattr("sys.stdin", None)
    _have_streams()
    with sys.stdin as given:
        assert not given.isatty() and given.read() == ""


def test_that_a_bench_tells_that_what_it_was_given_is_no_folder_or_why_none_of_its_files_can_be_measured() -> None:
    from fullfield.bench.quality import nothing_measured

    assert "it is no folder, or an empty one" in nothing_measured([]).detail
    found = nothing_measured(["There is too little anatomy to measure.", "It is cut off."])
    assert found.detail == "None of 2 files can be measured. There is too little anatomy to measure."
    assert found.hint.startswith("Name a folder of other radiographs")
