"""No module and no room imports, over others, itself: not for types either."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = {"fullfield": ROOT / "core", "fullfield_app": ROOT / "app"}
DEPTH = {"fullfield": 2, "fullfield_app": 3}  # of a room's name: fullfield.image, fullfield_app.gui.view

Graph = dict[str, set[str]]


def modules() -> dict[str, Path]:
    found = {}
    for package, base in SOURCES.items():
        for path in (base / package).rglob("*.py"):
            name = ".".join(path.relative_to(base).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


def imports() -> Graph:
    """What each module imports of ours, wherever in it that stands."""
    known = modules()
    graph: Graph = {name: set() for name in known}
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted = [f"{node.module}.{alias.name}" for alias in node.names]
                graph[name] |= {one if one in known else node.module for one in wanted} & known.keys() - {name}
    return graph


def room(name: str) -> str:
    """The folder that a module lies in; a module of a package's own folder is a room by itself."""
    parts = name.split(".")
    depth = DEPTH[parts[0]]
    return ".".join(parts[:depth]) if len(parts) > depth else name


def rooms(graph: Graph) -> Graph:
    found: Graph = {}
    for name, others in graph.items():
        found.setdefault(room(name), set()).update(room(other) for other in others if room(other) != room(name))
    return found


@pytest.mark.parametrize("of", [lambda graph: graph, rooms], ids=["modules", "rooms"])
def test_that_nothing_imports_itself_over_others(of) -> None:  # type: ignore[no-untyped-def]
    graph = of(imports())
    assert len(graph) > 50
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the way round


def test_that_a_circle_would_be_found() -> None:
    with pytest.raises(ValueError, match="cycle"):
        TopologicalSorter({"a": {"b"}, "b": {"a"}}).prepare()
