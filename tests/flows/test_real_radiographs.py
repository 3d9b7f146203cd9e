"""One batch over all real radiographs, judged by tools that we did not write: the issue's first figure, as tests."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pydicom
import pytest

from flows.command import Result, batch
from judges import dciodvfy_errors, is_accepted, rendered
from support import shared

ENHANCED = 24
REFUSED = {"fodicom__RI6XDosiGap.dcm": "radiotherapy", "orthancmirrors__Issue56-NoPixelData.dcm": "without an image"}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one run over the real radiographs left."""

    source: Path
    out: Path
    result: Result
    before: dict[str, str]

    @property
    def pairs(self) -> list[tuple[Path, Path]]:
        found = [(self.source / e["input"], self.out / e["output"]) for e in self.result.of("ItemDone")]
        assert len(found) == ENHANCED
        return found


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    source, base = shared("data/dicom"), tmp_path_factory.mktemp("real")
    before = hashes(source)
    private = {f"FULLFIELD_{name}": str(base / name.lower()) for name in ("CACHE", "RUNS")}
    result = batch(source, base / "out", "-v", "--log-file", base / "run.log", **private)
    return Outcome(source=source, out=base / "out", result=result, before=before)


def test_that_24_of_26_are_enhanced_into_distinct_files_and_two_are_refused_by_name(outcome: Outcome) -> None:
    assert outcome.result.code == 8
    assert len({target for _, target in outcome.pairs}) == ENHANCED
    failed = {event["input"]: event["error"] for event in outcome.result.of("ItemFailed")}
    assert set(failed) == set(REFUSED)
    for name, word in REFUSED.items():
        assert word in f"{failed[name]['title']} {failed[name]['detail']}"


def test_that_the_sources_are_byte_identical(outcome: Outcome) -> None:
    assert hashes(outcome.source) == outcome.before


def test_that_matrix_and_spacing_are_the_sources(outcome: Outcome) -> None:
    for source, target in outcome.pairs:
        old, new = (pydicom.dcmread(path, stop_before_pixels=True) for path in (source, target))
        assert (new.Rows, new.Columns) == (old.Rows, old.Columns)
        for keyword in ("PixelSpacing", "ImagerPixelSpacing"):
            was = old.get(keyword)
            if was and min(map(float, was)) > 0:
                assert list(map(float, new[keyword].value)) == list(map(float, was)), (source.name, keyword)


def test_that_pixels_are_changed_and_almost_none_clipped(outcome: Outcome) -> None:
    for _, target in outcome.pairs:
        new = pydicom.dcmread(target)
        pixels, top = new.pixel_array, (1 << new.BitsStored) - 1
        assert np.mean((pixels == 0) | (pixels == top)) < 0.005, target.name
        assert len(np.unique(pixels)) > 100


def test_that_the_rendered_polarity_is_kept_and_the_picture_changed(outcome: Outcome, tmp_path: Path) -> None:
    for source, target in outcome.pairs:
        if source.name == "robyoung__RG3_JPLY.dcm":
            continue  # GDCM's own tool cannot decompress 12-bit JPEG: the judge is blind here
        before, after = rendered(source, tmp_path), rendered(target, tmp_path)
        assert np.corrcoef(before[::4, ::4].ravel(), after[::4, ::4].ravel())[0, 1] > 0.3, target.name
        assert np.abs(before - after).mean() > 1, target.name


def test_that_dciodvfy_finds_no_error_that_the_source_had_not(outcome: Outcome) -> None:
    for source, target in outcome.pairs:
        assert dciodvfy_errors(target) - dciodvfy_errors(source) == set(), target.name


def test_that_other_readers_accept_every_output(outcome: Outcome) -> None:
    assert all(is_accepted(target) for _, target in outcome.pairs)


def test_that_no_patient_value_is_in_log_ledger_or_cache_names(outcome: Outcome) -> None:
    judge = shared("yardsticks") / "phi.py"
    ledger = outcome.out / ".fullfield" / "results.jsonl"
    assert list(ledger.parent.iterdir()) == [ledger]
    reported = [
        value for line in ledger.read_text(encoding="utf-8").splitlines() for value in json.loads(line).values()
    ]
    # Digests and nothing else: the judge would find four digits of an identifier in one of some hundred by chance.
    assert reported and all(re.fullmatch("[0-9a-f]{64}", value) for value in reported)
    command = [
        sys.executable,
        str(judge),
        "--from",
        *map(str, sorted(outcome.source.glob("*.dcm"))),
        "--",
        str(outcome.out.parent / "run.log"),
    ]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout
    assert (outcome.out.parent / "run.log").stat().st_size > 0


def test_that_hostile_files_get_the_right_verdict_in_one_run(tmp_path: Path) -> None:
    root, judge = shared("hostile"), shared("yardsticks") / "judge_batch.py"
    command = [sys.executable, str(judge), "--manifest", str(root / "manifest.jsonl"), "--root", str(root)]
    enhance = [sys.executable, "-m", "fullfield_app", "--batch", "{in}", "-o", "{out}", "--json"]
    reported = subprocess.run(
        [*command, "--out", str(tmp_path / "out"), "--", *enhance],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert reported.stdout.splitlines()[-1].startswith("624 of 624 as expected, 0 faults"), reported.stdout
