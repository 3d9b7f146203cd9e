"""A kind of job is one file and one line: whoever starts one reads what is to be known of it, and imports none."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from fullfield.jobs import registry
from fullfield.protocol.specs import SPECS


@pytest.mark.parametrize("name", registry.KINDS)
def test_that_the_module_of_a_kind_is_there(name: str) -> None:
    assert importlib.util.find_spec(registry.find(name).module) is not None


def test_that_every_kind_has_a_type_of_what_it_is_asked() -> None:
    assert SPECS.keys() == registry.KINDS.keys()


def test_that_knowing_the_kinds_imports_none_of_them() -> None:
    code = (
        "import sys\nfrom fullfield.jobs import launch, registry\n"
        "modules = {'torch', 'numpy', *(kind.module for kind in registry.KINDS.values())}\n"
        "sys.exit(bool(modules & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_a_worker_reads_what_it_is_asked_without_what_computes() -> None:
    code = "import sys\nfrom fullfield.jobs import worker\nsys.exit(bool({'torch', 'numpy', 'cv2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_that_no_kind_that_a_person_waits_for_comes_after_the_rest_of_the_machine() -> None:
    assert [name for name, kind in registry.KINDS.items() if kind.low_priority] == ["train"]


def test_that_what_a_user_keeps_is_no_passing_kind() -> None:
    assert set(registry.KINDS) - registry.PASSING == {"diagnose", "empty", "ensemble", "plan", "report", "train"}
