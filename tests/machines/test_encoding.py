"""`encoding:` of instructions: what follows from the fields, and what does not fit."""

import pytest

from vpo.machines.advice.edits import deletions, edited
from vpo.machines.read.load import build, full_text, load, read_description
from vpo.machines.read.source import DescriptionError

ADDI = (
    'instructions.ADDI={rtl: "r[dst]=r[src1]+src2;", encoding: "opcode:10 dst:5 src1:5 src2:s12", '
    'asm: "addi $dst,$src1,$src2"}'
)
BEQ = 'instructions.BEQ={rtl: "PC=r[a]==r[b],to;", encoding: "opcode:10 a:5 b:5 to:s12*2", asm: "beq $a,$b,$to"}'
LD = 'instructions.LD={rtl: "r[dst]=L[r[a]+off];", encoding: "opcode:3 dst:5 a:5 off:u3*4", asm: "ld $dst,$off($a)"}'


def form(machine, name):
    return next(form for form in machine.recognizer.alternatives if form.name == name)


def test_size_range_and_reach_follow():
    machine = load("riscv32", [ADDI, BEQ, LD])
    (constant,) = machine.recognizer.operands[form(machine, "ADDI").operands["src2"]]
    assert (constant.low, constant.high, form(machine, "ADDI").size) == (-2048, 2047, 4)
    assert form(machine, "BEQ").reach == (-4096, 4094)
    (offset,) = machine.recognizer.operands[form(machine, "LD").operands["off"]]
    assert (offset.low, offset.high, offset.multiple, form(machine, "LD").size) == (0, 28, 4, 2)


def test_what_follows_can_be_taken_away_and_written_out(tmp_path):
    description = read_description("riscv32", [ADDI, BEQ])
    narrower = next(edit for edit in deletions(description) if edit.name == "ADDI.src2: 11 bits")
    machine = build(edited(description, narrower))
    (constant,) = machine.recognizer.operands[form(machine, "ADDI").operands["src2"]]
    assert (constant.low, constant.high) == (-1024, 1023)
    path = tmp_path / "whole.yaml"
    path.write_text(full_text("riscv32", [ADDI, BEQ]))
    assert form(load(str(path)), "BEQ").reach == (-4096, 4094)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("dst:5 src1:5 src2:s12", "dst:4 src1:5 src2:s13", "the field 'dst' needs 5 bits and has 4"),
        ("src1:5 src2:s12", "src2:s17", "the encoding has no field 'src1'"),
        ("opcode:10", "opcode:9", "the fields have 31 bits"),
        ("opcode:10", "opcode", "'opcode' is no field: expected name:bits"),
        ("opcode:10", "dst:10", "two fields 'dst'"),
        ('",', '", size: 4,', "'size' follows from 'encoding'"),
        ('",', '", src2: imm,', "'src2' follows from the field 'src2'"),
        ("src2:s12", "src2:5 more:7", "'src2' is not an operand"),
    ],
)
def test_what_does_not_fit(old, new, message):
    with pytest.raises(DescriptionError, match=message):
        load("riscv32", [ADDI.replace(old, new, 1)])


SP = "operands.near={rtl: 'r[b]+c', c: few, asm: '$c($b)', mode: DISP%s}"


@pytest.mark.parametrize(("when", "bits"), [("", 8), (", when: '8 <= b <= 15'", 6)])
def test_addresses_take_the_bits_of_what_they_are_made_of(when, bits):
    """An address without its number is encoded as one with 0; how much a condition leaves, the writer knows."""
    few = "operands.few={constant: 0..28, multiple: 4, mode: IMMED}"
    load_ = 'instructions.LN={rtl: "r[dst]=L[mem];", mem: near, encoding: "opcode:%d dst:5 mem:%d", asm: "ln $dst,$mem"}'
    load("riscv32", [few, SP % when, load_ % (19 - bits, bits)])
    if not when:
        with pytest.raises(DescriptionError, match="needs 8 bits and has 7"):
            load("riscv32", [few, SP % when, load_ % (12, 7)])


PAIR = 'instructions.PAIR={rtl: "r[d]=(r[a]&r[b])*r[a];", when: "%s", encoding: "opcode:22 d:5 a:5", asm: "pair $d,$a"}'


def test_what_a_condition_tells_needs_no_field():
    machine = load("riscv32", [PAIR % "a >= 0 and b == a + 1"])
    assert form(machine, "PAIR").size == 4
    for less in ("b > a", "b == 3", "b == a + 1 or a > 3", "not b == a + 1"):
        with pytest.raises(DescriptionError, match="has no field 'b'"):
            load("riscv32", [PAIR % less])


def test_opcodes_tell_instructions_apart():
    short = ADDI.replace("opcode:10", "").replace("src2:s12", "src2:s14")
    load("riscv32", [short])
    with pytest.raises(DescriptionError, match="their opcodes would take 200 % of what there is"):
        load("riscv32", [short, short.replace("ADDI", "ADDJ").replace("+", "-")])


def test_an_operand_fits_in_its_field():
    fits = ADDI.replace("src2:s12", "src2:12").replace('",', '", src2: imm,', 1)
    load("riscv32", [fits])
    with pytest.raises(DescriptionError, match="the field 'src2' needs 12 bits and has 4"):
        load("riscv32", [fits.replace("src2:12", "src2:4")])


def test_a_forgotten_multiple_does_not_fit_the_field():
    """Where the bits of the opcode are given, too, the fields of an address have room for each of its numbers."""
    encoding = 'instructions.STD.encoding="111110 s:5 m:19 00"'
    load("powerpc64le", [encoding])
    with pytest.raises(DescriptionError, match="instruction STD: the field 'm' needs 21 bits and has 19"):
        load("powerpc64le", [encoding, "instructions.STD.m=address"])
