"""Judges of what is written: dicom3tools, DCMTK and GDCM, where they are installed, and PS3.5 value by value."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import pytest

from fullfield.dicom import values

PACKAGE = {
    "dciodvfy": "dicom3tools",
    "dcmdump": "dcmtk",
    "dcm2pnm": "dcmtk",
    "gdcminfo": "libgdcm-tools",
    "gdcmconv": "libgdcm-tools",
}


def need(*tools: str) -> None:
    """Skip the test where a tool is missing, saying which and where it comes from."""
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed (Debian package {PACKAGE[tool]})")


def dciodvfy_errors(path: Path) -> set[str]:
    """The distinct errors that dciodvfy finds, with and without -new."""
    need("dciodvfy")
    found: set[str] = set()
    for options in ((), ("-new",)):
        reported = subprocess.run(["dciodvfy", *options, str(path)], capture_output=True, check=False)
        lines = (reported.stdout + reported.stderr).decode("utf-8", "replace").splitlines()
        found |= {re.sub(r"\s+", " ", line).strip() for line in lines if line.startswith("Error")}
    return found


def is_accepted(path: Path) -> bool:
    """dcmdump and gdcminfo read the file to its end, and dcm2pnm renders it without a word."""
    need("dcmdump", "gdcminfo", "dcm2pnm")
    dump = subprocess.run(["dcmdump", "-q", str(path)], capture_output=True, check=False)
    info = subprocess.run(["gdcminfo", str(path)], capture_output=True, check=False)
    show = subprocess.run(["dcm2pnm", "-q", "+Wm", "+op", str(path)], capture_output=True, check=False)
    return dump.returncode == info.returncode == show.returncode == 0 and not show.stderr


def rendered(path: Path, scratch: Path) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The picture that DCMTK shows of a file, with the file's own polarity; GDCM decompresses it into `scratch`."""
    need("dcm2pnm", "gdcmconv")
    plain = scratch / "uncompressed.dcm"
    subprocess.run(["gdcmconv", "--raw", str(path), str(plain)], capture_output=True, check=True)
    reported = subprocess.run(["dcm2pnm", "-q", "+Wm", "+op", str(plain)], capture_output=True, check=True).stdout
    plain.unlink()
    fields = re.match(rb"P5\s+(?:#[^\n]*\s+)*(\d+)\s+(\d+)\s+255\s", reported)
    assert fields is not None
    columns, rows = int(fields[1]), int(fields[2])
    return np.frombuffer(reported[-rows * columns :], np.uint8).astype(np.float64).reshape(rows, columns)


def assert_within_limits(path: Path) -> None:
    """Every text of the file is UTF-8 and as its VR wants it: cleaning it again changes nothing."""
    for element in pydicom.dcmread(path).iterall():
        if element.VR not in values.TEXT or element.tag in (0x00080005, 0x00080008):
            continue
        many = element.value if element.VM > 1 else [element.value]
        for value in many:
            number = getattr(value, "original_string", None)
            text = number if isinstance(number, str) else "" if value is None else str(value)
            assert values.clean(element.VR, text) == text, element.keyword
