"""`fullfield install training`: brings what training and models need into an environment of its own, once asked."""

from __future__ import annotations

import argparse
import sys

from fullfield import parts
from fullfield.errors import ExitCode, UsageError
from fullfield.jobs.job import Job
from fullfield.protocol.events import Event, Notice, PhaseStarted
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import InstallSpec
from fullfield.training_part import install, offer, place
from fullfield_app.cli import passing
from fullfield_app.cli.speak import Bar, done, ends_in_json, open_bar, printable, say

GRACE_SECONDS = 10.0  # for pip to be ended
REPORTED_PERCENT = 10  # between two lines where there is no terminal


def add_options(parser: argparse.ArgumentParser) -> None:
    """What, from where, and for what."""
    from fullfield_app.arguments import add_common, folder

    parser.add_argument("what", choices=("training",), help="the part: PyTorch, and what trainings and models need")
    parser.add_argument("--wheels", type=folder, metavar="FOLDER", help="take the wheels in it, and ask no network")
    build = parser.add_mutually_exclusive_group()
    for name, text in (("cpu", "the CPU"), ("cuda", "NVIDIA cards")):
        build.add_argument(
            f"--{name}",
            dest="build",
            action="store_const",
            const=name,
            default="",
            help=f"PyTorch for {text} (default: what the driver allows)",
        )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--remove", action="store_true", help="remove what was installed so")
    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output; needs --yes")
    add_common(parser)


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """Say what would come, ask, install; or remove."""
    if values.remove:
        return _remove(values)
    found = place.installed()
    if found is not None:
        say(install.said(found))
        say(f"It lies in {place.folder()}")
        if values.build not in ("", found.build):
            raise UsageError(
                f"Cannot install the build {values.build}: the other one is there.",
                hint=f"Remove this one first: {place.COMMAND} --remove",
            )
        return done(values)
    if not parts.absent(*parts.PACKAGES):
        say("What trainings and models need is a part of this installation: there is nothing to bring.")
        return done(values)
    wheels = values.wheels.absolute() if values.wheels is not None else None
    made = offer.make(wanted=values.build, wheels=wheels)
    if not (values.quiet and values.yes):
        for line in (*made.sentences(), f"It comes into {place.folder()}"):
            say(line)
    if not _agreed(values, "Install?"):
        say("Nothing was installed.")
        return int(ExitCode.INTERRUPTED)
    reader = _Reader(quiet=values.quiet)
    job = Job.of(InstallSpec(build=made.build.name, wheels=str(wheels or "")))
    try:
        return passing.run(job, json=values.json, tell=reader, grace=GRACE_SECONDS)
    except KeyboardInterrupt:
        reader.close()
        say("Stopped. What has been fetched is kept: the same command goes on with it.")
        raise
    finally:
        reader.close()


def _remove(values: argparse.Namespace) -> int:
    if not place.folder().exists():
        say("No training part of this version was installed beside the program.")
        return done(values)
    say(f"This is removed: {place.folder()}")
    if not _agreed(values, "Remove?"):
        say("Nothing was removed.")
        return int(ExitCode.INTERRUPTED)
    place.remove()
    say("It is removed.")
    return done(values)


def _agreed(values: argparse.Namespace, question: str) -> bool:
    """Who may be asked is asked. Raises UsageError where nobody is there."""
    if values.yes:
        return True
    if values.json or not sys.stdin.isatty():
        raise UsageError("Cannot ask whether to go on: there is no terminal.", hint="Add --yes to agree.")
    sys.stderr.write(printable(f"{question} [y/N] "))
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


class _Reader:
    """Shows what is at work, and how much of it is done."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Bar | None = None
        self._name, self._done, self._reported = "", 0, 0

    def __call__(self, event: Event) -> None:
        match event:
            case PhaseStarted():
                self.close()
                self._name, self._done, self._reported = event.name, 0, 0
                if not self._quiet:
                    say(f"{event.name} …")
            case BytesFetched() if not self._quiet:
                self._show(event)
            case Notice():
                self.close()
                say(event.text)
            case _:
                pass

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _show(self, event: BytesFetched) -> None:
        done, total = (round(count / install.MEGABYTE) for count in (event.done, event.total))
        if sys.stderr.isatty():
            if self._bar is None:
                self._bar = open_bar(f"{self._name}, MB", total)
            self._bar.advance(done - self._done)
        elif total and done * 100 // total >= self._reported + REPORTED_PERCENT:
            self._reported = done * 100 // total
            say(f"  {done:,} of {total:,} MB")
        self._done = done
