"""`fullfield doctor`: what this machine and installation can do, what is wrong, and what to do about it."""

from __future__ import annotations

import argparse
import signal

from fullfield.diagnosis import bundle
from fullfield.diagnosis.check import as_text
from fullfield.errors import ExitCode
from fullfield.jobs.launch import launch
from fullfield_app import diagnosing, interrupts
from fullfield_app.cli.speak import ends_in_json, exit_code, say, tell, tell_json


def add_options(parser: argparse.ArgumentParser) -> None:
    """How it is told."""
    from fullfield_app.arguments import file

    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output")
    parser.add_argument(
        "--bundle", type=file, metavar="FILE.zip", help="also a ZIP for support, without names of patients or files"
    )


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """Check and tell. The exit code is 1 where something is bad. Raises CannotWrite, OutputInvalid for the bundle."""
    if values.bundle is not None:
        bundle.refuse(values.bundle)
    diagnosis = diagnosing.Diagnosis()
    with interrupts.handling(signal.default_int_handler):  # however it is ended, nothing is left of it
        lost = _follow(diagnosis, json=values.json)
    if values.bundle is not None:
        diagnosis.save(values.bundle)
        say("The bundle for support is written. Look through it before you send it.")
    if not values.json:
        say("Nothing is wrong." if diagnosis.all_well else "Something is wrong: see what is marked “bad”.")
    return exit_code(int(ExitCode.ALL_DONE if diagnosis.all_well else ExitCode.UNEXPECTED), lost=lost)


def _follow(diagnosis: diagnosing.Diagnosis, *, json: bool) -> bool:
    """Tell it; whether an event was lost."""
    lost = False
    handle = diagnosing.start(launch)
    try:
        for event in handle.events():
            made = diagnosis.take(event)
            if json:
                lost |= not tell_json(event)
            elif made is not None:
                tell(*as_text([made]).splitlines())
    except KeyboardInterrupt:
        handle.kill()
        raise
    finally:
        diagnosing.clear(handle)
    return lost
