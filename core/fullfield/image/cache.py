"""One decoded radiograph in the private cache: the files that the decode child leaves, and that worker and window map.

    <folder>/pixels.npy    uint16 (rows, columns), high = bright: map it, do not load it
    <folder>/header.json   the typed header and the image's other fields
    <folder>/dataset.dcm   the source's attributes without pixels, re-encoded and bounded: what the writer derives from
    <folder>/voi_N.npy     the table of the Nth VOI, where it is one

Nothing here parses a foreign byte: `dataset.dcm` was written by our own child.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import array_file
from fullfield.checked import Fields
from fullfield.image import header as headers
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind, Relationship, Voi, VoiTable
from fullfield.image.values import Window


@dataclass(frozen=True, kw_only=True, eq=False)
class Decoded:
    """A radiograph that has been read: `image` (its pixels mapped from `folder`) and `header`."""

    image: Image
    header: Header
    folder: Path

    @property
    def dataset(self) -> Path:
        """The source's attributes, without pixels."""
        return self.folder / "dataset.dcm"


def save(folder: Path, image: Image, header: Header) -> None:
    """Leave `image` and `header` in `folder`; `dataset.dcm` is the caller's to write."""
    array_file.save(folder / "pixels.npy", image.pixels)
    voi: list[Fields] = []
    for number, item in enumerate(image.voi):
        if isinstance(item, VoiTable):
            array_file.save(folder / f"voi_{number}.npy", item.table)
            voi.append({"first": item.first, "name": item.name})
        else:
            voi.append(asdict(item))
    fields = {
        "bits": image.bits,
        "high": image.high,
        "kind": image.kind,
        "kind_reason": image.kind_reason,
        "relationship": image.relationship,
        "spacing_mm": image.spacing_mm,
        "aspect": image.aspect,
        "padding": image.padding,
        "beam": image.beam,
        "zero": image.zero,
        "raw_beam": image.raw_beam,
        "raw_zero": image.raw_zero,
        "enhanced": image.enhanced,
        "damage": image.damage,
        "voi": voi,
    }
    text = json.dumps({"image": fields, "header": headers.to_json(header)})
    (folder / "header.json").write_text(text, encoding="utf-8")


def load(folder: Path) -> Decoded:
    """Map what `save` left. Raises OSError or ValueError where the folder is not whole."""
    values = json.loads((folder / "header.json").read_text(encoding="utf-8"))
    fields = values["image"]
    pixels = array_file.load(folder / "pixels.npy", "r")
    image = Image(
        pixels=pixels,
        bits=fields["bits"],
        high=HighValues(fields["high"]),
        kind=InputKind(fields["kind"]),
        kind_reason=fields["kind_reason"],
        relationship=Relationship(fields["relationship"]),
        spacing_mm=tuple(fields["spacing_mm"]) if fields["spacing_mm"] else None,
        aspect=tuple(fields["aspect"]) if fields.get("aspect") else None,
        padding=tuple(fields["padding"]) if fields["padding"] else None,
        beam=HighValues(fields.get("beam", HighValues.DARK)),
        zero=fields.get("zero"),
        raw_beam=HighValues(fields.get("raw_beam", HighValues.DARK)),
        raw_zero=fields.get("raw_zero"),
        enhanced=fields.get("enhanced", False),
        damage=fields.get("damage", ""),
        voi=tuple(_voi(folder, number, item) for number, item in enumerate(fields["voi"])),
    )
    return Decoded(image=image, header=headers.from_json(values["header"]), folder=folder)


def _voi(folder: Path, number: int, fields: Fields) -> Voi:
    if "first" in fields:
        return VoiTable(table=array_file.load(folder / f"voi_{number}.npy"), **fields)
    return Window(**fields)
