"""What is looked up for all numbers of an instruction at once is what trying each of them finds."""

from __future__ import annotations

import pytest

from tests.covering import some
from tests.machines.test_undone import SOURCE
from vpo.build.compiler import Compiler, Settings
from vpo.machines.match import likely
from vpo.machines.match.numbered import few_numbers
from vpo.machines.read.load import load


@pytest.mark.parametrize("name", some(("aarch64", "x86_64"), 1))
def test_numbers_are_those_that_trying_finds(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EASE_CACHE", "")
    looked_up = likely._tried
    compared = makes = 0

    def checked(opened, tables, sought, wanted):
        nonlocal compared, makes
        found = list(looked_up(opened, tables, sought, wanted))
        for meaning, order in likely._ordered(opened, wanted):
            if few_numbers(meaning):
                given = [wanted.vectors[place] for place in order]
                tried = [number for (number,) in likely._numbers(meaning, given, wanted, sought.numbers)]
                assert [number for each, its, number in found if each is meaning and its == order] == tried
                compared, makes = compared + 1, makes + len(tried)
        assert [*looked_up(opened, tables, sought, wanted)] == found
        return iter(found)

    monkeypatch.setattr(likely, "_tried", checked)
    (tmp_path / "a.c").write_text(SOURCE)
    Compiler(load(name), Settings(2)).unit(str(tmp_path / "a.c"))
    assert compared > 100
    assert makes > 2
