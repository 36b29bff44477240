"""The plain interpreter is the oracle of the fast one: both do and count the same, however a program ends."""

from __future__ import annotations

import math

import pytest
from fake_machine import program_of
from generate import CELLS, RandomProgram, VariedProgram, operator_program
from random_flow import RandomFlow
from test_faults import CASES, called

from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.interpret.plain import interpret_plainly
from vpo.interpret.plain_state import State
from vpo.machines.names import machine_names
from vpo.rtl import Register

SHORT = """
#include <unistd.h>
struct pair { short low; double high; };
static struct pair pairs[4];
static unsigned total;
static int sum(const struct pair *from, int n) { return n ? (int)(from->high / 0.5f) + from->low + sum(from + 1, n - 1) : 0; }
static int twice(int n) { return 2 * n; }
static int (*function)(int) = twice;
int main(int argc, char **argv)
{
    for (int i = 0; i < 4; i++) {
        pairs[i].low = i * 1000 - 999;
        pairs[i].high = i * 1.25;
    }
    for (int i = 0; i < 9; i++)
        switch (i % 5) {
        case 0: total += i / 3; break;
        case 1: total ^= 1u << i; break;
        case 2: total -= function(i); break;
        case 3: total = total >> 1 | total << 31; break;
        default: total *= 3;
        }
    write(1, "short\\n", 6);
    return (sum(pairs, 4) + total) % 97 + argc;
}
"""


class Log:
    """Remembers what an observer is told."""

    def __init__(self):
        self.seen = []

    def fetch(self, address, size):
        self.seen.append(("fetch", address, size))

    def data(self, address, size, write):
        self.seen.append(("write" if write else "read", address, size))


def same(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def contents(memory):
    """Return what is mapped, without the pages that only serve to find it."""
    return [memory.read(region.start, region.end - region.start) for region in memory.regions]


def lasting(program, result):
    """Return the registers that the function which ended the run does not set: the fast interpreter keeps others in locals."""
    exits = [name for name, f in program.functions.items() if any(rtl.system_call for rtl in f.rtls())]
    names = [result.fault.function] if result.fault is not None else exits
    changing = {r for name in names for rtl in program.functions[name].rtls() for r in rtl.sets}
    machine = program.machine
    gone = {place for r in changing if not r.pseudo for place in machine.storage(r)}
    return {
        name: value for name, value in result.registers.items()
        if tuple(name.removesuffix("_a").removesuffix("_b").rsplit("_", 1)) not in {(b, str(n)) for b, n in gone}
    }  # fmt: skip


def agree(program, *arguments, observed=False, **options):
    """Run a program both ways, compare all there is, and return one result."""
    logs = [Log() if observed else None for _ in range(2)]
    fast = interpret(program, *arguments, capture=True, observer=logs[0], **options)
    plain = interpret_plainly(program, *arguments, capture=True, observer=logs[1], **options)
    assert plain.fault == fast.fault
    for name in ("exit_status", "output", "errors", "blocks", "taken", "rtls", "traps", "uncounted"):
        assert getattr(plain, name) == getattr(fast, name), name
    assert contents(plain.memory) == contents(fast.memory)
    expected, got = lasting(program, fast), lasting(program, plain)
    assert [name for name in expected if not same(got[name], expected[name])] == []
    if observed:
        assert logs[0].seen == logs[1].seen
    return fast


def test_every_operator():
    text, layout = operator_program(">")
    agree(program_of(text, big_endian=True, cells=CELLS), limit=22 * len(layout))


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed):
    options = {"big_endian": seed % 2 == 1, "slots": seed // 2 % 2, "misaligned": seed % 3 != 0}
    kind = VariedProgram if seed % 4 else RandomProgram
    program = program_of(kind(seed, slots=options["slots"], functions=4).text(), cells=CELLS, **options)
    agree(program)


@pytest.mark.parametrize("seed", range(20))
def test_random_flow(seed):
    agree(RandomFlow(seed, functions=1 + seed % 4).program, limit=400)


@pytest.mark.parametrize("name", CASES)
def test_faults(name):
    body = CASES[name][0].replace("+-16;", "+-16384;")  # so that recursion is not so deep
    agree(program_of(called(body)))


# An RTL that goes wrong in two ways, or by a hair, with whether it does so where alignment matters.
CORNERS = {
    "no caller": ("r[1]=5;\nL2:\nPC=r[1],RT();", False),
    "constants and data are one access": ("r[5]=L[_x+4094];\nPC=r[1],RT();", True),
    "constants are not written behind data": ("L[_x+4094]=r[3];\nPC=r[1],RT();", True),
    "below address zero": ("r[5]=L[r[3]+-1];", False),
    "wild before misaligned": ("r[4]=_y;\nL[r[4]+1]=L[r[3]];", False),
    "division before misaligned": ("r[4]=_y;\nL[r[4]+1]=r[4]/r[3];", False),
    "reads before writes": ("L[r[3]]=r[3]; r[5]=L[r[3]+8];", True),
    "the first write": ("L[r[3]]=r[3]; L[r[3]+8]=r[3];", True),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corners_of_faults(name):
    body, misaligned = CORNERS[name]
    text = called(body)
    if name == "no caller":
        text = text.replace("ST=_f(); r[1]=NPC;", "PC=r[1],RT();")
    agree(program_of(text, misaligned=misaligned))


def test_frames_made_here_exhaust_the_stack():
    text = called("L[r[2]+.a]=r[3];\nST=_f(); r[1]=NPC;\nPC=r[1],RT();")
    text = text.replace("line 9 stage framed {\n", "line 9 stage pseudo {\nslot .a local size 262144 align 8\n")
    result = agree(program_of(text))
    assert (result.fault.kind, result.rtls["_f"], result.blocks["_f"]) == ("stack", [3, 3, 0], [4])


@pytest.mark.parametrize("slot", ["r[5]=5;", "r[5]=L[r[3]];"])
def test_transfers_to_nowhere_with_delay_slots(slot):
    start = called(f"r[4]=_x;\nST=r[4](); r[1]=NPC;\n{slot}\nPC=r[1],RT();\nNOP;").replace("stage framed", "stage final")
    agree(program_of(start.replace("r[1]=NPC; # linkage 3\n", "r[1]=NPC; # linkage 3\n\tNOP; # delay 3\n"), slots=1))


def test_observers_are_told_the_same():
    agree(program_of(VariedProgram(5, functions=3).text(), cells=CELLS), observed=True)


@pytest.mark.parametrize("name", some(machine_names(), 3, first=2))
def test_machines(programs, name):
    """One level each; limits stop in the midst of blocks, of delay slots and of parts of instructions."""
    program = programs(SHORT, name, machine_names().index(name) % 3)
    result = agree(program, ["short"])
    assert (result.fault, result.output) == (None, b"short\n")
    limit = result.instructions // 2
    assert agree(program, ["short"], limit=limit).instructions == limit


@pytest.mark.parametrize("name", some(["i386", "riscv32", "sparc"], 1, first=1))
def test_before_registers_are_assigned(name, tmp_path):
    """Pseudo-registers and frame slots, and frames that the interpreters make."""
    (tmp_path / "short.c").write_text(SHORT)
    settings = Settings(phases=("control", "dead"))
    program = Compiler(load(name), settings).program([str(tmp_path / "short.c")])
    assert agree(program, ["short"]).output == b"short\n"


INTEGERS = (0x7F812345, 0xFFA00001, 0x7FF00001, 1, 0xFFFFFFFF)  # some are signalling NaNs of singles


@pytest.mark.parametrize("name", some(machine_names(), 3, first=2))
def test_registers_keep_the_bits_of_integers(name, programs):
    """Whatever else their registers may hold; `interpret` keeps them in the same types."""
    machine = load(name)
    state = State(programs(SHORT, name, machine_names().index(name) % 3), [], None)
    for cls in machine.classes.values():
        for number in INTEGERS if cls.type == "L" and cls.width == 1 and not cls.private else ():
            register = Register(cls.name, cls.count - 1, "L")
            state.write(register, number)
            assert state.read(register) == (0 if register in machine.zero else number), cls.name
