"""A training as its users run it: the real command, a real worker, files and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import warm
from flows.command import COMMAND, fullfield
from flows.watched import asked, processes, watched
from fullfield.files import resource
from fullfield.model import card as cards

pytestmark = pytest.mark.training
narrowed = warm.narrow()
SMALL = ("--size", 192, "--encoder", "resnet18", "--device", "cpu", "--threads", 1, "--no-calibrate-halo")
PLAIN = ("--weights", "none", "--techniques", "none")


def options(run: Path, epochs: int) -> list[str]:
    return [str(part) for part in ("train", "--data", resource("phantoms"), "--epochs", epochs, "--out", run, *SMALL)]


@pytest.mark.slow
@pytest.mark.compiles
@pytest.mark.whole
def test_that_the_sample_radiographs_train_a_model_from_files_to_file_and_nothing_asks_the_network(
    tmp_path: Path,
) -> None:
    result = fullfield(*options(tmp_path / "run", 1), **watched(tmp_path / "network"))
    assert result.code == 0, result.err
    assert processes(tmp_path / "network") >= 2  # the command and its worker
    assert asked(tmp_path / "network") == ""
    assert result.err.startswith("First weights: none, the network starts from scratch: ImageNet's are not on this")
    assert json.loads((tmp_path / "run" / "job.json").read_text())["spec"]["weights"] == "none"
    last = json.loads((tmp_path / "run" / "events.jsonl").read_text().splitlines()[-1])
    assert last["kind"] == "RunEnded" and last["reason"] == "completed"
    card = cards.read(tmp_path / "run" / "model.safetensors")
    assert card.input_kind == "any"  # raw and processed files are among them
    assert set(card.modalities) <= {"CR", "DX", "RG"} and card.modalities
    assert card.metrics["loss"] == last["summary"]["validation_loss"]
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert len(summary["history"]) == 1
    assert "unprocessed input" in summary["baselines"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM; there the stop command of the run's folder asks")
def test_that_sigterm_stops_after_the_step_and_keeps_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = subprocess.Popen([*COMMAND, *options(run, 500), *PLAIN, "--json"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["kind"] == "StepDone":
            break
    process.send_signal(signal.SIGTERM)
    rest = [json.loads(line) for line in process.stdout]
    assert process.wait(timeout=60) == 130
    assert rest[-1]["kind"] == "RunEnded" and rest[-1]["reason"] == "stopped"
    assert [event["kind"] for event in rest].count("CheckpointSaved") == 1
    assert (run / "last.safetensors").exists()


def test_that_a_folder_without_radiographs_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    result = fullfield("train", "--data", tmp_path / "data", "--out", tmp_path / "run", "--weights", "none")
    assert result.code == 4
    assert "Cannot find anything to train on in the data." in result.err


@pytest.mark.slow
def test_that_a_resume_with_other_settings_is_refused_and_the_run_goes_on_with_its_own(tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = fullfield(*options(run, 1), *PLAIN, "--json")
    assert first.code == 0, first.err
    assert {"BaselineMeasured", "StepDone", "EpochDone", "CheckpointSaved"} <= {e["kind"] for e in first.events}
    assert first.events[-1]["kind"] == "RunEnded" and first.events[-1]["reason"] == "completed"
    before = (run / "job.json").read_bytes()
    refused = fullfield("train", "--resume", "--epochs", 5, "--out", run, "--json")
    assert refused.code == 2 and "other settings: epochs" in refused.err
    assert (run / "job.json").read_bytes() == before
    again = fullfield("train", "--resume", "--out", run, "--json")
    assert again.code == 0, again.err


def test_that_a_damaged_run_is_refused_in_a_sentence(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "job.json").write_text("[" * 10_000)
    for arguments in (("train", "--resume", "--out", run), ("report", run, "-o", tmp_path / "run.html")):
        result = fullfield(*arguments)
        assert result.code == 2 and "damaged" in result.err and "Traceback" not in result.err
