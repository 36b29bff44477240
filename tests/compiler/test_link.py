"""Linking units."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.link.layout import placed_otherwise
from vpo.link.link import _Linker, link
from vpo.rtl.function import Function, Unit


def test_units_that_nobody_else_keeps_are_all_added():
    linker = _Linker(load("riscv32"), None)
    functions = [Function(f"_f{number}") for number in range(20)]
    for contents in [[function] for function in functions]:
        linker.add(Unit("riscv32", contents))  # lies where the one before has been, unless the linker keeps it
    assert list(linker.functions.values()) == functions


NAMED_ALIKE = """
static int top = 5;
static int twice(int n) { return n * 2; }
int (*volatile chosen)(int) = twice;
int main(void) { top += 2; return chosen(top); }
"""


def test_what_is_static_has_another_name_than_what_an_object_file_defines(tmp_path):
    """As the library's own names where another compiler has made the program."""
    source, machine = tmp_path / "alike.c", load("riscv32")
    source.write_text(NAMED_ALIKE)
    compiler = Compiler(machine, Settings())
    program = link(compiler.units([str(source)]), machine, compiler.library, frozenset({"_top", "_twice"}))
    assert not {"_top", "_twice"} & {item.name for item in (*program.functions.values(), *program.data)}
    assert interpret(program).exit_status == 14


PROGRAM = """
#include <unistd.h>
static int table[40], more[3] = {1, 2, 3}, (*chosen)(int);
double half = 0.5;
__attribute__((noinline)) static int one(int n) { return table[n & 31] + more[n % 3] * 70000; }
__attribute__((noinline)) static int two(int n) { switch (n % 7) { case 0: return 5; case 1: return one(n); case 2: return n;
    case 3: return n * 3; case 4: return 17; case 5: return -n; } return (int)(n * half); }
int main(int count, char **words)
{
    unsigned sum = 0;
    for (int i = 0; i < 100; i++) {
        chosen = i & 4 ? one : two;
        table[i % 40] = (int)sum;
        sum = sum * 31 + (unsigned)chosen(i);
    }
    write(1, &sum, sizeof sum);
    return 0;
}
"""


@pytest.mark.parametrize("name", ["riscv32", "arm", "sparc", "i386"])
def test_a_program_does_the_same_wherever_it_is_placed(name, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    program = Compiler(load(name), Settings(level=2)).program([str(source)])
    expected, before = interpret(program, capture=True), dict(program.symbols)
    assert expected.fault is None
    for number in (1, 2):
        moved = placed_otherwise(program, number)
        found = interpret(moved, capture=True)
        assert (found.output, found.exit_status, found.rtls) == (expected.output, expected.exit_status, expected.rtls)
        assert sum(moved.symbols[name] != before[name] for name in program.functions) > len(program.functions) / 2
    assert program.symbols == before
    assert placed_otherwise(program, 2).symbols == moved.symbols
