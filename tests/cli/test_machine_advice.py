"""What `ease machine check` advises is enough: with it, everything compiles again that could not, and runs."""

import pytest

from ease.commands.machine.machine_advice import advise
from ease.commands.machine.machine_check import check
from ease.commands.machine.wanted_instructions import canonical, lines_of
from tests.covering import case, some
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.machines.advice.edits import deletions, edited
from vpo.machines.read.extends import merge
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import Place, read_value

SOURCE = """
int table[5] = {3, 1, 4, 1, 5};
int twice(int n) { return n * 2; }
int (*function)(int) = twice;
int sum(int n) { return n ? table[n - 1] + sum(n - 1) : 0; }
int main(void) { table[1] = function(9); return sum(5) + (table[2] << 1); }
"""
RESULT = 39
DELETIONS = {
    "LUI": ("address of a function", "dense switch", "volatile"),
    "LW LH LHU LB LBU": ("recursion", "volatile"),  # with any of these, words are loaded in parts
    "SW SH SB": ("recursion", "volatile"),
    "ECALL": ("system call",),
}


def without(*names):
    whole = ["operands.imm.when=v != 11"] if "LUI" in names else []  # else addresses are put together of parts
    return read_description("riscv32", [*whole, *(f"instructions.{name}=null" for name in names)])


def runs(description, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(SOURCE)
    return interpret(Compiler(build(description), Settings()).program([str(source)]), ["prog"]).exit_status


@pytest.mark.parametrize("name", some(DELETIONS, 1))
def test_one_instruction_is_missing(name, tmp_path):
    description = without(*name.split())
    machine = build(description)
    result = check(machine, DELETIONS[name])
    assert result.missing
    advice = advise(description, machine, result)
    assert advice is not None
    assert len(advice.entries) == 1
    for entry in (*advice.entries, *advice.instead):
        changed = without(*name.split())
        merge(changed, read_value(lines_of((entry,)), Place("advice", 1, 1)))
        assert not check(build(changed), DELETIONS[name]).missing
        assert runs(changed, tmp_path) == RESULT
    assert "add " in advice.lines()[0]


@pytest.mark.parametrize(
    ("name", "gone", "construct"),
    [
        case("vax", "CALLS", "call", usual=False),  # a call that pushes its return address
        case("sparc", "CALL", "call", usual=False),
        case("m88100", "JMP", "call", usual=False),  # returns and jumps to registers
        case("baseline", "value r[n]", "volatile", usual=True),  # stores of registers
        case("stack", "RET", "recursion", usual=False),
    ],
)
def test_part_of_another_machine_is_missing(name, gone, construct, tmp_path):
    description = read_description(name)
    description = edited(description, next(edit for edit in deletions(description) if edit.name == gone))
    machine = build(description)
    result = check(machine, (construct,))
    assert result.missing
    advice = advise(description, machine, result)
    assert advice is not None
    merge(description, read_value(lines_of(advice.entries), Place("advice", 1, 1)))
    assert runs(description, tmp_path) == RESULT


def test_several_are_missing(tmp_path):
    loads = "LW LH LHU LB LBU"
    description = without(*loads.split(), "ECALL")
    machine = build(description)
    advice = advise(description, machine, check(machine, (*DELETIONS[loads], *DELETIONS["ECALL"])))
    assert advice is not None
    found = {canonical(entry.rtl) for entry in advice.entries}
    assert len(found) == 2
    assert "r[v0]=L[v1];" in found
    assert any("SYSL" in rtl for rtl in found)
    merge(description, read_value(lines_of(advice.entries), Place("advice", 1, 1)))
    assert runs(description, tmp_path) == RESULT
