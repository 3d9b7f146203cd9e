"""From stored values to the 256 grey levels of a screen: one table per window, so that a frame is one look-up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import Voi
from fullfield_app.gui.view.picture import Picture

Grey = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """A picture, and how it is shown: through `voi`, bright and dark exchanged when `inverted`."""

    picture: Picture
    voi: Voi
    inverted: bool = False


def table(shown: Shown) -> Grey:
    """The grey level of each of the 65,536 values; padding is black whatever the window (PS3.3 C.7.5.1.1.2)."""
    from fullfield.image.window import greys  # not before there is an image to show

    levels: Grey = greys(shown.voi, inverted=shown.inverted, padding=shown.picture.padding)
    return levels
