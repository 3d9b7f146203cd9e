"""PNG, TIFF, JPEG and WebP pictures as radiographs: grey, 8 to 16 bits, one picture per file.

Nothing but the pixels is taken: no colour profile, no resolution (which describes paper, not patients). They are turned
as the picture's orientation (Exif, TIFF) says, for every viewer shows them so, and that is told.
Pillow decodes; pictures of three or four 16-bit components, which it would cut down to 8 bits, are OpenCV's.
A lossy compression leaves faint colour in a grey picture: there its brightness (luma) is the picture.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, TiffImagePlugin, UnidentifiedImageError
from PIL import Image as Pillow

from fullfield.dicom import codestream, damage, webp
from fullfield.dicom.formats import Format
from fullfield.dicom.pixels import BLOCK_ROWS, GREY_COUNTS, alike
from fullfield.dicom.refusals import damaged, refused
from fullfield.dicom.remarks import ENHANCED_BEFORE, FAINT_COLOUR, TURNED
from fullfield.dicom.structure import MAX_PIXELS, MIN_SIDE
from fullfield.errors import FullfieldError
from fullfield.image.export import MADE_BY
from fullfield.image.header import Header
from fullfield.image.image import HighValues, Image, InputKind

Pillow.MAX_IMAGE_PIXELS = MAX_PIXELS
_PHOTOMETRIC, _BITS_PER_SAMPLE, _ORIENTATION = 262, 258, 274
_WHITE_IS_ZERO, _BLACK_IS_ZERO = 0, 1  # of the photometric interpretation
_RGB, _PLANAR, _SEPARATE = 2, 284, 2  # a photometric interpretation, and how its components lie in the file
_SAMPLE_FORMAT, _SIGNED = 339, 2
_COMPRESSION, _JPEG_IN_TIFF, _JPEG_TABLES = 259, 7, 347
_STRIPS, _TILES = (273, 279), (324, 325)  # offsets and byte counts
_PNG_DEPTH, _PNG_COLOUR = 24, 25  # offsets in the file: the IHDR chunk comes first
_PNG_GREY_ALPHA = 4  # Pillow cuts it to 8 bits, and OpenCV loses its alpha
_FAINT_COUNTS, _FAINT_SHARE = 8, 0.999  # so many of 255 between the components, in so many of the pixels
_UPRIGHT = 1
_SOFTWARE = 305  # TIFF's tag of what PNG calls by its name
_REASON = "An imported picture is processed for display already."


def read(data: bytes, form: Format, *, sha256: str) -> tuple[Image, Header]:
    """The picture of a file's bytes. Raises InputUnreadable, InputRefused."""
    try:
        data = _rewritten(data) if form is Format.TIFF else data
        of_webp = webp.examine(data) if form is Format.WEBP else None
        components, white_is_zero, orientation = _components(data, form, of_webp)
        pixels, warnings = _grey(components, faint=form in (Format.JPEG, Format.WEBP))
        if orientation != _UPRIGHT:
            pixels = pixels if form is Format.TIFF else _upright(pixels, orientation)  # of a TIFF its decoders did it
            warnings = (*warnings, TURNED)
        damaged_parts = any(map(damage.in_jpeg, _jpegs(data, form))) or (of_webp is not None and of_webp.blank_tail)
    except (FullfieldError, MemoryError):
        raise
    except Exception as error:  # Pillow's plug-ins raise what they like
        raise damaged(f"Its {form.spoken} cannot be decoded.") from error
    enhanced = _is_own(data, form)
    wide = pixels.dtype.itemsize > 1
    bits = max(8, int(pixels.max()).bit_length()) if wide else 8
    pixels = pixels.astype(np.uint16, copy=False)
    if white_is_zero:
        pixels = np.uint16((1 << bits) - 1) - pixels
    image = Image(
        pixels=np.ascontiguousarray(pixels),
        bits=bits,
        high=HighValues.DARK if white_is_zero else HighValues.BRIGHT,
        kind=InputKind.PROCESSED,
        kind_reason=_REASON,
        enhanced=enhanced,
        damage=damage.FOUND if damaged_parts else "",
    )
    header = Header(
        source_format=form.value,
        sha256=sha256,
        rows=pixels.shape[0],
        columns=pixels.shape[1],
        bits_stored=bits,
        photometric="MONOCHROME1" if white_is_zero else "MONOCHROME2",
        lossy=form is Format.JPEG or (of_webp is not None and of_webp.lossy),
        warnings=(*warnings, ENHANCED_BEFORE) if enhanced else warnings,
    )
    return image, header


def _components(data: bytes, form: Format, of_webp: webp.WebP | None) -> tuple[NDArray[Any], bool, int]:
    """The picture as it was coded, (rows, columns) or (rows, columns, n); whether 0 is white in it; its orientation."""
    if of_webp is not None:
        _check_matrix(of_webp.rows, of_webp.columns)
    if form is Format.JPEG:
        stream = codestream.jpeg(data, progressive=True)
        _check_matrix(stream.rows, stream.columns)
    with Pillow.open(io.BytesIO(data), formats=(form.name,)) as picture:
        _check_matrix(picture.height, picture.width)
        if getattr(picture, "n_frames", 1) > 1:
            raise refused("a file of several pictures")
        orientation = _orientation(picture)
        if _is_deep_colour(picture, data, form):
            return _deep(data, form, expected=(picture.height, picture.width)), False, orientation
        white_is_zero = _white_is_zero(picture)
        return _array(picture), white_is_zero and picture.mode.startswith("I;16"), orientation


def _rewritten(data: bytes) -> bytes:
    """A TIFF of grey whose order of bytes, sign, photometric or planes Pillow or OpenCV misreads, as they know it."""
    try:
        with Pillow.open(io.BytesIO(data), formats=("TIFF",)) as picture:
            if not _is_misread(picture, data):
                return data
    except UnidentifiedImageError:
        pass
    import tifffile  # a tenth of a second that only these pictures pay

    with tifffile.TiffFile(io.BytesIO(data)) as opened:
        if len(opened.pages) > 1:
            raise refused("a file of several pictures")
        page = opened.pages[0]
        planes = page.photometric == _RGB and page.planarconfig == _SEPARATE and len(page.shape) == 3
        _check_readable(page, planes=planes)
        _check_matrix(*page.shape[-2:])
        if page.compression not in tifffile.TIFF.DECOMPRESSORS:
            raise refused("a TIFF that is compressed in a way that is not read", hint="Save it uncompressed.")
        turned = [(_ORIENTATION, "H", 1, page.tags.valueof(_ORIENTATION, _UPRIGHT), True)]
        array = _sixteen_bits(page.asarray())
        array = np.ascontiguousarray(np.moveaxis(array, 0, -1)) if planes else array
        made = io.BytesIO()
        tifffile.imwrite(made, array, byteorder="<", photometric=page.photometric, extratags=turned)
    return made.getvalue()


def _is_misread(picture: Pillow.Image, data: bytes) -> bool:
    """Whether a TIFF that Pillow opens would come out wrong, from it or from OpenCV, without a word."""
    if picture.mode == "I" and data[:2] == b"MM":
        return True  # of these it exchanges the bytes, where they are compressed
    assert isinstance(picture, TiffImagePlugin.TiffImageFile)
    tags = picture.tag_v2
    if picture.mode == "L" and tags.get(_SAMPLE_FORMAT, (1,))[0] == _SIGNED:
        return True  # it takes them for unsigned
    return tags.get(_PLANAR) == _SEPARATE and _is_deep_colour(picture, data, Format.TIFF)  # OpenCV: as if interleaved


def _check_readable(page: Any, *, planes: bool) -> None:
    """Raises InputRefused where a page of tifffile's is no picture of whole bytes in grey, by what it is."""
    grey = page.photometric in (_WHITE_IS_ZERO, _BLACK_IS_ZERO)
    if grey and len(page.shape) == 3 and page.shape[-1] == 2:
        raise refused("a 16-bit picture with transparency", hint="Save it as grey without transparency.")
    if page.bitspersample % 8:
        raise refused(f"a TIFF of {page.bitspersample} bits a pixel", hint="Save it with 8 or 16 bits.")
    if page.dtype is None or page.dtype.kind not in "iu" or not (planes or (grey and len(page.shape) == 2)):
        raise damaged(f"Its {Format.TIFF.spoken} cannot be decoded.")


def _sixteen_bits(array: NDArray[Any]) -> NDArray[Any]:
    if int(array.min()) < 0 or int(array.max()) > 0xFFFF:
        raise refused("a picture of numbers that are no grey values of 16 bits")
    return array.astype(np.uint16)


def _orientation(picture: Pillow.Image) -> int:
    """1 to 8 as Exif and TIFF number them; what cannot be read says nothing."""
    try:
        found = picture.getexif().get(ExifTags.Base.Orientation, _UPRIGHT)
    except Exception:  # noqa: BLE001 - of a damaged Exif, which costs no picture
        return _UPRIGHT
    return found if found in range(1, 9) else _UPRIGHT


def _upright(pixels: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Rows and columns exchanged first, then sides and ends."""
    pixels = pixels.T if orientation >= 5 else pixels
    pixels = pixels[:, ::-1] if orientation in (2, 3, 6, 7) else pixels
    return pixels[::-1] if orientation in (3, 4, 7, 8) else pixels


def _jpegs(data: bytes, form: Format) -> Iterator[bytes]:
    """The JPEG streams in a picture that was decoded: of a TIFF its strips or tiles, each with its tables."""
    if form is Format.JPEG:
        yield data
    if form is not Format.TIFF:
        return
    with Pillow.open(io.BytesIO(data), formats=(form.name,)) as picture:
        assert isinstance(picture, TiffImagePlugin.TiffImageFile)
        tags = picture.tag_v2
        if tags.get(_COMPRESSION) != _JPEG_IN_TIFF:
            return
        tables = bytes(tags.get(_JPEG_TABLES, b""))[:-2]  # without its end mark
        for places, lengths in (_STRIPS, _TILES):
            for place, length in zip(tags.get(places, ()), tags.get(lengths, ())):
                part = data[place : place + length]
                yield tables + part[2:] if tables else part


def _is_own(data: bytes, form: Format) -> bool:
    """Whether a picture names this program as the software that made it."""
    if form not in (Format.PNG, Format.TIFF):
        return False
    with Pillow.open(io.BytesIO(data), formats=(form.name,)) as picture:
        tags = picture.tag_v2 if isinstance(picture, TiffImagePlugin.TiffImageFile) else {}
        return str(picture.info.get("Software") or tags.get(_SOFTWARE)).startswith(MADE_BY)


def _check_matrix(rows: int, columns: int) -> None:
    if rows * columns > MAX_PIXELS:
        raise damaged(f"Its matrix of {rows} rows and {columns} columns is no radiograph's.")
    if min(rows, columns) < MIN_SIDE:
        raise refused(f"too small, {rows} by {columns} pixels", detail=f"The shorter side must have {MIN_SIDE}.")


def _is_deep_colour(picture: Pillow.Image, data: bytes, form: Format) -> bool:
    """More than one component of more than 8 bits, which Pillow would silently cut."""
    if form is Format.PNG:
        if data[_PNG_DEPTH] == 16 and data[_PNG_COLOUR] == _PNG_GREY_ALPHA:
            raise refused("a 16-bit picture with transparency", hint="Save it as grey without transparency.")
        return data[_PNG_DEPTH] == 16 and data[_PNG_COLOUR] != 0
    if isinstance(picture, TiffImagePlugin.TiffImageFile):
        depths = picture.tag_v2.get(_BITS_PER_SAMPLE, (1,))
        return len(depths) > 1 and max(depths) > 8
    return False


def _white_is_zero(picture: Pillow.Image) -> bool:
    """TIFF's own MONOCHROME1, which Pillow turns at 8 bits and leaves at 16."""
    return isinstance(picture, TiffImagePlugin.TiffImageFile) and picture.tag_v2.get(_PHOTOMETRIC) == _WHITE_IS_ZERO


def _array(picture: Pillow.Image) -> NDArray[Any]:
    """Its components: (rows, columns) or (rows, columns, n)."""
    if picture.mode in ("1", "CMYK", "LAB", "HSV", "F"):
        raise refused("a picture without grey values", detail=f"Its mode is {picture.mode}.")
    if picture.mode == "P":
        picture = picture.convert("RGBA" if "transparency" in picture.info else "RGB")
    array = np.asarray(picture)
    return _sixteen_bits(array) if array.dtype.itemsize > 2 else array  # Pillow's mode I: signed or 32-bit samples


def _deep(data: bytes, form: Format, *, expected: tuple[int, int]) -> NDArray[Any]:
    """Its components, blue first: only whether they are alike matters, and what is transparent lies last."""
    import cv2  # a tenth of a second that only these pictures pay

    array: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if array is None or array.shape[:2] != expected or array.dtype != np.uint16:
        raise damaged(f"Its {form.spoken} cannot be decoded.")
    return array


def _grey(array: NDArray[Any], *, faint: bool) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The grey values of an opaque grey picture, and what is to be told of it. `faint`: it may hold faint colour."""
    if array.ndim == 2:
        return array, ()
    if array.shape[2] in (2, 4):
        if int(array[..., -1].min()) < np.iinfo(array.dtype).max:
            raise refused("a picture that is partly transparent")
        array = array[..., :-1]
    if array.shape[2] != 3 or alike(array, None, GREY_COUNTS):
        return array[..., 0], ()
    if not faint or not _is_faint(array):
        raise refused("a colour picture", detail="It shows colours, and not only shades of grey.")
    return np.asarray(Pillow.fromarray(array).convert("L")), (FAINT_COLOUR,)


def _is_faint(array: NDArray[Any]) -> bool:
    """True where hardly any pixel has more colour than a lossy compression leaves in a grey picture."""
    coloured = 0
    for start in range(0, array.shape[0], BLOCK_ROWS):
        block = array[start : start + BLOCK_ROWS]
        coloured += int(np.count_nonzero(block.max(axis=-1) - block.min(axis=-1) > _FAINT_COUNTS))
    return bool(coloured <= (1 - _FAINT_SHARE) * array.shape[0] * array.shape[1])
