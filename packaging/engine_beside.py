"""What `fullfield` depends on: the window's packages, and the engine of the same version (a metadata hook of hatch).

A checkout brings its own engine, from the folder `core` beside this one. What is built for an index names it by version
instead, for no index takes a path: set FULLFIELD_RELEASE to any text while building.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

WINDOW = ("pyqtgraph>=0.14", "PySide6-Essentials>=6.10.2,!=6.11.0,!=6.11.1,<6.12")


class EngineBeside(MetadataHookInterface):
    """Hatch finds it in this file, for there is no other hook in it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `dependencies` and `optional-dependencies` of the project."""
        core = (Path(self.root) / "core").as_uri()
        engine = f"=={metadata['version']}" if os.environ.get("FULLFIELD_RELEASE") else f" @ {core}"
        metadata["dependencies"] = [f"fullfield-engine{engine}", *WINDOW]
        training = [f"fullfield-engine[train]{engine}"]
        metadata["optional-dependencies"] = {"train": training, "all": training}
