"""Which tests are asked about a fault, and in which order: those that reach its line before all others."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, eq=False)
class Mapped:
    """A test that passes without a fault. `lines`: by a source file's path the first line of each statement that it
    reaches in a function, in its own process; `starts`: whether it starts others."""

    name: str
    seconds: float
    lines: dict[str, frozenset[int]]
    starts: bool

    @property
    def file(self) -> str:
        """The file it stands in."""
        return self.name.partition("::")[0]


@dataclass(frozen=True, kw_only=True)
class Map:
    """The tests of a room; `failing`: those that fail without any fault, and are never asked."""

    tests: tuple[Mapped, ...]
    failing: tuple[str, ...] = ()

    @classmethod
    def read(cls, values: dict[str, Any]) -> Map:
        """Of what `asked.Reached` answers."""
        return cls(
            tests=tuple(
                Mapped(name=name, seconds=one["seconds"], lines=_lines(one["lines"]), starts=one["starts"])
                for name, one in values["tests"].items()
            ),
            failing=tuple(values["failing"]),
        )

    def asked(self, file: str, line: int, *, at_import: bool) -> tuple[int, list[Mapped]]:
        """How many tests reach the statement of a source file that begins in this line, and who is asked: these, the
        quickest first; the others of their files, to which something may have been handed that another test made; then
        those of which not all is known, since they start processes. What runs at the import is reached by all that
        reach the file, and after them by any test of the room."""
        if at_import:
            reach = [test for test in self.tests if test.lines.get(file)]
        else:
            reach = [test for test in self.tests if line in test.lines.get(file, ())]
        files = {test.file for test in reach}
        rest = [test for test in self.tests if at_import or test.starts or test.file in files]
        first = dict.fromkeys(sorted(reach, key=lambda test: test.seconds))
        then = sorted(rest, key=lambda test: (test.file not in files, test.seconds))
        return len(reach), [*(first | dict.fromkeys(then))]


def place(source: bytes, line: int) -> tuple[int, bool]:
    """The first line of the innermost statement that this line belongs to, and whether it runs at the import: it stands
    in no function."""
    found = (line, True)

    def look(node: ast.AST, *, inside: bool) -> None:
        nonlocal found
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt) and child.lineno <= line <= (child.end_lineno or line):
                found = (child.lineno, not inside)
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            look(child, inside=function or (inside and not isinstance(child, ast.ClassDef)))

    look(ast.parse(source), inside=False)
    return found


def _lines(values: dict[str, list[int]]) -> dict[str, frozenset[int]]:
    return {file: frozenset(lines) for file, lines in values.items()}
