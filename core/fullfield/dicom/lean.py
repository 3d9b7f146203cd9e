"""pydicom without the libraries that it loads for decoders of its own.

Importing pydicom imports GDCM, Pillow, pylibjpeg and tqdm wherever they are installed, for pixels that we never ask it
for (`codecs.py` decodes): a quarter of the processor's time of the import, in every process that reads an attribute,
and codecs of foreign bytes in the process that holds the window. pydicom is made to go without each (decision 049).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType, ModuleType

OPTIONAL = frozenset({"PIL", "gdcm", "libjpeg", "openjpeg", "pylibjpeg", "requests", "rle", "tqdm"})
"""What pydicom does without, and we import ourselves where we need it."""


class _Finder:
    """A finder of modules (importlib.abc.MetaPathFinder) that says to pydicom alone that these are not installed."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /) -> None:
        if fullname in OPTIONAL and _importer(sys._getframe(1)).startswith("pydicom."):
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def _importer(frame: FrameType | None) -> str:
    """The module whose code imports: the first on the stack that is not of Python's own import system."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.partition(".")[0] != "importlib":
            return name
        frame = frame.f_back
    return ""


def install() -> None:
    """From now on. Does nothing to a pydicom that was imported before."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
