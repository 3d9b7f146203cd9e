"""Which tests are asked about a fault, and which lines a test is seen to reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutation import trial
from mutation.reach import Map, Mapped, place

SOURCE = """
LIMIT = 3

def large(value):
    return value > LIMIT

def made():
    return [1]

def unused():
    return 7
"""
TESTS = """
import subprocess, sys, threading
import pytest
from fullfield.room import sizes

@pytest.fixture(scope="module")
def kept():
    return sizes.made()

def test_that_makes_it(kept):
    assert kept

def test_that_uses_it(kept):
    assert kept == [1]

def test_that_asks_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(sizes.large(4)))
    thread.start()
    thread.join()
    assert found == [True]
"""
OTHER = """
import subprocess, sys

def test_that_starts_a_process():
    code = "from fullfield.room import sizes; assert not sizes.large(3)"
    subprocess.run([sys.executable, "-c", code], check=True)

def test_that_reaches_nothing():
    pass
"""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Map, str]:
    """The map of a room, and its source file."""
    root, folder = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("copy").resolve()
    for name, text in {
        "core/fullfield/__init__.py": "",
        "core/fullfield/room/__init__.py": "",
        "core/fullfield/room/sizes.py": SOURCE,
        "tests/room/test_sizes.py": TESTS,
        "tests/room/test_started.py": OTHER,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    found = trial.Copy(root, folder).map("core/fullfield/room/sizes.py")
    return found, str(folder / "tree/core/fullfield/room/sizes.py")


def names(tests: list[Mapped]) -> list[str]:
    return [test.name.partition("::test_that_")[2] for test in tests]


def test_that_tests_that_reach_a_line_are_asked_before_the_others_of_their_file_and_those_that_start_processes(
    known: tuple[Map, str],
) -> None:
    found, file = known
    count, asked = found.asked(file, 5, at_import=False)
    assert count == 1
    assert names(asked)[0] == "asks_a_thread"
    assert sorted(names(asked)[1:3]) == ["makes_it", "uses_it"]  # to the second a fixture hands what the first made
    assert names(asked)[3:] == ["starts_a_process"]


def test_that_a_line_that_no_test_reaches_is_asked_of_those_alone_whose_processes_might(known: tuple[Map, str]) -> None:
    found, file = known
    count, asked = found.asked(file, 11, at_import=False)
    assert (count, names(asked)) == (0, ["starts_a_process"])


def test_that_what_runs_at_the_import_is_asked_of_all_beginning_with_those_that_use_the_file(
    known: tuple[Map, str],
) -> None:
    found, file = known
    count, asked = found.asked(file, 2, at_import=True)
    assert (count, len(asked)) == (2, 5)
    assert sorted(names(asked)[:2]) == ["asks_a_thread", "makes_it"]
    assert names(asked)[2] == "uses_it"


def test_that_the_quickest_is_asked_first() -> None:
    lines = {"a.py": frozenset({4})}
    tests = tuple(
        Mapped(name=f"tests/{at}.py::test", seconds=seconds, lines=lines, starts=False)
        for at, seconds in enumerate((3.0, 1.0, 2.0))
    )
    asked = Map(tests=tests).asked("a.py", 4, at_import=False)[1]
    assert [test.seconds for test in asked] == [1.0, 2.0, 3.0]


PLACES = b"""LIMIT = 1
def f(a, least=(
    2,
)):
    'x'
    try:
        if a:
            return g(
                1,
            )
    except (
        ValueError,
    ):
        class Inner:
            size = 3
    return [
        2 for _ in a
    ]
"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (1, (1, True)),
        (3, (2, True)),
        (7, (7, False)),
        (9, (8, False)),
        (12, (6, False)),
        (15, (15, True)),
        (17, (16, False)),
    ],
)
def test_that_a_line_is_known_by_its_innermost_statement(line: int, found: tuple[int, bool]) -> None:
    assert place(PLACES, line) == found


def test_that_all_statements_of_functions_are_noted_where_they_run_and_do_what_they_did(tmp_path: Path) -> None:
    source = (
        "def each(values):\n    'What it is.'\n    for value in values:\n        if value == 1:\n"
        "            yield 'one'\n"
        "        elif value == 2:\n            yield 'two'\n        else:\n            raise ValueError\n"
    )
    tests = (
        "import pytest\nfrom fullfield.room.each import each\n\n"
        "def test_that_finds_one():\n    assert list(each([1])) == ['one'] and each.__doc__ == 'What it is.'\n\n"
        "def test_that_finds_two():\n    assert list(each([2])) == ['two']\n\n"
        "def test_that_raises():\n    pytest.raises(ValueError, list, each([3]))\n"
    )
    root, folder = tmp_path / "root", tmp_path / "copy"
    folder.mkdir()
    texts = {"core/fullfield/__init__.py": "", "core/fullfield/room/each.py": source, "tests/room/test_each.py": tests}
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    found = trial.Copy(root, folder).map("core/fullfield/room/each.py")
    assert not found.failing
    assert [sorted(*test.lines.values()) for test in found.tests] == [[3, 4, 5], [3, 4, 6, 7], [3, 4, 6, 9]]
