"""Whether the window can open here: a screen, Qt, and the system libraries that Qt loads (on Linux)."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Iterator

from fullfield import parts, system
from fullfield.diagnosis.check import bad, good, install_line, warn
from fullfield.errors import UsageError
from fullfield.protocol.checks import CheckMade

BROKEN_QT = ("6.11.0", "6.11.1")  # docks
# Library, package for apt, package for dnf; those of Qt 6's xcb plugin and of what every Qt window loads.
LIBRARIES = (
    ("libEGL.so.1", "libegl1", "libglvnd-egl"),
    ("libGL.so.1", "libgl1", "libglvnd-glx"),
    ("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    ("libfreetype.so.6", "libfreetype6", "freetype"),
    ("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    ("libdbus-1.so.3", "libdbus-1-3", "dbus-libs"),
    ("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
)
X11_LIBRARIES = (
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
    ("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb"),
    ("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
    ("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
    ("libxcb-image.so.0", "libxcb-image0", "xcb-util-image"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
    ("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
    ("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
    ("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
    ("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb"),
)


def checks(window: str) -> Iterator[CheckMade]:
    """`window`: how the window that asks is shown, in words; empty where none does."""
    if not parts.has_window():
        yield good("screen", "Window", "None: this is the engine for servers, which enhances by fullfield --batch.")
        return
    yield _screen(window)
    yield _qt()
    yield _libraries()


def _screen(window: str) -> CheckMade:
    if window:
        return good("screen", "Screen", window)
    try:
        system.require_screen()
    except UsageError as error:
        return warn("screen", "Screen", error.detail, "Without a screen, fullfield --batch enhances without a window.")
    names = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    used = next((name for name in names if os.environ.get(name)), "")
    return good("screen", "Screen", f"There is one{f' ({used} is set)' if used else ''}.")


def _qt() -> CheckMade:
    try:
        version = importlib.metadata.version("PySide6-Essentials")
    except importlib.metadata.PackageNotFoundError:
        if system.FROZEN:
            return good("qt", "Qt", "It is part of this program.")
        return bad("qt", "Qt", "PySide6 is not installed: no window can open.", "Install Fullfield anew.")
    if version in BROKEN_QT:
        text = f"PySide6 {version} is known to be broken."
        return bad("qt", "Qt", text, "Install Fullfield anew, with the versions it asks for.")
    return good("qt", "Qt", f"PySide6 {version}.")


def _libraries() -> CheckMade:
    title = "System libraries of the window"
    missing = [entry for entry in LIBRARIES if system.lacks_library(entry[0])]
    for_x11 = [entry for entry in X11_LIBRARIES if system.lacks_library(entry[0])]
    if not missing and not for_x11:
        return good("libraries", title, "All are there.")
    entries = missing + for_x11
    names = ", ".join(name for name, _, _ in entries)
    hint = install_line(apt=[apt for _, apt, _ in entries], dnf=[dnf for _, _, dnf in entries])
    if missing or not os.environ.get("WAYLAND_DISPLAY"):
        return bad("libraries", title, f"Missing, so that the window may not open: {names}.", hint)
    return warn("libraries", title, f"Missing, needed where Wayland is not used: {names}.", hint)
