"""The job "report": a run's folder becomes an HTML file or a PDF.

`spec`: `run` (the folder), `output` (a file ending in .html or .pdf), `images` (with radiographs; default no),
`language` ("en", "es"; default English), `decimal` and `thousands` (signs in numbers, where they are not the usual).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fullfield import files
from fullfield.context import Context
from fullfield.errors import UsageError
from fullfield.report import content
from fullfield.translation import ENGLISH, Language, language

SUFFIXES = (".html", ".pdf")


def run(spec: dict[str, Any], context: Context) -> dict[str, Any]:
    """Make the report. Raises UsageError: no run, another kind of file, an unknown language; CannotWrite."""
    signs = {name: str(spec.get(name, "")) for name in ("decimal", "thousands")}
    spoken = language(str(spec.get("language", ENGLISH)), **signs)
    images = bool(spec.get("images", False))
    return {"bytes": make(Path(spec["run"]), Path(spec["output"]), images=images, spoken=spoken)}


def make(folder: Path, output: Path, *, images: bool, spoken: Language | None = None) -> int:
    """Write the report of the run in `folder`, in English where no language is given; its size in bytes."""
    suffix = output.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(
            "Cannot make a report of that kind.",
            detail="Its name ends neither in .html nor in .pdf.",
            hint="Rename it.",
        )
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
