"""What the planner makes of several devices or machines, in a sentence. No widget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from fullfield.protocol.plan import GIVEN, MEASURED, AlonePlan, FewerPlan, LinkPlan
from fullfield.techniques import registry
from fullfield.techniques.base import Stage
from fullfield_app.gui import numbers
from fullfield_app.gui.train.plan_facts import Facts

translate = QCoreApplication.translate


def sentence(facts: Facts, *, on_cpu: bool) -> str:
    """What each of several devices takes, how they stand to one alone, and what travels between them; "" of one."""
    if len(facts.ranks) < 2:
        return ""
    parts = [_each(facts)]
    if facts.alone is not None:
        parts.append(_beside_one(facts.alone))
    whole = translate("where", "{what} over {devices}: {takes}; {travels}.").format(
        what=_shared(facts), devices=_devices(facts, on_cpu=on_cpu), takes=", ".join(parts), travels=_travels(facts)
    )
    if facts.alone is not None and not facts.alone.pays:
        together = translate("where", "Together they do not pay here.")
        whole += " " + (together if facts.cards else translate("where", "More of them do not pay here."))
    if facts.waits_long and facts.exact:
        whole += " " + translate("where", "The link is the limit: compressed gradients, which are not exact, may help.")
    return whole


def _devices(facts: Facts, *, on_cpu: bool) -> str:
    if facts.cards == 1:
        return translate("where", "a card and the processor")
    if facts.cards:
        return translate("where", "{count} cards and the processor").format(count=facts.cards)
    text = translate("where", "{count} processes") if on_cpu else translate("where", "{count} cards")
    return text.format(count=len(facts.ranks))


def on_machines(facts: Facts, names: Sequence[str], *, epoch_seconds: float, unlinked: str = "") -> str:
    """What each of several machines takes of what it has free, how long an epoch is (0: not known), and what the link
    between them carries; `unlinked`: why that could not be measured."""
    parts = [_of_machines(facts, names)]
    if epoch_seconds:
        parts.append(translate("where", "about {time} an epoch").format(time=numbers.seconds(_rounded(epoch_seconds))))
    if facts.alone is not None:
        parts.append(_beside_one(facts.alone))
    rate = facts.link.bytes_per_second / 1e6 if facts.link is not None else 0.0
    carries = translate("where", "the link between them is taken to carry {rate} MB/s")
    if facts.link is not None and facts.link.source == MEASURED:
        carries = translate("where", "the link between them carries {rate} MB/s, measured")
    whole = translate("where", "On {machines}: {takes}; {carries}.").format(
        machines=_listed(names), takes=", ".join(parts), carries=carries.format(rate=numbers.short(rate))
    )
    return " ".join(part for part in (whole, _why_not_more(facts), *map(_with_fewer, facts.fewer), unlinked) if part)


def _with_fewer(one: FewerPlan) -> str:
    if not one.times:
        return translate("where", "No plan for {count} of them fits.").format(count=one.computers)
    text = translate("where", "{count} of them, by those with least memory, take {times} × as long as all.")
    return text.format(count=one.computers, times=numbers.number(one.times, 2))


def _of_machines(facts: Facts, names: Sequence[str]) -> str:
    """Of machines that take and have the same, once."""
    each = translate("where", "{takes} of {free} free")
    each_of = translate("where", "{takes} of {free} free on {machine}")
    held = [
        (numbers.data(one.process_bytes), numbers.data(limit))
        for one, limit in zip(facts.ranks, facts.limits, strict=True)
    ]
    if len(set(held)) == 1:
        (takes, free), *_ = held
        return translate("where", "{what} each").format(what=each.format(takes=takes, free=free))
    of_each = zip(held, names, strict=True)
    return ", ".join(each_of.format(takes=takes, free=free, machine=name) for (takes, free), name in of_each)


def _listed(names: Sequence[str]) -> str:
    *before, last = names
    return translate("where", "{machines} and {last}").format(machines=", ".join(before), last=last)


def _why_not_more(facts: Facts) -> str:
    if facts.alone is None or facts.alone.pays:
        return ""
    if facts.waits_long:
        text = translate("where", "More machines do not pay here: {share} of a step is waiting for the link.")
        return text.format(share=numbers.percent(100 * facts.waiting))
    return translate("where", "More machines do not pay here: what all of them do again takes longer than it saves.")


def _rounded(seconds: float) -> float:
    """To two digits: it is an estimate."""
    return float(f"{seconds:.2g}") if seconds < 60 else 60 * round(seconds / 60)


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
