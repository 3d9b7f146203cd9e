"""Largest image, largest throughput, cost: their searches and tables on a measure that is known, and one real step."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.bench import cost, ranked, reckoned, sets, several, size, steps, throughput
from fullfield.bench.cost import Prices
from fullfield.bench.machine import Machine
from fullfield.bench.report import Report
from fullfield.bench.sets import Choice
from fullfield.bench.several import WAYS
from fullfield.bench.size import Search
from fullfield.bench.steps import Setting, Step, Steps
from fullfield.bench.throughput import Batches
from fullfield.errors import FullfieldError, UsageError
from fullfield.techniques.site import Card

GIB = 2**30
CPU = Machine(
    device="cpu",
    why="",
    card=Card(kind="cpu", title="the CPU", total_bytes=16 * GIB, free_bytes=8 * GIB),
    torch="2.0",
    threads=1,
    compiler="",
)
CHOICES = [Choice(name="original", techniques=()), Choice(name="Chkp", techniques=("checkpointing",))]


class Known:
    """Steps that take 100 bytes and 1 µs per pixel, checkpointed ones half and a third more; `most` bytes fit."""

    folder = Path()

    def __init__(self, *, most: int = 10**12, names: tuple[str, ...] = ("original", "Chkp")) -> None:
        self.machine, self.setting, self._most = CPU, Setting(only=names), most
        self.taken: list[tuple[str, int, int]] = []

    shape = Steps.shape

    def facts(self) -> dict[str, Any]:
        return {"device": "known"}

    def take(self, choice: Choice, *, size: int, batch: int) -> Step:
        self.taken.append((choice.name, size, batch))
        pixels, is_plain = batch * size * size, choice.name == "original"
        taken = pixels * (100 if is_plain else 50)
        seconds = (0.1 + pixels * 1e-6) * (1 if is_plain else 4 / 3)
        fits = taken <= self._most
        step = Step(
            batch=batch,
            fits=fits,
            reason="",
            seconds=seconds,
            predicted=taken,
            peak=taken,
            techniques=(),
            refused=False,
        )
        return step if fits else replace(step, seconds=None, peak=None, reason="predicted to take more than the budget")


def row(report: Report, name: str) -> dict[str, Any]:
    return dict(next(row for row in report.tables[0].rows if row["name"] == name))


@pytest.mark.parametrize("edge", [0, 191, 192, 200, 512, 513, 1000, 2047, 2048, 5000])
@pytest.mark.parametrize("first", [192, 512, 2048])
def test_that_the_search_finds_the_largest_that_keeps(edge: int, first: int) -> None:
    asked: list[int] = []

    def keeps(side: int) -> bool:
        asked.append(side)
        return side <= edge

    found = size.largest(keeps, first=first, last=2048)
    assert found == (0 if edge < 192 else min(edge // 32 * 32, 2048))
    assert len(asked) == len(set(asked)) <= 11
    assert all(192 <= side <= 2048 and side % 32 == 0 for side in asked)


def test_that_the_largest_image_is_limited_by_memory_or_by_throughput() -> None:
    taker: Any = Known(most=100 * 700**2)
    search = Search(least=0.4, largest=4096)
    report = size._report(taker, search, size.run(taker, search))
    plain, checkpointed = row(report, "original"), row(report, "Chkp")
    assert plain["size"] == 672  # of 700
    assert plain["limit"] == "at 704: predicted to take more than the budget"
    assert checkpointed["size"] == 960  # of 990
    assert row(report, "AMP")["note"] == sets.NOT_ASKED
    assert "size" not in row(report, "AMP")
    slow = Search(least=2.0, largest=4096)
    assert row(size._report(taker, slow, size.run(taker, slow)), "original")["size"] == 608  # 0.4 s: 547 … of 632


def test_that_a_search_without_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="multiple of 32"):
        size._check(Search(largest=1000))
    with pytest.raises(UsageError, match="above 0"):
        size._check(Search(least=0.0))


def test_that_batches_double_until_one_does_not_fit() -> None:
    taker: Any = Known(most=100 * 512 * 512 * 5)
    measured = throughput.run(taker, Batches(size=512))
    report = throughput._report(taker, Batches(size=512), measured)
    plain, checkpointed = row(report, "original"), row(report, "Chkp")
    assert (plain["tried"], plain["batch"]) == ("1 2 4 8", 4)
    assert plain["limit"] == "at 8: predicted to take more than the budget"
    assert (checkpointed["tried"], checkpointed["batch"]) == ("1 2 4 8 16", 8)
    assert plain["gain"] > 1


def test_that_two_doublings_without_gain_end_the_search() -> None:
    plain = Known().take(CHOICES[0], size=512, batch=1)
    rates = (1.0, 0.5, 0.4)
    slower = [replace(plain, batch=1, seconds=1 / rate) for rate in rates]
    assert [throughput._is_done(slower[:count]) for count in range(4)] == [False, False, False, True]
    assert not throughput._is_done([replace(plain, fits=False, refused=True)])


def test_that_the_frontier_holds_what_nothing_beats() -> None:
    points = [(1.0, 5.0), (2.0, 3.0), (3.0, 3.0), (4.0, 1.0), (5.0, 2.0)]
    assert cost.frontier(points) == [True, True, False, True, False]
    assert cost.frontier([(1.0, 1.0), (1.0, 1.0)]) == [True, True]


def test_that_costs_are_the_price_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "planned", lambda *_, **__: [replace(CHOICES[1], name="plan: fastest")])
    taker: Any = Known(names=())
    prices = Prices(price=3.6, size=512, batches=(1, 2))
    report = cost._report(taker, prices, cost.run(taker, prices))
    rows = [dict(line) for line in report.tables[0].rows if line.get("cost") is not None]
    assert [(line["name"], line["batch"]) for line in rows][:2] == [("original", 1), ("original", 2)]
    first = rows[0]
    assert first["cost"] == pytest.approx(first["seconds"])  # 1000 images at 0.001 a second
    assert first["epoch"] == pytest.approx(first["cost"] * 48 / 1000)
    assert [line["cost_latency"] for line in rows if line["name"] == "original"] == [True, True]
    assert any(line["cost_memory"] for line in rows if line["name"] == "plan: fastest")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The questions that reach a measuring process, which is not there."""
    questions: list[dict[str, Any]] = []

    def answer(command: list[str], *, seconds: float | None = None) -> dict[str, Any]:
        questions.append(json.loads(command[-1]))
        fits = {"fits": True, "reason": "", "seconds": 0.5, "predicted": 2, "peak": 1, "refused": False}
        return {**fits, "techniques": questions[-1]["techniques"] or []}

    monkeypatch.setattr(steps.machines, "look", lambda device, threads: CPU)
    monkeypatch.setattr(steps.machines, "last_line", answer)
    return questions


def test_that_a_bench_that_is_run_again_measures_only_what_is_missing(
    asked: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given: dict[str, Any] = {"out": tmp_path, "json": True, "quick": False, "size": 256, "most": 2, "devices": ()}
    assert throughput.bench(only=("original",), **given) == 0
    assert [question["batch"] for question in asked] == [1, 2]
    assert all(question["budget"] == CPU.card.free_bytes for question in asked)
    assert throughput.bench(only=("original", "Chkp"), **given) == 0
    assert [question["techniques"] for question in asked[2:]] == [["checkpointing"], ["checkpointing"]]
    reported = json.loads(capsys.readouterr().out.split("\n}\n")[0] + "\n}")
    assert reported["tables"]["best"]["rows"][0]["images_per_second"] == 4.0
    with (tmp_path / "throughput-best.csv").open(encoding="utf-8", newline="") as stream:
        assert [line["note"] for line in csv.DictReader(stream)][1] == sets.NOT_ASKED


def test_that_a_step_whose_process_died_does_not_fit_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]], tmp_path: Path
) -> None:
    taker = Steps(Setting(), tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(steps.machines, "last_line", lambda command, seconds: {"died": "the system ended it"})
        step = taker.take(CHOICES[0], size=512, batch=1)
    assert (step.fits, step.reason, step.images_per_second) == (False, "the system ended it", 0.0)
    assert taker.take(CHOICES[0], size=512, batch=1).fits
    assert len(asked) == 1


def test_that_a_real_step_is_measured_within_its_budget_and_near_its_prediction(tmp_path: Path) -> None:
    taker = Steps(Setting(encoder="resnet18", device="cpu", threads=1, budget="1GiB", repeat=1), tmp_path)
    step = taker.take(Choice(name="banded_loss", techniques=("banded_loss",)), size=192, batch=1)
    assert step.fits and step.seconds and step.predicted and step.peak
    assert step.peak <= step.predicted <= 1.05 * step.peak
    small = Steps(Setting(encoder="resnet18", device="cpu", threads=1, budget="100MiB", repeat=1), tmp_path)
    refused = small.take(Choice(name="original", techniques=()), size=192, batch=1)
    assert not refused.fits and refused.seconds is None
    assert "predicted" in refused.reason


def test_that_a_failure_costs_its_own_step(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def failing(command: list[str], seconds: float) -> dict[str, Any]:
        raise FullfieldError("A measuring process ended without a result.", detail="input too large")

    taker = Steps(Setting(), tmp_path)
    monkeypatch.setattr(steps.machines, "last_line", failing)
    step = taker.take(CHOICES[0], size=512, batch=128)
    assert not step.fits and "input too large" in step.reason


def test_that_less_free_memory_is_another_row(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]], tmp_path: Path
) -> None:
    for free in (60 << 30, (60 << 30) + 5, 2 << 30):
        machine = replace(CPU, card=replace(CPU.card, free_bytes=free))
        with monkeypatch.context() as patched:
            patched.setattr(steps.machines, "look", lambda *given, machine=machine: machine)
            Steps(Setting(), tmp_path).take(CHOICES[0], size=512, batch=1)
    assert [question["budget"] >> 30 for question in asked] == [60, 2]


def test_that_a_search_takes_a_largest_size_of_its_own_grid_only() -> None:
    with pytest.raises(UsageError, match="largest"):
        size._check(size.Search(grid=64, largest=480))


def test_that_several_devices_are_simulated_where_they_are_not_here_and_marked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With two devices in the machine two are measured, four are not."""
    taker: Any = Known(names=())
    taker.machine, taker.folder = replace(CPU, count=2), tmp_path
    asked: list[tuple[str, ...]] = []

    def reckon(command: list[str], *, seconds: float) -> dict[str, Any]:
        question = json.loads(command[-1])
        reported = [
            {"way": way["name"], "techniques": way["beside"], "devices": count, "batch": count, "peak": 1 << 20}
            | {"simulated": count > 1, "seconds": 1.0 * way["seconds"]}
            for way in question["ways"]
            for count in question["counts"]
        ]
        return {"points": reported}

    def measure(techniques: tuple[str, ...], *, ranks: int, **_: Any) -> dict[str, Any]:
        asked.append(techniques)
        if "hybrid_bands" in techniques:
            raise FullfieldError("No memory was left.")
        of_rank = {"before": 1, "growth": 1, "forward": 1, "backward": 0, "predicted": 2, "sent": 7, "messages": 1}
        return {"seconds": 2.0, "techniques": list(techniques), "ranks": [of_rank] * ranks}

    monkeypatch.setattr(several.machines, "last_line", reckon)
    monkeypatch.setattr(ranked, "ask", measure)
    spread = Batches(size=256, devices=(1, 2, 4))
    points = several.points(taker, 256, spread)
    assert len(points) == 3 * len(WAYS) and len(asked) == len(WAYS)
    one, two, four = points[:3]
    assert (one.simulated, two.simulated, four.simulated) == (False, False, True)
    assert two.seconds == 2.0 and four.seconds == one.seconds
    assert points[-2].reason == "No memory was left." and points[-1].seconds is not None
    table = throughput._report(taker, spread, sets.Measured(choices=(), found={}, stopped=False), points)
    assert [row["source"] for row in table.tables[1].rows][:3] == ["measured", "measured", "simulated"]
    curves = table.plots[-1].curves  # type: ignore[union-attr]
    assert [(one.name, one.simulated, len(one.points)) for one in curves[:2]] == [
        ("data parallel", False, 2),
        ("data parallel: simulated", True, 2),
    ]
    prices = Prices(price=3.6, size=256, devices=(1, 2, 4))
    rows = cost._several(points, prices)
    assert rows[1]["cost"] == pytest.approx(2.0), "two devices for a thousand seconds"


def test_that_simulated_devices_divide_the_work_and_wait_for_what_they_say() -> None:
    """Of a step that takes two seconds on one; a faster link makes it shorter, and none makes it free."""
    way = {"name": "data parallel", "beside": ["banded_loss"], "shared": ["data_parallel"], "images": 0, "seconds": 2.0}
    question = {"ways": [way], "counts": [1, 2], "size": 192, "encoder": "resnet18", "device": "cpu", "threads": 1}
    slow, fast = (reckoned.reckon({**question, "link": link}) for link in ("1GbE", "PCIe"))
    assert slow[0].seconds == pytest.approx(2.0) and not slow[0].simulated
    assert slow[1].simulated and slow[1].batch == 2
    bytes_ = slow[1].sent
    assert 40 << 20 < bytes_ < 60 << 20, "the weights' gradients"
    assert slow[1].seconds is not None and fast[1].seconds is not None
    assert slow[1].seconds == pytest.approx(2.0 + bytes_ / (0.94 * 125e6), rel=0.02), "each has an image of its own"
    assert 2.0 < fast[1].seconds < slow[1].seconds


def test_that_steps_of_pytorchs_own_are_simulated_with_what_they_send() -> None:
    """Weights of fully_shard come twice and their gradients go once, each time a half of a sum; the divided optimizer
    brings the weights once more."""
    ways = [asdict(way) | {"seconds": 1.0} for way in WAYS if way.name.startswith(("data parallel", "PyTorch"))]
    question = {"ways": ways, "counts": [2], "size": 192, "encoder": "resnet18", "device": "cpu", "threads": 1}
    asked = json.loads(json.dumps({**question, "link": "1GbE"}))  # as it comes to another process
    found = {one.techniques[1:]: one for one in reckoned.reckon(asked)}
    assert all(one.seconds and one.peak and not one.reason for one in found.values())
    sums = found["data_parallel",].sent
    assert found["ddp",].sent == sums
    assert found["data_parallel", "zero_optimizer"].sent == pytest.approx(1.5 * sums, rel=0.01)
    assert found["fsdp",].sent == pytest.approx(1.5 * sums, rel=0.01)
