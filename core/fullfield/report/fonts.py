"""Which installed fonts have the characters that the usual one of a PDF lacks: Chinese, Japanese and Korean names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font


def others(text: str) -> tuple[tuple[str, ...], bool]:
    """The families of the installed fonts by which `text` can be written besides the usual font, the one with most of
    its characters first; and whether there are some that no font has."""
    usual = font_manager.findfont(font_manager.FontProperties())
    lacking = {ord(sign) for sign in text if sign.isprintable()} - _of(usual)
    found, installed = [], sorted(font_manager.findSystemFonts()) if lacking else []
    while installed and lacking:
        path = max(installed, key=lambda one: (len(lacking & _of(one)), "Regular" in Path(one).stem))
        if not lacking & _of(path):
            break
        lacking -= _of(path)
        font_manager.fontManager.addfont(path)  # it may have been installed since matplotlib has listed them
        found.append(font_manager.FontProperties(fname=path).get_name())
    return tuple(found), bool(lacking)


@cache
def _of(path: str) -> frozenset[int]:
    """The characters of a font; none where it cannot be read."""
    try:
        return frozenset(FT2Font(path).get_charmap())
    except (RuntimeError, OSError):
        return frozenset()
