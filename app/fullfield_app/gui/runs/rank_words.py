"""The processes of a training in words: what each is called, does and holds, and who waits for whom. No widget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from fullfield.protocol import rank_events
from fullfield.runs.rank_curves import RankSnapshot
from fullfield_app.gui import numbers
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP, say_core
from fullfield_app.gui.widgets.label import clean

translate = QCoreApplication.translate
LITTLE = 0.1  # of the time: less is no waiting that anybody would do something about

_LOST = {
    rank_events.KILLED: QT_TRANSLATE_NOOP("ranks", "ended without a word: killed, or crashed"),
    rank_events.FROZEN: QT_TRANSLATE_NOOP("ranks", "gave no sign of life, and was ended"),
    rank_events.FAILED: QT_TRANSLATE_NOOP("ranks", "failed, and the others ended with it"),
}


def title(rank: RankSnapshot) -> str:
    """A process and its device."""
    process = translate("ranks", "Process {number}").format(number=rank.rank + 1)
    device = clean(say_core(rank.title))
    return f"{process} · {device[:1].upper()}{device[1:]}" if device else process


def memory(rank: RankSnapshot) -> str:
    """The most that it held, beside what was predicted."""
    if not rank.peak_bytes:
        return "–"
    if not rank.predicted_bytes:
        return translate("ranks", "most {amount}").format(amount=numbers.data(rank.peak_bytes))
    return translate("ranks", "most {amount}, predicted {predicted}").format(
        amount=numbers.data(rank.peak_bytes), predicted=numbers.data(rank.predicted_bytes)
    )


def doing(rank: RankSnapshot, *, live: bool) -> str:
    """What it does just now, or how it was lost."""
    if rank.lost:
        return lost(rank)
    parts = [say_core(rank.phase)] if live and rank.phase else []
    if live and rank.waiting is not None:
        parts.append(translate("ranks", "waits {share}").format(share=_share(rank)))
    if rank.sent_bytes:
        parts.append(translate("ranks", "sent {amount}").format(amount=numbers.data(rank.sent_bytes)))
    return " · ".join(parts)


def lost(rank: RankSnapshot) -> str:
    """How it ended; in plain words also where a newer version tells another way."""
    return translate("ranks", _LOST.get(rank.lost, _LOST[rank_events.FAILED]))


def of_all(ranks: Sequence[RankSnapshot], *, live: bool) -> str:
    """Who waits for whom, or which one was lost, in a sentence; "" where there is nothing to say."""
    for rank in ranks:
        if rank.lost:
            return translate("ranks", "Process {number} {how}.").format(number=rank.rank + 1, how=lost(rank))
    known = [rank for rank in ranks if rank.waiting is not None]
    if not live or len(known) < 2:
        return ""
    most, least = max(known, key=_waits), min(known, key=_waits)
    if _waits(most) < LITTLE:
        return translate("ranks", "No process waits long for the others.")
    if _waits(most) - _waits(least) < LITTLE:
        text = translate("ranks", "Each process waits about {share} of the time for what the others send.")
        return text.format(share=_share(most))
    text = translate(
        "ranks", "Process {number} waits {share} of the time for the others; process {slow} is the slowest."
    )
    return text.format(number=most.rank + 1, share=_share(most), slow=least.rank + 1)


def _waits(rank: RankSnapshot) -> float:
    return rank.waiting or 0.0


def _share(rank: RankSnapshot) -> str:
    return numbers.percent(100 * _waits(rank))
