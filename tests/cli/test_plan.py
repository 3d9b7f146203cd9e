"""The options of `fullfield plan`, and what it says."""

from __future__ import annotations

import argparse

import pytest

from fullfield.errors import UsageError
from fullfield_app.arguments import Parser
from fullfield_app.cli import plan


def given(*words: str) -> argparse.Namespace:
    parser = Parser()
    plan.add_options(parser)
    return parser.parse_args(words)


def test_that_what_is_free_is_the_budget_where_none_is_given_and_no_memory_is_none() -> None:
    assert plan.question(given())["budget"] == 0
    assert plan.question(given("--budget", "1TiB"))["budget"] == 1 << 40
    for nothing in ("0", "0GiB"):
        with pytest.raises(UsageError, match="Leave --budget out"):
            plan.question(given("--budget", nothing))
