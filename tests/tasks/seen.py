"""What a user sees of an image on the screen, as numbers: grey levels, the image without its frame, its texture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageFilter

from tasks.user import User

BEFORE, AFTER = "Image before", "Image after"
Greys = NDArray[np.float64]
CORNERS = 0.22  # of each side: captions and the patient's data stand there


def colours(user: User, name: str) -> NDArray[np.uint8]:
    """A view's pixels on the screen: rows, columns, and red, green and blue."""
    image = user.widget(name).grab().toImage()
    image = image.convertToFormat(image.Format.Format_RGBX8888)
    return np.frombuffer(bytes(image.constBits()), np.uint8).reshape(image.height(), image.width(), 4)[..., :3]


def grey(user: User, name: str) -> Greys:
    """A view's pixels on the screen, as grey levels."""
    return colours(user, name).astype(float).mean(axis=2)


def place(user: User, name: str) -> tuple[int, int, int, int]:
    """Where the whole image lies in its view: left, top, right and bottom; it may reach beyond the view."""
    look = user.view(name).whole_look()
    assert look is not None, name
    width, height = (length * look.camera.scale for length in look.orientation.size(look.image))
    left, top = look.camera.origin(look.view)
    return round(left), round(top), round(left + width), round(top + height)


def fits(user: User, name: str) -> bool:
    """The whole image is seen, and as large as its view allows."""
    left, top, right, bottom = place(user, name)
    width, height = user.view(name).view_size()
    free = width - (right - left), height - (bottom - top)
    middle = abs(left + right - width) <= 2 and abs(top + bottom - height) <= 2
    return middle and abs(min(free)) <= 2


def reduced(levels: Greys, around: tuple[int, int, int, int], size: int = 48) -> Greys:
    """What lies within `around`, its longer side of `size` pixels, without the corners."""
    left, top, right, bottom = around
    longer = max(right - left, bottom - top)
    shape = (round((right - left) / longer * size), round((bottom - top) / longer * size))
    part = Pillow.fromarray(levels[top:bottom, left:right].astype(np.float32))
    small = np.asarray(part.resize(shape, Pillow.Resampling.BOX), float)
    rows, columns = (round(CORNERS * length) for length in small.shape)
    return small[rows:-rows, columns:-columns]


def picture(user: User, name: str) -> Greys:
    """An image that is seen as a whole: reduced, without its corners, in grey levels."""
    return reduced(grey(user, name), place(user, name))


def middle_part(user: User, name: str) -> Greys:
    """The middle of a view, pixel by pixel."""
    levels = grey(user, name)
    rows, columns = (round(CORNERS * length) for length in levels.shape)
    return levels[rows:-rows, columns:-columns]


def texture(user: User, name: str) -> float:
    """Local contrast: how far pixels of the middle of a view differ from their surroundings, in grey levels."""
    part = middle_part(user, name)
    around = Pillow.fromarray(np.rint(part).astype(np.uint8)).filter(ImageFilter.GaussianBlur(6))
    return float(np.abs(part - np.asarray(around, float)).mean())
