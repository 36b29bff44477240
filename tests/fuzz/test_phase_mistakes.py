"""Mistakes are made where functions are executed, whatever decorates them; `phase_mistakes.py` makes them in phases."""

import importlib
import sys

import pytest

from tests.fuzz.phase_mistakes import Mistake, all_mistakes, make, parsed

TEXT = """\
from functools import cache, cached_property

LIMIT = 3


@cache
def below(a: int | None, b: int) -> bool:
    return a < b and not b == 9


class Kept:
    @cached_property
    def most(self):
        return max(4, 5)

    @property
    def total(self):
        result = 1
        for number in (1, 2):
            if number > 5:
                continue
            result += number
        return sum(each + 1 for each in (result, 2))

    @staticmethod
    def divided(a, b):
        return divmod(a, b)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "mistaken.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    parsed.cache_clear()
    yield importlib.import_module("mistaken")
    del sys.modules["mistaken"]


def found(module):
    lines = len(TEXT.splitlines())
    return [mistake for mistake in all_mistakes({module.__name__: set(range(lines + 1))}) if make(mistake)]


def test_all_kinds_of_mistakes_are_known(module):
    assert {mistake.what for mistake in found(module)} >= {
        "LtE for Lt", "NotEq for Eq", "Or for And", "no Not", "min for max", "GtE for Gt", "forgets an exit",
        "arguments exchanged", "Sub for Add", "2 for 1", "forgets line 21", "forgets line 22", "forgets a condition",
    }  # fmt: skip
    assert not any(mistake.line in (3, 7) for mistake in found(module))  # what is a constant, or a type


MADE = [
    ("LtE for Lt", lambda module: module.below(2, 2), True),
    ("no Not", lambda module: module.below(1, 9), True),
    ("min for max", lambda module: module.Kept().most, 4),
    ("forgets line 22", lambda module: module.Kept().total, 5),
    ("Sub for Add", lambda module: module.Kept().total, 4),
    ("arguments exchanged", lambda module: module.Kept.divided(7, 2), (0, 2)),
]


@pytest.mark.parametrize(("what", "asked", "answer"), MADE, ids=[what for what, _, _ in MADE])
def test_a_mistake_is_made_in_the_function_that_is_there(module, what, asked, answer):
    before = asked(module)
    assert before != answer
    module.below.cache_clear()
    assert make([one for one in all_mistakes({"mistaken": set(range(40))}) if one.what == what][-1])
    assert asked(module) == answer


def test_mistakes_are_told_with_their_places():
    assert str(Mistake("vpo.opt.dead", 3, 17, "2 for 1")) == "vpo.opt.dead line 17: 2 for 1"
