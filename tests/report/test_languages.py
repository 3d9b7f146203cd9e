"""A report in the reader's language: every text of ours, numbers with its signs, and nothing English left."""

from __future__ import annotations

import ast
import json
import re
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from fullfield import __version__
from fullfield.errors import UsageError
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES
from fullfield.protocol.events import (
    BaselineMeasured,
    Event,
    MemorySampled,
    Notice,
    PlanMade,
    RunEnded,
    RunFailed,
    RungTaken,
    RunStarted,
    StepProfiled,
)
from fullfield.protocol.plan import Plan
from fullfield.protocol.small import ReportSpec
from fullfield.report import job
from fullfield.report.words import KINDS
from fullfield.runs import runs
from fullfield.runs.runs import Label
from fullfield.techniques import registry
from fullfield.translation import Language, language
from gui import fake_run
from gui.fake_run import epoch
from support import ROOT

SPANISH = language("es")
SOURCES = sorted((ROOT / "core" / "fullfield" / "report").glob("*.py"))
TRANSLATORS = ROOT / "resources" / "translations" / "fullfield_es.ts"
DATA = (
    "8 images of 8 patients: 6 to train on, 2 held back; raw-like input simulated from processed images; "
    "reference: the conventional processor, preset chest at 0.75 of its strength."
)
BASELINES = ("unprocessed input", "CLAHE (clip 0.5, 8×8 tiles)", "conventional processor")
ALL_TECHNIQUES = list(registry.all_techniques())


def begun(device: str) -> list[Event]:
    """As the engine tells it."""
    baselines = [
        BaselineMeasured(name=name, validation_loss=20.5, psnr_db=20.5, fine_sd_ratio=0.5, fine_correlation=0.5)
        for name in BASELINES
    ]
    by_kind = dict.fromkeys(KINDS, 3 << 29)
    plan = Plan(peak_bytes=9 << 29, allocator_bytes=7 << 29, techniques=tuple(ALL_TECHNIQUES), by_kind=by_kind)
    return [
        RunStarted(job="train", pid=1, version="1.0", time=1000.0),
        Notice(text=DATA, topic="data"),
        Notice(text=device, topic="device"),
        *baselines,
        PlanMade(plan=plan, budget_bytes=11 << 29),
    ]


def on_the_cpu(folder: Path) -> list[Event]:
    """A run that ended by itself, with a profiled step."""
    profiled = StepProfiled(
        step=2,
        before_bytes=3 << 29,
        forward_bytes=3 << 29,
        backward_bytes=3 << 29,
        peak_phase="backward",
        peak_operation="aten::convolution_backward",
    )
    device = "On the CPU: no NVIDIA GPU with a driver was found."
    rest = [
        MemorySampled(seconds=40.0, step=8, border=True, phase=phase, host_bytes=7 << 29)
        for phase in ("update", "evaluation")
    ]
    return [
        *begun(device),
        profiled,
        *epoch(1, folder=folder),
        *epoch(2, folder=folder),
        *rest,
        RunEnded(reason="completed"),
    ]


def on_a_card(folder: Path) -> list[Event]:
    """A run that was out of memory, went on, and failed."""
    card = {"host_bytes": 1 << 30, "process_bytes": 5 << 29, "reserved_bytes": 5 << 29, "allocated_bytes": 1 << 30}
    sampled = [
        MemorySampled(seconds=40.0, step=8, border=True, phase=phase, device_bytes=7 << 29, peak_bytes=5 << 29, **card)
        for phase in ("forward", "backward")
    ]
    rung = RungTaken(
        text="", before=["banded_loss"], techniques=["banded_loss", "checkpointing"], step=4, left=0, peak_bytes=5 << 29
    )
    error = {"title": "The training ran out of memory.", "detail": "No plan fits this budget.", "hint": ""}
    device = "A GPU is here. NVIDIA H100 PCIe, 79.1 GiB free."
    ended = [RunFailed(error=error), RunEnded(reason="failed")]
    return [*begun(device), *epoch(1, folder=folder), *sampled, rung, *epoch(2, folder=folder), *sampled, *ended]


@pytest.fixture(params=[on_the_cpu, on_a_card])
def run(request: pytest.FixtureRequest) -> Path:
    """A run of two epochs as the engine tells it; its name and notes are the user's."""
    folder = fake_run.training()
    fake_run.training(reported=request.param(folder), techniques=(), fit="auto", reference="auto")
    data = {"input_kind": "raw", "reference": "the conventional processor, preset chest", "problems": []}
    start = "The encoder starts from ImageNet weights of the hub (colour channels summed), the decoder from scratch "
    summary = {"data": data, "start": f"{start}(random weights, seed 0).", "model_sha256": "ab"}
    (folder / "split.json").write_text(json.dumps({"training": [1, 2, 3], "validation": [4]}))
    (folder / "summary.json").write_text(json.dumps(summary))
    runs.rename(folder, Label(name="Rodillas", notes="Cuesta 5 $"))
    return folder


def spanish(run: Path, folder: Path) -> str:
    """Its page."""
    job.make(run, folder / "report.html", images=True, spoken=SPANISH)
    return (folder / "report.html").read_text(encoding="utf-8")


def read(page: str) -> list[str]:
    """What people read in a page; matplotlib leaves the texts of a figure beside their outlines, as comments."""
    page = re.sub(r"<(style|metadata)>.*?</\1>|<p lang=\"en\">.*?</p>", "", page, flags=re.DOTALL)
    found = re.findall(r">([^<]+)(?=<)|<!-- (.*?) -->|(?:alt|aria-label)=\"([^\"]*)\"", page)
    return [unescape(text) for texts in found for text in texts if text.strip() and text != __version__]


def english() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every text of the engine and of reports that Spanish says otherwise; anything in its places."""
    for context in ElementTree.parse(TRANSLATORS).getroot().iter("context"):
        if context.findtext("name") in ("core", "techniques", "report"):
            for message in context.iter("message"):
                source, said = message.findtext("source", ""), message.findtext("translation", "")
                if said != source:
                    fixed = re.split(r"\{\w+\}", source.strip())
                    pattern = ".+?".join(map(re.escape, fixed)).removeprefix(".+?").removesuffix(".+?")
                    yield source, re.compile(rf"(?<!\w){pattern}(?!\w)", re.DOTALL)


def test_that_nothing_english_is_left_in_a_spanish_report(run: Path, tmp_path: Path) -> None:
    texts = read(spanish(run, tmp_path))
    assert len(texts) > 180 and "minutos de entrenamiento" in texts
    left = {source: text for source, pattern in english() for text in texts if pattern.search(text)}
    assert left == {}


def test_that_its_numbers_have_a_comma(run: Path, tmp_path: Path) -> None:
    texts = [text.replace(__version__, "") for text in read(spanish(run, tmp_path))]
    assert [text for text in texts if re.search(r"\d\.\d", text) and text not in ("1.0", "0.0")] == []
    whole = "\n".join(texts)
    for part in ("6,00 en la época 2", "0,0003", "20,5", "5,5 GiB", "al 0,75 de su intensidad"):
        assert part in whole


def test_that_it_says_its_language_and_puts_its_disclaimer_first(run: Path, tmp_path: Path) -> None:
    page = spanish(run, tmp_path)
    assert '<html lang="es">' in page
    both = f'<p>{NOT_FOR_DIAGNOSIS_ES}</p><p lang="en">{NOT_FOR_DIAGNOSIS}</p>'
    assert unescape(page).count(both) == 2


def test_that_a_pdf_speaks_spanish_too(run: Path, tmp_path: Path) -> None:
    job.make(run, tmp_path / "report.pdf", images=True, spoken=SPANISH)
    written = (tmp_path / "report.pdf").read_bytes()
    assert written.rstrip().endswith(b"%%EOF")
    said = drawn(written)
    for part in ("En resumen", "Mejor pérdida de validación", "época", "minutos de entrenamiento", "20,5"):
        assert part in said
    assert "Best validation loss" not in said and said.index("No es un producto") < said.index("Not a medical device")


def drawn(pdf: bytes) -> str:
    """The texts of a PDF: its streams inflated, kerning left out."""
    lines = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            content = zlib.decompress(stream).decode("latin-1")
        except zlib.error:
            continue
        for shown in re.findall(r"\[(.*?)\] TJ|(\(.*?\)) Tj", content, re.DOTALL):
            lines.append("".join(re.findall(r"\(((?:\\.|[^\\)])*)\)", "".join(shown))))
    octal = re.compile(r"\\(\d{3})")
    return octal.sub(lambda found: chr(int(found[1], 8)), "\n".join(lines))


def test_that_numbers_follow_the_country_where_it_is_known(run: Path, tmp_path: Path) -> None:
    mexican = {"language": "es", "decimal": ".", "thousands": ","}
    with pytest.raises(UsageError, match="language 'fr'"):
        job.run(ReportSpec(run=str(run), output=str(tmp_path / "report.html"), language="fr"), None)  # type: ignore[arg-type]
    job.run(ReportSpec(run=str(run), output=str(tmp_path / "report.html"), **mexican), None)  # type: ignore[arg-type]
    assert "6.00 en la época 2" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_that_english_is_spoken_where_nothing_is_asked_for(run: Path, tmp_path: Path) -> None:
    job.make(run, tmp_path / "usual.html", images=True)
    job.make(run, tmp_path / "english.html", images=True, spoken=Language())
    usual, asked = ((tmp_path / name).read_text(encoding="utf-8") for name in ("usual.html", "english.html"))
    assert '<html lang="en">' in usual and "6.00 in epoch 2" in usual and DATA in usual
    made = re.compile(r"Made \S+ \S+ UTC")  # a minute may pass between the two
    assert [made.sub("", text) for text in read(usual)] == [made.sub("", text) for text in read(asked)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_that_no_text_is_put_together_before_it_is_said(path: Path) -> None:
    """`say(f"…")` reaches no translator: a template does, whose places are filled after."""
    wrong = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and _named(node.func) in ("say", "marked"):
            wrong += [node.lineno] if isinstance(node.args[0], ast.JoinedStr | ast.BinOp) else []
    assert wrong == []


def _named(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def test_that_the_command_line_takes_a_language(run: Path, tmp_path: Path) -> None:
    from fullfield_app.arguments import parse

    assert parse(["report", str(run), "-o", str(tmp_path / "report.html"), "--language", "es", "-q"])() == 0
    assert '<html lang="es">' in (tmp_path / "report.html").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        parse(["report", str(run), "-o", str(tmp_path / "report.html"), "--language", "fr"])
