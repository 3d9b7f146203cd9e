"""The job "diagnose": looks at machine and installation, from what is quick to what may crash, and tells each check.

A library that brings the whole process down is told too: the last phase that began is where it happened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator

from fullfield import log, parts
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.diagnosis import decoders, folders, graphics, machine, screen
from fullfield.diagnosis.check import bad
from fullfield.protocol.checks import CheckMade, Verdict
from fullfield.protocol.events import PhaseStarted
from fullfield.protocol.small import DiagnoseSpec

_log = logging.getLogger(__name__)
Checks = Callable[[], Iterable[CheckMade]]


def run(spec: DiagnoseSpec, context: Context) -> Fields:
    """Check everything; the summary counts the verdicts."""
    counts = dict.fromkeys(map(str, Verdict), 0)
    for title, checks in _phases(spec, context):
        if context.stopping():
            break
        context.emit(PhaseStarted(name=title))
        for check in _guarded(title, checks):
            counts[check.verdict] += 1
            context.emit(check)
    return counts


def _phases(spec: DiagnoseSpec, context: Context) -> Iterator[tuple[str, Checks]]:
    yield "Computer", machine.checks
    yield "Installation", machine.packages
    yield "Folders", lambda: folders.checks(spec.folders)
    yield "Window", lambda: screen.checks(spec.window)
    yield "Decoders", lambda: decoders.checks(context.folder)
    yield "GPU", graphics.checks


def _guarded(title: str, checks: Checks) -> Iterator[CheckMade]:
    """The checks; one that fails itself is told as such, and the next ones go on."""
    try:
        yield from checks()
    except Exception as error:  # noqa: BLE001 - a diagnosis must tell what it did not foresee, too
        missing = parts.missing(error)
        if missing is not None:
            yield bad(title.lower(), title, missing.detail, missing.hint)
            return
        _log.exception("checking %s failed", title)
        yield bad(
            title.lower(),
            title,
            f"It could not be checked: {log.describe(error)}.",
            "Install Fullfield anew; if it happens again, send us this diagnosis.",
        )
