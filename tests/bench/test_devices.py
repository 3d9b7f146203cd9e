"""The paper's tables of several devices: every row, what each costs when it fails, what is resumed, what is told;
and one real step of two processes."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from bench.test_single import CPU, Trainer
from fullfield.bench import devices, paper, ranked, sets
from fullfield.bench.devices import Asked
from fullfield.bench.paper import Setting
from fullfield.bench.placements import Placement
from fullfield.bench.ranked import OfRank, Ranked
from fullfield.bench.report import Report
from fullfield.errors import FullfieldError, UsageError
from training import prepared_phantoms

MIB = 2**20


class Processes(Trainer):
    """Trains nothing, and makes no step. `failing`: techniques whose step fails."""

    failing = ""

    def __init__(self) -> None:
        super().__init__()
        self.stepped: list[tuple[str, ...]] = []

    def train(self, spec: Any, folder: Path, **more: Any) -> dict[str, Any]:
        assert more["processes"] == (1 if not any(text in " ".join(spec.techniques) for text in SHARED) else 2)
        return super().train(spec, folder, **more)

    def step(self, techniques: tuple[str, ...], *, ranks: int, **_: Any) -> dict[str, Any]:
        self.stepped.append(tuple(techniques))
        if self.failing and self.failing in " ".join(techniques):
            raise FullfieldError("No memory was left.", detail="Process 2 of 2 ran out of it.")
        reported = [
            OfRank(
                before=280 * MIB,
                growth=(100 + rank) * MIB,
                forward=60 * MIB,
                backward=(40 + rank) * MIB,
                predicted=390 * MIB,
                sent=93 * MIB,
                messages=23,
            )
            for rank in range(ranks)
        ]
        step = Ranked(seconds=1.0, techniques=tuple(techniques), ranks=tuple(reported))
        return dict(json.loads(json.dumps(asdict(step))))  # it comes from another process


SHARED = ("data_parallel", "ddp", "fsdp", "model_parallel", "spatial")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Processes:
    processes = Processes()
    monkeypatch.setattr(devices.trained, "train", processes.train)
    monkeypatch.setattr(devices.ranked, "ask", processes.step)
    monkeypatch.setattr(devices.machines, "look", lambda device, threads: CPU)
    return processes


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), 4, rows=192, columns=192).folder


def asked(data: Path, **changes: Any) -> Asked:
    return Asked(**{"data": data, "size": 192, "recorded": 192, "epochs": 1, "weights": "none", **changes})


def rows(report: Report, table: int) -> dict[str, dict[str, Any]]:
    return {str(row["name"]): dict(row) for row in report.tables[table].rows}


def test_that_every_row_of_the_papers_tables_is_there_beside_its_figures_and_what_cannot_run_has_its_reason(
    fake: Processes, data: Path, tmp_path: Path
) -> None:
    report, stopped = devices.run(asked(data), tmp_path)
    assert not stopped
    for table, setting in ((0, Setting.DATA), (2, Setting.MODEL)):
        reported = rows(report, table)
        for theirs in (one for one in paper.TABLE if one.setting is setting):
            figures = (theirs.total, theirs.seconds)
            assert any((row.get("paper_total"), row.get("paper_seconds")) == figures for row in reported.values())
    reported = {name: row for table in (0, 2, 4) for name, row in rows(report, table).items()}
    empty = {name for name, row in reported.items() if row.get("total") is None}
    assert empty == {"torch pipeline", "MP+Mom", "MP+AMP+Mom", "MP+AMP+Chkp+Mom"}
    assert "momentum" in reported["MP+Mom"]["note"]
    assert reported["MP+Mom"]["paper_total"] == 671
    assert len(fake.trained) == len(fake.stepped) == len(reported) - len(empty)
    assert (reported["DP"]["total"], reported["DP"]["each"], reported["DP"]["sent"]) == (100.5, "100 / 101", "93 / 93")
    assert (reported["DP"]["measured"], reported["DP"]["predicted"]) == (381, 390)
    assert (
        reported["DP"]["shared"] == reported["MP"]["shared"] == "shared cores"
        and reported["one for DP"]["shared"] is None
    )
    assert [reported[name]["batch"] for name in ("DP", "one for DP", "MP", "1F1B")] == [2, 2, 1, 4]
    assert reported["DDP"]["sent"] == "93 / 93" and "own copy" in reported["DDP"]["note"]
    losses = rows(report, 1)
    assert (losses["DDP"]["validation_loss"], losses["DDP"]["paper_validation_loss"]) == (71.5, 6.14)
    assert "size 192 (paper: 512)" in report.remarks[0]


def test_that_a_row_that_fails_costs_itself_and_is_all_that_is_tried_again(
    fake: Processes, data: Path, tmp_path: Path
) -> None:
    wanted = asked(data, only=("DP", "DDP", "MP"))
    fake.failing = "ddp"
    report, _ = devices.run(wanted, tmp_path)
    assert rows(report, 0)["DDP"]["note"] == "No memory was left. Process 2 of 2 ran out of it."
    assert rows(report, 0)["DP"]["total"] and rows(report, 2)["MP"]["total"]
    fake.failing = ""
    fake.stop_at = len(fake.trained) + 1
    report, stopped = devices.run(wanted, tmp_path)
    assert stopped and rows(report, 0)["DDP"]["note"] == sets.STOPPED
    fake.stop_at, before = 0, len(fake.stepped)
    report, stopped = devices.run(wanted, tmp_path)
    assert not stopped and rows(report, 0)["DDP"]["total"] == 100.5
    assert len(fake.stepped) == before, "its step had been recorded, the training alone was missing"


def test_that_processes_share_threads_as_those_of_a_training_do(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Placement(name="DP", techniques=(), processes=2, batch=2)
    monkeypatch.setattr(devices.named, "threads", lambda on_cpu, cores: (5 * cores,) * len(on_cpu))
    of_each = devices._threads(Asked(), row, replace(CPU, threads=8))
    assert (of_each, devices._threads(Asked(threads=3), row, CPU)) == (40, 3)


def test_that_one_process_is_nothing_to_compare() -> None:
    with pytest.raises(UsageError, match="share a training"):
        devices.bench(json=True, quick=True, processes=1)


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
@pytest.mark.slow
def test_that_a_real_step_of_two_processes_takes_what_was_predicted_of_each() -> None:
    found = ranked.read(
        ranked.ask(("data_parallel",), ranks=2, side=192, batch=3, encoder="resnet18", device="cpu", threads=1)
    )
    first, second = found.ranks
    assert found.seconds > 0
    assert first.growth > second.growth > 10 * MIB, "two images, and one"
    assert first.forward is not None and first.backward == first.growth - first.forward
    assert 0.95 < first.measured * 1.01 / first.predicted < 1.005
    assert first.sent == second.sent and 50 * MIB < first.sent < 60 * MIB, "the gradients of all weights"
