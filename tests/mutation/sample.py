"""Which of all faults are tried: of rooms and files that are named, as many of each file, by a seed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from mutation.faults import Fault, find


def pick(found: dict[str, list[Fault]], count: int, seed: int) -> list[Fault]:
    """`count` of the faults by file, as many of each file as there are, and where files are more, of some of them: by
    chance, and always the same by one seed. What is picked from a file does not depend on the others."""
    piles = []
    for path in sorted(found):
        chance = random.Random(f"{seed} {path}")
        piles.append((chance.sample(found[path], len(found[path])), chance.random()))
    piles.sort(key=lambda pile: pile[1])  # the first letters of the alphabet would be tried alone
    turns = itertools.chain.from_iterable(itertools.zip_longest(*(faults for faults, _ in piles)))
    chosen = itertools.islice((fault for fault in turns if fault is not None), count)
    return sorted(chosen, key=lambda fault: (fault.path, fault.start, fault.end, fault.kind))


def sources(root: Path, names: Sequence[str]) -> list[Path]:
    """The files of rooms ("enhance"), of files in them ("enhance/ledger") or by their paths below `root`. Raises
    FileNotFoundError for a name that is none."""
    paths: list[Path] = []
    for name in names:
        bases = (root / "core" / "fullfield" / name, root / "app" / "fullfield_app" / name, root / name)
        for base in bases:
            file = base if base.suffix == ".py" else base.with_name(base.name + ".py")
            inside = [file] if file.is_file() else sorted(base.rglob("*.py")) if base.is_dir() else []
            if inside:
                paths += [path for path in inside if path not in paths]
                break
        else:
            raise FileNotFoundError(f"There is no room and no file {name}.")
    return paths


def every(root: Path, paths: Sequence[Path]) -> Iterator[tuple[str, list[Fault]]]:
    """Of each file its path below `root`, and its faults; files without any are left out."""
    for path in paths:
        name = path.relative_to(root).as_posix()
        found = find(path.read_bytes(), name)
        if found:
            yield name, found
