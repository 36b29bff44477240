"""Linking units."""

from tests.kept_machines import load
from vpo.link.link import _Linker
from vpo.rtl.function import Function, Unit


def test_units_that_nobody_else_keeps_are_all_added():
    linker = _Linker(load("riscv32"), None)
    functions = [Function(f"_f{number}") for number in range(20)]
    for contents in [[function] for function in functions]:
        linker.add(Unit("riscv32", contents))  # lies where the one before has been, unless the linker keeps it
    assert list(linker.functions.values()) == functions
