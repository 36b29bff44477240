"""Which functions return new objects, and that pointers to two of these are told apart."""

import pytest
from test_memory_effects import CALL, MACHINE, unit_of

from vpo.analysis.alias import Aliases
from vpo.analysis.allocators import LIBRARY, allocators
from vpo.analysis.memory_effects import UnitFacts
from vpo.text import parse_effects

MADE = [CALL.format("malloc"), "r[t1]=r[10];"]
FUNCTIONS = {
    "makes": [*MADE, "r[10]=r[t1];"],
    "wraps": [CALL.format("makes"), "r[t1]=r[10];", "r[10]=r[t1];"],
    "perhaps": [*MADE, "r[t2]=r[t1];", "PC=r[t1]!=r[0],L3;", "L2:", "r[t2]=0;", "L3:", "r[10]=r[t2];"],
    "keeps": [*MADE, "r[t2]=HI[_kept];", "L[r[t2]+LO[_kept]]=r[t1];", "r[10]=r[t1];"],
    "shows": [*MADE, "r[10]=r[t1];", CALL.format("look"), "r[10]=r[t1];"],
    "links": [*MADE, "L[r[t1]]=r[t1];", "r[10]=r[t1];"],
    "other": [*MADE, "r[10]=r[t3];"],
    "number": [*MADE, "r[10]=5;"],
    "regrows": [CALL.format("realloc"), "r[t1]=r[10];", "r[10]=r[t1];"],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_who_returns_what_nobody_else_knows_is_an_allocator(name):
    found = allocators(unit_of({"makes": FUNCTIONS["makes"], name: FUNCTIONS[name]}).functions, MACHINE)
    assert (f"_{name}" in found) is (name in ("makes", "wraps", "perhaps"))


def test_a_malloc_of_the_unit_may_return_anything():
    assert allocators(unit_of({"malloc": ["r[10]=r[10]+1;"]}).functions, MACHINE) == LIBRARY - {"_malloc"}


def may_be_one(body):
    """Whether cells at r[t1] and r[t2] of a function may overlap."""
    aliases = Aliases(*unit_of({"f": body}).functions, MACHINE, UnitFacts(allocators=LIBRARY))
    first, other = parse_effects("r[t3]=L[r[t1]+4]; r[t4]=L[r[t2]+8];", MACHINE.cells)
    return aliases.may_alias(first.source, other.source)


def test_new_objects_are_told_apart():
    assert not may_be_one([*MADE, CALL.format("calloc"), "r[t2]=r[10];"])


def test_what_nobody_was_told_of_is_apart_from_all_that_others_return():
    assert not may_be_one([*MADE, CALL.format("elsewhere"), "r[t2]=r[10];"])


def test_what_escapes_may_be_anywhere():
    assert may_be_one([*MADE, "r[10]=r[t1];", CALL.format("look"), "r[t2]=r[10];"])


def test_one_place_makes_many_objects():
    assert may_be_one([*MADE, "r[t2]=r[t1];", "PC=r[t1]!=r[0],L1;"])
