"""Aggregates are copied only where somebody else could see the difference."""

import pytest

from tests.kept_machines import load
from vpo.expand.expander import expand_unit
from vpo.frontend import compile_c
from vpo.il.data_model import DataModel

TYPES = "struct s { int a, b, c; }; struct s make(int); int taken(struct s); extern struct s global;"


def slots(machine, text):
    """Return the slots of the frame of a C function as it is expanded."""
    loaded = load(machine)
    model: DataModel = loaded.model
    functions, _, failures = expand_unit(compile_c("test.c", model, source=TYPES + text), loaded, True)
    assert not failures
    return [slot.name for slot in functions[-1].slots.values() if slot.kind != "incoming"]


@pytest.mark.parametrize("machine", ["riscv32", "m68020"])  # by address, on the stack
def test_parameters_stay_where_the_caller_put_them(machine):
    assert slots(machine, "int f(int x, struct s s, int i) { s.b += x; return ((int *)&s)[i]; }") == []


@pytest.mark.parametrize("machine", ["riscv32", "m68020"])
def test_a_result_is_built_where_the_caller_wants_it(machine):
    assert slots(machine, "struct s f(int x) { struct s s; s.a = s.b = x; if (x) return s; s.c = x; return s; }") == []
    assert slots(machine, "struct s f(int x) { return make(x + 1); }") == []


def test_other_results_are_copied():
    assert len(slots("riscv32", "struct s f(int x) { struct s s, t; s.a = t.b = x; if (x) return s; return t; }")) == 2
    assert slots("riscv32", "struct s f(struct s s) { s.a++; return s; }") == []  # the parameter is not in the result's place


def test_a_callee_gets_a_copy_only_of_what_is_used_again():
    assert len(slots("riscv32", "int f(int x) { return taken(make(x)); }")) == 1
    assert len(slots("riscv32", "int f(int x) { struct s s = make(x); return taken(s) + s.a; }")) == 3
    assert len(slots("riscv32", "int f(void) { return taken(global); }")) == 1


def test_slots_that_are_made_when_others_are_gone_have_names_of_their_own():
    text = "struct c { char m[5]; }; int f(struct c a, struct s b, struct c d, struct c e)"
    text += "{ char *p = &a.m[0], *q = &d.m[0]; return p[b.a] + q[b.b] + e.m[1]; }"
    assert len(slots("riscv32", text)) == 6  # each small one, and what its words are put together in
