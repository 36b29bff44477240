"""Which aggregate parameters are passed in parts."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from units import function, optimized

from vpo import il

TYPES = "struct s { char a; int b; double c; }; struct big { int at[7]; }; void seen(void *);"
CALLS = "int f(struct s *p, int i) { return g(1, *p, 2) + g(i, p[i], 4); }"


def unit(text):
    return optimized(TYPES + text, limit=0)


def test_members_that_are_used_become_parameters():
    found = unit("static int g(int k, struct s s, int l) { return s.a * l + s.b / k; }" + CALLS)
    assert [(p.name, str(p.type)) for p in function(found, "g").parameters] == [
        ("k", "I4"),
        ("s.0", "I1"),
        ("s.4", "I4"),
        ("l", "I4"),
    ]
    passed = [statement.arguments for statement in function(found, "f").body if isinstance(statement, il.Call)]
    assert [[str(argument.type) for argument in arguments] for arguments in passed] == [["I4"] * 4] * 2
    assert not any(local.type is None for local in function(found, "g").locals)


@pytest.mark.parametrize(
    "text",
    [
        "int g(int k, struct s s, int l) { return s.a * l + s.b / k; }" + CALLS,
        "static int g(int k, struct s s, int l) { return s.a * l + s.b / k; } int (*p)(int, struct s, int) = g;" + CALLS,
        "static int g(int k, struct s s, int l) { seen(&s); return s.a * l + s.b / k; }" + CALLS,
        "static int g(int k, struct s s, int l) { return s.b * l / k; }"
        "int f(struct s *volatile *p) { return g(1, **p, 2) + g(2, **p, 1); }",
        "static int g(int k, struct big s, int l) { return s.at[k] + s.at[l]; }"
        "int f(struct big *p, int i) { return g(1, *p, 2) + g(i, p[i], 4); }",
    ],
)
def test_other_aggregates_are_passed_whole(text):
    assert any(parameter.type is None for parameter in function(unit(text), "g").parameters)


def test_recursive_calls_pass_parts_as_well():
    text = "static int g(struct s s) { s.b--; return s.b ? s.b * g(s) : s.a; } int f(struct s *p) { return g(*p); }"
    found = unit(text)
    assert [p.name for p in function(found, "g").parameters] == ["s.0", "s.4"]
    assert all(not isinstance(a, il.Block) for s in function(found, "g").body if isinstance(s, il.Call) for a in s.arguments)
