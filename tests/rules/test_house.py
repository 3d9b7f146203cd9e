"""Rules of the house that no tool checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import ROOT

SOURCES = sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "app").rglob("*.py")])
_NOT_OURS = {".venv", ".venv-light", ".git", "build", ".mypy_cache", ".pytest_cache", ".hypothesis"}
TEXTS = [
    path
    for top in sorted(ROOT.iterdir())
    if top.name not in _NOT_OURS  # which hold fifty times as many files
    for path in ([top] if top.is_file() else sorted(top.rglob("*")))
    if path.is_file()
    and path.suffix in {".py", ".md", ".toml", ".txt", ".qss", ".yml", ".sh"}
    and not _NOT_OURS & set(path.parts)
]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_that_a_file_opens_with_what_it_holds(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith('"""')


def test_that_no_file_is_longer_than_a_reader_can_hold() -> None:
    long = {name(path): count for path in SOURCES if (count := len(path.read_text("utf-8").splitlines())) > 320}
    assert long == {}


def test_that_what_the_engine_knows_of_values_has_a_type() -> None:
    """A dataclass, a TypedDict …; what is left is for what torch gives, and for JSON at a border, under two names."""
    texts = {name(path): path.read_text("utf-8") for path in SOURCES if (ROOT / "core") in path.parents}
    anything = r"dict\[str, (?:Any|object)\]"
    counts = {path: count for path, text in texts.items() if (count := len(re.findall(anything, text)))}
    assert 0 < sum(counts.values()) <= 20, counts
    alias = re.compile(rf"^(?:type )?(\w+)(?:: TypeAlias)? = (?:{anything}|Fields)$", re.MULTILINE)
    aliases = {(path, found) for path, text in texts.items() for found in alias.findall(text)}
    assert aliases == {("core/fullfield/checked.py", "Fields"), ("core/fullfield/bench/rows.py", "Row")}


def test_that_names_are_the_fields_and_not_a_storytellers() -> None:
    wrong = {"told", "hear", "heard", "heed", "amiss", "pulse", "pulses", "ending", "thinned", "whoever", "story"}
    phrases = re.compile(r"\b(let go|goes on|going on)\b")
    words = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
    given = [(path, one) for path in SOURCES for one in _names(ast.parse(path.read_text(encoding="utf-8")))]
    given += [(path, path.stem) for path in (*SOURCES, *sorted((ROOT / "tests").rglob("*.py")))]
    found = set()
    for path, one in given:
        parts = [word.lower() for word in words.findall(one)]
        if wrong.intersection(parts) or (phrases.search(" ".join(parts)) and not path.stem.startswith("test_")):
            found.add(f"{name(path)}: {one}")
    assert found == set()


def _names(tree: ast.Module) -> Iterator[str]:
    """Those that a module gives: to functions, classes, what it is called with, values, and threads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Thread"):
            given = [one.value for one in node.keywords if one.arg == "name"]
            yield from (str(one.value) for one in given if isinstance(one, ast.Constant))


def test_that_threads_of_the_window_live_in_the_bridge_alone() -> None:
    thread = re.compile(r"\bQThread\b|\bThread\(|concurrent\.futures|QThreadPool|QRunnable")
    gui = ROOT / "app" / "fullfield_app" / "gui"
    found = [name(p) for p in gui.rglob("*.py") if "bridge" not in p.parts and thread.search(p.read_text("utf-8"))]
    assert found == []


def test_that_nothing_is_set_for_all_of_torch_when_a_module_is_imported() -> None:
    """Threads, or that nothing is compiled: it would hold in every test that follows in the same process."""
    sets = re.compile(r"^torch\.(\w+\.)*(set|use)_", re.MULTILINE)
    found = [name(p) for p in TEXTS if p.suffix == ".py" and sets.search(p.read_text("utf-8"))]
    assert found == []


def test_that_a_link_that_leads_to_itself_ends_nothing() -> None:
    """`Path.resolve` raises RuntimeError for one before Python 3.13; `os.path.realpath` does not."""
    assert not [path for path in SOURCES if ".resolve()" in path.read_text(encoding="utf-8")]


def test_that_arrays_are_read_in_one_place_alone() -> None:
    """Where no two threads do it at once, and what is damaged is told."""
    found = [name(path) for path in SOURCES if re.search(r"\bnp\.load\(", path.read_text(encoding="utf-8"))]
    assert found == ["core/fullfield/array_file.py"]


def test_that_systems_are_told_apart_in_one_place_alone() -> None:
    system = re.compile(
        r"sys\.platform|os\.name\b|platform\.system|\bimport resource\b|\bimport (fcntl|msvcrt|winreg)\b"
    )
    found = [name(p) for p in SOURCES if p.name != "system.py" and system.search(p.read_text("utf-8"))]
    assert found == []


def test_that_the_repository_speaks_of_no_machine_and_no_registry() -> None:
    address = re.compile(
        r"(?<![\w.])/(?:root|home|work)/\w|--index-url|--extra-index-url|find-links|pypi\.org|pythonhosted"
    )
    allowed = {"test_house.py", "test_log.py"}  # the rule itself, and paths that a log must redact
    found = [name(p) for p in TEXTS if p.name not in allowed and address.search(p.read_text("utf-8"))]
    assert found == []


def pinned(lock: Path) -> dict[str, str]:
    """By the line that names it, the block of each package of a lock."""
    blocks = re.split(r"\n(?=\S)", lock.read_text("utf-8").strip())
    return {block.splitlines()[0]: block for block in blocks}


LOCKS = sorted((ROOT / "packaging").glob("requirements*.txt"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_that_every_dependency_is_pinned_with_a_hash(lock: Path) -> None:
    blocks = pinned(lock)
    assert len(blocks) > 20
    for line, block in blocks.items():
        assert re.match(r"[\w.-]+==\S+", line) and "--hash=sha256:" in block, line


def test_that_all_locks_pin_the_same_versions() -> None:
    whole = pinned(ROOT / "packaging" / "requirements-develop.txt")
    assert len(LOCKS) == 4
    for lock in LOCKS:
        assert set(pinned(lock)) <= set(whole), lock.stem


def test_that_the_light_lock_brings_nothing_of_the_training_part() -> None:
    from fullfield import parts

    names = {line.partition("==")[0] for line in pinned(ROOT / "packaging" / "requirements.txt")}
    assert names.isdisjoint(name.lower() for name in parts.PACKAGES.values())
    assert not any(name.startswith(("nvidia", "triton", "sympy")) for name in names)


def test_that_no_lock_brings_what_a_dependency_asks_for_in_vain() -> None:
    for lock in LOCKS:
        names = {line.partition("==")[0] for line in pinned(lock)}
        assert names.isdisjoint({"vit-pytorch", "imageio", "einops"}), lock.stem
