"""What several tests share. Not a second implementation of anything."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared(part: str) -> Path:
    """A folder of the real test data that lie beside the project; the test is skipped where they are absent."""
    path = ROOT.parent / "shared" / part
    if not path.exists():
        pytest.skip(f"the real test data are not beside the project: shared/{part} is missing")
    return path
