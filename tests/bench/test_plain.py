from __future__ import annotations

from pathlib import Path

import numpy as np
import pydicom

from fullfield.bench import plain
from fullfield.dicom import phantom_files


def test_that_a_file_is_rewritten_with_other_pixels_as_another_instance(tmp_path: Path) -> None:
    source = phantom_files.write(phantom_files.plain_chest(64), tmp_path / "source.dcm")

    plain.rewrite(source, tmp_path / "target.dcm", lambda pixels: pixels // 2)

    before, after = pydicom.dcmread(source), pydicom.dcmread(tmp_path / "target.dcm")
    assert np.array_equal(after.pixel_array, before.pixel_array // 2)
    assert after.SOPInstanceUID != before.SOPInstanceUID
    assert after.StudyInstanceUID == before.StudyInstanceUID
