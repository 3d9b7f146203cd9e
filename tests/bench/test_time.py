"""`bench time`: which sets it measures and what it ends with, and the row of one set at its smallest size."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

import narrow
from fullfield.bench import time as bench
from fullfield.plan.spec import USUAL_TECHNIQUES
from fullfield.techniques import registry
from techniques.stepping import site

narrowed = narrow.networks()
NATIVE = bench.native(site())


def test_that_a_set_is_timed_beside_its_prediction(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "SIZES", (192,))
    monkeypatch.setattr(bench, "USUAL_TECHNIQUES", ())  # nothing is compiled
    bench.bench(json=True, quick=True, repeat=1)
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["bench"], row["size"], row["techniques"]) == ("time", 192, NATIVE[0])
    assert min(row["time_factor"], row["cpu_seconds_per_thread"]) > 0
    assert row["predicted_factor"] > row["flop_factor"] > 1


def test_that_every_technique_that_needs_no_other_and_no_other_process_is_timed() -> None:
    timed = {text.partition(":")[0] for texts in bench.sets(site()) for text in texts}
    needing = {"zero", "zero_optimizer", "gradient_compression"}
    of_several = {"spatial", "model_parallel", "data_parallel", "ddp", "fsdp"}
    of_larger_batches = {"accumulate", "rate_scaling"}
    left = set(registry.all_techniques()) - timed - set(USUAL_TECHNIQUES)
    assert left == needing | of_several | of_larger_batches


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize(("ratio", "code"), [(bench.MOST, 0), (bench.MOST + 0.01, 1)])
def test_that_the_bench_runs_to_its_end_and_fails_where_the_native_plan_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], quick: bool, ratio: float, code: int
) -> None:
    """Nothing is measured; all others are ten times too slow, which is no fault."""

    def compare(texts: tuple[str, ...], size: int, repeat: int) -> bench.Timed:
        return bench.Timed(ratio=ratio if texts == (*USUAL_TECHNIQUES, *NATIVE) else 10.0, seconds=1.0)

    plan = SimpleNamespace(time_factor=1.0, flop_factor=1.0)
    monkeypatch.setattr(bench, "compare", compare)
    monkeypatch.setattr(
        bench.predicting, "Predictor", lambda question: SimpleNamespace(site=site(), plan=lambda one: plan)
    )
    assert bench.bench(json=True, quick=quick) == code
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    sizes = bench.SIZES[:1] if quick else bench.SIZES
    wanted = [NATIVE] if quick else bench.sets(site())
    assert [(row["size"], row["techniques"]) for row in rows] == [
        (size, " + ".join((*USUAL_TECHNIQUES, *texts))) for size in sizes for texts in wanted
    ]
    assert NATIVE in wanted
