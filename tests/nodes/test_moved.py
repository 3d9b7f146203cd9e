"""A training that is begun here, goes to a node behind a real sshd and comes back: all is as if it had stayed here."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from flows.command import COMMAND
from fullfield.errors import ExitCode
from fullfield.model import card as cards
from fullfield.protocol import event_lines
from fullfield.protocol.events import Event, Notice, StepDone
from nodes.servers import SITE, kept, left

SECRET = "Doe-John-19700101"
EPOCHS = 500
GIVEN = {"size": 192, "encoder": "resnet18", "threads": 1, "device": "cpu", "validation": 0.3, "data_licence": SECRET}


def trained(run: Path, *options: object) -> list[Event]:
    """What `fullfield train` tells, which is asked to stop once it has made a step."""
    command = [*COMMAND, "train", "--out", str(run), "--json", *map(str, options)]
    events: list[Event] = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for event in filter(None, map(event_lines.from_line, process.stdout)):
            if isinstance(event, StepDone) and not any(isinstance(one, StepDone) for one in events):
                process.send_signal(signal.SIGINT)
            events.append(event)
    assert process.returncode == ExitCode.INTERRUPTED, events[-5:]
    return events


@pytest.mark.training
@pytest.mark.slow
def test_that_a_training_that_goes_to_a_node_and_comes_back_leaves_what_one_leaves_that_has_stayed(
    address: str, tmp_path: Path, private_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import narrow
    from fullfield.model import weights
    from fullfield.model.card import Card, NetworkSpec
    from fullfield.model.network import build
    from nodes import slim
    from training import FakeContext, prepared_phantoms, settings, train

    monkeypatch.setenv("PYTHONPATH", SITE)
    there, run = tmp_path / "there", tmp_path / "run"
    shutil.copytree(private_folders / "cache", there / "cache")
    kept(address, there, before=f"TRAINS={slim.__name__}; export TRAINS;", allow_images=True)
    data, spec = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=192), NetworkSpec(encoder="resnet18")
    first = tmp_path / f"{SECRET}.safetensors"
    with narrow.everywhere(slim.BY):
        weights.save(first, build(spec), Card(name=SECRET, network=spec))

    monkeypatch.setenv("TRAINS", slim.__name__)
    options = [f"--{name.replace('_', '-')}={value}" for name, value in GIVEN.items()]
    more = ("--epochs", EPOCHS, "--weights", first, "--no-calibrate-halo", "--techniques", "none")
    trained(run, "--data", data.folder, *options, *more)
    assert not [path for path in run.glob("checkpoints/*.safetensors") if SECRET.encode() in path.read_bytes()]
    events = trained(run, "--resume", "--on", "gpu", "--weights", "auto")
    assert any(event.text.startswith("Going on after step") for event in events if isinstance(event, Notice)), events
    away = [path for path in left(there) if path.name == "model.safetensors"]
    assert away and not [path for path in left(there) if SECRET.encode() in path.read_bytes() or SECRET in str(path)]
    assert cards.read(run / "model.safetensors").start == cards.from_model(SECRET) != cards.read(*away).start
    assert json.loads((run / "summary.json").read_text())["start"] == cards.from_model(SECRET)
    subprocess.run([*COMMAND, "report", str(run), "-o", str(tmp_path / "report.html"), "--quiet"], check=True)
    assert cards.from_model(SECRET) in (tmp_path / "report.html").read_text(), "as of one that has stayed here"
    *_, last = (event.step for event in trained(run, "--resume", "--on", "local") if isinstance(event, StepDone))

    stayed = FakeContext(tmp_path / "stayed", stop_after=(StepDone, last))
    with slim.exactly():
        train(settings(data, **GIVEN, epochs=EPOCHS, weights=str(first), techniques=[]), stayed)
    for name in ("model", "last"):
        wanted = stayed.folder / f"{name}.safetensors"
        assert (run / wanted.name).read_bytes() == wanted.read_bytes() and cards.read(wanted).licence == SECRET
    one, other = (json.loads((folder / "summary.json").read_text()) for folder in (run, stayed.folder))
    assert [one[name] for name in ("start", "steps", "epochs", "model_sha256", "plan", "data")] == [
        other[name] for name in ("start", "steps", "epochs", "model_sha256", "plan", "data")
    ]
