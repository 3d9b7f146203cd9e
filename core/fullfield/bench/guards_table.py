"""The table of `fullfield bench guards`: of each method the faults that are noticed, by kind, and the false alarms."""

from __future__ import annotations

import json as jsons
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

EACH, ALL, FALSE = 0.95, 0.98, 0.02
"""The aims: of every kind and of all faults the share that is noticed, and of sound results the share that is not."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One method. `sound`: of each sound result that was not used for the limits, the greatest figure by its limit;
    `faulty`: likewise by fault. `used`: how many sound results the limits were found from, 0: they were read."""

    method: str
    used: int
    sound: Sequence[float]
    faulty: Mapping[str, Sequence[float]]

    def caught(self, fault: str, *, times: float = 1.0) -> float:
        """The share of a fault's results that is so many times beyond a limit."""
        return share(self.faulty[fault], times)

    @property
    def all_caught(self) -> float:
        """Of all faults."""
        return share([value for values in self.faulty.values() for value in values], 1.0)

    @property
    def false_alarms(self) -> float:
        """Of sound results."""
        return share(self.sound, 1.0)

    @property
    def stands(self) -> bool:
        """Whether all aims are reached."""
        least = min(map(self.caught, self.faulty), default=0.0)
        return least >= EACH and self.all_caught >= ALL and self.false_alarms <= FALSE


@dataclass(frozen=True, kw_only=True)
class Table:
    """All methods."""

    rows: tuple[Row, ...]

    @property
    def stands(self) -> bool:
        """Whether every method but the presets reaches the aims: a preset draws nothing that a guard could find."""
        return all(row.stands for row in self.rows[1:] or self.rows)

    def text(self) -> str:
        """The table for people."""
        lines = []
        for row in self.rows:
            lines.append(f"{row.method}: {row.used} results for its limits, others below")
            lines.append(f"{'':30}{'images':>8}{'noticed':>10}{'twice':>8}{'weakest':>10}")
            for fault, values in row.faulty.items():
                reported = "" if row.caught(fault) >= EACH else " *"
                lines.append(
                    f"{fault:30}{len(values):>8}{row.caught(fault):>10.1%}{row.caught(fault, times=2):>8.1%}"
                    f"{min(values):>10.2f}{reported}"
                )
            lines.append(
                f"all faults: {row.all_caught:.1%}; false alarms: {row.false_alarms:.1%} of {len(row.sound)}, "
                f"twice beyond: {share(row.sound, 2.0):.1%}"
            )
            lines.append("")
        aims = f"aims: each at least {EACH:.0%}, all {ALL:.0%}, false alarms at most {FALSE:.0%}; * missed"
        return "\n".join([*lines, aims])

    def json(self) -> str:
        """The table for programs."""
        rows = [
            {
                "method": row.method,
                "used": row.used,
                "sound": len(row.sound),
                "false_alarms": row.false_alarms,
                "all": row.all_caught,
                "caught": {fault: row.caught(fault) for fault in row.faulty},
                "twice": {fault: row.caught(fault, times=2) for fault in row.faulty},
            }
            for row in self.rows
        ]
        return jsons.dumps({"kind": "guards", "stands": self.stands, "rows": rows})


def share(values: Sequence[float], times: float) -> float:
    """Of the values, that are above."""
    return sum(value > times for value in values) / max(len(values), 1)


__all__ = ["ALL", "EACH", "FALSE", "Row", "Table", "share"]
