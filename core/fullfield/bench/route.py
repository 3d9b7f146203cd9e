"""One radiograph from file to file by one method, in a process of its own: what `conventional` runs and measures.

`python -m fullfield.bench.route METHOD SOURCE TARGET`; `phantom SIZE TARGET` makes the source. A method imports what
it needs and nothing else, so that each pays for itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

MISSING = 3
"""The exit code where the method's library is not installed."""

PRESET = "general"


def preset(source: Path, target: Path) -> None:
    """Our own path: decoded in the killable child, enhanced by a preset, written as a derived image."""
    from fullfield.dicom import write
    from fullfield.dicom.read import Decoder
    from fullfield.image import multiscale, presets
    from fullfield.image.export import OutputFormat

    with Decoder() as decoder:
        decoded = decoder.decode(source)
        enhanced = multiscale.enhance(decoded.image, presets.load(PRESET))
        write.write(decoded, enhanced, target, format=OutputFormat.DICOM)


def phantom(size: Path, target: Path) -> None:
    """The source. The measuring process does not make it: its children would inherit its peak memory."""
    from fullfield.dicom import phantom_files

    phantom_files.write(phantom_files.plain_chest(int(size.name)), target)


def _rival(name: str) -> Callable[[Path, Path], None]:
    def route(source: Path, target: Path) -> None:
        from fullfield.bench import plain
        from fullfield.image import rivals

        plain.rewrite(source, target, getattr(rivals, name))

    return route


def script(source: Path, target: Path) -> None:
    """All files of a folder by OpenCV, into another."""
    from fullfield.bench import plain
    from fullfield.image import rivals

    target.mkdir(parents=True)
    for path in sorted(source.iterdir()):
        plain.rewrite(path, target / path.name, rivals.opencv)


ROUTES: dict[str, Callable[[Path, Path], None]] = {
    "phantom": phantom,
    "preset": preset,
    "script": script,
    "opencv": _rival("opencv"),
    "simpleitk": _rival("simpleitk"),
    "skimage": _rival("skimage"),
}


def main(arguments: list[str]) -> int:
    """Take the route that is named; the exit code tells whether its library was there."""
    name, source, target = arguments
    try:
        ROUTES[name](Path(source), Path(target))
    except ImportError:
        return MISSING
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
