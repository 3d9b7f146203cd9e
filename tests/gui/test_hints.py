"""What to do after a training has failed is told in the window by what can be clicked there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import fullfield
from fullfield.errors import RankLost
from fullfield.protocol.events import RunFailed
from fullfield_app.gui.bridge.hints import BY_HINT
from fullfield_app.gui.bridge.wording import in_words

CORE = Path(fullfield.__file__).parent
OPTION = re.compile(r"(?<![\w-])--(resume|fit|size|batch|weights|encoder|techniques|jobs|compare)\b")


def told() -> Iterator[str]:
    """The hints of a training that name such options, without values in them."""
    for part in ("train", "tuning", "jobs", "data", "model", "enhance", "errors.py"):
        place = CORE / part
        for path in [place] if place.is_file() else place.rglob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            docstrings = [node.value for node in nodes if isinstance(node, ast.Expr)]
            for node in nodes:
                if node in docstrings or (isinstance(node, ast.keyword) and node.arg == "help"):
                    continue
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_hint(node.value):
                    yield node.value


def _is_hint(text: str) -> bool:
    return text.endswith(".") and text[0].isupper() and "\n" not in text and OPTION.search(text) is not None


def test_that_every_hint_of_a_training_that_names_an_option_has_words_of_the_window() -> None:
    found = {text for text in told() if not re.search(r"[{}]", text)}
    assert RankLost.HINT in found
    assert found <= BY_HINT.keys(), found - BY_HINT.keys()
    assert BY_HINT.keys() <= found, BY_HINT.keys() - found
    assert not [text for text in BY_HINT.values() if "--" in text]


def test_that_a_run_that_failed_says_what_to_click() -> None:
    error = {"title": "The training cannot go on.", "detail": "Process 2 of 2 has ended.", "hint": RankLost.HINT}
    said = in_words(RunFailed(error=error, exit_code=1)).error
    assert "click Resume" in said["hint"] and said["title"] == error["title"]


def test_that_a_sentence_that_names_an_option_is_known_behind_another_one() -> None:
    hint = "The last good checkpoint is kept. Free some space, then go on with the training (--resume)."
    said = in_words(RunFailed(error={"title": "Cannot save a checkpoint.", "hint": hint}, exit_code=1)).error
    assert said["hint"] == "The last good checkpoint is kept. Free some space, then click Resume."
