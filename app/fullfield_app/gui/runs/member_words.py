"""The members of an ensemble in words: where each is, and how far. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield.protocol.ensembles import MemberReported
from fullfield.protocol.places import which
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import ENDS, State
from fullfield_app.gui import numbers
from fullfield_app.gui.runs import words

translate = QCoreApplication.translate


def progress(reported: RunSnapshot, *, live: bool) -> str:
    """How many are complete, and what those at work do."""
    if not reported.members:
        return ""
    complete = sum(one.state == State.COMPLETED for one in reported.members)
    text = translate("members", "{count} of {total} members complete").format(
        count=complete, total=reported.members[0].members
    )
    at_work = [each(one, live=live) for one in reported.members if one.state not in ENDS] if live else []
    return " · ".join([text, *at_work])


def of_all(reported: RunSnapshot, *, live: bool) -> str:
    """A line for each, also those that wait."""
    known = {one.member: one for one in reported.members}
    waits = translate("members", "Member {number} has not begun")
    return "\n".join(
        each(known[number], live=live) if number in known else waits.format(number=number)
        for number in range(1, (reported.members[0].members if reported.members else 0) + 1)
    )


def lost(reported: RunSnapshot) -> str:
    """Which have failed; "": none."""
    failed = [one for one in reported.members if one.state in (State.FAILED, State.DIED)]
    return " · ".join(each(one, live=True) for one in failed)


def each(one: MemberReported, *, live: bool) -> str:
    """One of them. `live`: somebody follows it, so what was told of it last holds."""
    place = words.machine(which(one.place) or one.place)
    parts = [translate("members", "Member {number} on {place}").format(number=one.member, place=place)]
    if one.state in ENDS:
        parts.append(words.state(State(one.state), kept=one.epoch > 0).lower())
    elif live and not one.epoch:
        parts.append(words.state(State.RUNNING).lower())
    if one.epoch and one.state != State.COMPLETED:
        parts.append(
            translate("members", "epoch {epoch} of {epochs}").format(
                epoch=numbers.number(one.epoch), epochs=numbers.number(one.epochs)
            )
        )
    return ", ".join(parts)
