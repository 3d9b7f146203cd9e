"""What a window's process loads, and how soon it is painted."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from PySide6.QtGui import QImage

from fullfield_app.gui import first_paint

HEAVY = ["torch", "pydicom", "SimpleITK", "gdcm", "cv2", "pyqtgraph", "segmentation_models_pytorch", "pynetdicom"]

SHOW = f"""
import json, sys
from fullfield_app.gui.application import build
application, window = build()
window.show()
application.processEvents()
print(json.dumps([name for name in {HEAVY} if name in sys.modules]))
sys.stdout.flush()
import os; os._exit(0)
"""


def test_that_showing_the_window_imports_neither_torch_nor_a_dicom_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_that_the_first_paint_of_a_fresh_process_can_be_measured() -> None:
    assert 0 < first_paint.measure() < 60


def test_that_qt_takes_no_reference_to_none_away() -> None:
    """PySide6 6.12.0 does at every void call, which ends a window on Python 3.11 after minutes (`none_dealloc`)."""
    image = QImage(4, 4, QImage.Format.Format_Grayscale8)
    before = sys.getrefcount(None)
    for _ in range(1000):
        image.fill(0)
    assert sys.getrefcount(None) > before - 500
