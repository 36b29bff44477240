"""Truths that `&` and `|` join are conditions of two branches, unless the second one is to be found out in any case."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c

JOINED = ["(a < b) & (b < 3)", "(a == 1) | (b != a)", "!((v > a) & (b > a))", "(long)(a < b) & (b < 3)"]
ONE = ["(a < b) & b", "(a & b) < 3", "(a < b) ^ (b < 3)", "(a < b) & (v < 3)"]


@pytest.mark.parametrize(("text", "branches"), [*((text, 2) for text in JOINED), *((text, 1) for text in ONE)])
def test_joined_conditions_are_branches(text, branches):
    source = f"volatile int v; void g(void); void f(int a, int b) {{ if ({text}) g(); }}"
    (function,) = compile_c("test.c", LP64, source=source).functions
    assert sum(isinstance(statement, il.Branch) for statement in function.body) == branches
