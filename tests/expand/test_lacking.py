"""Machines from which something is taken away compile C, and programs do the same."""

import pytest

from tests.covering import case
from tests.kept_machines import load
from vpo.build.compiler import Compiler, Settings, UserError
from vpo.interpret.fast.interpreter import interpret

PROGRAM = """\
int words[8] = {0, 1, -1, 0x7fffffff, 0x12345678, -0x12345678, 100000, -77};
static unsigned sum;
static void add(unsigned value) { sum = (sum << 3) - sum + value; }
static void operate(int a, int b)
{
    unsigned u = a, v = b;

    add(a + b); add(a - b); add(-a); add(~a); add(a & b); add(a | b); add(a ^ b); add(a & 0x7f0); add(a | 0x10001);
    add(a << 3); add(a >> 5); add(u >> 7); add(a << (b & 31)); add(u >> (b & 31)); add(a >> (b & 31));
    add(a == b); add(a != b); add(a < b); add(a <= b); add(a > b); add(u < v); add(u <= v); add(u > v); add(u >= v);
    add(a == 5); add(a < -100); add(u > 3000); add(!a); add((short)a); add((unsigned char)b); add((a - b) + 123456789);
    if (a < b) add(1); if (u < v) add(2); if (a == b) add(3); if (a > 7) add(4); if (a != -1) add(5); if (u >= 4096) add(6);
}
int main(void)
{
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            operate(words[i], words[j]);
    return (sum ^ (sum >> 11) ^ (sum >> 22)) & 127;
}
"""
BRANCHES = "BEQ: null, BNE: null, BLT: null, BGE: null, BLTU: null, BGEU: null, BGT: null, BLE: null, BGTU: null, BLEU: null"
ZERO = '"BZ BNZ": {op: ["==", "!="], rtl: "PC=r[src1]${op}0,target;", asm: "$name $src1,$target", reach: [-4096, 4094]}'
NARROW = "operands: {imm: {constant: LOW..HIGH, slots: true, mode: IMMED}}"
SETS = "SLT: null, SLTU: null, SGT: null, SGTU: null, SLTI: null, SLTIU: null, SEQZ: null, SNEZ: null"
EDITS = {
    "nothing": "",
    "subtract": "instructions: {SUB: null}",
    "subtract, xor, not": "instructions: {SUB: null, XOR: null, XORI: null, NOT: null}",
    "add": "instructions: {ADD: null}",
    "and": "instructions: {AND: null, ANDI: null, ZEXT.B: null}",
    "or": "instructions: {OR: null, ORI: null}",
    "add constants": "instructions: {ADDI: null}",
    "moves, jumps, returns, calls of names": "instructions: {MV: null, J: null, RET: null, JAL: null}",
    "set if less": f"instructions: {{{SETS}}}",
    "arithmetic right shift": "instructions: {SRA: null, SRAI: null}",
    "immediates of 8 bits": NARROW.replace("LOW", "-128").replace("HIGH", "127"),
    "signed immediates": NARROW.replace("LOW", "0").replace("HIGH", "4095"),
    "branches but on zero": f"instructions: {{{BRANCHES}, {ZERO}}}",
}


def outcome(machine, level, source):
    result = interpret(Compiler(machine, Settings(level=level)).program([str(source)]))
    assert result.fault is None
    return result.exit_status


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("lacking") / "program.c"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def expected(source):
    return outcome(load("riscv32"), 1, source)


@pytest.mark.parametrize("edit", [case(edit, usual=edit != "branches but on zero") for edit in EDITS])
def test_without(edit, source, expected, tmp_path):
    description = tmp_path / "edited.yaml"
    description.write_text(f"machine: edited\nextends: riscv32\n{EDITS[edit]}\n")
    assert outcome(load(str(description)), 1 if edit != "set if less" else 2, source) == expected


def test_too_few_registers_for_a_result(tmp_path):
    source = tmp_path / "wide.c"
    source.write_text("long long f(long long a) { return a + 1; }\nint main(void) { return (int)f(-1); }\n")
    machine = load("riscv32", ['calls.results.integer=["r[10]"]'])
    with pytest.raises(UserError, match=r"no registers for a result of 8 bytes: .* must name 2"):
        outcome(machine, 1, source)
