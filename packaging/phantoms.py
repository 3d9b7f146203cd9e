"""The sample radiographs of `resources/phantoms`, made anew: `python packaging/phantoms.py FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

import pydicom  # noqa: F401 - whole, with its encoders: fullfield.dicom loads it without

from fullfield.dicom import phantom_files

if __name__ == "__main__":
    phantom_files.write_all(Path(sys.argv[1]))
