"""The RTLs that the legaliser writes are canonical: their text is read back as the same RTLs."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.lower.legalize import Legalizer
from vpo.machines.names import machine_names
from vpo.rtl import Const, Symbol
from vpo.rtl.function import Block, Function
from vpo.text import parse_effects, show_effects

RELATIONS = ("==", "!=", "<", ">=", "<u", ">=u")
COMPARED = """
int g[2];
int here(int *p) { return &g[1] == p; }
int not_here(int *p) { if (&g[1] != p) return 2; return 3; }
"""


def legalizer(name):
    machine = load(name)
    function = Function("_f", "f.c", 1, False, "pseudo", [Block("L1", [])], labels=1)
    return Legalizer(machine, function)


@pytest.mark.parametrize("name", machine_names())
def test_a_constant_never_stands_to_the_left(name):
    code = legalizer(name)
    register = code.function.pseudo(code.integer, code.word)
    for constant in (Const(0), Const(7), Symbol("_g", 4)):
        for relation in RELATIONS:
            code.branch(relation, constant, register, "L1")
            code.branch(relation, constant, constant, "L1")
    for rtl in code.out:
        assert parse_effects(show_effects(rtl.effects), code.machine.cells) == rtl.effects


@pytest.mark.parametrize("level", [0, 1])
def test_verify_demands_that_text_is_read_back_as_it_was_printed(tmp_path, level):
    source = tmp_path / "compared.c"
    source.write_text(COMPARED)
    Compiler(load("stack"), Settings(level, check="invariants")).unit(str(source))


def test_a_branch_on_numbers_is_read_back():
    """Numbers that are compared fold; a branch keeps a comparison of the outcome with zero."""
    register = {"r": "L"}
    (always,), (never,) = (parse_effects(f"PC={text},L2;", register) for text in ("3<5", "1==0"))
    assert (show_effects((always,)), show_effects((never,))) == ("PC=1!=0,L2;", "PC=0!=0,L2;")
    assert parse_effects("PC=1!=0,L2;", register) == (always,)
