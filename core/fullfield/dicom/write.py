"""Writing an enhanced image: as DICOM beside its untouched original, or as PNG or TIFF.

A file is there whole or not at all, and its name is the caller's: no value of a data set ever names a file.
"""

from __future__ import annotations

import hashlib
import io
from datetime import datetime
from pathlib import Path

import numpy as np
import pydicom
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.errors import InvalidDicomError
from pydicom.uid import UID, ExplicitVRLittleEndian

from fullfield import files
from fullfield.dicom import classes, identity, provenance, repair
from fullfield.dicom.derive import derive
from fullfield.dicom.remarks import NO_INSTANCE
from fullfield.errors import CannotWrite, FullfieldError
from fullfield.image import export
from fullfield.image.cache import Decoded
from fullfield.image.delivery import FULL, Delivery
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced
from fullfield.image.values import Window

_UNREADABLE = (OSError, InvalidDicomError)
_PIXEL_DATA = b"\xe0\x7f\x10\x00"


def write(
    decoded: Decoded,
    enhanced: Enhanced,
    target: Path,
    *,
    format: OutputFormat,
    delivery: Delivery = FULL,
    parts: Path | None = None,
) -> str:
    """Write `enhanced`, made from `decoded`, to `target`; an existing file is replaced at the last moment. Returns the
    file's SHA-256.

    DICOM is always all of the data. `parts`: a folder on the same file system for the temporary file. Raises
    CannotWrite where the file system refuses, FullfieldError where the result is not of the source's matrix or leaves
    its own bits.
    """
    span = _span(decoded, enhanced)
    if format is OutputFormat.DICOM:
        return _write_dicom(decoded, enhanced, target, span=span, window=delivery.shown_window, parts=parts)
    export.write(decoded.image, enhanced, target, format=format, delivery=delivery, parts=parts)
    try:
        return files.sha256(target)
    except OSError as error:
        raise files.cannot_write(error) from error


def remarks(decoded: Decoded) -> tuple[str, ...]:
    """Sentences that the user should read about how this image will be written as DICOM; usually none.

    Raises CannotWrite where the attributes of the original are gone from the cache.
    """
    try:
        source = repair.source_attributes(decoded)
    except _UNREADABLE as error:
        raise _unreadable_cache(error) from error
    nameless = decoded.header.source_format == "dicom" and not provenance.can_be_named(source)
    found = (NO_INSTANCE if nameless else "", classes.choose(source).remark)
    return tuple(remark for remark in found if remark)


def _span(decoded: Decoded, enhanced: Enhanced) -> tuple[int, int]:
    """The smallest and the largest value of the result, which must be of the source's matrix and within its bits."""
    low, high = int(enhanced.pixels.min()), int(enhanced.pixels.max())
    if enhanced.pixels.shape != decoded.image.pixels.shape or high >= 1 << enhanced.bits:
        raise FullfieldError(
            "Cannot write an enhanced image.",
            detail=f"Its matrix is {enhanced.pixels.shape} and its largest value {high} in {enhanced.bits} bits; "
            f"the original's matrix is {decoded.image.pixels.shape}.",
            hint="This is a fault of the program or of the model, not of the image: please report it.",
        )
    return low, high


def _write_dicom(
    decoded: Decoded,
    enhanced: Enhanced,
    target: Path,
    *,
    span: tuple[int, int],
    window: Window | None,
    parts: Path | None,
) -> str:
    pixels = np.ascontiguousarray(enhanced.pixels, dtype="u1" if enhanced.bits == 8 else "<u2")
    digest = hashlib.sha256(pixels.data).hexdigest()
    now = datetime.now().astimezone()
    try:
        derived = derive(decoded, enhanced, span=span, window=window, pixels_sha256=digest, now=now)
    except _UNREADABLE as error:
        raise _unreadable_cache(error) from error
    # Made before the file is opened: pydicom rewrites the errors of a full disk beyond recognition.
    attributes, padding = _encoded(derived), pixels.nbytes % 2
    vr = b"OB" if enhanced.bits == 8 else b"OW"
    with files.atomic_write(target, parts=parts) as stream:
        written = files.Digest(stream)
        written.write(attributes)
        written.write(_PIXEL_DATA + vr + b"\0\0" + (pixels.nbytes + padding).to_bytes(4, "little"))
        written.write(pixels.data)
        written.write(bytes(padding))
    return written.hexdigest()


def _encoded(derived: Dataset) -> bytes:
    """Preamble of zeros, file meta information (PS3.10) and the attributes, explicit VR little endian."""
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = derived.SOPClassUID
    meta.MediaStorageSOPInstanceUID = derived.SOPInstanceUID
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    meta.ImplementationClassUID = UID(identity.IMPLEMENTATION_CLASS_UID)
    meta.ImplementationVersionName = identity.IMPLEMENTATION_VERSION_NAME
    derived.file_meta = meta
    derived.preamble = bytes(128)
    buffer = io.BytesIO()
    pydicom.dcmwrite(buffer, derived, enforce_file_format=True)
    return buffer.getvalue()


def _unreadable_cache(error: Exception) -> CannotWrite:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "they are damaged"
    return CannotWrite(
        "Cannot write an enhanced image.",
        detail=f"The attributes of its original can no longer be read from the cache: {reason}.",
        hint="Run again: the original is then read anew.",
    )
