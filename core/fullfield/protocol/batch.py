"""What the job "batch" shall do: many images, one after another or several at once."""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.checked import Count
from fullfield.protocol.places import LOCAL


@dataclass(frozen=True, kw_only=True)
class Item:
    """What is to be read (`source`, a path, or a member of the ZIP `archive`), and `target`, the name that its result
    should have where it goes."""

    index: int
    source: str
    archive: str = ""
    target: str = ""


@dataclass(frozen=True, kw_only=True)
class BatchSpec:
    """`out`: the address of the results: a folder's path. `choice`: "auto", a preset's name or a model's file; `kind`:
    auto, raw or processed. `format`: dicom, png16 or tiff.

    `force_result`: a model's results are kept, however doubtful; `strict`: a doubtful one fails its item. `jobs`: how
    many at once, 0: as many as what enhances is best given. `timeout`: seconds to decode one file. `contact_sheet`: the
    indices of the items that it shows; `tiles`: the folder where workers before this one left what it shows of theirs,
    "": this is the first.
    `place`: where it is computed, of `fullfield.protocol.places`; files are read and written on this computer.
    """

    items: tuple[Item, ...]
    out: str
    choice: str
    kind: str
    device: str
    format: str
    overwrite: bool = False
    force_result: bool = False
    strict: bool = False
    fail_fast: bool = False
    jobs: Count = 0
    timeout: float
    contact_sheet: tuple[int, ...] = ()
    tiles: str = ""
    place: str = LOCAL
