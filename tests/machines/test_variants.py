"""Copies of every machine, with four registers fewer and with one instruction more, still run C, or say what is missing."""

import pytest

from tests.covering import case
from tests.kept_machines import load
from tests.programs.running import Checking
from vpo.build.compiler import Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.names import machine_names

FEWER = 4

PROGRAM = r"""
#include <unistd.h>

static int column[8], count;
static long (*volatile step)(long);

static long next(long place) { return ((place ^ 7) >> 3) ^ 85; } /* the 7 brings it into a register, and has no effect */

static int is_safe(int row, int place)
{
    int other;

    for (other = 0; other < row; other++)
        if (column[other] == place || column[other] - place == other - row || column[other] - place == row - other)
            return 0;
    return 1;
}

static void put_queen(int row, int rows)
{
    int place;

    if (row == rows)
        count++;
    for (place = 0; row < rows && place < rows; place++)
        if (is_safe(row, place)) {
            column[row] = place;
            put_queen(row + 1, rows);
        }
}

static double mean(double a, double b, double c, double d) { return (a + b + c + d) / 4; }

static long long product(long long a, long long b, long long c) { return a * b + c * (a - b); }

static long mixed(long a, long b, long c, long d, long e, long f, long g, long h)
{
    return (a * b + c * d) - (e * f + g * h) + (a + c) * (b + d) + (e - g) * (f - h) + (a ^ h) + (b | g) + (c & f) + d;
}

static void print(long number)
{
    char text[12];
    int at = 12;

    text[--at] = '\n';
    do
        text[--at] = '0' + (int)(number % 10);
    while (number /= 10);
    write(1, text + at, 12 - at);
}

int main(void)
{
    put_queen(0, 5);
    print(count);
    print((long)(mean(1, 2.5, count, 8.5) * 16));
    print((long)(product(1234567, 7654321, 89) >> 20));
    print(mixed(1, 2, 3, 4, 5, 6, 7, 8) + 1000);
    step = next;
    print(step(count));
    return 0;
}
"""
OUTPUT = b"10\n88\n9011460\n978\n84\n"


def integer_class(machine):
    return machine.values.integer


def compiled(machine, tmp_path, level=1):
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return Checking(machine, Settings(level=level)).program([str(path)])


def check(program):
    result = interpret(program, ["program"], capture=True, limit=5_000_000)
    assert (result.fault, result.exit_status, result.output) == (None, 0, OUTPUT)


def by_turns(turn):
    """All machines; a few are tried always."""
    return [case(name, usual=number % 25 == 3 + turn) for number, name in enumerate(machine_names())]


@pytest.mark.parametrize("name", by_turns(0))
def test_fewer_registers(name, tmp_path):
    machine = load(name)
    cls = integer_class(machine)
    registers = [repr(register) for register in machine.allocable[cls]]
    kept = registers[: max(len(registers) - FEWER, 1)]
    if len(kept) == len(registers):
        pytest.skip("there is but one register")
    fewer = load(name, [f"allocable.{cls}={kept}"])
    assert len(fewer.allocable[cls]) == len(kept)
    check(compiled(fewer, tmp_path))


@pytest.mark.parametrize("name", by_turns(1))
def test_one_more_instruction(name, tmp_path):
    cls = integer_class(load(name))
    path = tmp_path / "more.yaml"
    path.write_text(
        f"machine: more\nextends: {name}\ntoolchain: null\ninstructions:\n"
        f'  STEP: {{rtl: "{cls}[dst]=({cls}[src]>>3)^85;", asm: "step $src,$dst"}}\n'
    )
    more = load(str(path))
    program = compiled(more, tmp_path)
    used = {more.record(rtl).name for rtl in program.functions["_next"].rtls()}
    assert "STEP" in used
    check(program)
