"""A training's pairs as an expert's review leaves them: without the rejected ones, adjusted ones with their preset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fullfield.data.pairs import Pair, Pairing
from fullfield.data.prepared import Unit
from fullfield.data.reference import Reference, processed
from fullfield.data.review import Judgement, Verdict, Verdicts
from fullfield.errors import FullfieldError
from fullfield.image import presets
from fullfield.image.header import Header
from fullfield.image.image import Image
from fullfield.image.preset import Preset


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """`pairing`: what is left. `verdicts`: of its pairs whose reference is made, by the pair's key.

    `made`: how many references are made, the rejected ones too; `rejected`: how many were.
    """

    pairing: Pairing
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    made: int = 0
    rejected: int = 0

    def identity(self, pair: Pair) -> str:
        """What a verdict adds to what the pair's reference depends on; empty without one that changes it."""
        wanted = self.adjusted(pair)
        return "" if wanted is None else f"{wanted[0].sha256()} {wanted[1]:.4f}"

    def adjusted(self, pair: Pair) -> tuple[Preset, float] | None:
        """The preset and strength that the expert wants; None where nobody asked, or the preset is no longer there."""
        verdict = self.verdicts.get(pair.key)
        if verdict is None or verdict.judgement is not Judgement.ADJUSTED:
            return None
        try:
            return presets.load(verdict.preset), verdict.strength
        except FullfieldError:
            return None

    def make(self, pair: Pair, image: Image, header: Header, reference: Reference) -> tuple[Unit, str]:
        """The reference of `image`, as the expert wants it, else as `reference` makes it."""
        wanted = self.adjusted(pair)
        return reference.make(image, header) if wanted is None else processed(image, *wanted)

    def counted(self, made_by: Mapping[str, str]) -> dict[str, int]:
        """How many references of each verdict, and how many of none; empty where nobody has reviewed any.

        `made_by`: who made each reference, by the pair's key. One that was approved and is made otherwise now (another
        preset, or a newer version of it) counts as not reviewed.
        """
        found: Counter[str] = Counter()
        for key, verdict in self.verdicts.items():
            if made_by.get(key) == verdict.made_by:
                found[verdict.judgement.value] += 1
        if not self.verdicts and not self.rejected:
            return {}
        counts = {judgement.value: found[judgement.value] for judgement in (Judgement.APPROVED, Judgement.ADJUSTED)}
        left = self.made - self.rejected - sum(counts.values())
        return {**counts, Judgement.REJECTED.value: self.rejected, "unreviewed": left}


def apply(pairing: Pairing, verdicts: Verdicts, *, processes: bool) -> Reviewed:
    """`processes`: references are made by the conventional processor; what is not made is not judged."""
    made = [pair for pair in pairing.pairs if pair.reference is None] if processes else []
    given = {pair.key: verdicts[pair.source.sha256] for pair in made if pair.source.sha256 in verdicts}
    rejected = {key for key, verdict in given.items() if verdict.judgement is Judgement.REJECTED}
    return Reviewed(
        pairing=replace(pairing, pairs=tuple(pair for pair in pairing.pairs if pair.key not in rejected)),
        verdicts={key: verdict for key, verdict in given.items() if key not in rejected},
        made=len(made),
        rejected=len(rejected),
    )


def sentence(counts: Mapping[str, int]) -> str:
    """The counts as a notice tells them."""
    total = sum(counts.values())
    return (
        f"References reviewed by an expert: {total - counts['unreviewed']} of {total}; {counts['approved']} approved, "
        f"{counts['adjusted']} adjusted, {counts['rejected']} rejected and left out, "
        f"{counts['unreviewed']} not reviewed and used as they are."
    )
