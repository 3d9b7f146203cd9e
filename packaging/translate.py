"""Texts for translators: collects them into `resources/translations/*.ts`, and compiles these to the `.qm` that ship.

    python packaging/start.py translate

Qt's own tools do both. They read the window's sources; what the engine says to people (techniques, presets, errors,
notices) is collected here first, as texts of the contexts "techniques" and "core", and what reports say as those of
"report". Where a sentence has values in it, their places are numbers in braces; `sentences.txt` lists these sentences,
so that window and report know them again.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
SOURCES = ROOT / "app" / "fullfield_app"
ENGINE = ROOT / "core" / "fullfield"
SENTENCES = "sentences.txt"
# Rooms of the engine that speak to no user of the window.
SILENT = {"bands", "bench", "host_tier", "kernels", "optim", "quantize", "qa", "recomputation", "saved_tensors"}
PARTS = (  # what stands in places of its sentences, or beside a figure, and is no sentence
    "unprocessed input",
    "CLAHE (clip {0}, {1}×{2} tiles)",
    "conventional processor",
    "conventional processor (simulated raw input)",
    "simulated raw",
    "raw input",
    "processed input",
    "raw-like input simulated from processed images",
    "raw input, and raw-like input simulated from processed images",
    "raw and processed input",
    "raw and processed input, and raw-like input simulated from processed images",
    "processed input, and raw-like input simulated from it",
    "raw image",
    "the images themselves",
    "the data's own pairs",
    "the conventional processor ({0})",
    "the conventional processor, preset {0}",
    "the conventional processor, preset {0} at {1} of its strength",
    "preset {0}",
    "preset {0}, {1} % of it: the source was processed already",
    "from scratch (random weights, seed {0})",
    "the CPU",
    "; the whole card held up to {0}",
    "; the whole process, without a graphics card, held up to {0}",
    "in the {0} phase, by {1}",
    "it shows texture that the image does not have",
    "in one place it shows what the image does not have",
    "in one place the structure of the image is missing",
    "in one place it is not what the model itself makes of the image",
    "what is bright and what is dark is not as in the image",
    "fine structure of the image has been softened",
    "on images of this part and kind it was not found better",
    "Besides, {0}.",
    "The model could not be held against others, and is not offered: {0}",
    ", {0} kept apart to judge the model by",
    "the model that it began from",
    "the preset",
    "the node {0}",
    "Learned",
    "this computer",
)
SPEAKING = {"Reason", "Notice", "PhaseStarted"}  # besides errors: what is made of sentences for people
REPORT = "report"  # the room that speaks for itself, and the context of its texts
MARKING = {"say", "marked"}  # by these it does


def main() -> int:
    """Collect and compile every language; `--into` another folder, for a test that nothing was forgotten."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=FOLDER)
    into: Path = parser.parse_args().into
    into.mkdir(parents=True, exist_ok=True)
    for known in sorted(FOLDER.glob("*.ts")):
        if into != FOLDER:
            shutil.copy(known, into)
        collect(into / known.name)
        compile_one(into / known.name)
    places = (text for context, text in engine_texts() if context == "core" and "{0}" in text)
    longest_first = sorted(places, key=lambda text: (-len(_words(text)), text))
    (into / SENTENCES).write_text("\n".join(longest_first) + "\n", encoding="utf-8")
    return 0


def collect(target: Path) -> None:
    """Bring a `.ts` up to date: new texts are added, those that are gone are dropped, translations stay."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "engine.py").write_text("".join(_line(*text) for text in engine_texts()), encoding="utf-8")
        flags = ["-silent", "-extensions", "py", "-no-obsolete", "-locations", "none", "-source-language", "en"]
        _tool("lupdate", *flags, str(SOURCES), folder, "-ts", str(target))


def compile_one(source: Path) -> None:
    """The `.qm` beside a `.ts`."""
    _tool("lrelease", "-silent", str(source), "-qm", str(source.with_suffix(".qm")))


def engine_texts() -> list[tuple[str, str]]:
    """All that the engine says to people, each once in its context: "techniques", "options", "core" …"""
    from fullfield.image.export import NOT_FOR_DIAGNOSIS_ES, OF_A_DAMAGED_FILE_ES

    techniques = set(_of_techniques())
    core = set(_of_the_rest()) - techniques - {NOT_FOR_DIAGNOSIS_ES, OF_A_DAMAGED_FILE_ES}
    found = {"techniques": techniques, "options": set(_of_options()), "core": core, REPORT: set(_of_reports())}
    found["settings"] = set(_of_encoders())
    return sorted((context, text) for context, texts in found.items() for text in texts)


def _of_reports() -> Iterator[str]:
    """What the sources of the report mark."""
    for path in sorted((ENGINE / REPORT).glob("*.py")):
        yield from map(_constant, _marked(ast.parse(path.read_text(encoding="utf-8"))))


def _marked(tree: ast.Module) -> Iterator[ast.expr]:
    """The texts that stand in a call by which the report speaks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _named(node.func) in MARKING:
            yield from (text for text in node.args[:1] if _constant(text))


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _of_techniques() -> Iterator[str]:
    """What the registry says of its entries."""
    from fullfield.techniques.base import Effect
    from fullfield.techniques.registry import all_techniques

    yield from map(str, Effect)
    for technique in all_techniques().values():
        yield from (technique.title, technique.sentence, *technique.excludes.values())
        yield from (item.metadata["text"] for item in fields(technique.Options))


def _of_options() -> Iterator[str]:
    """The words that an option of a technique is one of; what is no word is a name in every language."""
    from fullfield.techniques.registry import all_techniques

    for technique in all_techniques().values():
        choices = (choice for item in fields(technique.Options) for choice in item.metadata["choices"])
        yield from (choice for choice in choices if isinstance(choice, str) and choice.isalpha())


def _of_encoders() -> Iterator[str]:
    """What the dialog of settings offers, which says it in its own context."""
    from fullfield.plan import encoders

    yield from (title for _, title in (*encoders.networks(), *encoders.titles()))


def _of_the_rest() -> Iterator[str]:
    """Titles of presets, kinds of input, the sentence on every export, and what errors and notices say."""
    from fullfield.image import presets
    from fullfield.image.export import NOT_FOR_DIAGNOSIS
    from fullfield.image.image import InputKind
    from fullfield.image.preset import PARAMETERS
    from fullfield.memory import readback, watch

    yield NOT_FOR_DIAGNOSIS
    yield from (*PARTS, *map(str, InputKind))
    yield from (presets.load(name).title for name in presets.names())
    yield from (text for item in PARAMETERS for text in (item.unit, item.source))
    yield from (f"{operation} ({{0}})" for operation in readback.OPERATIONS.values())
    yield from (watch.FORWARD, watch.BACKWARD, watch.UPDATE, watch.EVALUATION)
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in _of_the_engine()]
    makers = {node.name for tree in trees for node in ast.walk(tree) if _makes_an_error(node)}
    for tree in trees:
        yield from _spoken(tree, {*SPEAKING, *_errors(), *makers})


def _spoken(tree: ast.Module, speaking: set[str]) -> Iterator[str]:
    """What is given to `speaking`, and whole sentences anywhere but in docstrings."""
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    elsewhere = inside | docstrings | set(map(id, _marked(tree)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _named(node.func) in speaking:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            yield from (text for value in given for text in _texts(value))
        elif isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in elsewhere:
            yield from (text for text in _texts(node) if re.search(r"(\.|[a-zA-Z}]: \{\d+\})$", text))


def _of_the_engine() -> Iterator[Path]:
    for path in sorted(ENGINE.rglob("*.py")):
        if path.relative_to(ENGINE).parts[0] not in SILENT:
            yield path


def _makes_an_error(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.returns is not None and _named(node.returns) in _errors()


def _named(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _errors() -> frozenset[str]:
    from fullfield import errors

    return frozenset(name for name in errors.__all__ if name != "ExitCode")


def _texts(value: ast.expr) -> Iterator[str]:
    """Texts of several words; also those of which one is chosen: `a if … else b`."""
    if isinstance(value, ast.IfExp):
        yield from (*_texts(value.body), *_texts(value.orelse))
        return
    text = ""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        text = value.value
    elif isinstance(value, ast.JoinedStr):
        numbers = itertools.count()
        parts = (part.value if isinstance(part, ast.Constant) else f"{{{next(numbers)}}}" for part in value.values)
        text = "".join(map(str, parts))
    if " " in text.strip() and "\n" not in text and re.search(r"[a-z]{3}", _words(text)):
        yield text


def _words(text: str) -> str:
    """A text without the places of its values."""
    return re.sub(r"\{\d+\}", "", text)


def _line(context: str, text: str) -> str:
    return f'QT_TRANSLATE_NOOP("{context}", {json.dumps(text, ensure_ascii=False)})\n'


def _tool(name: str, *arguments: str) -> None:
    code = f"from PySide6.scripts.pyside_tool import {name}; {name}()"
    subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
