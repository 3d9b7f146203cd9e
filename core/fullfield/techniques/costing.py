"""The costs of whatever techniques are asked about: read where they are known, traced once where they are not."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import torch

from fullfield import __version__, files
from fullfield.distribution.counting import Counting
from fullfield.distribution.joint import Joint
from fullfield.distribution.team import ALONE
from fullfield.distribution.traffic import Traffic
from fullfield.errors import CannotWrite
from fullfield.hardware import devices
from fullfield.host_tier import host
from fullfield.kernels import joint_norm
from fullfield.memory import account, forms, trace
from fullfield.memory.account import Account, MemoryEstimate, Shape
from fullfield.memory.costs import (
    AGREED,
    FINITE,
    NORM,
    NORM_INSIDE,
    VERSION,
    Costs,
    Facts,
    Key,
    NotTraced,
    PartCost,
    Work,
    from_fields,
    to_fields,
)
from fullfield.memory.temporaries import Temporaries
from fullfield.memory.trace import Step
from fullfield.techniques import build as builds
from fullfield.techniques import compose, registry
from fullfield.techniques.base import Stage, Technique
from fullfield.techniques.site import Site

_log = logging.getLogger(__name__)
_VERSION = f"{__version__}/{VERSION}"
_LAST_TRACED = Stage.SAVED  # what is applied later changes no part


class Costing:
    """The costs of one network on one device. `device`: whose temporaries count: "cpu", "cuda:0" or "none"."""

    def __init__(
        self, encoder: str, device: str, *, folder: Path | None = None, each: Callable[[], None] = lambda: None
    ) -> None:
        """`folder`: where costs are kept from one run to the next; None keeps none. `each`: called before each part is
        traced; it may raise to stop."""
        self._encoder, self._beside_card, self._each = encoder, device != "cpu", each
        self._file = folder / f"costs-{encoder}-{_kernels(device)}.json" if folder else None
        kept = _read(self._file)
        self._temporaries = Temporaries(device, kept.temporaries if kept else {})
        facts = kept.facts if kept else trace.facts(trace.network_without_values(encoder)[1])
        self.costs = Costs(facts, kept.costs if kept else {})
        self._plain_work: dict[tuple[str, Shape], Work] = {}
        self._count = len(self.costs.known)
        self._may_trace = True

    @contextlib.contextmanager
    def untraced(self) -> Iterator[None]:
        """Within it, what is not known raises NotTraced instead of being traced."""
        self._may_trace = False
        try:
            yield
        finally:
            self._may_trace = True

    def account(self, techniques: Sequence[Technique], site: Site) -> tuple[MemoryEstimate, Account]:
        """What a step with these techniques takes. Notes name the plans that were found."""
        found, site = self.with_plans(techniques, site), replace(site, costs=self.costs)
        estimate = compose.predict(found, site)
        pairs = zip(techniques, found, strict=True)
        named = [f"For {asked} this plan was found: {one}." for asked, one in pairs if one is not asked]
        estimate = replace(estimate, notes=(*estimate.notes, *named))
        self._require(found, estimate)
        whole = account.account(estimate, self.costs, ranks=site.ranks)
        plain = self._plain(found, estimate, site).times(site.shape.batch / estimate.shape.batch)
        works = tuple(
            one.times(_forwards(estimate.of(rank))) + _beside(estimate, site.ranks)
            for rank, one in enumerate(whole.works)
        )
        return estimate, replace(whole, works=works, plain=plain)

    def _plain(self, techniques: Sequence[Technique], beside: MemoryEstimate, site: Site) -> Work:
        """Of the plain step of the shape of `beside`. On a CPU, where its FLOPs alone are looked at, it is laid out as
        the first set is that is asked about, with which it shares its parts: a trace less."""
        if (site.kind, beside.shape) not in self._plain_work:
            like = [one for one in techniques if one.stage is Stage.LAYOUT and site.kind == devices.CPU]
            estimate = replace(compose.predict(like, site), shape=beside.shape)
            self._require(like, estimate)
            (self._plain_work[site.kind, beside.shape],) = account.account(estimate, self.costs).works
        return self._plain_work[site.kind, beside.shape]

    def with_plans(self, techniques: Sequence[Technique], site: Site) -> tuple[Technique, ...]:
        """With plans in the place of options that ask for one, see `compose.with_plans`: parts that they look at are
        traced beside the other techniques."""
        trace = partial(self._traced, techniques, replace(site, costs=self.costs))
        return compose.with_plans(techniques, replace(site, costs=self.costs.traced_by(trace)))

    def keep(self) -> None:
        """Write what was traced, for the next time; where that cannot be, it is traced again then."""
        forms.forget()
        if self._file is None or len(self.costs.known) == self._count:
            return
        costs = {name: to_fields(cost) for name, cost in self.costs.known.items()}
        content = json.dumps(
            {
                "version": _VERSION,
                "facts": asdict(self.costs.facts),
                "temporaries": self._temporaries.to_fields(),
                "costs": costs,
            }
        )
        try:
            files.write_text(self._file, f"{_digest(content)}\n{content}")
        except CannotWrite:
            _log.warning("what was traced cannot be kept for the next time", exc_info=True)
        self._count = len(self.costs.known)

    def _require(self, techniques: Sequence[Technique], estimate: MemoryEstimate) -> None:
        """Trace the step of every rank that is unlike the others, where any of its parts is not known."""
        for one, _ in account.unlike(estimate, 1):
            for forward in filter(None, (one, one.last)):
                self._require_one(techniques, forward)

    def _require_one(self, techniques: Sequence[Technique], estimate: MemoryEstimate) -> None:
        keys = [Key(part=part.name, method=part.method, variant=estimate.variant) for part in estimate.parts]
        keys.append(Key(part=account.LOSS, method=estimate.loss, variant=estimate.variant))
        if all(str(key) in self.costs.known for key in keys):
            return
        if not self._may_trace:
            raise NotTraced(estimate.variant)
        on_meta = all(one.meta_traceable for one in techniques)
        mode, network = trace.network_without_values(self._encoder, on_meta=on_meta)  # anew: techniques may change it
        traffic, height = Traffic(), estimate.shape.height
        ranks = Counting(estimate.place, estimate.portions, height, traffic) if estimate.portions else ALONE
        build = builds.begin(network, torch.device("cpu"), ranks=ranks)
        build.counted = True
        if estimate.joint:
            others = Counting(0, (1,) * estimate.joint, height, traffic)
            joint_norm.join(network, Joint(team=others, images=(1,) * others.size))
        compose.apply([one for one in techniques if one.stage <= _LAST_TRACED], build)
        around = host.traced_beside_card() if self._beside_card else devices.computing_alike(devices.CPU)
        with mode, around:
            step = Step(
                network=network,
                chain=build.chain,
                structure=build.structure,
                around=tuple(build.around),
                channels_last=build.layout == torch.channels_last,
                stored_input=build.stored_input,
                stored_reference=build.stored_reference,
                team=build.team,
                traffic=traffic,
            )
            found = trace.costs(
                step,
                estimate.shape,
                estimate.variant,
                estimate.loss,
                self._temporaries,
                self.costs.known,
                each=self._each,
            )
        self.costs.known.update(found)

    def _traced(self, techniques: Sequence[Technique], site: Site, key: Key) -> PartCost:
        """Of a part beside these techniques, run as a search for a plan asks. Raises KeyError for what no
        technique runs."""
        beside = [one for one in techniques if one.stage not in (Stage.ACTIVATIONS, Stage.COMPILE)]  # they name methods
        running = (kind.running(key) for kind in registry.all_techniques().values())
        asked = compose.ordered([*beside, *(one for one in running if one is not None)])
        self._require(asked, compose.predict(asked, site))
        return self.costs.known[str(key)]


def _forwards(estimate: MemoryEstimate) -> float:
    """How many a rank's step has."""
    return (estimate.shape.batch + estimate.waiting) / estimate.shape.batch


def _beside(estimate: MemoryEstimate, ranks: int) -> Work:
    """What each of so many ranks says beside what its parts say."""
    if ranks == 1:
        return Work()
    summed, owned = estimate.summed, estimate.owned
    found = estimate.exchanged + estimate.again.times(math.ceil(_forwards(estimate)) - 1)
    found += AGREED + (FINITE if estimate.released else Work())
    if estimate.placed or (owned is not None and not owned.moved):
        found += estimate.of_owners + (NORM_INSIDE if estimate.released else NORM)
    return found + (Work(shared=summed.bytes, collectives=summed.messages) if summed else Work())


def kept(encoder: str, device: str, each: Callable[[], None] = lambda: None) -> Costing:
    """The costing of this user's cache, see `Costing`."""
    return Costing(encoder, device, folder=files.cache_folder(), each=each)


def _kernels(device: str) -> str:
    """What decides which kernels run: torch's build, the device, of the CPU the number of threads."""
    of_cpu = f"cpu-{torch.get_num_threads()}"
    title = "none" if device == "none" else of_cpu if device == "cpu" else torch.cuda.get_device_name(device)
    return f"{torch.__version__}-{title}".replace(" ", "-").replace(os.sep, "-")


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """What an earlier run left."""

    facts: Facts
    temporaries: dict[str, dict[str, int]]
    costs: dict[str, PartCost]


def _read(file: Path | None) -> _Kept | None:
    """None where there is none, or one of another version, or a damaged one: it is traced again."""
    try:
        digest, _, content = file.read_text(encoding="utf-8").partition("\n") if file else ("", "", "")
        if digest != _digest(content):
            return None
        values = json.loads(content)
        if values["version"] != _VERSION:
            return None
        costs = {name: from_fields(fields) for name, fields in values["costs"].items()}
        return _Kept(facts=Facts(**values["facts"]), temporaries=values["temporaries"], costs=costs)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digest(content: str) -> str:
    """What the first line of the file says of the rest: whoever changed that has damaged it."""
    return hashlib.sha256(content.encode()).hexdigest()
