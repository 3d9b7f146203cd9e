"""`fullfield report RUN -o FILE.html`: a run's settings, curves and memory as one file. It needs no screen."""

from __future__ import annotations

import argparse

from fullfield.errors import ExitCode
from fullfield.jobs.job import Job
from fullfield.protocol.small import ReportSpec
from fullfield.translation import ENGLISH, LANGUAGES
from fullfield_app.cli import passing
from fullfield_app.cli.speak import ends_in_json, say


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which run, and where to."""
    from fullfield_app.arguments import add_common, file, folder

    parser.add_argument("run", type=folder, metavar="RUN", help="the folder of a run")
    parser.add_argument(
        "-o", "--output", type=file, required=True, metavar="FILE", help="a .html or .pdf file to write"
    )
    parser.add_argument("--images", action="store_true", help="with the radiograph that was watched: patients' pixels")
    parser.add_argument("--language", default=ENGLISH, choices=tuple(LANGUAGES), help="of the report (default: en)")
    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output")
    add_common(parser)


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """Make it in a worker."""
    run, output = str(values.run.absolute()), str(values.output.absolute())
    spec = ReportSpec(run=run, output=output, images=values.images, language=values.language)
    code = passing.run(Job.of(spec), json=values.json)
    if code == ExitCode.ALL_DONE and not values.quiet:
        say(f"Report written: {values.output}")
    return code
