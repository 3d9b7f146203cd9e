"""The paper's tables: which rows are trained, which are gone on with, what is told; and one real row."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import warm
from fullfield.bench import sets, single, trained
from fullfield.bench.machine import Machine
from fullfield.bench.report import Report
from fullfield.bench.sets import Choice
from fullfield.bench.single import Asked
from fullfield.bench.trained import Trained
from fullfield.errors import Interrupted
from fullfield.protocol.training import Training
from fullfield.techniques.site import Card
from training import prepared_phantoms

narrowed = warm.narrow()
MIB = 2**20
CPU = Machine(
    device="cpu",
    why="",
    card=Card(kind="cpu", title="the CPU", total_bytes=16 << 30, free_bytes=8 << 30),
    torch="2.0",
    threads=1,
    compiler="",
)
PLAN = Choice(name="plan: fastest", techniques=("banded_loss", "recompute"))
FOUND = Trained(
    allocator_before=280 * MIB,
    allocator_forward=56 * MIB,
    allocator_backward=58 * MIB,
    peak_phase="backward",
    peak_operation="aten::conv",
    host=1500 * MIB,
    step_seconds=0.5,
    steps=48,
    epochs=1,
    train_loss=70.5,
    validation_loss=71.5,
)


class Trainer:
    """Trains nothing. `stop_at`: Ctrl-C comes in this training, counted from 1."""

    def __init__(self, found: Trained = FOUND) -> None:
        self.found, self.stop_at = found, 0
        self.trained: list[list[str]] = []

    def train(self, spec: Training, folder: Path, **_: Any) -> dict[str, Any]:
        self.trained.append(list(spec.techniques))
        if len(self.trained) == self.stop_at:
            raise Interrupted("Stopped.")
        return asdict(self.found)


@pytest.fixture
def trainer(monkeypatch: pytest.MonkeyPatch) -> Trainer:
    fake = Trainer()
    monkeypatch.setattr(trained, "train", fake.train)
    monkeypatch.setattr(single.machines, "look", lambda device, threads: CPU)
    monkeypatch.setattr(sets, "planned", lambda *_: [PLAN])
    return fake


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), 4, rows=192, columns=192).folder


def asked(data: Path, **changes: Any) -> Asked:
    return Asked(**{"data": data, "size": 192, "epochs": 1, "weights": "none", **changes})


def row(report: Report, table: int, name: str) -> dict[str, Any]:
    return dict(next(row for row in report.tables[table].rows if row["name"] == name))


def test_that_every_row_is_trained_but_those_that_are_impossible(trainer: Trainer, data: Path, tmp_path: Path) -> None:
    report, stopped = single.run(asked(data), tmp_path)
    assert not stopped
    reported = {str(row["name"]): row for row in report.tables[0].rows}
    empty = {name for name, row in reported.items() if row.get("total") is None}
    assert empty == {
        "AMP+Quant",
        "accumulate",
        "data_parallel",
        "ddp",
        "fsdp",
        "gradient_compression",
        "model_parallel",
        "rate_scaling",
        "spatial",
        "zero",
        "zero_optimizer",
    }
    assert all(reported[name]["note"] for name in empty)
    assert len(trainer.trained) == len(reported) - len(empty)
    assert [] in trainer.trained and list(PLAN.techniques) in trainer.trained


def test_that_a_bench_that_was_stopped_trains_only_what_is_missing(
    trainer: Trainer, data: Path, tmp_path: Path
) -> None:
    wanted = asked(data, only=("original", "AMP", "Chkp"))
    trainer.stop_at = 2
    report, stopped = single.run(wanted, tmp_path)
    assert stopped
    assert row(report, 0, "original")["total"] == 114
    assert row(report, 0, "AMP")["note"] == row(report, 0, "Chkp")["note"] == sets.STOPPED
    trainer.trained.clear()
    trainer.stop_at = 0
    report, stopped = single.run(wanted, tmp_path)
    assert not stopped
    assert trainer.trained == [["precision:format=bf16"], ["checkpointing"]]
    assert row(report, 0, "original")["total"] == row(report, 0, "Chkp")["total"] == 114
    single.run(asked(data, only=("original",), epochs=2), tmp_path)
    assert len(trainer.trained) == 3  # other settings are other rows


def test_that_our_figures_stand_beside_the_papers(trainer: Trainer, data: Path, tmp_path: Path) -> None:
    report, _ = single.run(asked(data, only=("Chkp",)), tmp_path)
    memory, loss = row(report, 0, "Chkp"), row(report, 1, "Chkp")
    assert (memory["forward"], memory["backward"], memory["total"]) == (56, 58, 114)
    assert memory["seconds"] == 24.0
    assert (memory["paper_forward"], memory["paper_total"], memory["paper_seconds"]) == (287, 942, 35.2)
    assert (loss["train_loss"], loss["validation_loss"]) == (70.5, 71.5)
    assert (loss["paper_train_loss"], loss["paper_validation_loss"]) == (4.05, 6.06)
    assert row(report, 1, "AMP+Quant")["paper_remark"] == "The paper's training never finished."
    assert "allocator" in str(report.facts["memory"])


def test_that_a_training_that_is_not_the_papers_says_so_and_shows_its_figures_in_no_plot(
    trainer: Trainer, data: Path, tmp_path: Path
) -> None:
    report, _ = single.run(asked(data, only=("original",)), tmp_path)
    for difference in ("size 192 (paper: 512)", "epochs 1 (paper: 50)", "weights none (paper: imagenet)", "images 4 ("):
        assert difference in report.remarks[0]
    assert all(not getattr(plot, "beside", ()) for plot in report.plots)


def test_that_on_a_card_the_process_is_told_as_the_paper_did_and_the_allocator_beside_it(
    trainer: Trainer, data: Path, tmp_path: Path
) -> None:
    trainer.found = Trained(**{**asdict(FOUND), "process_forward": 758 * MIB, "process_backward": 440 * MIB})
    report, _ = single.run(asked(data, only=("original",)), tmp_path)
    memory = row(report, 0, "original")
    assert (memory["forward"], memory["backward"], memory["total"]) == (758, 440, 1198)
    assert memory["allocator_total"] == 114
    assert "allocator_total" in [column.name for column in report.tables[0].columns]
    assert "NVML" in str(report.facts["memory"])


@pytest.mark.slow
def test_that_a_quick_bench_trains_for_real_and_leaves_its_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sets, "planned", lambda *_: [])
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")  # its loss, that of any training, is computed as it is written
    given: dict[str, Any] = {"only": ("banded_loss",), "size": 192, "images": 3, "encoder": "resnet18", "device": "cpu"}
    assert single.bench(json=True, quick=True, out=tmp_path, threads=1, **given) == 0
    reported = json.loads(capsys.readouterr().out)
    assert "synthetic" in reported["facts"]["data"]
    (memory,) = [row for row in reported["tables"]["memory"]["rows"] if row["name"] == "banded_loss"]
    assert memory["forward"] > 5 and memory["total"] == pytest.approx(memory["forward"] + memory["backward"])
    assert memory["seconds"] > 0 and memory["steps"] == 2
    with (tmp_path / "single-loss.csv").open(encoding="utf-8", newline="") as stream:
        losses = {line["name"]: line for line in csv.DictReader(stream)}
    assert 0 < float(losses["banded_loss"]["validation_loss"]) < 100
    assert losses["original"]["validation_loss"] == ""
    assert (tmp_path / "single-memory.png").stat().st_size > 1000
    assert not list((tmp_path / "running").iterdir())
