"""Moves, jumps and returns that a machine has only as other instructions with certain operands."""

import pytest

from ease.host.process.run import run
from tests.covering import some
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.rtl import Jump, Register, Return, Rtl, Set

TO, FROM, LINK = (Register("r", index, "L") for index in (5, 6, 1))
MOVE, JUMP, RETURN = Set(TO, FROM), Jump("L7"), Return(LINK, ())
PROGRAM = """\
static int gcd(int a, int b) { while (b) { int rest = a % b; a = b; b = rest; } return a; }
int main(void)
{
    int i = 0;
    for (;;) {
        if (gcd(i, 84) == 21) break;
        i++;
    }
    return i;
}
"""


@pytest.fixture
def without(tmp_path):
    """Return a function that loads a machine with other instructions."""

    def edited(instructions, base="riscv32"):
        path = tmp_path / "edited.yaml"
        path.write_text(f"machine: edited\nextends: {base}\ninstructions: {{{instructions}}}\n")
        return load(str(path))

    return edited


@pytest.mark.parametrize(
    ("taken", "effect", "assembly"),
    [
        ("MV", MOVE, "addi t0,t1,0"),
        ("MV, ADDI", MOVE, "add t0,t1,zero"),
        ("MV, ADDI, ADD, SUB", MOVE, "andi t0,t1,-1"),
        ("J", JUMP, "beq sp,sp,L7"),
        ("J, BEQ", JUMP, "bge sp,sp,L7"),
        ("RET", RETURN, "jr ra"),
    ],
)
def test_another_instruction_with_certain_operands(taken, effect, assembly, without):
    nulls = ", ".join(f"{name}: null" for name in taken.split(", "))
    machine = _without_start(without, nulls) if "ADDI" in taken else without(nulls)
    record = machine.record(Rtl((effect,), (1,), "program"))
    assert record.assembly == assembly
    assert record.name == assembly.split()[0].upper()


@pytest.mark.parametrize(
    ("taken", "assembly"), [("NOP", "mov r1,r1"), ("NOP, MOV", "add r1,r1,0"), ("NOP, MOV, ADD", "sub r1,r1,0")]
)
def test_delay_slots_need_a_no_operation(taken, assembly, without):
    machine = without(", ".join(f"{name}: null" for name in taken.split(", ")), "baseline")
    assert machine.record(Rtl((), (1,), "delay")).assembly == assembly


def test_code_without_a_no_operation(without, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    program = Compiler(without("NOP: null", "baseline"), Settings(level=0)).program([str(source)])
    assert interpret(program, ["prog"]).exit_status == 21


def _without_start(without, nulls):
    """Take the start-up code along, which adds a constant."""
    return without(nulls + '}\nstart: ["r[12]=0;", "ST=_main(r[10],r[11],r[12]); r[1]=NPC;"]\nabbreviations: {')


def test_a_move_by_the_same_operand_twice(without):
    lacking = ("MV", "ADDI", "ANDI", "ORI", "XORI", "SLLI", "SRLI", "SRAI", "ADD", "SUB", "XOR", "SLL", "SRA", "SRL")
    machine = _without_start(without, ", ".join(f"{name}: null" for name in lacking) + ", OR: null")
    assert machine.record(Rtl((MOVE,), (1,), "program")).assembly == "and t0,t1,t1"


def test_what_is_there_is_used(without):
    machine = load("riscv32")
    names = [machine.record(Rtl((effect,), (1,), "program")).name for effect in (MOVE, JUMP, RETURN)]
    assert names == ["MV", "J", "RET"]
    assert len(without("MV: null").recognizer.alternatives) == len(machine.recognizer.alternatives)


@pytest.mark.parametrize("base", ["riscv32", "mips"])
def test_programs_run(base, without, tmp_path):
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    lacking = {"riscv32": "MV: null, J: null, RET: null", "mips": "MOVE: null, J: null"}[base]
    machine = without(lacking, base)
    result = interpret(Compiler(machine, Settings(level=2, check="invariants")).program([str(source)]))
    assert (result.fault, result.exit_status) == (None, 21)


def test_a_return_pops_its_address_into_a_register_that_carries_nothing(without):
    machine = without("RTS: null", "m68020")
    record = machine.record(Rtl(machine.convention.return_, (1,), "linkage"))
    assert record.into == (
        (Set(Register("a", 1, "L"), machine.convention.return_[0].target),),
        machine.convention.return_[1:],
        (Return(Register("a", 1, "L"), ()),),
    )
    assert machine.record(Rtl(record.into[2], (1,), "linkage")).assembly == "jmp (%a1)"
    assert record.size == sum(machine.record(Rtl(part, (1,), "linkage")).size for part in record.into)


def test_no_return_without_an_indirect_jump(without):
    machine = without("RTS: null, JMP: null", "m68020")
    assert not machine.is_legal(machine.convention.return_)


@pytest.mark.parametrize(("base", "taken"), some([("clipper", "RET"), ("we32100", "RSB"), ("arm", "BX")], 1))
def test_host_code_returns_by_popping(base, taken, without, tmp_path):
    source = tmp_path / "prog.c"
    source.write_text(PROGRAM)
    program = Compiler(without(f"{taken}: null", base), Settings(level=1)).program([str(source)])
    assert run(program, ["prog"]).exit_status == interpret(program, ["prog"]).exit_status == 21
