"""The job "report": a run's folder becomes an HTML file or a PDF."""

from __future__ import annotations

from pathlib import Path

from fullfield import files, replacing
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import UsageError
from fullfield.protocol.small import ReportSpec
from fullfield.report import content
from fullfield.translation import Language, language

BEGINNINGS = {".html": b"<!DOCTYPE html>", ".pdf": b"%PDF"}


def run(spec: ReportSpec, context: Context) -> Fields:
    """Make the report. Raises UsageError: no run, another kind of file, an unknown language; OutputInvalid;
    CannotWrite."""
    spoken = language(spec.language, decimal=spec.decimal, thousands=spec.thousands)
    return {"bytes": make(Path(spec.run), Path(spec.output), images=spec.images, spoken=spoken)}


def make(folder: Path, output: Path, *, images: bool, spoken: Language | None = None) -> int:
    """Write the report of the run in `folder`, in English where no language is given; its size in bytes."""
    suffix = output.suffix.lower()
    if suffix not in BEGINNINGS:
        raise UsageError(
            "Cannot make a report of that kind.",
            detail="Its name ends neither in .html nor in .pdf.",
            hint="Rename it.",
        )
    replacing.refuse_other(output, lambda there: there.read(20).startswith(BEGINNINGS[suffix]))
    report = content.gather(folder, images=images, language=spoken)
    from fullfield.report import figures  # matplotlib takes half a second, and mistakes are told before

    drawn = list(figures.figures(report))
    if suffix == ".html":
        from fullfield.report import html

        written = html.write(report, drawn)
    else:
        from fullfield.report import pdf

        written = pdf.write(report, drawn)
    files.write_bytes(output, written)
    return len(written)
