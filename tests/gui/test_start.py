"""What a window's process loads, and what it looks like."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QColor, QImage, QPalette

from fullfield import files
from fullfield_app.gui import first_paint
from fullfield_app.gui.theme import palette

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


def contrast(one: QColor, other: QColor) -> float:
    """WCAG 2.1, relative luminance."""

    def luminance(colour: QColor) -> float:
        parts = [colour.redF(), colour.greenF(), colour.blueF()]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        (QPalette.ColorRole.WindowText, QPalette.ColorRole.Window),
        (QPalette.ColorRole.Text, QPalette.ColorRole.Base),
        (QPalette.ColorRole.ButtonText, QPalette.ColorRole.Button),
        (QPalette.ColorRole.HighlightedText, QPalette.ColorRole.Highlight),
        (QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.Window),
        (QPalette.ColorRole.BrightText, QPalette.ColorRole.Base),
    ],
)
def test_that_every_text_can_be_read_on_its_ground(ink: QPalette.ColorRole, ground: QPalette.ColorRole) -> None:
    import tomllib

    colours = tomllib.loads(files.resource("themes/reading-room.toml").read_text(encoding="utf-8"))["colours"]
    dress = palette(colours)
    assert contrast(dress.color(ink), dress.color(ground)) >= 4.5


def test_that_qt_takes_no_reference_to_none_away() -> None:
    """PySide6 6.12.0 does at every void call, which ends a window on Python 3.11 after minutes (`none_dealloc`)."""
    image = QImage(4, 4, QImage.Format.Format_Grayscale8)
    before = sys.getrefcount(None)
    for _ in range(1000):
        image.fill(0)
    assert sys.getrefcount(None) > before - 500
