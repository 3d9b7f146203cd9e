"""The trend file: appended to, read again, and what leaves its own history."""

from __future__ import annotations

import csv
import errno
import os
import stat
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fullfield.errors import CannotWrite, FullfieldError, UsageError
from fullfield.qa import table, trend
from fullfield.qa.measures import Row
from fullfield.qa.objects import What
from support import small_files

DAY = datetime(2026, 1, 1, 8, tzinfo=UTC)
ROW = Row(
    what=What.EDGE,
    name="patient-like name.dcm",
    kind="raw",
    equipment="=Maker X1",
    method="auto",
    version="1.2.0",
    sha256="ab" * 32,
    spacing_mm=0.1,
    exposure_index=250.0,
    figures={"mtf50": 2.30, "peak": 1.9, "angle": 2.2},
)


def of(day: int, **figures: float) -> Row:
    return replace(ROW, figures={**ROW.figures, **figures}, version="1.3.0" if day > 3 else "1.2.0")


def test_that_a_figure_that_leaves_its_history_is_told_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    for day, mtf50 in enumerate((2.30, 2.31, 2.29, 2.30, 2.31)):
        assert trend.append(path, [of(day, mtf50=mtf50)], DAY + timedelta(days=day)) == ()
    other = replace(of(5, mtf50=1.0), equipment="Maker Y2")

    left = trend.append(path, [of(5, mtf50=2.10, angle=1.6), other, replace(ROW, figures={}, problem="no edge")], DAY)

    assert [(one.figure, one.count) for one in left] == [("mtf50", 5)]
    assert left[0].text() == "auto on edge, raw: mtf50 is 2.1, and was 2.3 ± 0.046 in 5 measurements."
    with path.open(encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert len(lines) == 7 and [line["mtf50"] for line in lines[:2]] == ["2.3", "2.31"]
    first = lines[0]
    assert (first["date"], first["object"], first["method"]) == ("2026-01-01T08:00:00+00:00", "edge", "auto")
    assert (first["version"], first["sha256"], first["exposure_index"]) == ("1.2.0", "ab" * 32, "250")
    assert first["equipment"] == "'=Maker X1" and "patient" not in path.read_text("utf-8")


def test_that_a_change_of_less_than_two_percent_is_none(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    for day in range(trend.ENOUGH):
        trend.append(path, [ROW], DAY + timedelta(days=day))
    assert trend.append(path, [of(6, mtf50=2.33)], DAY) == ()
    assert len(trend.append(path, [of(6, mtf50=2.36)], DAY)) == 1


def test_that_an_edge_measured_from_above_to_below_has_a_history_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    across, down = replace(ROW, direction="horizontal"), replace(of(1, mtf50=1.2), direction="vertical")
    for _ in range(trend.ENOUGH):
        assert trend.append(path, [across, down], DAY) == ()

    left = trend.append(path, [across, replace(down, figures={"mtf50": 2.3})], DAY)

    assert [one.text().partition(":")[0] for one in left] == ["auto on edge, vertical, raw"]
    assert [line["object"] for line in trend.read(path)[:2]] == ["edge", "edge, vertical"]


def test_that_pixels_of_another_size_have_a_history_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    fine, coarse = ROW, replace(of(1, mtf50=1.2), spacing_mm=0.2)
    for _ in range(trend.ENOUGH):
        assert trend.append(path, [fine, coarse], DAY) == ()

    (left,) = trend.append(path, [fine, replace(coarse, figures={"mtf50": 2.3})], DAY)
    assert (left.row.spacing_mm, left.median) == (0.2, 1.2)


def test_that_noise_is_held_against_that_of_the_same_exposure_and_evenness_against_all(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    row = replace(ROW, what=What.FLAT, figures={"noise": 0.05, "nps_at_1": 2e-5, "unevenness": 0.1})
    for _ in range(trend.ENOUGH):
        trend.append(path, [row, replace(row, equipment="of no index", exposure_index=None)], DAY)
    other = {"noise": 0.0481, "nps_at_1": 1.85e-5, "unevenness": 0.2}

    def left(index: float | None, **changes: str) -> list[str]:
        return [
            one.figure
            for one in trend.append(path, [replace(row, exposure_index=index, figures=other, **changes)], DAY)
        ]

    assert left(270.0) == ["unevenness"]
    assert left(251.0) == left(None, equipment="of no index") == ["noise", "nps_at_1", "unevenness"]


def test_that_a_model_s_history_is_that_of_its_file_and_not_of_others_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    model = replace(ROW, method="model", of_model=True)
    other = replace(of(1, mtf50=1.2), method="model", of_model=True, sha256="cd" * 32)
    for _ in range(trend.ENOUGH):
        assert trend.append(path, [model], DAY) == ()

    assert trend.append(path, [other], DAY) == ()
    left = trend.append(path, [replace(model, method="model-abababab", figures={"mtf50": 1.2})], DAY)

    assert [(one.figure, one.median, one.count) for one in left] == [("mtf50", 2.3, trend.ENOUGH)]


@pytest.mark.parametrize("text", ["date;mtf50\n1;2\n", "\x00\x01", "date,object\n2026,edge\n"])
def test_that_another_file_is_never_appended_to(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="Cannot append to the trend file"):
        trend.append(path, [ROW], DAY)
    assert path.read_text("utf-8") == text


def test_that_runs_at_once_lose_no_line_and_leave_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    with ProcessPoolExecutor(4) as pool:
        for run in [pool.submit(_append_some, path) for _ in range(4)]:
            run.result()
    assert len(trend.read(path)) == 40 and list(tmp_path.iterdir()) == [path]


def _append_some(path: Path) -> None:
    for _ in range(10):
        trend.append(path, [ROW], DAY)


def test_that_a_column_of_the_user_s_is_kept_and_empty_in_new_lines(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    trend.append(path, [ROW], DAY)
    header, line = path.read_text("utf-8").splitlines()
    path.write_text(f"remark,{header}\nnew tube,{line}", encoding="utf-8")

    trend.append(path, [ROW], DAY)

    assert path.read_text("utf-8").splitlines() == [f"remark,{header}", f"new tube,{line}", f",{line}"]


@pytest.mark.skipif(os.name == "nt", reason="links and modes")
def test_that_a_linked_file_stays_linked_and_keeps_its_mode(tmp_path: Path) -> None:
    path, link = tmp_path / "trend.csv", tmp_path / "link.csv"
    link.symlink_to(path)
    trend.append(link, [ROW], DAY)
    path.chmod(0o600)

    trend.append(link, [ROW], DAY)

    assert link.is_symlink() and len(trend.read(path)) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_that_a_full_disk_leaves_no_line_that_is_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trend.csv"
    trend.append(path, [ROW], DAY)
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotWrite):
        trend.append(path, [ROW], DAY)
    assert path.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_that_a_limit_on_the_size_of_files_is_not_told_as_a_full_disk_and_leaves_no_part_of_a_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "trend.csv"
    trend.append(path, [ROW], DAY)
    before = path.read_bytes()
    with small_files(len(before) + 10), pytest.raises(CannotWrite, match="larger than a file of this user"):
        trend.append(path, [ROW], DAY)
    assert path.read_bytes() == before


def test_that_a_line_that_is_cut_short_is_told(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"
    trend.append(path, [ROW], DAY)
    path.write_text(path.read_text("utf-8") + "2026-02-01,edge\n", encoding="utf-8")
    with pytest.raises(UsageError, match="not all columns"):
        trend.read(path)


def test_that_nothing_is_appended_where_what_was_found_could_not_be_told(tmp_path: Path) -> None:
    path = tmp_path / "trend.csv"

    def fail(left: tuple[trend.Left, ...]) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space"):
        trend.append(path, [ROW], DAY, fail)
    assert not path.exists()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_that_a_trend_file_that_is_a_link_to_itself_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "trend.csv").symlink_to("trend.csv")
    with pytest.raises(FullfieldError):
        trend.append(tmp_path / "trend.csv", [ROW], DAY)
    with pytest.raises(FullfieldError):
        table.refuse_other(tmp_path / "trend.csv", trend=tmp_path / "trend.csv")
