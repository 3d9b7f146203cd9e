"""From the bytes of one frame to its samples, by the fastest library that gives the right ones.

| coding | library | why |
|---|---|---|
| uncompressed | numpy | a view |
| RLE | pylibjpeg-rle | 1.3 times as fast as pydicom's own |
| JPEG baseline and extended, 8 bits | Pillow | libjpeg-turbo |
| JPEG extended 12 bits, JPEG lossless, JPEG-LS | GDCM | the only one with a free licence that decodes all of them |
| JPEG 2000, HTJ2K | OpenJPEG | decodes both |

Each library is given the bare codestream and numbers that `structure.py` has checked, never the file's header; GDCM is
told the codestream's own precision, for with a smaller Bits Stored it cuts off bits that a lossy codec overshoots into.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullfield.dicom import damage
from fullfield.dicom.codestream import Codestream, Process
from fullfield.dicom.refusals import damaged
from fullfield.dicom.structure import Structure
from fullfield.dicom.syntaxes import Coding
from fullfield.errors import FullfieldError

Array = NDArray[Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Samples:
    """What the codec gave. `array`: integers, (rows, columns) or (rows, columns, 3) of components as they were coded.

    `precision`: how many bits of each sample the codec filled. `lossy`: some may lie outside the range of Bits Stored.
    """

    array: Array
    precision: int
    lossy: bool = False


def decode(structure: Structure) -> Samples:
    """Decode the one frame of a file. Raises InputUnreadable."""
    stream = structure.stream
    try:
        if structure.parsed.syntax.coding is Coding.NATIVE:
            array = _native(structure)
        elif stream is None:
            array = _rle(structure)
        else:
            array = _compressed(structure, stream)
    except (FullfieldError, MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # five libraries with exceptions of their own, and panics from Rust
        raise damaged("Its compressed image cannot be decoded.") from error
    wanted = (structure.rows, structure.columns) + ((3,) if structure.samples == 3 else ())
    if array.shape != wanted or array.dtype.kind not in "iu" or array.dtype.itemsize > 4:
        raise damaged("Its compressed image is not of the size that its header says.")
    lossy = stream is not None and structure.parsed.syntax.lossy
    precision = stream.precision if stream else structure.allocated
    return Samples(array=array, precision=precision, lossy=lossy)


def _native(structure: Structure) -> Array:
    order = "<" if structure.parsed.syntax.little else ">"
    if structure.allocated == 8 and order == ">" and structure.word:  # bytes lie in swapped pairs: PS3.5 A.3
        flat: Array = np.frombuffer(bytes(structure.frame) + b"\0" * (len(structure.frame) % 2), "<u2").byteswap()
        flat = flat.view(np.uint8)[: len(structure.frame)]
    else:
        flat = np.frombuffer(structure.frame, f"{order}u{structure.allocated // 8}")
    return _shaped(flat, structure, planar=structure.planar)


def _shaped(flat: Array, structure: Structure, *, planar: bool) -> Array:
    rows, columns = structure.rows, structure.columns
    if structure.samples == 1:
        return flat.reshape(rows, columns)
    return np.moveaxis(flat.reshape(3, rows, columns), 0, -1) if planar else flat.reshape(rows, columns, 3)


def _rle(structure: Structure) -> Array:
    from rle.utils import decode_pixel_data

    raw = decode_pixel_data(
        bytes(structure.frame),
        version=2,
        rows=structure.rows,
        columns=structure.columns,
        bits_allocated=structure.allocated,
    )
    flat = np.frombuffer(raw, f"<u{structure.allocated // 8}")
    return _shaped(flat, structure, planar=True)  # RLE lies by plane, whatever the file says: PS3.5 G.2


def _compressed(structure: Structure, stream: Codestream) -> Array:
    frame = bytes(structure.frame)
    if stream.process is Process.JPEG_2000:
        return _openjpeg(frame[stream.start :])
    if stream.process is Process.JPEG_DCT and stream.precision == 8:
        return _pillow(frame, structure)
    return _gdcm(frame, structure, stream)


def _openjpeg(frame: bytes) -> Array:
    import openjpeg

    array: Array = openjpeg.decode(frame)
    return array


def _pillow(frame: bytes, structure: Structure) -> Array:
    from PIL import Image

    with Image.open(io.BytesIO(frame), formats=("JPEG",)) as picture:
        if picture.size != (structure.columns, structure.rows):
            raise damaged("Its compressed image is not of the size that its header says.")
        if structure.samples == 3:
            picture.draft("YCbCr", None)  # no guess at the meaning of three components: headers often lie about it
        array = np.asarray(picture)
    structure.parsed.damaged |= damage.in_jpeg(frame)
    return array


def _gdcm(frame: bytes, structure: Structure, stream: Codestream) -> Array:
    import gdcm

    fragment = gdcm.Fragment()
    fragment.SetByteStringValue(frame)
    fragments = gdcm.SequenceOfFragments.New()
    fragments.AddFragment(fragment)
    element = gdcm.DataElement(gdcm.Tag(0x7FE0, 0x0010))
    element.SetValue(fragments.__ref__())
    image = gdcm.Image()
    image.SetNumberOfDimensions(2)
    image.SetDimensions((structure.columns, structure.rows, 1))
    image.SetDataElement(element)
    meaning = "MONOCHROME2" if structure.samples == 1 else structure.photometric
    image.SetPhotometricInterpretation(
        gdcm.PhotometricInterpretation(gdcm.PhotometricInterpretation.GetPIType(meaning))
    )
    syntax = structure.parsed.syntax.uid
    image.SetTransferSyntax(gdcm.TransferSyntax(gdcm.TransferSyntax.GetTSType(syntax)))
    allocated = 8 if stream.precision <= 8 else 16
    image.SetPixelFormat(gdcm.PixelFormat(structure.samples, allocated, stream.precision, stream.precision - 1, 0))
    with damage.overheard() as said:
        raw = image.GetBuffer().encode("utf-8", "surrogateescape")  # GDCM gives its bytes as text
    structure.parsed.damaged |= damage.reported(said, frame)
    flat = np.frombuffer(raw, f"<u{allocated // 8}")
    return _shaped(flat, structure, planar=False)
