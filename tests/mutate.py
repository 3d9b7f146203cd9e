"""Sow small faults, one at a time, and see whether the tests of their room notice them.

    python tests/mutate.py enhance memory/account --count 24       24 faults of a room and a file, the same each time
    python tests/mutate.py enhance --count 24 --seed 2             24 others
    python tests/mutate.py enhance --count 24 --again              those that were not noticed, once more
    python tests/mutate.py enhance --count 24 --list               name them, and try none

The faults are made in a copy of the sources (`mutation/trial.py`), where the tests of the room run once, to learn which
of them reach which lines; then those are asked that could notice the fault. Tests that fail without any are named and
not asked. Each fault gets a line here and in the record, by which a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mutation import sample
from mutation.faults import Fault
from mutation.trial import Copy, Outcome

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Do what the arguments say; the exit code is 1 where a fault was not noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", help='rooms ("enhance") and files ("enhance/ledger")')
    parser.add_argument("--count", type=int, default=24, help="how many faults, as many of each file (default 24)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other faults (default 1)")
    parser.add_argument("--fast", action="store_true", help="without the tests that are marked slow")
    parser.add_argument("--again", action="store_true", help="try those once more that were not noticed")
    parser.add_argument("--list", action="store_true", help="name those that would be tried, and try none")
    parser.add_argument("--record", type=Path, help="JSON lines (default build/faults.jsonl)")
    values = parser.parse_args(arguments)
    try:
        found = dict(sample.every(root, sample.sources(root, values.what)))
    except FileNotFoundError as error:
        parser.error(str(error))
    chosen = sample.pick(found, values.count, values.seed)
    if values.list:
        print(*map(shown, chosen), sep="\n")
        return 0
    record: Path = values.record or root / "build" / "faults.jsonl"
    options = ("-m", "not slow") if values.fast else ()
    noticed = {}
    for fault, outcome in tried(root, chosen, record, options=options, again=values.again):
        noticed[fault] = bool(outcome.by)
        reported = (
            f"noticed by {outcome.by}" if outcome.by else f"NOT NOTICED, reached by {outcome.reached or 'no'} tests"
        )
        print(f"{shown(fault)}\n    {reported}  ({outcome.seconds:.1f} s)", flush=True)
    print(summary(noticed))
    return 0 if all(noticed.values()) else 1


def tried(
    root: Path, chosen: Sequence[Fault], record: Path, *, options: tuple[str, ...] = (), again: bool = False
) -> Iterator[tuple[Fault, Outcome]]:
    """What became of each fault. What stands in the record is not tried again, but for what was not noticed where that
    is asked `again`."""
    known = recorded(record)
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as folder:
        copy: Copy | None = None
        for fault in chosen:
            outcome = known.get(fault.key)
            if outcome is None or (again and not outcome.by):
                copy = copy or Copy(root, Path(folder), options=options)
                outcome = copy.tried(fault)
                keep(record, fault, outcome)
            yield fault, outcome


def recorded(record: Path) -> dict[str, Outcome]:
    """By a fault's key what became of it the last time; a line that was cut is passed over."""
    found = {}
    for line in record.read_text("utf-8").splitlines() if record.exists() else ():
        try:
            values: dict[str, Any] = json.loads(line)
            found[values["key"]] = Outcome(by=values["by"], seconds=values["seconds"], reached=values["reached"])
        except (ValueError, KeyError):
            continue
    return found


def keep(record: Path, fault: Fault, outcome: Outcome) -> None:
    """Add a line to the record."""
    record.parent.mkdir(parents=True, exist_ok=True)
    values = {"file": fault.path, **asdict(fault), "noticed": bool(outcome.by), **asdict(outcome)}
    with record.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(values) + "\n")


def shown(fault: Fault) -> str:
    """A fault in a line."""
    return f"{fault.path}:{fault.line}  {fault.kind}  {fault.before}  →  {fault.after}"


def summary(noticed: dict[Fault, bool]) -> str:
    """How many were noticed, of each file and in all."""
    of, by = Counter(fault.path for fault in noticed), Counter(fault.path for fault, was in noticed.items() if was)
    lines = [f"{by[path]:4} of {of[path]:3}  {path}" for path in sorted(of)]
    percent = 100 * by.total() / max(1, of.total())
    return "\n".join([*lines, f"{by.total():4} of {of.total():3} noticed: {percent:.0f} %"])


if __name__ == "__main__":
    sys.exit(main())
