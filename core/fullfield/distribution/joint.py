"""Who has the images whose values BatchNorm counts together, where several ranks have some images each."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.distribution.team import Team


@dataclass(kw_only=True)
class Joint:
    """Those whose images count together. `images`: how many of one size each rank runs now. One that has none must not
    be absent, for the others wait for it: it runs a stand-in of that size, whose values count for nothing."""

    team: Team
    images: tuple[int, ...]

    @property
    def present(self) -> bool:
        """Whether what this rank runs are images, and no stand-in."""
        return self.images[self.team.rank] > 0
