"""`fullfield weights`: which first weights are on this computer. `fullfield weights fetch`: bring ImageNet's."""

from __future__ import annotations

import argparse

from fullfield.errors import ExitCode, UsageError
from fullfield.image.method import SHIPPED
from fullfield.jobs.job import Job
from fullfield.plan import encoders, first_weights
from fullfield.plan.first_weights import HOST, Kept
from fullfield.plan.spec import IMAGENET, NO_WEIGHTS, TrainSpec
from fullfield.protocol.events import Event
from fullfield.protocol.setup_events import BytesFetched
from fullfield.protocol.small import FetchSpec
from fullfield_app.cli import passing
from fullfield_app.cli.speak import Bar, ends_in_json, open_bar, say, tell

GRACE_SECONDS = 5.0  # for a fetch to remove what it has


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to do, and for which network."""
    from fullfield_app.arguments import add_common

    parser.add_argument("what", nargs="?", choices=("list", "fetch"), default="list", help="list (default), or fetch")
    known = encoders.fetched()
    parser.add_argument("--encoder", choices=known, default=known[0], help=f"to fetch for (default {known[0]})")
    parser.add_argument("--json", action="store_true", help="one JSON event per line on standard output, when fetching")
    add_common(parser)


@ends_in_json
def run(values: argparse.Namespace) -> int:
    """List or fetch."""
    if values.what == "list":
        if values.json:
            raise UsageError("--json does not go with 'list'.", hint="It goes with: fetch.")
        return _list()
    if not (values.quiet or values.json):
        size = first_weights.megabytes(values.encoder)
        say(f"Fetching the ImageNet weights of {values.encoder}: {size} MB from {HOST}. Nothing of yours is sent.")
    reader = _Reader(quiet=values.quiet)
    try:
        job = Job.of(FetchSpec(encoder=values.encoder))
        code = passing.run(job, json=values.json, tell=reader, grace=GRACE_SECONDS)
    finally:
        reader.close()
    if code == ExitCode.ALL_DONE and not (values.quiet or values.json):
        _tell(next(one for one in first_weights.kept() if one.encoder == values.encoder))
    return code


def line(asked: TrainSpec) -> str:
    """Which weights a training that is `asked` for will start from. Raises ModelError, see `first_weights.decided`."""
    weights = first_weights.decided(asked).weights
    if weights == IMAGENET:
        return f"First weights: ImageNet's of {asked.encoder}, from this computer."
    if weights == SHIPPED:
        return "First weights: the model that is a part of Fullfield."
    if weights != NO_WEIGHTS:
        return "First weights: from the given file."
    if asked.weights == NO_WEIGHTS or encoders.called(asked.network, asked.encoder) not in encoders.fetched():
        return "First weights: none, the network starts from scratch."
    command, size = first_weights.fetch_command(asked.encoder), first_weights.megabytes(asked.encoder)
    return (
        "First weights: none, the network starts from scratch: ImageNet's are not on this computer. "
        f"{command} brings them ({size} MB from {HOST})."
    )


def _list() -> int:
    for one in first_weights.kept():
        _tell(one)
    return int(ExitCode.ALL_DONE)


def _tell(one: Kept) -> None:
    """What is here goes to standard output: a script may ask for it."""
    if one.path is None:
        size = first_weights.megabytes(one.encoder)
        lines = [f"{one.encoder}: not here. fullfield weights fetch --encoder {one.encoder} ({size} MB from {HOST})"]
    else:
        state = "here" if one.whole else f"damaged: fullfield weights fetch --encoder {one.encoder}"
        lines = [f"{one.encoder}: {state}", f"  {one.path}", f"  SHA-256 {one.sha256}"]
    tell(*lines)


class _Reader:
    """Shows how much has arrived."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Bar | None = None
        self._done = 0

    def __call__(self, event: Event) -> None:
        if not isinstance(event, BytesFetched):
            return
        if self._bar is None:
            self._bar = open_bar("Fetching", event.total, wanted=not self._quiet)
        self._bar.advance(event.done - self._done)
        self._done = event.done

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
