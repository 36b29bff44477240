"""Addresses that a machine cannot build are read from data."""

import pytest

from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.lower.address_pool import builds
from vpo.machines.advice.edits import deletions, edited
from vpo.machines.read.load import build, read_description
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
    program = Compiler(machine, Settings(level=level, check="invariants")).program([str(source)])
    assert interpret(program).exit_status == 2 * 16 + 7 + 1 + 1 + 7


def test_each_address_is_kept_once(machine, tmp_path):
    source = tmp_path / "program.c"
    source.write_text("int a[2], b; int *f(int c) { return c ? a : &b; } int *g(void) { return b ? a : a; }")
    data = {item.name for item in Compiler(machine, Settings()).units([str(source)])[0].data}
    assert {name for name in data if "address" in name} == {"_f.address0", "_f.address1", "_g.address0", "_g.address1"}


def test_constants_that_nothing_states_are_read(tmp_path):
    """A stack machine that pushes no constants; its start-up code gives `main` no third argument here."""
    description = read_description("stack")
    description = edited(description, next(edit for edit in deletions(description) if edit.name == "item c"))
    description["start"][5] = description["start"][0]
    source = tmp_path / "program.c"
    source.write_text("int a = 5; int main(void) { return a * 1103515245 >> 7 == 1103515245 * 5L >> 7 ? a << 3 : 70001; }")
    program = Compiler(build(description), Settings()).program([str(source)])
    assert any(data.name.startswith("_main.constant") for data in program.data)
    assert interpret(program).exit_status == 40
