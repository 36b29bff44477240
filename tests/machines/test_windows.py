"""Register windows: overflows and underflows are those that one works out by hand, and those of the real machine."""

from dataclasses import replace

import pytest

from ease.host.process.job import RunOptions
from ease.run.measuring import counted_run, measure
from ease.run.verify import ToolMissing, emulated, tools_of, truth
from tests.covering import some
from tests.kept_machines import load
from tests.programs.running import Checking
from vpo.build.compiler import Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.read.source import DescriptionError

DOWN = "int down(int n) { return n ? 1 + down(n - 1) : 0; }\n"
ONCE = DOWN + "int main(void) { return down(20); }\n"
TWICE = DOWN + "int main(void) { return down(4) + down(20) + down(5) + down(20); }\n"
# everything that a window has to do with: recursion, variable arguments, structures, many values, big frames, pointers
MIXED = """
#include <stdarg.h>
#include <stdio.h>
struct pair { int a, b, c, d, e; };
static int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}
static struct pair make(int n, double x)
{
    struct pair p = { n, n + 1, (int)x, sum(9, 1, 2, 3, 4, 5, 6, 7, 8, n), 7 };
    return p;
}
static long long wide(long long a, int n) { return n ? wide(a * 3 + n, n - 1) : a; }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int big(int n)
{
    char space[6000];
    space[n] = (char)n;
    return n ? big(n - 1) + space[n] : space[0];
}
static int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
    int i = a * b, j = c * d, k = e * f, l = g * h, m = a - h, n = b - g, o = c - f, p = d - e;
    return i ^ j ^ k ^ l ^ m ^ n ^ o ^ p ^ (i + j) ^ (k + l) ^ (m + n) ^ (o + p) ^ (i * p) ^ (j * o) ^ a ^ b ^ c ^ d ^ e ^ f;
}
int main(int argc, char **argv)
{
    int (*f[])(int) = { odd, even, big };
    struct pair p = make(argc + 4, 2.5);
    printf("%d %d %d %d %s\\n", p.a, p.c, p.d, p.e, argv[0]);
    printf("%lld %d %d %d\\n", wide(1, 30), f[0](25), f[1](25), f[2](20));
    printf("%d %g\\n", many(1, 2, 3, 4, 5, 6, 7, 8), 1.5 * p.b);
    return 0;
}
"""
PRINTED = b"5 2 41 7 mixed\n3242785330490722 1 0 210\n93 9\n"


@pytest.fixture
def compiled(tmp_path):
    def compile_(text, count=8, **settings):
        (tmp_path / "mixed.c").write_text(text)
        machine = load("sparc", [f"calls.windows.count={count}"])
        return Checking(machine, Settings(**settings)).program([str(tmp_path / "mixed.c")])

    return compile_


def of_function(program, counts, name):
    """Return the overflows and the underflows of a function."""
    rtls = program.functions[name].rtls()
    found = {"enter": 0, "leave": 0}
    for position, count in counts[name].items():
        found[program.machine.window_move(rtls[position].effects)] += count
    return found["enter"], found["leave"]


@pytest.mark.parametrize("count", some((2, 3, 8, 22, 23, 24, 100), 3))
@pytest.mark.parametrize(("text", "depths"), [(ONCE, [20]), (TWICE, [4, 20, 5, 20])])
def test_counts_are_those_worked_out_by_hand(compiled, count, text, depths):
    program = compiled(text, count)
    # main and down(n)...down(0) are n + 2 windows; all beyond count - 1 are stored on the way down and loaded on the way up
    wanted = sum(max(0, depth + 2 - (count - 1)) for depth in depths)
    oracle = interpret(program, ["down"], capture=True)
    _, counts = counted_run(program, ["down"], RunOptions(capture=True, tier="fast"))
    assert oracle.exit_status == sum(depths)
    assert of_function(program, oracle.traps, "_down") == (wanted, wanted)
    assert counts.traps == oracle.traps


def test_references_of_traps_are_attributed(compiled):
    program = compiled(ONCE, 6)
    characteristics = measure(program, ["down"], options=RunOptions(capture=True, tier="fast")).characteristics
    overflows = sum(count.traps for move, count in characteristics.windows.items() if move.direction == "enter")
    underflows = sum(count.traps for move, count in characteristics.windows.items() if move.direction == "leave")
    down = [count for move, count in characteristics.windows.items() if move.function == "down"]
    assert [count.dynamic for count in down] == [21, 21]
    assert [count.traps for count in down] == [17, 17]
    found = {r.direction: count for r, count in characteristics.references.items() if r.cause == "window"}
    assert (found["write"].dynamic, found["read"].dynamic) == (16 * overflows, 16 * underflows)
    assert (found["write"].static, found["read"].static) == (0, 0)
    assert {r.group for r in characteristics.references if r.cause == "window"} == {"save/restore"}


@pytest.mark.parametrize("level", some((1, 0, 2), 1))
def test_everything_that_moves_windows(compiled, level):
    program = compiled(MIXED, level=level)
    oracle = interpret(program, ["mixed"], capture=True)
    assert (oracle.fault, oracle.output) == (None, PRINTED)
    host, counts = counted_run(program, ["mixed"], RunOptions(capture=True, tier="fast"))
    assert (host.fault, host.output) == (None, PRINTED)
    assert (counts.rtls, counts.traps) == (oracle.rtls, oracle.traps)


@pytest.mark.thorough
@pytest.mark.parametrize("phases", some([(("assign",),), (("assign", "frame", "delay"),)], 1))
def test_windows_move_at_every_stage(compiled, phases):
    oracle = interpret(compiled(MIXED, phases=phases), ["mixed"], capture=True)
    assert (oracle.fault, oracle.output) == (None, PRINTED)


def test_what_enters_must_be_left_again():
    with pytest.raises(DescriptionError, match=r"'leave' does not undo `w\[0\]=r\[16\];`"):
        load("sparc", ["calls.windows.leave=r[8..15]=r[24..31];"])
    with pytest.raises(DescriptionError, match="'count' must be a number from 2 to 65536"):
        load("sparc", ["calls.windows.count=1"])


@pytest.mark.tools
@pytest.mark.parametrize("count", some((8, 3, 5, 13), 1))
def test_the_real_machine_has_as_many_traps(compiled, count):
    program = compiled(MIXED, count)
    tools = program.machine.toolchain
    emulator = (*tools.emulator, "-cpu", f"LEON3,nwindows={count}")
    program = replace(program, machine=replace(program.machine, toolchain=replace(tools, emulator=emulator)))
    try:
        tools_of(program.machine)
    except ToolMissing as missing:
        pytest.skip(str(missing))
    _, counts = counted_run(program, ["mixed"], RunOptions(capture=True, tier="fast"))
    real = truth(program, ["mixed"])
    assert (real.output, real.exit_status) == (PRINTED, 0)
    assert real.instructions == emulated(program, counts)
    assert sum(sum(traps.values()) for traps in counts.traps.values()) > 50
