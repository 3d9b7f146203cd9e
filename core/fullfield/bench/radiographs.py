"""Radiographs for benches of the window: phantoms as uncompressed DICOM files, each of a content of its own.

`python -m fullfield.bench.radiographs FOLDER COUNT LONGER BODIES` makes them in a process of its own: a window's may
not import a DICOM library. A phantom takes seconds, so each is made once; its copies differ in their Data Set Trailing
Padding.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from fullfield import system
from fullfield.image.phantom import PhantomKind

_KINDS = (PhantomKind.SKULL, PhantomKind.HAND, PhantomKind.LIMB)
_MODULE = "fullfield.bench.radiographs"
PADDING = 0xFFFC  # group and element of Data Set Trailing Padding


def make(folder: Path, count: int, *, longer: int, bodies: int = len(_KINDS)) -> list[Path]:
    """`count` files whose longer side has `longer` pixels, in `folder`, in turns of so many bodies: the first is the
    widest. Made by another process.
    """
    numbers = map(str, (count, longer, bodies))
    subprocess.run([*system.python_command(_MODULE), str(folder), *numbers], check=True)
    return sorted(folder.glob("*.dcm"))


def write(folder: Path, count: int, longer: int, bodies: int) -> None:
    """The same, in this process."""
    from fullfield.dicom import phantom_files

    folder.mkdir(parents=True, exist_ok=True)
    plain = phantom_files.plain_chest(longer)
    originals = []
    for kind in _KINDS[:bodies]:
        path = phantom_files.write(replace(plain, name=kind.value, kind=kind, body_part=""), folder / f".{kind}")
        originals.append(path.read_bytes())
        path.unlink()
    for number in range(count):
        mark = f"{number:08d}".encode()
        padding = struct.pack("<HH2sHI", PADDING, PADDING, b"OB", 0, len(mark)) + mark
        (folder / f"{number:04d}.dcm").write_bytes(originals[number % len(originals)] + padding)


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(int, sys.argv[2:]))
