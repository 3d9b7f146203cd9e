"""An editable engine copies nothing: command line and resources are used in their places (a build hook of hatch)."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EngineInPlace(BuildHookInterface[Any]):
    """Hatch finds it in this file, for there is no other hook in it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Where `version` is "editable", put one file, for an empty list would mean all, in place of what is copied."""
        if version == "editable":
            build_data["force_include_editable"] = {"../LICENSE": "fullfield/LICENSE"}
