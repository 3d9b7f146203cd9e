"""The job "report": a run's folder becomes an HTML file or a PDF.

`spec`: `run` (the folder), `output` (a file ending in .html or .pdf), `images` (with radiographs; default no).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fullfield import files
from fullfield.context import Context
from fullfield.errors import UsageError
from fullfield.report import content

SUFFIXES = (".html", ".pdf")


def run(spec: dict[str, Any], context: Context) -> dict[str, Any]:
    """Make the report. Raises UsageError: no run, or another kind of file; CannotWrite."""
    count = make(Path(spec["run"]), Path(spec["output"]), images=bool(spec.get("images", False)))
    return {"bytes": count}


def make(folder: Path, output: Path, *, images: bool) -> int:
    """Write the report of the run in `folder`; its size in bytes."""
    suffix = output.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(
            "Cannot make a report of that kind.",
            detail="Its name ends neither in .html nor in .pdf.",
            hint="Rename it.",
        )
    report = content.gather(folder, images=images)
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
