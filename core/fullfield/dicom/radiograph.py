"""The whole of reading, in the decode child: from the bytes of one file to a folder of the private cache."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from pydicom.dataset import Dataset

from fullfield.dicom import attributes, codecs, damage, provenance
from fullfield.dicom.describe import header as describe
from fullfield.dicom.formats import HEAD_BYTES, Format, tell
from fullfield.dicom.kind import beam, kind, relationship
from fullfield.dicom.parse import Bytes, Parsed
from fullfield.dicom.pixels import Picture, picture
from fullfield.dicom.remarks import ENHANCED_BEFORE, OVERLAY
from fullfield.dicom.spacing import aspect, of_detector, spacing
from fullfield.dicom.structure import Structure, examine
from fullfield.dicom.voi import Data, falls, padding, vois
from fullfield.dicom.voi import data as measure
from fullfield.image import cache
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image

_BEYOND = 0.01  # of the pixels: more that have got less than nothing, and it is the rescale that lies


def leave(data: Bytes, *, name: str, sha256: str, folder: Path) -> None:
    """Decode `data`, the content of a file called `name`, into `folder`. Raises InputUnreadable, InputRefused."""
    form = tell(data[:HEAD_BYTES], name)
    if form is Format.DICOM:
        image, header = _dicom(data, sha256=sha256, folder=folder)
    else:
        from fullfield.dicom import imports  # Pillow's plug-ins: a hundredth of a second that only pictures pay

        image, header = imports.read(bytes(data), form, sha256=sha256)
    cache.save(folder, image, header)


def _dicom(data: Bytes, *, sha256: str, folder: Path) -> tuple[Image, Header]:
    structure = examine(data)
    warn = structure.parsed.warn
    dataset = attributes.build(structure.parsed, sop_class=structure.sop_class, signed=structure.signed)
    found = picture(structure, codecs.decode(structure), dataset)
    pad, shown = _measured(found, dataset, structure)
    dark = structure.photometric == "MONOCHROME1"
    if falls(found, dataset, shown, signed=structure.signed, dark=dark):
        warn("The file's look-up table shows high values dark; the image is taken as it is then shown.")
        found = found.turned()
        pad, shown = _measured(found, dataset, structure)
    beam_end = beam(dataset, flipped=found.scale.flipped)
    what, why = kind(dataset, sop_class=structure.sop_class, bits=found.scale.bits, found=shown, beam_end=beam_end)
    spacing_mm, spacing_from = spacing(dataset, warn=warn)
    enhanced = provenance.is_own(dataset)
    if enhanced:
        warn(ENHANCED_BEFORE)
    if _has_overlay(structure.parsed):
        warn(OVERLAY)
    image = Image(
        pixels=found.pixels,
        bits=found.scale.bits,
        high=found.high,
        kind=what,
        relationship=relationship(dataset),
        spacing_mm=spacing_mm,
        aspect=aspect(dataset) if spacing_mm is None else None,
        voi=vois(found, dataset, shown, signed=structure.signed, dark=dark, warn=warn),
        padding=pad,
        raw_beam=beam_end,
        raw_zero=_zero(found, shown, beam_end),
        enhanced=enhanced,
        damage=damage.FOUND if structure.parsed.damaged else "",
    ).as_kind(what, why)
    attributes.save(dataset, folder / "dataset.dcm")
    header = replace(
        describe(dataset, structure, sha256=sha256),
        spacing_from=spacing_from,
        detector_spacing_mm=of_detector(dataset),
    )
    return image, _with_modality(header, found, dataset)


def _has_overlay(parsed: Parsed) -> bool:
    """Whether an overlay plane (60xx,3000; PS3.3 C.9.2) has a bit set."""
    planes = (tag for tag in parsed.elements if tag >> 24 == 0x60 and tag & 0xFFFF == 0x3000)
    return any(parsed.value(tag).strip(b"\0") for tag in planes)


def _measured(found: Picture, dataset: Dataset, structure: Structure) -> tuple[tuple[int, int] | None, Data]:
    """The padding of the pixels, and what they hold besides."""
    pad = padding(found, dataset, bits=structure.stored, signed=structure.signed, warn=structure.parsed.warn)
    return pad, measure(found.pixels, pad)


def _zero(found: Picture, shown: Data, beam_end: HighValues) -> float | None:
    """The pixels' value whose modality value is 0, where those rise with the beam and hardly a pixel lies beyond it."""
    rising = (found.scale.slope > 0) is not found.scale.flipped
    if found.table is not None or rising is not (beam_end is HighValues.BRIGHT):
        return None
    at = found.scale.pixel_of_modality(0.0)
    beyond = shown.sample < at if rising else shown.sample > at
    return at if beyond.mean() < _BEYOND else None


def _with_modality(header: Header, found: Picture, dataset: Dataset) -> Header:
    """With the way from the pixels to modality values, where it is a line: always where they were turned."""
    if not found.scale.flipped and (found.table is not None or "RescaleSlope" not in dataset):
        return header
    zero, one = (float(value) for value in found.scale.modality(np.array([0, 1])))
    unit = str(dataset.get("RescaleType") or "")
    return replace(
        header, modality_slope=one - zero, modality_intercept=zero, modality_unit="" if unit == "US" else unit
    )
