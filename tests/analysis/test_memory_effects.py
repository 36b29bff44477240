"""What functions may read and change, what follows for calls of them, and a run that looks whether this is so."""

from dataclasses import replace

import pytest
from memory_oracle import problems

from tests.kept_machines import load
from vpo.analysis.memory_effects import UnitFacts, memory_effects
from vpo.build.compiler import Compiler, Settings
from vpo.link.layout import place
from vpo.opt.driver import Options, run_phases
from vpo.text import parse_unit, print_function

MACHINE = load("riscv32")
HEAD = 'machine "riscv32" cells r=L f=D e=F\n'
RETURN = "PC=r[1],RT(r[10]);"
CALL = "ST=_{}(r[10]); r[1]=NPC;"
FUNCTIONS = {
    "pure": ["r[10]=r[10]+1;"],
    "looks": ["r[t1]=HI[_seen];", "r[t2]=r[t1]+LO[_seen];", "r[10]=L[r[t2]];"],
    "counts": ["r[t1]=HI[_count];", "r[t2]=r[t1]+LO[_count];", "L[r[t2]]=r[10];"],
    "stores": ["r[t1]=r[10];", "L[r[t1]]=r[0];"],
    "both": [CALL.format("looks"), CALL.format("counts")],
    "own": ["r[t1]=1;", "L[r[2]+.a]=r[t1];", "r[10]=L[r[2]+.a];"],
    "loops": ["L2:", "PC=r[10]!=r[0],L2;", "L3:"],
    "recurs": [CALL.format("recurs")],
    "calls": [CALL.format("pure")],
    "outside": [CALL.format("elsewhere")],
    "indirect": ["ST=r[10](r[10]); r[1]=NPC;"],
    "volatile": ["r[t1]=r[10];", "r[t2]=VL[r[t1]];"],
    "asks": [CALL.format("outside")],
}


def unit_of(functions):
    texts = []
    for name, body in functions.items():
        lines = "\n".join(line if line.endswith(":") else f"\t{line} # program 1" for line in (*body, RETURN))
        slots = "slot .a local size 8 align 4\n"
        texts.append(f'function _{name} file "f.c" line 1 stage pseudo {{\n{slots}L1:\n{lines}\n}}\n')
    unit, _ = parse_unit(HEAD + "".join(texts))
    return unit


def effects_of(functions):
    """Return the summaries of some functions, all of which are called."""
    caller = {"all": [CALL.format(name) for name in functions]}
    return memory_effects(unit_of({**functions, **caller}).functions, MACHINE)


SUMMARIES = [
    ("pure", "", "", True), ("looks", "seen", "", True), ("counts", "", "count", False), ("stores", "", "unknown", False),
    ("both", "seen", "count", False), ("own", "", "", True), ("loops", "", "", False), ("recurs", "", "", False),
    ("calls", "", "", True),
]  # fmt: skip


@pytest.fixture(scope="module")
def effects():
    return effects_of(FUNCTIONS)


def named(bases):
    return " ".join(sorted(base.name[1:] or base.kind for base in bases))


@pytest.mark.parametrize(("name", "reads", "writes", "removable"), SUMMARIES)
def test_summaries(effects, name, reads, writes, removable):
    found = effects[f"_{name}"]
    assert (named(found.reads), named(found.writes), found.removable) == (reads, writes, removable)


@pytest.mark.parametrize("name", ["outside", "indirect", "volatile", "asks", "elsewhere", "all"])
def test_no_summary(effects, name):
    """Of functions that may do anything, and of those that the unit does not call."""
    assert f"_{name}" not in effects


def test_many_objects_are_everything():
    body = [line for i in range(70) for line in (f"r[t{2 * i + 1}]=HI[_x{i}];", f"r[10]=L[r[t{2 * i + 1}]+LO[_x{i}]];")]
    assert named(effects_of({"reads": body})["_reads"].reads) == "any"


def optimized(body, effects, phases):
    (function,) = unit_of({"f": body}).functions
    run_phases(function, MACHINE, Options(phases=phases, check=True), UnitFacts(effects=effects))
    return print_function(function)


STAYS = [("looks", False), ("own", False), ("loops", True), ("counts", True), ("outside", True)]


@pytest.mark.parametrize(("name", "stays"), STAYS)
def test_calls_without_effect_are_removed(effects, name, stays):
    text = optimized(["r[10]=1;", CALL.format(name), "r[10]=2;"], effects, ("dead",))
    assert (f"_{name}" in text, "r[10]=1" in text) == (stays, stays)


def test_a_call_whose_result_is_used_stays(effects):
    assert "_pure" in optimized(["r[10]=1;", CALL.format("pure")], effects, ("dead",))


@pytest.mark.parametrize(("name", "loads"), [("looks", 1), ("counts", 1), ("stores", 2), ("outside", 2)])
def test_loads_stay_known_across_calls(effects, name, loads):
    load_ = ["r[t1]=HI[_seen];", "r[t2]=r[t1]+LO[_seen];", "r[t3]=L[r[t2]];"]
    again = ["r[t4]=L[r[t2]];", "r[10]=r[t3]+r[t4];"]
    text = optimized([*load_, CALL.format(name), *again], effects, ("ssa", "gvn", "dead", "unssa"))
    assert text.count("=L[") == loads


PROGRAM = """
int seen[4]; static int count, other; struct node { struct node *next; int value; } nodes[3], *head;
int inner(int x) { return x > 100 ? 1 : seen[x & 3] + x; }
void note(int x) { if (x > 1) note(x - 1); count += x; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; note(t & 3); }
int sum(struct node *n) { return n ? n->value + sum(n->next) : other; }
void push(int x) { nodes[x].value = x; nodes[x].next = head; head = &nodes[x]; }
int main(void) {
    int a = 1, b = 2, kept = 5, i;
    for (i = 0; i < 3; i++) {
        push(i); seen[i] += count; swap(&a, &b); seen[i] += count + a * kept; other += inner(i) + count;
    }
    inner(a);
    return (sum(head) + a + b + count + other) & 127;
}
"""


@pytest.mark.parametrize("name", ["riscv32", "m68020"])
def test_a_run_agrees(name, tmp_path):
    machine, path = load(name), tmp_path / "program.c"
    path.write_text(PROGRAM)
    program = Compiler(machine, Settings(phases=("control",))).program([str(path)])
    functions = [function for function in program.functions.values() if function.file == str(path)]
    effects = memory_effects(functions, machine)
    program = place(program)
    assert {"_inner", "_note", "_swap", "_sum", "_push"} <= effects.keys()
    found, checked = problems(program, functions, UnitFacts(private=frozenset(("_count", "_other")), effects=effects))
    assert found == []
    assert checked > 100
    wrong = {key: replace(value, writes=frozenset()) for key, value in effects.items()}
    assert problems(program, functions, UnitFacts(effects=wrong))[0]  # the run would tell
