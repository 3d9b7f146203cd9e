"""`bench card` on a CPU, where it measures the same but for what is a card's alone; and on a card where one is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import narrow
from fullfield.bench import card, exact, report
from fullfield.errors import OutputInvalid
from fullfield.hardware import devices
from fullfield.plan import libraries
from fullfield.plan.libraries import Libraries
from support import without_compiler

SIZE = 192


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What libraries hold is known; what is traced of a part of the network is for no other test."""
    monkeypatch.setenv("FULLFIELD_CACHE", str(tmp_path / "cache"))
    for brings in ((), libraries.USUAL):
        libraries.keep(brings, Libraries(begin=800 << 20, whole=900 << 20))


def test_that_every_plan_is_held_against_what_a_step_takes_and_all_of_it_is_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(card, "QUICK", ((), ("full_bands:tier=host",)))
    without_compiler(monkeypatch)
    with narrow.everywhere(by=2):
        code = card.bench(
            json=True, quick=True, out=tmp_path, encoder="resnet18", device="cpu", threads=1, repeat=1, size=SIZE
        )
    written = json.loads((tmp_path / "card.json").read_text())
    reported = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    report.refuse_other(tmp_path, "card")
    assert [row["techniques"] for row in written["ways"]] == [row["techniques"] for row in reported]
    plain, banded = written["ways"]
    assert code == 0
    assert plain["factor"] == 1.0 and banded["factor"] > 0
    assert banded["peak"] <= banded["predicted"] <= card.ALLOWED * banded["peak"]
    assert 0 < banded["worst"] <= exact.LARGEST
    assert banded["same_bits"] is True and plain["same_bits"] is None
    assert written["setting"]["start_seconds"] > 0
    assert written["setting"]["context_bytes"] is None


def test_that_a_file_of_others_is_not_replaced_by_what_a_card_is_found_to_be(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text('{"my": "notes"}')
    with pytest.raises(OutputInvalid):
        card.bench(json=True, quick=True, out=tmp_path, device="none of these")
    assert "notes" in (tmp_path / "card.json").read_text()


def test_that_a_plan_that_is_too_small_or_bands_that_are_not_exact_do_not_hold() -> None:
    good = {"predicted": 101, "peak": 100, "worst": 1e-13, "same_bits": True}
    for changes, wanted in (
        ({}, True),
        ({"predicted": 99}, False),
        ({"predicted": 110}, False),
        ({"worst": 1e-3}, False),
        ({"same_bits": False}, False),
        ({"same_bits": None}, True),
    ):
        values = {**good, **changes}
        one = card.Measured(
            techniques=(),
            process=None,
            seconds=1.0,
            factor=1.0,
            predicted_factor=1.0,
            pinned=0,
            **values,  # type: ignore[arg-type]
        )
        assert one.holds is wanted


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_on_a_card_every_plan_holds_and_the_process_is_no_more_than_it_says() -> None:
    chosen = devices.choose("cuda:0")
    found = card.setting(chosen)
    assert found.context_bytes is None or found.context_bytes > 50 << 20
    for one in card.measurements(chosen, (), encoder="resnet18", repeat=1, size=256):
        assert one.holds, one
        if one.process is not None and found.context_bytes is not None:
            assert one.process >= one.peak


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
@pytest.mark.parametrize("way", [("recompute",), ("hybrid_bands",), ("full_bands",), ("full_bands:tier=host",)])
def test_that_a_card_gives_the_same_bits_where_nothing_is_written_over(way: tuple[str, ...]) -> None:
    assert card.same_bits(way, encoder="resnet18", device="cuda:0") is True
