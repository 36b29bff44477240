"""A calling convention that contradicts itself is an error when it is loaded; what is left is right."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names
from vpo.machines.read.source import DescriptionError

CONTRADICTIONS = [  # machine, setting, what is said
    ("riscv32", "stack_align=4", "less than the 8 bytes to which C aligns llong: write 8, or 'c: {aligns: {llong: 4, double:"),
    ("powerpc", "stack_align=2", "less than the 8 bytes to which C aligns llong: write 8, or 'c: {aligns: {int: 2, "),
    ("short16", "stack_align=1", "less than the 2 bytes to which C aligns short: write 2"),
    ("rt", "align_pairs=always", "'stack_align: 4' does not keep them there: write 8, or 'align_pairs: never'"),
    ("mips", "first_argument=20", "arguments begin at 'first_argument: 20': it must be a multiple"),
    ("vax", "first_argument=2", "'first_argument' must be a multiple of 'word' (4), not 2"),
    ("sparc", "first_argument=64", "lie in the bytes that are 'reserved': 'first_argument' must be 92"),
    ("we32100", "first_argument=0", "where the return address is stored: 'first_argument' must be 4"),
    ("clipper", "variadic_registers=true", "where calls push 4 bytes: 'first_argument' must leave room for 8"),
    ("sparc", "reserved=60", "a window of 16 registers is stored at the stack pointer: 'reserved' must be 64"),
    ("sparc", 'hidden_result="L[r[14]+92]"', "must lie between the stack pointer and 'first_argument: 92'"),
    ("i386", "pushed=8", "'call' moves the stack pointer by -4, but 'pushed: 8' says -8"),
    ("i386", 'return="PC=L[r[4]],RT(); r[4]=r[4]+8;"', "'return' moves the stack pointer by 8, but 'pushed: 4' says 4"),
    ("riscv32", 'return="PC=r[5],RT();"', "'call' leaves the return address in `r[1]`, which 'return' does not read"),
    ("riscv32", "link=null", "so that must be the 'link', or one of those 'saved'"),
    ("riscv32", 'link="r[5]"', "so that must be the 'link', or one of those 'saved'"),
    ("riscv32", 'hidden_result="r[10]"', "'r[10]' is an argument register: it holds no address of a result"),
    ("riscv32", 'saved=["r[8]..r[10]"]', "'r[10]' carries results, so functions cannot preserve it"),
    ("riscv32", 'arguments.integer=["r[0]"]', "'r[0]' is always zero: it carries no arguments"),
    ("riscv32", 'arguments.integer=["r[1]"]', "'r[1]' is the 'link', which every call sets: it carries no arguments"),
    ("riscv32", 'results.integer=["r[2]"]', "'r[2]' is the stack pointer: it carries no results"),
    ("riscv32", 'arguments.address=["r[12]"]', "'address' is not a key of 'arguments' (known: float, integer)"),
    ("riscv32", 'results.integer=["r[12]","r[13]"]', "start-up code does not read the result of main, which is in r[12]"),
    ("sparc", 'results.integer=["r[9]"]', "start-up code does not read the result of main, which is in r[9]"),
    ("riscv32", 'arguments.integer=["r[10]","r[11]"]', "but calls pass them in r[10], r[11]: write `start:` anew when you"),
    ("riscv32", "arguments=null", "start-up code passes arguments in r[10], r[11], r[12], but calls pass them on the stack"),
    ("arm", "save_with=mask", "'save_with: mask' needs 'enter'"),
    ("vax", "windows.count=4", "'windows' needs 'enter', too"),
    ("mips", "positional=true", "'leading_floats' and 'positional' exclude each other"),
    ("powerpc64le", "positional=true", "'positional' and 'float_words' exclude each other"),
    ("powerpc64le", "homes=never", "'homes' is one of always, needed"),
]
OVERALIGNED = """\
#include <stdarg.h>
struct s { int a, b, c, d; } __attribute__((aligned(16)));
static int sum(int n, ...)
{
    va_list p;
    int result = 0;
    for (va_start(p, n); n--; ) { struct s s = va_arg(p, struct s); result = result * 2 + s.a + s.d; }
    result = result * 2 + va_arg(p, int);
    va_end(p);
    return result;
}
int main(void) { struct s s = {1, 2, 3, 4}; return sum(3, s, s, s, 7); }
"""


@pytest.mark.parametrize(("name", "setting", "said"), CONTRADICTIONS)
def test_contradictions_are_errors(name, setting, said):
    with pytest.raises(DescriptionError) as error:
        load(name, [f"calls.{setting}"])
    assert said in error.value.message


@pytest.mark.parametrize("name", machine_names())
def test_the_stack_is_aligned_as_types_are(name):
    machine = load(name)
    assert machine.convention.stack_align >= max(machine.model.aligns.values())


@pytest.mark.parametrize("name", ["riscv32", "arm", "mips", "we32100"])
def test_types_that_are_aligned_to_more_than_the_stack(name, tmp_path):
    """They are passed at what the stack is aligned to, and `va_arg` looks for them there."""
    source = tmp_path / "overaligned.c"
    source.write_text(OVERALIGNED)
    program = Compiler(load(name), Settings(level=1)).program([str(source)])
    assert interpret(program, limit=10_000).exit_status == 5 * 7 * 2 + 7
