"""A pytest of its own that tells which tests reach which lines, or asks certain tests in a certain order.

`python asked.py ORDER.json ANSWER.json [pytest's arguments]`, from the root of the sources. The order is
{"sources": [...]} for the statements of these files, or {"tests": [...]} for these tests and no others. What runs in
this process is seen, in all its threads; of a test that starts other processes it is known that it does, and not what
they run.
"""

from __future__ import annotations

import ast
import builtins
import json
import sys
import time
from collections.abc import Generator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

_NOTE = "__reached__"


class Reached:
    """Notes of each test that passes which statements of `sources` it reaches in their functions, how long it took, and
    whether it starts processes."""

    def __init__(self, sources: list[str]) -> None:
        self.tests: dict[str, dict[str, Any]] = {}
        self.failing: list[str] = []
        self._now: set[tuple[str, int]] = set()
        self._starts, self._passed = False, False
        sys.addaudithook(self._started)
        setattr(builtins, _NOTE, self._now.add)
        plain = SourceFileLoader.get_code

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            return _noting(loader.path) if loader.path in sources else plain(loader, name)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign]

    def answer(self) -> dict[str, Any]:
        """For JSON: tests by their names, and those that fail."""
        return {"tests": self.tests, "failing": self.failing}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._now.clear()
        self._starts, self._passed = False, False
        begun = time.monotonic()
        try:
            return (yield)
        finally:
            if self._passed:
                lines: dict[str, list[int]] = {}
                for path, line in sorted(self._now.copy()):
                    lines.setdefault(path, []).append(line)
                taken = time.monotonic() - begun
                self.tests[item.nodeid] = {"seconds": taken, "lines": lines, "starts": self._starts}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failing.append(report.nodeid)
        self._passed = report.passed and (self._passed or report.when == "setup")

    def _started(self, event: str, arguments: object) -> None:
        if event == "subprocess.Popen":
            self._starts = True


def _noting(path: str) -> CodeType:
    """A source file whose functions note each of their statements before it runs. A tracer would be asked at each call
    of all libraries, too."""
    tree = _Noting(path).visit(ast.parse(Path(path).read_bytes()))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class _Noting(ast.NodeTransformer):
    def __init__(self, path: str) -> None:
        self._path, self._inside = path, False

    def visit(self, node: ast.AST) -> Any:
        inside = self._inside
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._inside = not isinstance(node, ast.ClassDef)
        self.generic_visit(node)
        self._inside = inside
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not inside or docstring or not isinstance(node, ast.stmt):
            return node
        note = ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant((self._path, node.lineno))], [])
        return [ast.copy_location(ast.Expr(note), node), node]


class Chosen:
    """Asks these tests alone, in their order, and notes in a file which one is asked at present."""

    def __init__(self, tests: list[str], now: Path) -> None:
        self._at = {name: at for at, name in enumerate(tests)}
        self._now = now

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left = [item for item in items if item.nodeid not in self._at]
        config.hook.pytest_deselected(items=left)
        items[:] = sorted((item for item in items if item.nodeid in self._at), key=lambda item: self._at[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._now.write_text(json.dumps(nodeid), "utf-8")


def main(order: str, answer: str, *options: str) -> int:
    """Pytest's exit code."""
    asked = json.loads(Path(order).read_text("utf-8"))
    sys.path[0] = ""  # as `python -m pytest` has it
    if "tests" in asked:
        return int(pytest.main(list(options), plugins=[Chosen(asked["tests"], Path(answer))]))
    reached = Reached(asked["sources"])
    code = int(pytest.main(list(options), plugins=[reached]))
    Path(answer).write_text(json.dumps(reached.answer()), "utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
