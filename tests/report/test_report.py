"""A report of a run: everything in one file, nothing of a patient unless it is asked for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import pytest
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

from fullfield.errors import OutputInvalid, UsageError
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.model.weakness import ON_SIMULATED
from fullfield.protocol.comparison import Comparison, Losses
from fullfield.protocol.ensembles import EnsembleSpec
from fullfield.protocol.events import (
    BaselineMeasured,
    EpochDone,
    Event,
    MemorySampled,
    ModelCompared,
    PlanMade,
    RunEnded,
    RunFailed,
    RungTaken,
)
from fullfield.protocol.plan import Plan
from fullfield.protocol.small import ReportSpec
from fullfield.protocol.training import Training
from fullfield.report import content, job, pdf
from fullfield.runs import runs
from fullfield.runs.runs import Label
from fullfield_app.gui.runs import curves
from gui import fake_run
from gui.fake_run import begun, epoch, sample

RUNG = RungTaken(
    text="", before=["banded_loss"], techniques=["banded_loss", "checkpointing"], step=4, left=0, peak_bytes=2 << 30
)


@pytest.fixture
def run() -> Path:
    """A run of two epochs with a plan, out of memory once, and its radiograph."""
    folder = fake_run.training()
    plan = PlanMade(plan=Plan(peak_bytes=4 << 30, techniques=("banded_loss",)), budget_bytes=5 << 30)
    reported = [*begun(), plan, *epoch(1, folder=folder), RUNG, *epoch(2, folder=folder), RunEnded(reason="stopped")]
    fake_run.training(reported=reported)
    (folder / "split.json").write_text(json.dumps({"training": [1, 2, 3], "validation": [4]}))
    runs.rename(folder, Label(name="Knees <b>&", notes="Costs $5 & $6"))
    return folder


@pytest.mark.parametrize("suffix", [".html", ".pdf"])
def test_that_a_report_is_one_whole_file(run: Path, tmp_path: Path, suffix: str) -> None:
    count = job.make(run, tmp_path / f"report{suffix}", images=True)
    written = (tmp_path / f"report{suffix}").read_bytes()
    assert len(written) == count > 20_000
    assert written.startswith(b"<!DOCTYPE html>" if suffix == ".html" else b"%PDF")
    assert written.rstrip().endswith(b"</html>" if suffix == ".html" else b"%%EOF")


def test_that_a_long_title_stays_on_the_page(run: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figures: list[Figure] = []
    sheet = pdf._Sheet(SimpleNamespace(savefig=figures.append), foot="")
    sheet.paragraph("Knees of the university hospital, second references as reviewed by Dr Gomez, B 2", size=pdf.TITLE)
    sheet.close()
    renderer = FigureCanvasAgg(figures[0]).get_renderer()
    lines = [text for text in figures[0].texts if text.get_fontsize() == pdf.TITLE]
    assert len(lines) == 2
    assert all(line.get_window_extent(renderer).x1 < figures[0].bbox.width * 0.95 for line in lines)


STIX = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "STIXGeneral.ttf"


@pytest.mark.parametrize(("installed", "written"), [([str(STIX)], True), ([], False)], ids=["a font", "none"])
def test_that_a_name_in_signs_of_another_font_is_written_by_that_or_the_pdf_says_that_there_is_none(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: list[str], written: bool
) -> None:
    usual = FT2Font(font_manager.findfont(font_manager.FontProperties())).get_charmap()
    sign = next(chr(code) for code in FT2Font(str(STIX)).get_charmap() if code not in usual and chr(code).isprintable())
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: installed)
    runs.rename(run, Label(name=f"Knees {sign}", notes=""))
    said: list[str] = []
    line = pdf._Sheet.line
    monkeypatch.setattr(pdf._Sheet, "line", lambda sheet, text, **how: (said.append(text), line(sheet, text, **how)))
    job.make(run, tmp_path / "report.pdf", images=False)
    assert (b"STIXGeneral" in (tmp_path / "report.pdf").read_bytes()) == written
    assert ("no font of this computer has them" in " ".join(said)) != written


def test_that_lines_of_signs_that_are_twice_as_wide_are_half_as_long() -> None:
    assert max(map(len, pdf._wrapped("胸部X線" * 40, 0.64))) <= 30
    assert max(map(len, pdf._wrapped("chest" * 40, 0.64))) > 40


def test_that_the_page_holds_settings_figures_memory_and_what_it_is_not(run: Path, tmp_path: Path) -> None:
    job.make(run, tmp_path / "report.html", images=False)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    for part in (NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES, "Loss in bands", "Checkpointing", "6.00 in epoch 2"):
        assert part in text
    for part in ("stopped by the user", "512", "unprocessed input", "5.0 GiB", "2.0 GiB", "at step 4", "fullfield"):
        assert part in text
    assert text.count("<svg") == 3 and "Images held back</td><td>1<" in text


def test_that_a_loss_on_raw_input_alone_stands_beside_a_network_s_on_the_same_and_is_no_level_of_its_mean() -> None:
    from fullfield.report import figures

    figures_of = {"psnr_db": 30.0, "fine_sd_ratio": 1.0, "fine_correlation": 0.9}
    simulated = BaselineMeasured(name=ON_SIMULATED, validation_loss=5.6, **figures_of)
    *before, last = epoch(1)
    assert isinstance(last, EpochDone)
    both = replace(last, loss_by_kind={"processed": 17.0, "raw": 7.0, "simulated": 6.5})
    report = content.gather(fake_run.training(reported=[*begun(), simulated, *before, both]), images=False)
    (table,) = [one for one in report.tables if one.title == "Quality, beside simple methods"]
    assert [(row[0], row[1]) for row in table.rows[1:]] == [
        (ON_SIMULATED, "5.60"),
        ("this network, epoch 1", "12.00"),
        ("this network, epoch 1, on processed input alone", "17.00"),
        ("this network, epoch 1, on raw input alone", "7.00"),
        ("this network, epoch 1, on simulated raw input alone", "6.50"),
    ]
    for _, figure in list(figures.figures(report))[:2]:
        labels = [line.get_label() for line in figure.axes[0].lines]
        assert "unprocessed input" in labels and ON_SIMULATED not in labels
    for levels in (curves.baselines(report.reported), curves.quality_levels(report.reported)):
        assert [level.title for level in levels] == ["Unprocessed input"]


@pytest.mark.parametrize(("points", "mark"), [(1, "o"), (2, "")])
def test_that_a_curve_of_one_point_is_a_mark(points: int, mark: str) -> None:
    from fullfield.report import figures

    told: list[Event] = []
    for number in range(1, points + 1):
        told += [event for event in epoch(number) if isinstance(event, EpochDone)]
        told.append(MemorySampled(seconds=60.0 * number, step=number, phase="update", border=False, host_bytes=2 << 30))
    report = content.gather(fake_run.training(reported=[*begun(), *told]), images=False)
    drawn = [figure.axes[0].lines for _, figure in figures.figures(report)]
    assert len(drawn) == 3
    for lines in drawn:
        found = {line.get_marker() for line in lines if line.get_linewidth() > 1}  # a level has 1
        assert found == {mark}


def test_that_what_the_model_is_worth_is_told_with_the_patients_who_say_so(tmp_path: Path) -> None:
    one = Losses(new=4.0, preset=5.0, before=4.5, parts=("chest",))
    found = Comparison(patients=(one,) * 1200, seen=(), before="Knees 2", apart=1201)
    folder = fake_run.training(reported=[*begun(), *epoch(1), ModelCompared(comparison=found)])
    (folder / "split.json").write_text(json.dumps({"training": [1, 2, 3], "validation": [4], "apart": [5, 6]}))
    job.make(folder, tmp_path / "report.html", images=False)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"Verdict</td><td>{found.verdict}<" in text and "Patients who were compared</td><td>1,200<" in text
    assert "Patients kept apart</td><td>1,201<" in text
    assert "Knees 2" not in text and "Images kept apart, to compare on</td><td>2<" in text


def test_that_nothing_is_told_of_a_comparison_that_nobody_made(run: Path, tmp_path: Path) -> None:
    job.make(run, tmp_path / "report.html", images=False)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Verdict" not in text and "kept apart" not in text


@pytest.mark.parametrize("on_card", [False, True])
def test_that_what_was_predicted_for_a_card_is_called_an_estimate(tmp_path: Path, on_card: bool) -> None:
    plan = PlanMade(plan=Plan(peak_bytes=4 << 30, techniques=("banded_loss",)), budget_bytes=5 << 30)
    count = 3 << 30 if on_card else None
    taken = MemorySampled(seconds=1.0, step=1, phase="forward", border=True, host_bytes=1 << 30, peak_bytes=count)
    run = fake_run.training(reported=[*begun(), plan, replace(taken, allocated_bytes=count), *epoch(1)])
    job.make(run, tmp_path / "report.html", images=False)
    assert ("Predicted peak, an estimate" in (tmp_path / "report.html").read_text(encoding="utf-8")) is on_card


def test_that_the_page_runs_nothing_and_fetches_nothing(run: Path, tmp_path: Path) -> None:
    job.make(run, tmp_path / "report.html", images=True)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in text and "Knees &lt;b&gt;&amp;" in text and "<b>" not in text
    fetched = re.findall(r'(?:src|href)="(?!data:|#)([^"]*)"', text)
    assert fetched == []


def test_that_radiographs_are_in_it_only_where_they_are_asked_for(run: Path, tmp_path: Path) -> None:
    for images, count in ((False, 0), (True, 1)):
        job.make(run, tmp_path / "report.html", images=images)
        assert (tmp_path / "report.html").read_text(encoding="utf-8").count("data:image/png") == count


@pytest.mark.parametrize(
    ("weights", "said"), [("shipped", "Learned"), ("auto", "auto"), ("none", "none"), ("/data/me/x.pth", "a file")]
)
def test_that_first_weights_are_a_file_only_where_they_are_and_a_map_network_has_no_encoder(
    tmp_path: Path, weights: str, said: str
) -> None:
    folder = fake_run.training(reported=begun(), network="map", weights=weights)
    job.make(folder, tmp_path / "report.html", images=False)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"First weights</td><td>{said}<" in text and "Encoder of the U-Net" not in text


def test_that_it_says_nothing_of_where_the_data_lie(run: Path, tmp_path: Path) -> None:
    job.make(run, tmp_path / "report.html", images=True)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "/data" not in text and str(run) not in text and run.name not in text


@pytest.mark.parametrize("suffix", [".html", ".pdf"])
def test_that_half_a_character_of_a_name_is_a_question_mark(run: Path, tmp_path: Path, suffix: str) -> None:
    simple = BaselineMeasured(
        name="a \ud83d", validation_loss=20.0, psnr_db=20.0, fine_sd_ratio=0.5, fine_correlation=0.5
    )
    fake_run.training(reported=[*begun(), simple, *epoch(1)])
    runs.rename(run, Label(name="Knees \ud83d", notes="\udc00 of \U0001f9b4"))
    job.make(run, tmp_path / f"report{suffix}", images=False)
    report = content.gather(run, images=False)
    notes = [cell for table in report.tables for row in table.rows for cell in row if " of \U0001f9b4" in cell]
    assert (report.title, notes) == ("Knees ?", ["? of \U0001f9b4"])


def test_that_a_run_that_has_hardly_begun_has_a_report_too(tmp_path: Path) -> None:
    folder = fake_run.training(reported=begun()[:2])
    for suffix in (".html", ".pdf"):
        job.make(folder, tmp_path / f"report{suffix}", images=True)
    assert b"ended unexpectedly" in (tmp_path / "report.html").read_bytes()


def test_that_a_folder_without_a_run_and_another_kind_of_file_are_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no training"):
        job.make(tmp_path, tmp_path / "report.html", images=False)
    with pytest.raises(UsageError, match=r"\.html"):
        job.make(run, tmp_path / "report.doc", images=False)
    assert list(tmp_path.glob("report*")) == []


def test_that_the_folder_of_an_ensemble_is_told_as_that_and_its_members_are_named(run: Path, tmp_path: Path) -> None:
    jobs.save(Job.of(EnsembleSpec(training=Training(data="/data"), runs=(str(run),))), tmp_path / "several")
    with pytest.raises(UsageError, match=r"holds an ensemble\. Name the folder of one of its members\."):
        job.make(tmp_path / "several", tmp_path / "report.html", images=False)


def test_that_the_watched_images_are_the_first_and_the_best_epoch(run: Path) -> None:
    sample(run, 1)
    captions = [caption for caption, _ in content.gather(run, images=True).images]
    assert captions == ["before", "after epoch 1", "after epoch 2", "reference"]


@pytest.mark.parametrize("left", [0, 100, 200], ids=["nothing", "a part of its header", "a part of its pixels"])
def test_that_a_watched_image_that_is_damaged_is_left_out(run: Path, tmp_path: Path, left: int) -> None:
    sample(run, 1)
    path = run / "samples" / "image-000" / "epoch-00001.npy"
    path.write_bytes(path.read_bytes()[:left])
    assert job.make(run, tmp_path / "report.html", images=True)
    captions = [caption for caption, _ in content.gather(run, images=True).images]
    assert captions == ["before", "after epoch 2", "reference"]


def test_that_a_watched_image_whose_header_makes_no_sense_is_left_out(run: Path) -> None:
    sample(run, 1)
    path = run / "samples" / "image-000" / "epoch-00001.npy"
    with path.open("r+b") as stream:
        stream.seek(70)
        stream.write(b"\x08")
    captions = [caption for caption, _ in content.gather(run, images=True).images]
    assert captions == ["before", "after epoch 2", "reference"]


def test_that_a_worker_makes_it_without_a_screen_or_torch(run: Path, tmp_path: Path) -> None:
    handle = launch(Job.of(ReportSpec(run=str(run), output=str(tmp_path / "report.pdf"))))
    end = list(handle.events())[-1]
    assert isinstance(end, RunEnded) and end.reason == "completed"
    assert (tmp_path / "report.pdf").stat().st_size == end.summary["bytes"]
    refused = launch(Job.of(ReportSpec(run=str(tmp_path), output=str(tmp_path / "other.pdf"))))
    assert any(isinstance(event, RunFailed) for event in refused.events())
    code = "import sys, fullfield.report.pdf, fullfield.report.html; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_the_command_line_makes_it(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from fullfield_app.arguments import parse

    assert parse(["report", str(run), "-o", str(tmp_path / "report.html")])() == 0
    assert (tmp_path / "report.html").exists() and "Report written" in capsys.readouterr().err
    assert parse(["report", str(tmp_path), "-o", str(tmp_path / "other.html")])() == 2


def test_that_a_report_replaces_a_report_and_no_file_of_others(run: Path, tmp_path: Path) -> None:
    for name in ("run.html", "run.pdf"):
        (tmp_path / name).write_bytes(b"\0" * 128 + b"DICM")
        with pytest.raises(OutputInvalid, match="Cannot replace"):
            job.make(run, tmp_path / name, images=False)
        assert (tmp_path / name).read_bytes().endswith(b"DICM")
        (tmp_path / name).write_bytes(b"")
        assert job.make(run, tmp_path / name, images=False) and job.make(run, tmp_path / name, images=False)
