"""`fullfield --batch`: what the command line settles before a worker begins."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import samples
from cli.test_speak import Terminal
from fullfield.errors import CannotWrite, ExitCode
from fullfield.files import user_folder
from fullfield.protocol.events import ItemDone
from fullfield_app.__main__ import main
from fullfield_app.cli import batch
from fullfield_app.cli.overseer import Overseer


@pytest.mark.parametrize("name", ["chest-cr.dcm", "shot.png", "shot.jpg"])
def test_that_a_log_is_put_behind_no_radiograph(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = samples.write(tmp_path, "chest-cr.dcm")
    named = tmp_path / name
    if named != image:
        cv2.imwrite(str(named), np.zeros((8, 8), np.uint8))
    before = named.read_bytes()
    given = ("--batch", "--dry-run", "--log-file", str(named), str(image), "-o", str(tmp_path / "out"))
    assert main(list(given)) == ExitCode.CANNOT_WRITE
    assert "is no text, and stays as it is" in capsys.readouterr().err and named.read_bytes() == before


def test_that_a_log_goes_on_where_it_was(tmp_path: Path) -> None:
    image, log = samples.write(tmp_path, "chest-cr.dcm"), tmp_path / "x.log"
    log.write_text("before\n", encoding="utf-8")
    given = ("--batch", "--dry-run", "--log-file", str(log), str(image), "-o", str(tmp_path / "out"))
    assert main(list(given)) == ExitCode.ALL_DONE
    before, end = log.read_text("utf-8").splitlines()
    assert before == "before" and end.endswith("batch ended: completed, 0 done, 1 skipped, 0 failed, exit code 0")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("--bat", "Smith.dcm", "-o", "out", "--log-file", "x.log", "--jobs", "Smith"), "USAGE, exit code 2"),
        (("--batch", "Smith.dcm", "--log-fi=x.log"), "USAGE, exit code 2"),
        (("--batch", "Smith.dcm", "-o", "out", "--log-file", "x.log", "--config", "Smith.toml"), "USAGE, exit code 2"),
        (("Smith.dcm", "-o", "out", "--config", "logged.toml"), "USAGE, exit code 2"),
        (("--batch", "Smith.dcm", "-o", "out", "--log-file", "x.log"), "INPUT_UNREADABLE, exit code 5"),
        (("--batch", ".", "-o", "logged.toml", "--log-file", "x.log"), "OUTPUT_INVALID, exit code 6"),
    ],
)
def test_that_a_batch_that_is_refused_before_it_begins_is_in_its_log_by_the_kind_alone(
    words: tuple[str, ...], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("logged.toml").write_text('batch = true\nlog-file = "x.log"\njobs = "Smith"\n', encoding="utf-8")
    with contextlib.suppress(SystemExit):
        main(list(words))
    (line,) = Path("x.log").read_text("utf-8").splitlines()
    assert line.endswith(f"batch refused: {kind}") and "Smith" not in line


@pytest.mark.parametrize(
    "words", [["--batch", "--log-file", "x.log", "--help"], ["--batch", "--log-file"], ["--log-file", "x.log"]]
)
def test_that_no_log_is_begun_where_no_batch_is_refused_or_none_is_named(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(words)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_that_a_log_without_room_is_told_once_and_costs_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = samples.write(tmp_path, "chest-cr.dcm")
    given = ("--batch", "--dry-run", "--log-file", "/dev/full", str(image), "-o", str(tmp_path / "out"))
    assert main(list(given)) == ExitCode.ALL_DONE
    assert capsys.readouterr().err.count("Cannot write the log. The system says: No space left on device.") == 1


@pytest.mark.parametrize("beside", ["file", "folder", "file without a suffix"])
def test_that_a_name_alone_is_the_kept_model_whatever_lies_in_the_current_folder_under_it(
    beside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path / "models"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    kept = user_folder("models") / "thorax.safetensors"
    kept.parent.mkdir()
    if beside == "folder":
        Path("thorax").mkdir()
    else:
        Path("thorax.safetensors" if beside == "file" else "thorax").write_bytes(b"another")

    def chosen(model: str) -> str:
        return batch._choice(argparse.Namespace(model=model, preset="auto"))

    kept.write_bytes(b"ours")
    assert chosen("thorax") == str(kept)
    if beside == "file":
        assert chosen("./thorax.safetensors") == chosen("thorax.safetensors") == str(Path.cwd() / "thorax.safetensors")


@pytest.mark.parametrize(("failures", "code"), [([5, 5], 5), ([5, 4], 4), ([4], 4), ([1], 1), ([12, 12], 12)])
def test_that_what_all_images_fail_of_is_told_by_its_own_exit_code(failures: list[int], code: int) -> None:
    report = batch.Report((), (), json=False, quiet=True, verbose=False)
    report._failures += failures
    assert report._code("completed", kept=0) == code


def test_that_an_error_in_the_middle_leaves_no_bar_and_is_no_refusal_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(overseer: Overseer) -> str:
        overseer._report(ItemDone(index=0, output="", seconds=1.0, peak_bytes=1))
        raise CannotWrite("Cannot start another worker.")

    monkeypatch.setattr(Overseer, "run", run)
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    image, log = samples.write(tmp_path, "chest-cr.dcm"), tmp_path / "x.log"
    code = main(["--batch", str(image), "-o", str(tmp_path / "out"), "--log-file", str(log)])
    assert log.read_text("utf-8").endswith("batch ended by an error: CANNOT_WRITE, exit code 7\n") and code == 7
    reported = sys.stderr.getvalue()
    assert reported.rindex("\x1b[?25h") > reported.rindex("\x1b[?25l"), "the cursor is hidden"


def test_that_a_model_that_is_none_refuses_the_batch(tmp_path: Path) -> None:
    image, log, model = samples.write(tmp_path, "chest-cr.dcm"), tmp_path / "x.log", tmp_path / "model"
    model.mkdir()
    given = ["--batch", str(image), "-o", str(tmp_path / "out"), "--log-file", str(log), "--model", str(model)]
    assert main(given) == ExitCode.MODEL
    assert "batch refused: MODEL" in log.read_text("utf-8")


def test_that_an_index_of_a_medium_that_cannot_be_used_is_told_to_a_program_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples.write(tmp_path, "chest-cr.dcm")
    (tmp_path / "DICOMDIR").write_bytes(b"no index")
    assert main(["--batch", "--dry-run", "--json", str(tmp_path), "-o", str(tmp_path / "out")]) == ExitCode.ALL_DONE
    told = capsys.readouterr()
    first = json.loads(told.out.splitlines()[0])
    assert first["kind"] == "Notice" and f"fullfield: {first['text']}" in told.err
