"""`bench time` of one set at its smallest size: its row, whatever the figures are."""

from __future__ import annotations

import json

import pytest

import narrow
from fullfield.bench import time as bench
from fullfield.plan.spec import USUAL_TECHNIQUES
from fullfield.techniques import registry
from techniques.stepping import site

narrowed = narrow.networks()


def test_that_a_set_is_timed_beside_its_prediction(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "SIZES", (192,))
    monkeypatch.setattr(bench, "USUAL_TECHNIQUES", ())  # nothing is compiled
    bench.bench(json=True, quick=True, repeat=1)
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["bench"], row["size"], row["techniques"]) == ("time", 192, bench.NATIVE[0])
    assert min(row["time_factor"], row["cpu_seconds_per_thread"]) > 0
    assert row["predicted_factor"] > row["flop_factor"] > 1


def test_that_every_technique_is_timed() -> None:
    timed = {text.partition(":")[0] for texts in bench.sets(site()) for text in texts}
    assert timed | set(USUAL_TECHNIQUES) == set(registry.all_techniques())
