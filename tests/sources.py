"""DICOM files for the reading tests, made by themselves: a picture of a bone, encoded in every way."""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
from numpy.typing import NDArray
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate, generate_frames

from fullfield.dicom import radiograph
from fullfield.image import cache
from fullfield.image.cache import Decoded
from originals import attributes, bone

NATIVE = {
    "implicit little": "1.2.840.10008.1.2",
    "explicit little": "1.2.840.10008.1.2.1",
    "explicit big": "1.2.840.10008.1.2.2",
    "deflated": "1.2.840.10008.1.2.1.99",
}
LOSSLESS = {
    "RLE": "1.2.840.10008.1.2.5",
    "JPEG lossless": "1.2.840.10008.1.2.4.57",
    "JPEG lossless SV1": "1.2.840.10008.1.2.4.70",
    "JPEG-LS": "1.2.840.10008.1.2.4.80",
    "JPEG 2000": "1.2.840.10008.1.2.4.90",
}
LOSSY = {
    "JPEG baseline": "1.2.840.10008.1.2.4.50",
    "JPEG extended": "1.2.840.10008.1.2.4.51",
    "JPEG-LS near-lossless": "1.2.840.10008.1.2.4.81",
    "JPEG 2000 lossy": "1.2.840.10008.1.2.4.91",
}
HTJ2K_LOSSLESS = "1.2.840.10008.1.2.4.201"


def dataset(
    pixels: NDArray[Any] | None = None,
    *,
    kind: str = "CR",
    bits: int = 12,
    photometric: str = "MONOCHROME2",
    signed: bool = False,
    **changes: Any,
) -> Dataset:
    """A sound radiograph with native pixels; a change to None takes an attribute away."""
    given = bone(bits=bits) if pixels is None else pixels
    made = attributes(kind)
    made.Rows, made.Columns = given.shape[:2]
    made.SamplesPerPixel = 3 if given.ndim == 3 else 1
    if given.ndim == 3:
        made.PlanarConfiguration = 0
    made.PhotometricInterpretation = photometric
    made.BitsAllocated = given.dtype.itemsize * 8
    made.BitsStored, made.HighBit = bits, bits - 1
    made.PixelRepresentation = int(signed)
    made.PixelData = given.astype(given.dtype.newbyteorder("<")).tobytes()
    made["PixelData"].VR = "OW"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is wrong in it is wrong on purpose
        for keyword, value in changes.items():
            if value is None:
                made.pop(keyword, None)
            else:
                setattr(made, keyword, value)
    return made


def encoded(made: Dataset, syntax: str = NATIVE["explicit little"]) -> bytes:
    """The bytes of a file in an uncompressed transfer syntax; in others PixelData must be encapsulated already."""
    made.file_meta = FileMetaDataset()
    made.file_meta.TransferSyntaxUID = syntax
    made.file_meta.MediaStorageSOPClassUID = made.get("SOPClassUID", "1.2")
    made.file_meta.MediaStorageSOPInstanceUID = made.get("SOPInstanceUID", "1.2") or "1.2"
    made.preamble = bytes(128)
    if syntax == NATIVE["explicit big"]:
        swap_pixels(made)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is wrong in it is wrong on purpose
        pydicom.dcmwrite(buffer, made, enforce_file_format=False)
    return buffer.getvalue()


def dicomdir(*names: str) -> bytes:
    """An index of a medium: a patient, and an image of each name ("DICOM\\IM000001")."""
    records = []
    for name in ("", *names):
        record = Dataset()
        record.DirectoryRecordType = "IMAGE" if name else "PATIENT"
        if name:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what is wrong in it is wrong on purpose
                record.add_new(0x00041500, "CS", name)
        records.append(record)
    made = Dataset()
    made.SOPClassUID = "1.2.840.10008.1.3.10"
    made.DirectoryRecordSequence = records
    return encoded(made)


def swap_pixels(made: Dataset) -> None:
    """Words of Pixel Data in big-endian order, as pydicom leaves to its caller."""
    if "PixelData" in made and len(made.PixelData) % 2 == 0:
        made.PixelData = np.frombuffer(made.PixelData, "<u2").byteswap().tobytes()
        made["PixelData"].VR = "OW"


def compressed(made: Dataset, frame: bytes, syntax: str, **changes: Any) -> bytes:
    """The file of `made` with `frame`, a compressed picture, in place of its pixels."""
    made.PixelData = encapsulate([frame])
    made["PixelData"].VR = "OB"
    made["PixelData"].is_undefined_length = True
    for keyword, value in changes.items():
        setattr(made, keyword, value)
    return encoded(made, syntax)


def frame(made: Dataset, syntax: str, folder: Path) -> bytes:
    """The picture of `made`, compressed by GDCM."""
    import gdcm

    native, packed = str(folder / "native.dcm"), str(folder / "packed.dcm")
    Path(native).write_bytes(encoded(made))
    reader, change, writer = gdcm.ImageReader(), gdcm.ImageChangeTransferSyntax(), gdcm.ImageWriter()
    reader.SetFileName(native)
    assert reader.Read()
    change.SetTransferSyntax(gdcm.TransferSyntax(gdcm.TransferSyntax.GetTSType(syntax)))
    change.SetInput(reader.GetImage())
    assert change.Change(), f"GDCM cannot encode {syntax}"
    writer.SetFile(reader.GetFile())
    writer.SetImage(change.GetOutput())
    writer.SetFileName(packed)
    assert writer.Write()
    return next(generate_frames(pydicom.dcmread(packed).PixelData, number_of_frames=1))


def read(content: bytes, folder: Path, name: str = "IM0001") -> Decoded:
    """The radiograph in `content`, read in this very process; the child does the same."""
    made = folder / "decoded"
    made.mkdir(parents=True, exist_ok=True)
    radiograph.leave(content, name=name, sha256="0" * 64, folder=made)
    return cache.load(made)


def half_a_jpeg() -> bytes:
    """A JPEG of a bone of which half is missing, with an end mark."""
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(bone(rows=240, columns=200, bits=8).astype(np.uint8)).save(stream, "JPEG", quality=95)
    whole = stream.getvalue()
    return whole[: (whole.index(b"\xff\xda") + len(whole)) // 2].rstrip(b"\xff") + b"\xff\xd9"


def element(tag: int, vr: str, value: bytes, *, length: int | None = None, order: str = "<") -> bytes:
    """One explicit element, as raw bytes; `length`: what it claims."""
    value += b"\0" * (len(value) % 2)
    size = len(value) if length is None else length
    head = struct.pack(order + "HH", tag >> 16, tag & 0xFFFF) + vr.encode()
    if vr in ("OB", "OW", "OF", "SQ", "UC", "UN", "UR", "UT"):
        return head + b"\0\0" + struct.pack(order + "I", size) + value
    return head + struct.pack(order + "H", size) + value


def lut(first: int, entries: NDArray[Any], bits: int = 16) -> Dataset:
    """An item of a Modality or VOI LUT Sequence."""
    item = Dataset()
    item.add_new(0x00283002, "US", [len(entries) % 65536, first, bits])
    item.add_new(0x00283006, "OW", entries.astype("<u2").tobytes())
    return item
