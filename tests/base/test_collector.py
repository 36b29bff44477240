"""The collector looks seldom while code is compiled, and as often as before behind it."""

from __future__ import annotations

import gc

import pytest

from tests.kept_machines import load
from vpo.base.collector import COLLECT_AFTER, LOOKS, seldom_collected
from vpo.build.compiler import Compiler, Settings


@pytest.fixture
def usual():
    """Let the collector look as Python's user wanted it, behind the test as well."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield 700, 10, 10
    gc.set_threshold(*before)


def test_it_looks_as_often_as_before_behind_it(usual):
    @seldom_collected
    def work(fails):
        assert gc.get_threshold() == (COLLECT_AFTER, LOOKS, usual[2])
        if fails:
            raise ValueError("failed")

    work(False)
    assert gc.get_threshold() == usual
    with pytest.raises(ValueError, match="failed"):
        work(True)
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("first", [0, COLLECT_AFTER * 2])
def test_who_wants_it_never_or_less_often_is_left_alone(first, usual):
    gc.set_threshold(first, *usual[1:])
    assert seldom_collected(gc.get_threshold)()[0] == first


def test_whoever_compiles_without_a_command_has_it_so(usual, tmp_path):
    looked = []
    (tmp_path / "a.c").write_text("int f(void) { return 1; }\n")
    compiler = Compiler(load("riscv32"), Settings(2), progress=lambda text: looked.append(gc.get_threshold()[0]))
    compiler.unit(str(tmp_path / "a.c"))
    assert looked == [COLLECT_AFTER]
