from __future__ import annotations

import json
import subprocess
import sys

import pytest

from fullfield.bench import conventional, route
from fullfield.bench.conventional import Row, Table


@pytest.fixture(scope="module")
def table() -> Table:
    return conventional.run(repeat=1, size=256, methods=("preset", "opencv"))


def test_that_each_method_is_measured_from_file_to_file(table: Table) -> None:
    for row in table.rows:
        assert row.cpu_seconds is not None
        assert row.cpu_seconds > 0
        assert row.peak_bytes is not None
        assert row.peak_bytes > 20 << 20
    assert table.row("opencv").ratio == 1


def test_that_the_table_is_for_people_and_for_programs(table: Table) -> None:
    assert "Fullfield, preset general" in table.text()
    assert "256×256" in table.text()
    values = json.loads(table.json())
    assert values["kind"] == "conventional"
    assert [row["name"] for row in values["rows"]] == ["preset", "opencv"]


def test_that_a_library_that_is_missing_leaves_an_empty_row_with_the_reason() -> None:
    row = Row(name="skimage", title="scikit-image", reason="not installed")

    assert "not installed" in Table(size=256, rows=(row,)).text()


def test_that_a_route_without_its_library_says_so_by_its_exit_code() -> None:
    code = (
        "import sys\nsys.modules['skimage'] = None\n"
        "from fullfield.bench import plain, route\n"
        "plain.rewrite = lambda source, target, change: change(None)\n"
        "sys.exit(route.main(['skimage', 'a', 'b']))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == route.MISSING
