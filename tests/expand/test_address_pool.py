"""Addresses that a machine cannot build are read from data."""

import pytest

from tests.kept_machines import load
from vpo.compiler import Compiler, Settings
from vpo.expand.address_pool import builds
from vpo.interpret.interpreter import interpret
from vpo.rtl import Symbol

PROGRAM = """\
static int numbers[3000] = {5, 6, 7};
static int twice(int a) { return 2 * a; }
static int seven(void) { return 7; }
int (*function)(int) = twice;
static int *middle(void) { return &numbers[1]; }
int main(void)
{
    int large[1500], *last = numbers + 2, i;
    for (i = 0; i < 1500; i++) large[i] = i;
    *middle() += 1;
    numbers[1] += large[1499] - large[1490];
    return function(numbers[1]) + *last + (function == twice) + (numbers < last) + seven();
}
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    path = tmp_path_factory.mktemp("pool") / "edited.yaml"
    path.write_text("machine: edited\nextends: riscv32\ninstructions: {ADDI: null}\n")
    return load(str(path))


def test_what_can_be_built(machine):
    assert builds(load("riscv32"), Symbol("_"))
    assert not builds(machine, Symbol("_"))


@pytest.mark.parametrize("level", [1, 2])
def test_a_program_runs(machine, level, tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    program = Compiler(machine, Settings(level=level, check=True)).program([str(source)])
    assert interpret(program).exit_status == 2 * 16 + 7 + 1 + 1 + 7


def test_each_address_is_kept_once(machine, tmp_path):
    source = tmp_path / "program.c"
    source.write_text("int a[2], b; int *f(int c) { return c ? a : &b; } int *g(void) { return b ? a : a; }")
    data = {item.name for item in Compiler(machine, Settings()).units([str(source)])[0].data}
    assert {name for name in data if "address" in name} == {"_f.address0", "_f.address1", "_g.address0", "_g.address1"}
