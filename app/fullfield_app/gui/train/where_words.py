"""What the planner makes of several devices, in a sentence. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield.protocol.plan import GIVEN, MEASURED, AlonePlan, LinkPlan
from fullfield.techniques import registry
from fullfield.techniques.base import Stage
from fullfield_app.gui import numbers
from fullfield_app.gui.train.plan_facts import Facts

translate = QCoreApplication.translate


def sentence(facts: Facts, *, on_cpu: bool) -> str:
    """What each of several devices takes, how they stand to one alone, and what travels between them; "" of one."""
    if len(facts.ranks) < 2:
        return ""
    count = len(facts.ranks)
    devices = translate("where", "{count} processes") if on_cpu else translate("where", "{count} cards")
    parts = [_each(facts)]
    if facts.alone is not None:
        parts.append(_beside_one(facts.alone))
    whole = translate("where", "{what} over {devices}: {takes}; {travels}.").format(
        what=_shared(facts), devices=devices.format(count=count), takes=", ".join(parts), travels=_travels(facts)
    )
    if facts.alone is not None and not facts.alone.pays:
        whole += " " + translate("where", "More of them do not pay here.")
    if facts.waits_long and facts.exact:
        whole += " " + translate("where", "The link is the limit: compressed gradients, which are not exact, may help.")
    return whole


def _shared(facts: Facts) -> str:
    stages = {registry.read(text).stage for text in facts.techniques}
    height, width = facts.size
    size = f"{width}×{height}"
    if Stage.PLACEMENT in stages and facts.batch == 1:
        return translate("where", "One image of {size}").format(size=size)
    if Stage.PLACEMENT in stages:
        return translate("where", "Each image of {size}").format(size=size)
    if Stage.PIPELINE in stages:
        return translate("where", "The network in parts")
    return translate("where", "{count} images of {size}").format(count=facts.batch, size=size)


def _each(facts: Facts) -> str:
    held = [one.process_bytes for one in facts.ranks]
    least, most = numbers.data(min(held)), numbers.data(max(held))
    if least == most:
        return translate("where", "{amount} each").format(amount=most)
    return translate("where", "{least} to {most} each").format(least=least, most=most)


def _beside_one(alone: AlonePlan) -> str:
    if not alone.times:
        return translate("where", "which one alone does not hold")
    if not alone.pays:
        return translate("where", "no faster than one")
    return translate("where", "about {times} × as fast as one").format(times=numbers.number(alone.times, 1))


def _travels(facts: Facts) -> str:
    """Of the rank that sends most, and of the one that waits longest."""
    amount = numbers.data(max(one.sent_bytes for one in facts.ranks))
    waits = seconds(max(one.waiting_seconds for one in facts.ranks))
    link = _link(facts.link)
    if not facts.step_seconds:
        text = translate("where", "{amount} travel per step ({waits} {link})")
        return text.format(amount=amount, waits=waits, link=link)
    text = translate("where", "{amount} travel per step ({waits} of {step} {link})")
    return text.format(amount=amount, waits=waits, step=seconds(facts.step_seconds), link=link)


def _link(link: LinkPlan | None) -> str:
    source = link.source if link is not None else ""
    if source == MEASURED:
        return translate("where", "over a link that was measured")
    if source == GIVEN:
        return translate("where", "over the link that was given")
    return translate("where", "over a link that is estimated")


def seconds(value: float) -> str:
    """A short time: "0.2 ms", "34 ms", "6.1 s"."""
    if value < 1.0:
        return translate("where", "{count} ms").format(count=numbers.short(1000 * value, 2))
    return translate("where", "{count} s").format(count=numbers.number(value, 1))
