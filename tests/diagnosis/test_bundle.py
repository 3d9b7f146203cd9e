"""The bundle for support holds what helps, and no name that was planted anywhere."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullfield import files
from fullfield.diagnosis import bundle, redact
from fullfield.diagnosis.check import good
from fullfield.errors import OutputInvalid
from fullfield.protocol import events
from fullfield.protocol.events import ItemDecoded, Notice, RunStarted
from fullfield_app import recent, settings

PLANTED = ("MUELLER", "Anna", "4711-88", "schwester", "Praxis-PC", "thorax vorher")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home whose user and computer have names."""
    folder = tmp_path / "schwester.anna"
    folder.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(folder))
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "schwester.anna")
    monkeypatch.setattr("platform.node", lambda: "Praxis-PC.example.org")
    redact._names.cache_clear()
    yield folder
    redact._names.cache_clear()


def plant(home: Path) -> None:
    """Names everywhere that something of the program lies."""
    secret = f"{home}/MUELLER^Anna/thorax vorher.dcm"
    runs = files.runs_folder()
    (runs / "window.log").write_text(f"ERROR cannot show {secret}\nWARNING on Praxis-PC of schwester.anna\nINFO fine\n")
    run = runs / "20260101-101112-train-0a1b2c"
    run.mkdir()
    lines = [
        events.to_line(RunStarted(job="train", pid=7)),
        events.to_line(Notice(text=f"The data are in {secret}")),
        events.to_line(ItemDecoded(index=3, decoded=f"{home}/.cache/fullfield/decoded/ab")),
        '{"half a line of MUELLER',
    ]
    (run / "events.jsonl").write_text("\n".join(lines))
    for name in ("worker.log", "worker-1.log", "worker-12.log", "worker-MUELLER.log", "worker of MUELLER.log"):
        (run / name).write_text(f"INFO reading {secret}\n")
    frame = f'  File "{home}/fullfield/dicom/codecs.py", line 51 in decode\n'
    (run / "crash.log").write_text(f"Fatal Python error: Segmentation fault\n{frame}")
    for name in ("job.json", "commands.jsonl", "notes.txt", "worker.json", "rank-1.json"):
        (run / name).write_text(f'{{"source": "{secret}", "id": "4711-88"}}')
    renamed = runs / "MUELLER Anna"
    renamed.mkdir()
    (renamed / "worker.log").write_text("MUELLER")
    (runs / "20260101-101112-train-MUELLER").mkdir()


def saved(target: Path) -> dict[str, str]:
    """The bundle that is written of what is planted: name → text."""
    recent.update(lambda _: ("MUELLER^Anna/thorax vorher.dcm",))
    settings.folder().mkdir(parents=True, exist_ok=True)
    settings.path().write_text('[recent]\npaths = ["MUELLER^Anna/thorax vorher.dcm"]\n', encoding="utf-8")
    bundle.save(target, checks=[good("memory", "Memory", "8 GiB.")], settings=settings.load()[0])
    with zipfile.ZipFile(target) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def test_that_no_planted_name_is_in_the_bundle(home: Path, tmp_path: Path) -> None:
    plant(home)
    parts = saved(tmp_path / "bundle.zip")
    found = [(name, word) for name, text in parts.items() for word in PLANTED if word.lower() in (name + text).lower()]
    assert found == []
    assert str(home) not in "".join(parts.values())


def test_that_what_helps_is_in_the_bundle(home: Path, tmp_path: Path) -> None:
    plant(home)
    parts = saved(tmp_path / "bundle.zip")
    run = "runs/20260101-101112-train-0a1b2c"
    texts = {"readme.txt", "diagnosis.txt", "diagnosis.json", "settings.json", "window.log"}
    logs = {"events.jsonl", "worker.log", "worker-1.log", "worker-12.log", "crash.log"}
    assert set(parts) == texts | {f"{run}/{name}" for name in logs}
    assert "INFO fine" in parts["window.log"] and "8 GiB" in parts["diagnosis.txt"]
    assert "File codecs.py, line 51 in decode" in parts[f"{run}/crash.log"]
    kinds = [json.loads(line)["kind"] for line in parts[f"{run}/events.jsonl"].splitlines()]
    assert kinds == ["RunStarted", "Notice", "ItemDecoded"]
    assert json.loads(parts["settings.json"])["palette"] == "reading-room"


def test_that_no_word_that_was_typed_into_the_settings_is_in_the_bundle(tmp_path: Path) -> None:
    values = ('data_licence="Dr. Weber, ward 3"', "epochs=7", "learning_rate=3e-05", 'weights="weber-hand"', "Weber")
    settled = settings.Settings(
        train=settings.TrainChoices(used=True, values=values, techniques=("precision:format=fp16",)),
        export=settings.ExportChoices(format="tiff", folder="Weber"),
    )
    bundle.save(tmp_path / "bundle.zip", checks=[], settings=settled)
    with zipfile.ZipFile(tmp_path / "bundle.zip") as opened:
        reported = json.loads(opened.read("settings.json"))
    shown = ["data_licence=(text)", "epochs=7", "learning_rate=3e-05", "weights=(text)", "(text)"]
    assert reported["train"]["values"] == shown and reported["train"]["techniques"] == ["precision:format=fp16"]
    assert (reported["export"]["format"], reported["export"]["folder"]) == ("tiff", "(text)")


def test_that_of_a_long_log_the_end_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "TAIL_BYTES", 64)
    (files.runs_folder() / "window.log").write_text("".join(f"line {number}\n" for number in range(100)))
    lines = saved(tmp_path / "bundle.zip")["window.log"].splitlines()
    assert lines[-1] == "line 99" and len(lines) < 10 and all(line.startswith("line ") for line in lines)


def test_that_a_log_that_cannot_be_read_costs_the_bundle_that_log_alone(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(home)
    usual = bundle._tail

    def vanished(path: Path) -> str:
        if path.name in ("worker.log", "window.log"):
            raise FileNotFoundError(2, "gone")
        return usual(path)

    monkeypatch.setattr(bundle, "_tail", vanished)
    parts = saved(tmp_path / "bundle.zip")
    logs = {name.rpartition("/")[2] for name in parts}
    assert "crash.log" in logs and not logs & {"worker.log", "window.log"}


def test_that_where_there_can_be_no_runs_the_bundle_has_the_rest(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("FULLFIELD_RUNS", str(tmp_path / "file" / "runs"))
    parts = saved(tmp_path / "bundle.zip")
    assert parts and not [name for name in parts if name.endswith(".log")]


def test_that_a_bundle_that_is_to_lie_in_no_folder_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputInvalid, match="no such folder"):
        saved(tmp_path / "file" / "bundle.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_that_no_folder_that_a_check_names_is_in_the_bundle(tmp_path: Path) -> None:
    told = good("cache", "Folder of decoded images", "/srv/Praxis Dr Schmidt/cache: writable, 5 GiB free on its disk.")
    bundle.save(tmp_path / "support.zip", checks=[told], settings=settings.Settings())
    with zipfile.ZipFile(tmp_path / "support.zip") as opened:
        texts = [opened.read(name).decode() for name in ("diagnosis.txt", "diagnosis.json")]
    assert not any("Schmidt" in text for text in texts)
    assert all("Folder of decoded images" in text and "5 GiB free" in text for text in texts)
