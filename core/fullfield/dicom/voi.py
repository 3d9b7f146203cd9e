"""The windows and VOI LUTs of a file, in units of `Image.pixels`, as far as they can be trusted (PS3.3 C.11.2).

Headers lie: a chest radiograph was met with the window of a CT. A window that shows less than it hides is dropped, and
the image falls back to its own percentiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset

from fullfield.dicom.numbers import decimal, decimals
from fullfield.dicom.pixels import Picture, Scale
from fullfield.dicom.tables import Table, Warn, voi_tables
from fullfield.image.image import Pixels, Voi, VoiTable
from fullfield.image.values import Window

MAX_WINDOWS = 16
WITHIN = 0.5  # of a window, or of the data, must lie inside the other; the window of a CT on a chest reached 0.12
SHOWN = 0.02  # of all pixels must be neither black nor white
SAMPLE = 1 << 18  # pixels that are enough to judge a window by

_DROPPED = "A window of the file does not fit its pixels; it was left aside."
_PADDING_LOST = "The file's padding cannot be told from its image behind its look-up table; it is taken for image."
_BROKEN = "A window of the file is malformed; it was left aside."


@dataclass(frozen=True, kw_only=True, eq=False)
class Data:
    """What the pixels hold: their range without padding, and a sample of them."""

    low: int
    high: int
    sample: Pixels


def data(pixels: Pixels, padding: tuple[int, int] | None) -> Data:
    """The range and a sample of the pixels that are image."""
    step = max(1, int((pixels.size / SAMPLE) ** 0.5))
    sample = pixels[::step, ::step].reshape(-1)
    if padding is None:
        return Data(low=int(pixels.min()), high=int(pixels.max()), sample=sample)
    kept = sample[(sample < padding[0]) | (sample > padding[1])]
    if not kept.size:
        kept = sample
    return Data(low=int(kept.min()), high=int(kept.max()), sample=kept)


def padding(picture: Picture, dataset: Dataset, *, bits: int, signed: bool, warn: Warn) -> tuple[int, int] | None:
    """(lowest, highest) of Pixel Padding Value and Range Limit (PS3.3 C.7.5.1.1.2) in units of `pixels`.

    None where there is none, where it lies outside what the bits can hold, or where all of the image would be padding.
    `bits`, `signed`: of the stored values. A modality LUT takes them along where it gives no other value theirs.
    """
    scale, pixels = picture.scale, picture.pixels
    values = [decimal(dataset.get(keyword)) for keyword in ("PixelPaddingValue", "PixelPaddingRangeLimit")]
    stored = [int(value) for value in values if value is not None]
    if not stored or values[0] is None:
        return None
    if signed:
        stored = [value - 65536 if value > 32767 else value for value in stored]
    if picture.table is not None:
        stored = _through(picture.table, min(stored), max(stored), bits=bits, signed=signed)
        if not stored:
            warn(_PADDING_LOST)
            return None
    ends = sorted(round(scale.pixel(value)) for value in stored)
    low, high = ends[0], ends[-1]
    if low < 0 or high > scale.top or bool(((pixels >= low) & (pixels <= high)).all()):
        return None
    return low, high


def _through(table: Table, low: int, high: int, *, bits: int, signed: bool) -> list[int]:
    """The table's smallest and largest value for stored ones from `low` to `high`; none where another's lies there."""
    every = np.arange(1 << bits) - (1 << (bits - 1) if signed else 0)
    values = table.at(every.astype(np.float64))
    inside = (every >= low) & (every <= high)
    if not inside.any():
        return [-1]  # which no pixel has
    least, most = int(values[inside].min()), int(values[inside].max())
    return [] if bool(((values >= least) & (values <= most) & ~inside).any()) else [least, most]


def falls(picture: Picture, dataset: Dataset, found: Data, *, signed: bool, dark: bool) -> bool:
    """Whether the first VOI LUT that shows the data shows high values of `picture` dark, as every viewer then does."""
    for table in _tables(picture, dataset, signed=signed, warn=lambda _: None):
        shown = _shown(table, picture.scale, dark=dark)
        changing = np.flatnonzero(np.diff(shown))
        if shown[found.high] != shown[found.low] and _shows(changing[0], changing[-1] + 1, found):
            return bool(shown[found.high] < shown[found.low])
    return False


def vois(picture: Picture, dataset: Dataset, found: Data, *, signed: bool, dark: bool, warn: Warn) -> tuple[Voi, ...]:
    """All VOI LUTs, then all windows of the file that fit its data. `dark`: its photometric says that high is dark."""
    result: list[Voi] = []
    for table in _tables(picture, dataset, signed=signed, warn=warn):
        made = _table(table, picture.scale, found, dark=dark)
        if made is None:
            warn(_DROPPED)
        else:
            result.append(made)
    windows, broken = _windows(dataset, picture.scale)
    if broken:
        warn(_BROKEN)
    for window in windows:
        if fits(window.low, window.high, found):
            result.append(window)
        else:
            warn(_DROPPED)
    return tuple(result)


def fits(low: float, high: float, found: Data) -> bool:
    """True where a window shows the image: most of it lies within the data, and pixels lie between its ends."""
    if found.low == found.high:
        return low <= found.low <= high
    overlap = min(high, found.high) - max(low, found.low)
    if overlap < WITHIN * (high - low):
        return False
    return _shows(low, high, found)


def _shows(low: float, high: float, found: Data) -> bool:
    return float(np.mean((found.sample > low) & (found.sample < high))) >= SHOWN


def _windows(dataset: Dataset, scale: Scale) -> tuple[list[Window], bool]:
    """Window Center and Width, pair by pair; and whether one of them could not be used."""
    present = any(str(dataset.get(keyword) or "") for keyword in ("WindowCenter", "WindowWidth"))
    centers, widths = decimals(dataset.get("WindowCenter")), decimals(dataset.get("WindowWidth"))
    names = _texts(dataset.get("WindowCenterWidthExplanation"))
    function = str(dataset.get("VOILUTFunction") or "LINEAR")
    found = []
    pairs = list(zip(centers, widths))[:MAX_WINDOWS]
    for number, (center, width) in enumerate(pairs):
        name = names[number] if number < len(names) else ""
        window = _window(center, width, function, scale, name)
        if window is not None:
            found.append(window)
    return found, len(found) < len(pairs) or (present and not pairs)


def _window(center: float, width: float, function: str, scale: Scale, name: str) -> Window | None:
    """The two modality values between which grey rises (C.11.2.1.2.1, .3.2; for a sigmoid ±2 of its exponent)."""
    if function == "LINEAR":
        low, high = center - 0.5 - (width - 1) / 2, center - 0.5 + (width - 1) / 2
    else:
        low, high = center - width / 2, center + width / 2
    with np.errstate(all="ignore"):
        ends = sorted((scale.pixel_of_modality(low), scale.pixel_of_modality(high)))
    if not np.isfinite(ends).all() or ends[1] - ends[0] < 1 or width <= 0:
        return None
    sigmoid = function == "SIGMOID"
    return Window(low=ends[0], high=ends[1], sigmoid=sigmoid, name=name, exact=not sigmoid and function != "LINEAR")


def _tables(picture: Picture, dataset: Dataset, *, signed: bool, warn: Warn) -> list[Table]:
    signed_input = picture.table is None and (signed or picture.scale.intercept < 0)
    return voi_tables(dataset, signed=signed_input, warn=warn)


def _table(table: Table, scale: Scale, found: Data, *, dark: bool) -> VoiTable | None:
    """A VOI LUT over pixel values; None where it shows nothing of the data, or would turn it into a negative."""
    shown = _shown(table, scale, dark=dark)
    changing = _changing(shown, found)
    if changing is None or shown[found.high] <= shown[found.low]:
        return None
    first, last = changing
    return VoiTable(first=first, table=np.ascontiguousarray(shown[first : last + 1]), name=table.name)


def _shown(table: Table, scale: Scale, *, dark: bool) -> NDArray[np.float32]:
    """The brightness, 0 to 1, that a VOI LUT gives every pixel value."""
    values = table.at(scale.modality(np.arange(scale.top + 1))).astype(np.float32) / np.float32((1 << table.bits) - 1)
    return np.float32(1) - values if dark else values


def _changing(shown: NDArray[np.float32], found: Data) -> tuple[int, int] | None:
    """The first and the last pixel value between which brightness changes; None where that does not fit the data."""
    changing = np.flatnonzero(np.diff(shown))
    if not changing.size or shown[found.high] == shown[found.low]:
        return None
    first, last = int(changing[0]), int(changing[-1]) + 1
    return (first, last) if fits(first, last, found) else None


def _texts(value: Any) -> list[str]:
    if value is None or isinstance(value, str):
        return [value or ""]
    return [str(part) for part in value]
