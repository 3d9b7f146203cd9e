"""The same content under several names: with one reference it is one pair, with several it is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol, TypeVar

from fullfield.data.index import Index, Problem, Source

CONTRADICTED = "is there under another name too, with another reference: which is right is not clear."


class Paired(Protocol):
    """A pair: see `fullfield.data.pairs.Pair`."""

    @property
    def source(self) -> Source:
        """The input."""

    @property
    def reference(self) -> Source | None:
        """None where it is made from the input."""

    @property
    def key(self) -> str:
        """Of what both hold."""


P = TypeVar("P", bound=Paired)


def once(pairs: Sequence[P], index: Index) -> tuple[dict[str, P], list[Problem]]:
    """Each pair once, by its key, and what was wrong with the others: of those whose input has other references under
    other names none is taken, for the network would be asked for both, and judged by one that it has not learned."""
    names, references = defaultdict(set), defaultdict(set)  # of each content
    for pair in pairs:
        names[pair.source.sha256].add(pair.source.relative)
        references[pair.source.sha256].add(pair.reference.sha256 if pair.reference else "")
    clear = [pair for pair in pairs if len(names[pair.source.sha256]) == 1 or len(references[pair.source.sha256]) == 1]
    taken = set(map(id, clear))
    problems = [index.problem("ambiguous", CONTRADICTED, pair.source) for pair in pairs if id(pair) not in taken]
    kept = {pair.key: pair for pair in clear}
    if len(clear) > len(kept):
        text = f"Images that are there more than once count once: {len(clear) - len(kept)}."
        problems.append(Problem(kind="repeated", text=text))
    return kept, problems
