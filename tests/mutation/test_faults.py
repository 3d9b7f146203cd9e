"""Which faults are made in a source, and which are not."""

from __future__ import annotations

import ast

import pytest

from mutation import faults, sample
from support import ROOT

TARGETS = {
    "a < b": {"a <= b"},
    "a >= b": {"a > b"},
    "a == b": {"a != b"},
    "a is None": {"a is not None"},
    "a in b": {"a not in b"},
    "x[1]": {"2"},
    "a = 2.5": {"5.0"},
    "a = 0.0": {"1.0"},
    "a = True": {"False"},
    "a and b": {"a or b"},
    "not a": {"a"},
    "a + b * c": {"a - b * c", "b / c"},
    "a // b": {"a * b"},
    "a | b": {"a & b"},
    "min(a)": {"max(a)", "pass"},
    "any(a)": {"all(a)", "pass"},
    "f(a, b, c)": {"f(b, a, c)", "pass"},
    "f(a, b=c)": {"pass"},
    "a += b": {"a -= b", "pass"},
    "a.b = c": {"pass"},
    "a[b] = c": {"pass"},
    "if a: b": {"not a"},
    "if a < b: c": {"a <= b", "not a < b"},
    "while a:\n    continue": {"not a", "pass"},
    "[a for a in b if c]": {"not c"},
    "a if b else c": {"not b"},
    "def f(a=1): return a": {"2", "return None"},
    "raise a(1)": {"pass"},
}
NO_TARGETS = [
    '"""It is 1 of 2."""',
    "def f():\n    'It is True.'\n    return None",
    "a = b",
    "a: Literal[1]",
    "def f(a: Literal[1]) -> Literal[2]: ...",
    "@dataclass(frozen=True)\nclass A: ...",
    "class A(Enum):\n    B = 1",
    "__all__ = [*a, 1 + 2]",
    "class A:\n    def __repr__(self): return str(1 + 2)",
    "_log.info('%d of 3', 1 + 2)",
    "self._log.info(a, b)",
    "warnings.warn(a, b)",
    "a = self.tr('%n files', '', 1)",
    "a = f'{1 + 2}'",
    "a = b / 'c'",
    "a = b + 'c' + d",
    "assert a < 1",
    "if TYPE_CHECKING: f(1)",
    "if __name__ == '__main__': main(1)",
    "a = isinstance(b, c)",
    "a = f(b, b)",
]


@pytest.mark.parametrize("source", TARGETS)
def test_that_a_piece_of_code_has_these_faults_and_no_others(source: str) -> None:
    found = faults.find(source.encode(), "a.py")
    assert {fault.after for fault in found} == TARGETS[source]
    for fault in found:
        changed = fault.applied(source.encode())
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))


@pytest.mark.parametrize("source", NO_TARGETS)
def test_that_what_no_test_need_notice_is_no_target(source: str) -> None:
    assert faults.find(source.encode(), "a.py") == []


def test_that_a_fault_keeps_its_place_among_letters_of_several_bytes_and_lines() -> None:
    source = "größe = 'µm'; a = (b and\n    c) is d  # ≤\nä = f(größe, 7)\n"
    found = {fault.after: fault for fault in faults.find(source.encode(), "a.py")}
    assert found["b or c"].applied(source.encode()).decode() == source.replace("b and\n    c", "(b or c)")
    assert found["8"].applied(source.encode()).decode() == source.replace("7", "(8)")
    assert found["f(7, größe)"].line == 3 and found["b or c"].before == "b and c"


def test_that_every_fault_of_the_engines_files_can_be_compiled() -> None:
    paths = sample.sources(ROOT, ["enhance/ledger", "memory/account", "core/fullfield/files.py"])
    for name, found in sample.every(ROOT, paths):
        source = (ROOT / name).read_bytes()
        assert len({fault.key for fault in found}) == len(found) > 20
        for fault in found[::7]:
            compile(fault.applied(source), name, "exec")
