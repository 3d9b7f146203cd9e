"""A fault is tried in a copy, by the tests of its room, and only once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mutate
from mutation import faults, trial

SOURCE = """
def half(value):
    log = []
    log.append(value)
    return value / 2

def count(to):
    at = 0
    while at != to:
        at += 1
    return at
"""
OWN = "from fullfield.room.halving import half\ndef test_that_a_half_is_one():\n    assert half(2) == 1\n"
OTHER = "from fullfield.room.halving import count\ndef test_that_it_counts():\n    assert count(3) == 3\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A room with one file, a test of its name, and another."""
    files = {
        "core/fullfield/__init__.py": "",
        "core/fullfield/room/__init__.py": "",
        "core/fullfield/room/halving.py": SOURCE,
        "tests/room/test_halving.py": OWN,
        "tests/room/test_counting.py": OTHER,
        "tests/elsewhere/test_failing.py": "def test_that_fails():\n    assert False\n",
    }
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "project"


def fault(project: Path, after: str, line: int) -> faults.Fault:
    name = "core/fullfield/room/halving.py"
    return next(
        one for one in faults.find((project / name).read_bytes(), name) if (one.after, one.line) == (after, line)
    )


def test_that_each_fault_is_noticed_by_the_first_test_that_fails_or_by_none(project: Path, tmp_path: Path) -> None:
    chosen = [fault(project, "value * 2", 5), fault(project, "return None", 11), fault(project, "pass", 4)]
    record = tmp_path / "record.jsonl"
    found = [outcome.by for _, outcome in mutate.tried(project, chosen, record)]
    assert found == [
        "tests/room/test_halving.py::test_that_a_half_is_one",
        "tests/room/test_counting.py::test_that_it_counts",
        "",
    ]
    assert (project / "core/fullfield/room/halving.py").read_text() == SOURCE
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [(line["file"], line["line"], line["noticed"]) for line in lines] == [
        ("core/fullfield/room/halving.py", one.line, bool(by)) for one, by in zip(chosen, found)
    ]


def test_that_a_run_goes_on_where_it_was_and_tries_again_what_was_not_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    class Copy:
        def __init__(self, *values: object, **options: object) -> None: ...

        def tried(self, fault: faults.Fault) -> trial.Outcome:
            tried.append(fault.after)
            return trial.Outcome(by="" if fault.after == "a <= b" else "a test", seconds=1.0, reached=1)

    monkeypatch.setattr(mutate, "Copy", Copy)
    record = tmp_path / "record.jsonl"
    less, equal = faults.find(b"a < b\nc == d", "a.py")
    assert [outcome.by for _, outcome in mutate.tried(tmp_path, [less], record)] == [""]
    with record.open("a") as stream:
        stream.write('{"key": "cut')  # a run was killed here
    record.write_text(record.read_text() + "\n")
    assert [outcome.by for _, outcome in mutate.tried(tmp_path, [less, equal], record)] == ["", "a test"]
    assert tried == ["a <= b", "c != d"]
    list(mutate.tried(tmp_path, [less, equal], record, again=True))
    assert tried == ["a <= b", "c != d", "a <= b"]


def test_that_a_fault_without_an_end_is_noticed_by_the_time_limit(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "copy").mkdir()
    copy = trial.Copy(project, tmp_path / "copy")
    monkeypatch.setattr(trial, "_LEAST", 3.0)
    assert copy.tried(fault(project, "at -= 1", 10)).by == trial.TOO_LONG


def test_that_a_test_that_fails_without_a_fault_is_named_and_not_asked(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "tests/room/test_halving.py").write_text(OWN + "def test_that_fails():\n    assert half(2) == 3\n")
    (tmp_path / "copy").mkdir()
    copy = trial.Copy(project, tmp_path / "copy")
    found = copy.tried(fault(project, "value * 2", 5))
    assert (found.by, found.reached) == ("tests/room/test_halving.py::test_that_a_half_is_one", 1)
    assert "not asked: tests/room/test_halving.py::test_that_fails" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "reported"), [("def test_that_fails():\n    assert False\n", "test_that_fails"), ("import nothing", "run")]
)
def test_that_nothing_is_tried_where_no_test_passes_without_a_fault(
    project: Path, tmp_path: Path, text: str, reported: str
) -> None:
    (project / "tests/room/test_counting.py").unlink()
    (project / "tests/room/test_halving.py").write_text(text)
    (tmp_path / "copy").mkdir()
    with pytest.raises(ValueError, match=f"without any fault.*{reported}|{reported} without any fault"):
        trial.Copy(project, tmp_path / "copy").tried(fault(project, "value * 2", 5))


def test_that_a_room_without_tests_is_told(project: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    with pytest.raises(FileNotFoundError, match="tests/nowhere"):
        trial.Copy(project, tmp_path / "copy").map("app/fullfield_app/nowhere/a.py")


def test_that_the_command_says_how_many_were_noticed(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(root: Path, chosen: list[faults.Fault], *rest: object, **named: object) -> object:
        return [
            (one, trial.Outcome(by="a test" if index else "", seconds=0.0, reached=index))
            for index, one in enumerate(chosen)
        ]

    monkeypatch.setattr(mutate, "tried", tried)
    assert mutate.main(["room", "--count=4"], project) == 1
    reported = capsys.readouterr().out.splitlines()
    assert reported[-2:] == ["   3 of   4  core/fullfield/room/halving.py", "   3 of   4 noticed: 75 %"]
    assert [line.strip() for line in reported if "NOT" in line] == ["NOT NOTICED, reached by no tests  (0.0 s)"]
    assert mutate.main(["room/halving", "--list"], project) == 0
    assert "value / 2  →  value * 2" in capsys.readouterr().out
