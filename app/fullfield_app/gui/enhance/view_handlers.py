"""What the actions on the shown images do."""

from __future__ import annotations

from collections.abc import Callable

from fullfield_app.gui.enhance.viewing import Viewing
from fullfield_app.gui.view.compare_view import CompareView, Mode
from fullfield_app.gui.view.presets import PRESETS
from fullfield_app.gui.view.tool import Tool

ZOOM_STEP = 1.25


def handlers(view: CompareView, viewing: Viewing) -> dict[str, Callable[[], None]]:
    """What each action does to the images."""
    return {
        **{mode.name.lower(): lambda mode=mode: view.set_mode(mode) for mode in Mode},  # type: ignore[misc]
        "blink": viewing.toggle_blink,
        "difference_scale": view.next_scale,
        "link_looks": viewing.toggle_looks,
        "link_windows": viewing.toggle_windows,
        "window": lambda: viewing.set_tool(Tool.WINDOW),
        "zoom": lambda: viewing.set_tool(Tool.ZOOM),
        "pan": lambda: viewing.set_tool(Tool.PAN),
        "fit": view.fit,
        "one_to_one": view.one_to_one,
        "larger": lambda: view.zoom(ZOOM_STEP),
        "smaller": lambda: view.zoom(1 / ZOOM_STEP),
        "invert": view.invert,
        "turn_right": lambda: view.turn(1),
        "turn_left": lambda: view.turn(-1),
        "flip_across": view.flip,
        "flip_over": lambda: view.flip(upside_down=True),
        "overlay": viewing.toggle_overlay,
        "marks": viewing.toggle_marks,
        "disagreement": viewing.toggle_disagreement,
        **{preset.key: lambda make=preset.make: view.set_windows(make) for preset in PRESETS},  # type: ignore[misc]
        "file_windows": lambda: None,  # its menu is filled with each image
        **viewing.measure_handlers(),
        "reset": view.reset,
    }
