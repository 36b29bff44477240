"""Which cells may overlap, what calls may change, and a run that looks whether this is so."""

import pytest
from memory_oracle import problems

from tests.kept_machines import load
from vpo.analysis.alias import Aliases
from vpo.analysis.memory_effects import UnitFacts, unit_facts
from vpo.build.compiler import Compiler, Settings
from vpo.link.layout import place
from vpo.opt.ssa.construct_ssa import construct_ssa
from vpo.opt.state import FunctionState
from vpo.rtl import Register
from vpo.rtl.function import Data
from vpo.text import parse_effects, parse_function

SLOTS = """slot .a local size 40 align 4
slot .b local size 40 align 4
slot .in.0 incoming size 4 align 1 0
slot .in.4 incoming size 4 align 1 4
"""
BODY = """
r[t1]=r[10];
r[t2]=HI[_x];
r[t3]=r[t2]+LO[_x];
r[t4]=r[t1]<<2;
r[t5]=r[t3]+r[t4];
r[t6]=r[2]+.a;
r[t7]=r[t6]+r[t4];
r[t8]=r[2]+.b;
r[t9]=r[t5]+4;
L[r[t1]]=r[t8];
r[10]=r[t6];
r[t12]=L[r[t1]+8];
"""


def function_of(body, stage="ssa"):
    """Return a function with some RTLs, in lines, and labels."""
    lines = [line if line.endswith(":") else f"\t{line} # program 1" for line in body.split("\n") if line]
    text = f'function _f file "f.c" line 1 stage {stage} {{\n{SLOTS}L1:\n' + "\n".join(lines)
    return parse_function(text + "\n\tPC=r[1],RT(r[10]); # linkage 1\n}\n", MACHINE.cells)


MACHINE = load("riscv32")


def cell(text):
    """Return the cell with a text."""
    (effect,) = parse_effects(f"r[1]={text};" if text[0] not in "BWV" else f"r[1]=zxL({text});", MACHINE.cells)
    return effect.memory[0]


def answer(aliases, a, b, **settings):
    both = {aliases.may_alias(cell(x), cell(y), **settings) for x, y in ((a, b), (b, a))}
    assert len(both) == 1
    return both.pop()


APART = [
    ("L[_x]", "L[_y]"), ("L[_x]", "L[_x+4]"), ("L[r[t5]]", "L[_y]"), ("L[r[t5]]", "L[r[t9]]"), ("W[r[t5]+2]", "W[r[t5]]"),
    ("L[r[t7]]", "L[r[t5]]"), ("L[r[t7]]", "L[r[t1]]"), ("L[r[t8]]", "L[r[t7]]"), ("L[r[2]+(.b+36)]", "L[r[t8]]"),
    ("L[r[2]+.in.0]", "L[r[2]+.in.4]"), ("L[r[2]+.in.0]", "L[r[t12]]"), ("L[r[2]]", "L[r[2]+.a]"), ("L[r[2]+8]", "L[r[t12]]"),
    ("L[r[t12]]", "L[r[t12]+4]"), ("L[r[t12]]", "L[r[t7]]"), ("L[r[t5]+-4]", "L[r[t9]]"), ("B[_x+4]", "L[_x]"),
]  # fmt: skip
OVERLAP = [
    ("L[_x]", "L[_x+2]"), ("B[_x+3]", "L[_x]"), ("L[r[t5]]", "L[_x+8]"), ("L[r[t12]]", "L[_x]"), ("L[r[t5]+4]", "L[r[t9]]"),
    ("L[r[t12]]", "L[r[t8]]"), ("L[r[t12]]", "L[r[2]+.b]"), ("L[r[t1]]", "L[r[t12]]"), ("L[r[t9]+-2]", "L[r[t5]]"),
    ("L[r[t77]]", "L[r[t7]]"), ("VL[_x]", "L[_y]"), ("L[r[t7]]", "L[r[2]+(.a+12)]"), ("L[r[t12]+4294967294]", "L[r[t12]]"),
]  # fmt: skip


@pytest.fixture(scope="module")
def aliases():
    return Aliases(function_of(BODY.replace("r[10]=r[t6];\n", "")), MACHINE)


@pytest.mark.parametrize(("a", "b"), APART)
def test_apart(aliases, a, b):
    assert not answer(aliases, a, b)


@pytest.mark.parametrize(("a", "b"), OVERLAP)
def test_may_overlap(aliases, a, b):
    assert answer(aliases, a, b)


TYPES = [
    ("L{int}[r[t12]]", "F{float}[r[t77]]", False), ("L{int}[r[t12]]", "L{pointer}[r[t77]]", False),
    ("L{int node.4}[r[t12]]", "L{int node.8}[r[t77]]", False), ("L{int node.4}[r[t12]]", "L{long node.4}[r[t77]]", False),
    ("L{int}[_x]", "L{pointer}[r[t77]]", False), ("L{int node.4}[r[t12]]", "L{int}[r[t77]]", True),
    ("L{int node.4}[r[t12]]", "L{int list.8}[r[t77]]", True), ("L{int}[r[t12]]", "L[r[t77]]", True),
    ("L{int}[r[t12]]", "F{float}[r[t12]+2]", True), ("VL{int}[r[t12]]", "F{float}[r[t77]]", True),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "overlap"), TYPES)
def test_types_of_c(aliases, a, b, overlap):
    """Cells of types that no object has both are apart, but for equal addresses; the text form keeps the types."""
    assert answer(aliases, a, b) == overlap
    assert (repr(cell(a)), repr(cell(b))) == (a, b)


def test_values_of_registers_in_different_iterations(aliases):
    assert answer(aliases, "L[r[t5]]", "L[r[t9]]", same_values=False)
    assert not answer(aliases, "L[r[t5]]", "L[r[t7]]", same_values=False)
    assert not answer(aliases, "L[_x]", "L[_x+4]", same_values=False)


def test_outside_ssa_form_registers_are_not_replaced_by_their_definitions():
    aliases = Aliases(function_of(BODY + "r[t9]=r[t9]+8;", "pseudo"), MACHINE)
    assert answer(aliases, "L[r[t5]]", "L[r[t9]]")
    assert not answer(aliases, "L[r[t9]+4]", "L[r[t9]]")
    assert not answer(aliases, "L[r[t9]]", "L[_y]")


def test_phis_point_where_all_their_sources_do():
    body = BODY + "L2:\nr[t20.2]=PHI(L1:r[t5],L2:r[t20.3]);\nr[t21.2]=PHI(L1:r[t5],L2:r[t7]);\n"
    aliases = Aliases(function_of(body + "r[t20.3]=r[t20.2]+4;\nPC=r[t20.3]!=r[t3],L2;\nL3:\n"), MACHINE)
    assert not answer(aliases, "L[r[t20.3]]", "L[_y]")
    assert answer(aliases, "L[r[t20.3]]", "L[_x+8]")
    assert answer(aliases, "L[r[t21.2]]", "L[r[2]+.a]")
    assert not answer(aliases, "L[r[t21.2]]", "L[r[2]+.b]")


def test_calls_know_what_has_escaped():
    inside, outside = (Aliases(function_of(text), MACHINE) for text in (BODY, BODY + "ST=_g(r[10]); r[1]=NPC;"))
    names = ("L[r[2]+.a]", "L[r[2]+.b]", "L[r[2]+.in.0]", "L[r[2]+4]", "L[_x]", "L[r[t12]]", "VL[r[2]+.a]")
    assert [inside.call_may_change(cell(name)) for name in names] == [True, True, False, True, True, True, True]
    no_result = BODY.replace("r[10]=r[t6];\n", "")
    quiet = Aliases(function_of(no_result), MACHINE)
    assert [quiet.call_may_read(cell(name)) for name in names[:2]] == [False, True]
    assert [outside.call_may_read(cell(name)) for name in names[:2]] == [True, True]


def test_constants_never_change():
    facts = unit_facts([Data("_x", 40, 4, [], constant=True), Data("_y", 4, 4, [])])
    assert facts.constants == {"_x"}
    aliases = Aliases(function_of(BODY), MACHINE, facts)
    assert not aliases.call_may_change(cell("L[r[t5]]"))
    assert aliases.call_may_change(cell("L[_y]"))
    assert not answer(aliases, "L[r[t5]]", "L[r[t12]]")


def test_places_behind_the_end_of_a_variable_may_fault():
    aliases = Aliases(function_of(BODY), MACHINE, unit_facts([Data("_x", 40, 4, []), Data("_weak", 0, 1, [], weak=True)]))
    size = aliases.function.slots[".a"].size
    inside = ["L[_x]", "L[_x+36]", "B[_x+39]", "L[r[2]+.a]", f"B[r[2]+(.a+{size - 1})]", "L[_elsewhere]", "L[_elsewhere+400]"]
    outside = ["L[_x+37]", "B[_x+40]", "B[_x-1]", f"L[r[2]+(.a+{size})]", "L[r[2]+(.a-4)]", "B[_weak]", "L[_elsewhere+40000]"]
    assert all(aliases.is_variable(cell(name)) for name in inside)
    assert not any(aliases.is_variable(cell(name)) for name in outside)


def test_pointers_from_outside_do_not_point_to_private_objects():
    facts = unit_facts([], ["_y"])
    aliases = Aliases(function_of(BODY), MACHINE, facts)
    assert not answer(aliases, "L[_y]", "L[r[t12]]")
    assert aliases.call_may_change(cell("L[_y]"))
    assert answer(aliases, "L[_x]", "L[r[t12]]")
    escaped = Aliases(function_of(BODY + "r[t30]=HI[_y];\nr[t31]=r[t30]+LO[_y];\nL[r[2]+.a]=r[t31];\n"), MACHINE, facts)
    assert answer(escaped, "L[_y]", "L[r[t12]]")


def test_a_structure_is_in_no_smaller_variable():
    facts = unit_facts([Data("_x", 40, 4, []), Data("_y", 4, 4, []), Data("_weak", 0, 1, [], weak=True)])
    aliases = Aliases(function_of(BODY), MACHINE, facts)
    pairs = {("_y", "int node.0/4"): True, ("_y", "int node.0/8"): False, ("_y", "int"): True, ("_x", "int node.8/40"): True}
    pairs |= {("_x", "int node.8/44"): False, ("_weak", "int node.0/8"): True, ("_elsewhere", "int node.0/8000"): True}
    pairs |= {("r[2]+.a", "int node.8/40"): True, ("r[2]+.a", "int node.8/44"): False}
    found = {(x, type_): answer(aliases, f"L[{x}]", f"L{{{type_}}}[r[t12]]") for x, type_ in pairs}
    assert found == pairs
    assert not answer(aliases, "B[_y]", "Q[r[t12]]")
    assert answer(aliases, "L[r[t77]]", "L{int node.0/8}[r[t12]]")


def test_a_register_may_be_forgotten():
    aliases = Aliases(function_of(BODY), MACHINE)
    assert not answer(aliases, "L[r[t5]]", "L[_y]")
    aliases.forget(Register("r", 5, "L", True))
    assert answer(aliases, "L[r[t5]]", "L[_y]")
    assert answer(aliases, "L[r[t5]]", "L[r[2]+.b]")


CONFLICTS = [
    ("r[t30]=L[_x];", "r[t31]=L[_x];", False), ("r[t30]=L[_x];", "L[_x+2]=r[t1];", True),
    ("L[_x]=r[t1];", "L[_y]=r[t1];", False),
    ("r[t30]=L[_x];", "ST=_g(); r[1]=NPC;", True), ("L[r[t8]]=r[t1];", "ST=_g(); r[1]=NPC;", True),
    ("L[r[2]+.a]=r[t1];", "ST=_g(); r[1]=NPC;", False), ("r[t30]=VL[_x];", "r[t31]=VL[_y];", True),
    ("r[t30]=r[t1];", "ST=_g(); r[1]=NPC;", False), ("ST=_g(); r[1]=NPC;", "ST=_g(); r[1]=NPC;", True),
    ("L[_x]=r[t1];", "PC=r[1],RT();", True), ("L[r[2]+.a]=r[t1];", "PC=r[1],RT();", False),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "expected"), CONFLICTS)
def test_which_rtls_may_change_places(aliases, first, second, expected):
    pair = [function_of(text).blocks[0].rtls[0] for text in (first, second)]
    assert aliases.conflict(*pair) is aliases.conflict(*reversed(pair)) is expected


def test_a_load_may_come_before_a_store_of_another_type_but_not_behind_one(aliases):
    """A store may give allocated memory another type, so types say nothing about stores that come later."""
    texts = ("L{int}[r[t12]]=r[t1];", "r[t31]=L{pointer}[r[t77]];", "L{pointer}[r[t77]]=r[t1];")
    store, load, other = (function_of(text).blocks[0].rtls[0] for text in texts)
    assert not aliases.conflict(store, load)
    assert aliases.conflict(load, store)
    assert aliases.conflict(store, other)


PROGRAM = """
#include <stdarg.h>
int table[10]; static int count; struct item { int key; struct item *next; } items[4], *head;
static int total(int n, ...) {
    va_list ap; int sum = 0; va_start(ap, n); while (n--) sum += va_arg(ap, int); va_end(ap); return sum;
}
static void fill(int *to, int n) { int i; for (i = 0; i < n; i++) { to[i] = i; count += to[i]; table[i & 7] = count; } }
int main(void) {
    int here[8], other = 3, *p = &other, i, sum = 0; struct item *q;
    for (i = 0; i < 4; i++) { items[i].key = i; items[i].next = head; head = &items[i]; }
    fill(here, 8); fill(table + 1, 8);
    for (q = head; q; q = q->next) { q->key += other; *p += q->key; here[q->key & 7]++; table[q->key & 7] += here[i]; }
    for (i = 0; i < 8; i++) sum += here[i] * table[i + 1];
    return (sum + total(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) + other + count) & 127;
}
"""


@pytest.mark.parametrize("ssa", [False, True])
@pytest.mark.parametrize("name", ["riscv32", "m68020"])
def test_a_run_agrees(name, ssa, tmp_path):
    machine, path = load(name), tmp_path / "program.c"
    path.write_text(PROGRAM)
    compiler = Compiler(machine, Settings(phases=("control",)))
    program = compiler.program([str(path)])
    functions = [function for function in program.functions.values() if function.stage == "pseudo"]
    for function in functions if ssa else ():
        construct_ssa(FunctionState(function, machine))
    program = place(program)
    found, checked = problems(program, functions, UnitFacts(private=frozenset(("_count",))))
    assert found == []
    assert checked > 500


@pytest.mark.parametrize("number", ["r[t2]=(r[t2]&-256)|zxL(B[r[t1]]);", "r[t2]=r[t2]+1;"])
def test_index_that_begins_undefined(number):
    """A register that is part of its own only definition is a number: what it is added to stays the object."""
    function = function_of(f"r[t1]=r[10];\nL2:\n{number}\nL[(r[2]+r[t2])+.a]=r[t1];\nr[t3]=L[(r[2]+r[t2])+.a];", "pseudo")
    aliases = Aliases(function, MACHINE)
    assert aliases.is_ever_read(cell("L[r[2]+.a]"))
    assert not answer(aliases, "L[(r[2]+r[t2])+.a]", "L[r[2]+.b]")


def test_stores_to_other_objects_are_told_by_the_objects(tmp_path, monkeypatch):
    """Above a load, as many stores are looked at as there are: each answer is to be cheap."""
    names = [f"g{number}" for number in range(30)]
    body = "".join(f"{name} = {names[number * 7 % 30]} + a;\n" for number, name in enumerate(names))
    (tmp_path / "a.c").write_text(f"int {', '.join(names)};\nint f(int a) {{\n{body}return g0;\n}}\n")
    counts = {"may_alias": 0, "may_change": 0}
    asked = {name: getattr(Aliases, name) for name in counts}
    for name in counts:

        def counted(self, *given, name=name):
            counts[name] += 1
            return asked[name](self, *given)

        monkeypatch.setattr(Aliases, name, counted)
    monkeypatch.setenv("EASE_CACHE", "")
    Compiler(MACHINE, Settings(2)).unit(str(tmp_path / "a.c"))
    assert counts["may_alias"] < counts["may_change"] / 2
