"""The pages of the window, in their order. A page is made when it is first turned to, the first one at once."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from fullfield_app.gui.actions import say
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.page import Page
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP

ENHANCE, TRAIN, RUNS = "enhance", "train", "runs"


@dataclass(frozen=True, kw_only=True)
class PageSpec:
    """`title`: on its tab; `made_by`: the class, as "module:name", imported when the page is first turned to."""

    key: str
    title: str
    made_by: str

    def kind(self) -> Any:
        """The class, a Page that is made of Workers; its module is imported now."""
        module, _, name = self.made_by.partition(":")
        return getattr(importlib.import_module(module), name)

    def make(self, workers: Workers) -> Page:
        """The page, which starts its workers with `workers`."""
        page: Page = self.kind()(workers)
        return page

    def say(self) -> str:
        """The title in the user's language."""
        return say(self.title)


PAGES: tuple[PageSpec, ...] = (
    PageSpec(
        key=ENHANCE,
        title=QT_TRANSLATE_NOOP("actions", "Enhance"),
        made_by="fullfield_app.gui.enhance.panel:EnhancePanel",
    ),
    PageSpec(
        key=TRAIN, title=QT_TRANSLATE_NOOP("actions", "Train"), made_by="fullfield_app.gui.train.panel:TrainPanel"
    ),
    PageSpec(key=RUNS, title=QT_TRANSLATE_NOOP("actions", "Runs"), made_by="fullfield_app.gui.runs.panel:RunsPanel"),
)
