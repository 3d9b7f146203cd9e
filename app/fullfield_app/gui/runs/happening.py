"""What a user should know of a run just now, in plain words: memory that ran out, a death, a failure, a pause.

Pure: from how far a run is to a title and a text.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from fullfield.protocol.events import RungTaken
from fullfield.runs.runs import State
from fullfield_app.gui import numbers
from fullfield_app.gui.bridge.run_bridge import Following
from fullfield_app.gui.runs import member_words, words

translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Happening:
    """`trouble`: something went wrong."""

    title: str
    text: str
    trouble: bool = False


def of(now: Following) -> Happening | None:
    """What to say; None where there is nothing."""
    if not now.whole:
        return Happening(title=translate("happening", "Reading what the run has told so far…"), text="")
    if now.silent:
        text = translate(
            "happening",
            "It is held up by the system or a library. If that lasts, cancel it and go on from what is saved.",
        )
        return Happening(title=translate("happening", "The worker gives no sign of life."), text=text, trouble=True)
    if now.pausing:
        text = translate("happening", "It pauses after the step in hand; its memory is free then.")
        return Happening(title=translate("happening", "The run is pausing…"), text=text)
    if now.stopping:
        text = translate("happening", "It ends after the step in hand, and keeps what it has.")
        return Happening(title=translate("happening", "The run is ending…"), text=text)
    if now.state is State.DIED:
        return _died(now)
    if now.state is State.FAILED:
        error = now.reported.error
        text = f"{error.get('detail', '')} {error.get('hint', '')}".strip()
        return Happening(title=error.get("title", words.state(State.FAILED)), text=text, trouble=True)
    if now.state.alive and now.reported.cut:
        title = translate("happening", "There is no line to the machine that trains.")
        return Happening(title=title, text=now.reported.cut, trouble=True)
    lost = member_words.lost(now.reported)
    if now.state.alive and lost:
        text = translate("happening", "The others go on. Why, its own run in the list says.")
        return Happening(title=lost, text=text, trouble=True)
    if now.state.alive and now.reported.rung:
        return out_of_memory(now.reported.rung)
    if now.state is State.PAUSED:
        text = translate("happening", "Its memory is free. It goes on exactly where it was when you resume it.")
        return Happening(title=translate("happening", "The run is paused."), text=text)
    return None


def out_of_memory(rung: RungTaken) -> Happening:
    """What happened, which rung comes next, what it costs, and that it goes on."""
    added = [text for text in rung.techniques if text not in rung.before]
    dropped = [text for text in rung.before if text not in rung.techniques]
    said = (
        translate(
            "happening",
            "The training's process ended without a word before it had saved anything; most often that is want of "
            "memory. It goes on{place}.",
        )
        if rung.died
        else translate("happening", "A step needed more memory than was free. The training goes on by itself{place}.")
    )
    parts = [
        said.format(
            place=translate("happening", " from step {step}, the last that was saved").format(step=rung.step)
            if rung.step
            else translate("happening", " from its first step")
        )
    ]
    if added:
        parts.append(translate("happening", "From now on: {techniques}.").format(techniques=words.techniques(added)))
    if dropped:
        parts.append(translate("happening", "No longer: {techniques}.").format(techniques=words.techniques(dropped)))
    parts += _costs(rung)
    if rung.left:
        parts.append(
            translate("happening", "If memory runs out again, {count} more ways are left.").format(count=rung.left)
            if rung.left > 1
            else translate("happening", "If memory runs out again, one more way is left.")
        )
    else:
        parts.append(translate("happening", "This is the last way: if memory runs out again, the training ends."))
    title = (
        translate("happening", "Memory seems to have run out; the training goes on in less.")
        if rung.died
        else translate("happening", "Memory ran out; the training goes on in less.")
    )
    return Happening(title=title, text=" ".join(parts))


def _costs(rung: RungTaken) -> list[str]:
    parts = []
    if rung.peak_bytes and rung.peak_bytes_before:
        parts.append(
            translate("happening", "It needs about {less} instead of {more}.").format(
                less=numbers.data(rung.peak_bytes), more=numbers.data(rung.peak_bytes_before)
            )
        )
    if rung.time_factor and rung.time_factor_before:
        factor = rung.time_factor / rung.time_factor_before
        parts.append(
            translate("happening", "A step takes about {factor} times as long; the result is the same.").format(
                factor=numbers.number(factor, 2)
            )
        )
    return parts


def _died(now: Following) -> Happening:
    error, saved = now.reported.error, now.reported.saved_step
    kept = (
        translate("happening", "All up to step {step} is saved: resume it, or look at its report.").format(step=saved)
        if saved
        else translate("happening", "Nothing had been saved yet: resume it to begin anew, or delete it.")
    )
    title = translate("happening", "The last run ended unexpectedly.")
    return Happening(title=title, text=f"{error.get('detail', '')} {kept}".strip(), trouble=True)
