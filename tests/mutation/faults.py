"""Small faults that can be made in a source file, found by its syntax tree: what a tired hand might type.

No targets: docstrings, f-strings, texts of errors, of logs and for translators, type hints, decorators, assertions,
`__all__`, `__repr__`, members of an Enum, and what only a type checker runs.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import re
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_BOUNDS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)  # turned at equality alone: their negation is another fault
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_NO_ORDER = {*_FUNCTIONS, "isinstance", "issubclass"}  # exchanging arguments changes nothing, or is an error at once
_TEXT = {"tr", "translate", "say_core", "QT_TRANSLATE_NOOP", "cast", "TypeVar", "NewType"}
_LOG = re.compile(r"_?(log|logger|logging|warnings)\Z")
_LINES = {"debug", "info", "warning", "warn", "error", "exception", "critical", "log"}
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One small change of a file. `path`: as a POSIX path below the root; `line` counts from 1; `start`, `end`: the
    bytes that `text` takes the place of; `before`, `after`: what a reader is shown; `key`: the same for the same change
    of the same content."""

    path: str
    line: int
    kind: str
    before: str
    after: str
    start: int
    end: int
    text: str
    key: str

    def applied(self, source: bytes) -> bytes:
        """The file's content with this fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def find(source: bytes, path: str) -> list[Fault]:
    """All faults that can be made in a file, in the order of its text."""
    finder = _Finder(source, path)
    finder.visit(ast.parse(source))
    return sorted(finder.found, key=lambda fault: (fault.start, fault.end, fault.kind))


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes, path: str) -> None:
        self.found: list[Fault] = []
        self._source, self._path = source, path
        self._begins = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]
        self._digest = hashlib.sha256(source).hexdigest()

    # What is a fault

    def visit_Compare(self, node: ast.Compare) -> None:
        turned = [_COMPARISONS[type(node.ops[0])](), *node.ops[1:]]
        self._expression(node, "comparison", ast.Compare(node.left, turned, node.comparators))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._expression(node, "constant", ast.Constant(not value))
        elif isinstance(value, int):
            self._expression(node, "constant", ast.Constant(value + 1))
        elif isinstance(value, float):
            self._expression(node, "constant", ast.Constant(value * 2 or 1.0))

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._expression(node, "and/or", ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._expression(node, "negation", node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _OPERATORS and not _joins(node):
            other = _OPERATORS[type(node.op)]()
            self._expression(node, "operator", ast.BinOp(node.left, other, node.right))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in _OPERATORS:
            other = ast.AugAssign(node.target, _OPERATORS[type(node.op)](), node.value)
            self._add(node, "operator", ast.unparse(other))
        self._removed(node)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
            return
        self._add(node, "return", "return None")
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        name = _last(node.func)
        if name in _TEXT or _logs(node):
            return
        if isinstance(node.func, ast.Name) and name in _FUNCTIONS:
            self._expression(node, "function", ast.Call(ast.Name(_FUNCTIONS[name]), node.args, node.keywords))
        first = node.args[:2]
        if len(first) == 2 and name not in _NO_ORDER and not any(isinstance(one, ast.Starred) for one in first):
            exchanged = ast.Call(node.func, [*reversed(first), *node.args[2:]], node.keywords)
            if ast.dump(first[0]) != ast.dump(first[1]):
                self._expression(node, "arguments", exchanged)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if _last(node.test) != "TYPE_CHECKING" and "__name__" not in ast.unparse(node.test):
            self._conditional(node)

    def visit_While(self, node: ast.While) -> None:
        self._conditional(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._conditional(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negated(test)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _logs(node.value):
            self._removed(node)
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._removed(node)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._removed(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._removed(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._removed(node)

    # What is none

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name != "__repr__":
            given = (*node.args.defaults, *node.args.kw_defaults)
            for part in (*(value for value in given if value is not None), *node.body):
                self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        enum = any((_last(base) or "").endswith(("Enum", "Flag")) for base in node.bases)
        for part in node.body:
            if not (enum and isinstance(part, ast.Assign)):
                self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    # How it is made

    def _conditional(self, node: ast.If | ast.While | ast.IfExp) -> None:
        self._negated(node.test)
        self.generic_visit(node)

    def _negated(self, test: ast.expr) -> None:
        turned = isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], _BOUNDS)
        removed = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if not (turned or removed or isinstance(test, ast.Constant)):
            self._expression(test, "condition", ast.UnaryOp(ast.Not(), test))

    def _removed(self, node: ast.stmt) -> None:
        self._add(node, "statement", "pass")

    def _expression(self, node: ast.expr, kind: str, other: ast.expr) -> None:
        text = ast.unparse(other)
        self._add(node, kind, f"({text})", shown=text)

    def _add(self, node: ast.stmt | ast.expr, kind: str, text: str, *, shown: str | None = None) -> None:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self._begins[node.lineno - 1] + node.col_offset
        end = self._begins[node.end_lineno - 1] + node.end_col_offset
        fault = Fault(
            path=self._path,
            line=node.lineno,
            kind=kind,
            before=_SPACE.sub(" ", self._source[start:end].decode()),
            after=shown or text,
            start=start,
            end=end,
            text=text,
            key=hashlib.sha256(f"{self._digest} {start} {end} {text}".encode()).hexdigest()[:16],
        )
        self.found.append(fault)


def _last(node: ast.expr) -> str | None:
    """`c` of `c` and of `a.b.c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _joins(node: ast.expr) -> bool:
    """Whether it makes a path or a text, which no other operator could."""
    if isinstance(node, ast.BinOp):
        return _joins(node.left) or _joins(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _logs(call: ast.Call) -> bool:
    """Whether it writes a line for the log or a warning."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _LINES:
        return False
    return _LOG.match(_last(call.func.value) or "") is not None
