"""The process that decodes untrusted bytes: `python -m fullfield.dicom.child MEMORY SECONDS [FOLDER]`.

See `fullfield.serving`. It leaves a decoded file in a temporary folder and renames that, so no half of one is ever
seen.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fullfield import serving, system
from fullfield.checked import Fields
from fullfield.dicom import dicomdir, radiograph
from fullfield.dicom.parse import Bytes
from fullfield.dicom.refusals import changed, damaged

PART = "part"


def work(request: Fields) -> Fields:
    """Decode one file, or list what a DICOMDIR lists, where the request has no folder for pixels."""
    if "folder" not in request:
        return {"files": dicomdir.listed(_content(request))}
    _decode(request)
    return {}


def _decode(request: Fields) -> None:
    target = Path(request["folder"])
    data = _content(request)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}-", suffix=f".{PART}", dir=target.parent))
    try:
        radiograph.leave(data, name=request["name"], sha256=request["sha256"], folder=part)
        with _readable():
            _check(Path(request["source"]).stat(), request)
        try:
            system.rename(part, target)
        except OSError:
            if not target.is_dir():  # else another decoder was faster with the same content
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _content(request: Fields) -> Bytes:
    """The file's bytes, if they are still those that the parent hashed. They are mapped, for a copy of a radiograph
    takes as long as all that is looked for in it, and what is written to the map changes no file; where the file is cut
    meanwhile, that ends this process."""
    with _readable(), Path(request["source"]).open("rb") as stream:
        status = os.fstat(stream.fileno())
        _check(status, request)
        try:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
        except (OSError, ValueError):  # a file system that maps nothing, an empty file, or it was cut since
            return stream.read(status.st_size)


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """What the system says of the source is the source's fault, not our disk's."""
    try:
        yield
    except OSError as error:
        raise damaged("It cannot be opened any more.", hint="Check that it is still there.") from error


def _check(status: os.stat_result, request: Fields) -> None:
    if not stat.S_ISREG(status.st_mode) or [status.st_size, status.st_mtime_ns] != request["stamp"]:
        raise changed()


if __name__ == "__main__":
    serving.serve(sys.argv[1:], work)
