"""What the scenes are drawn from: what a clinic's day brings and a neat phantom does not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What one scene is drawn from.

    `bodies`: one of them is chosen. `heel`: (least, most) loss of the beam across the picture. `dose`: of the usual.
    `fields`: one or two exposures on the plate. `centred`: whether the beam's axis and blades are. `raw`: For
    Processing; None: by chance. The rest says what is on the picture.
    """

    name: str
    bodies: tuple[str, ...] = ("hand", "limb")
    heel: tuple[float, float] = (0.0, 0.0)
    dose: float = 1.0
    fields: int = 1
    centred: bool = True
    blades: bool = False
    film: bool = False
    text: bool = False
    grid: bool = False
    raw: bool | None = None


SETTINGS = (
    Setting(name="even"),
    Setting(name="heel 5-10 %", heel=(0.05, 0.10)),
    Setting(name="heel 10-20 %", heel=(0.10, 0.20)),
    Setting(name="heel 10-20 %, for display", heel=(0.10, 0.20), raw=False),
    Setting(name="heel, skull", bodies=("skull",), heel=(0.05, 0.20)),
    Setting(name="off-centre beam", heel=(0.0, 0.10), centred=False, blades=True),
    Setting(name="blades", blades=True),
    Setting(name="blades and heel", heel=(0.05, 0.20), blades=True),
    Setting(name="two fields", fields=2),
    Setting(name="two fields and heel", heel=(0.05, 0.15), fields=2),
    Setting(name="film mammogram", bodies=("breast",), film=True, raw=False),
    Setting(name="burned-in text", text=True, raw=False),
    Setting(name="text and heel", heel=(0.05, 0.20), text=True, raw=False),
    Setting(name="text, chest", bodies=("chest",), text=True, raw=False),
    Setting(name="grid", bodies=("skull", "chest"), grid=True),
    Setting(name="chest", bodies=("chest",), heel=(0.0, 0.10)),
    Setting(name="dose 1/4", dose=1 / 4, heel=(0.0, 0.10)),
    Setting(name="dose 1/16", dose=1 / 16, heel=(0.0, 0.10)),
    Setting(name="dose 1/16, heel 10-20 %", dose=1 / 16, heel=(0.10, 0.20)),
)


__all__ = ["SETTINGS", "Setting"]
