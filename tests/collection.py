"""Folders of radiographs that the tests make themselves, and a reader that knows what lies in them.

The reader stands where the decode child stands: it maps a file's content to an image without parsing formats.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fullfield import files
from fullfield.errors import InputUnreadable
from fullfield.image.cache import Decoded
from fullfield.image.header import Header, Patient
from fullfield.image.image import HighValues, Image, InputKind, Pixels, Relationship


@dataclass
class Collection:
    """A folder under construction, and the reader of its files."""

    folder: Path
    read: list[str] = field(default_factory=list)

    def add(
        self,
        relative: str,
        pixels: Pixels,
        *,
        bits: int = 12,
        kind: str = "processed",
        enhanced: bool = False,
        spacing_mm: tuple[float, float] = (0.2, 0.2),
        **header: Any,
    ) -> None:
        """Leave one radiograph; `enhanced`: this program made it; `patient` and other fields of `Header` as given."""
        path = self.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        image = {"bits": bits, "kind": kind, "shape": pixels.shape, "enhanced": enhanced, "spacing_mm": spacing_mm}
        fields = {**image, "header": header}
        path.write_bytes(json.dumps(fields).encode() + b"\n" + pixels.tobytes())

    def decode(self, source: Path) -> Decoded:
        """The radiograph of a file."""
        self.read.append(source.relative_to(self.folder).as_posix())
        first, _, rest = source.read_bytes().partition(b"\n")
        try:
            values = json.loads(first)
        except ValueError:
            raise InputUnreadable("Cannot read it.", detail="It is no radiograph.") from None
        pixels = np.frombuffer(rest, np.uint16).reshape(values["shape"])
        kind = InputKind(values["kind"])
        image = Image(
            pixels=pixels,
            bits=values["bits"],
            high=HighValues.BRIGHT,
            kind=kind,
            relationship=Relationship.LOGARITHMIC if kind is InputKind.RAW else Relationship.UNKNOWN,
            spacing_mm=tuple(values["spacing_mm"]),
            enhanced=values["enhanced"],
        )
        given = values["header"]
        given["source_sop_instance_uids"] = tuple(given.get("source_sop_instance_uids", ()))
        patient = Patient(id=given.pop("patient", ""))
        header = Header(
            source_format=given.pop("source_format", "dicom"),
            sha256=files.sha256(source),
            rows=pixels.shape[0],
            columns=pixels.shape[1],
            bits_stored=values["bits"],
            photometric="MONOCHROME2",
            patient=patient,
            **given,
        )
        return Decoded(image=image, header=header, folder=source.parent)
