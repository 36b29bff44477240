"""The baseline machine is the one of the paper's tables IV to VI: names, addressing modes, operand fields."""

from functools import cache
from pathlib import Path

import pytest

from tests.covering import some
from tests.kept_machines import load
from tests.programs.running import Checking
from vpo.build.compiler import Compiler, Settings
from vpo.rtl import Register, Set
from vpo.text import parse_effects

ROOT = Path(__file__).parents[2]
PAPER = {
    "ADD", "AND", "CALL", "CMP", "DIV", "JMP", "JEQ", "JGE", "JGT", "JLE", "JLT", "JNE", "LOAD", "MOV", "MUL", "NOP", "OR",
    "RESTORE", "RET", "SAVE", "SETHI", "SLA", "SRA", "STORE", "SUB", "XOR",
}  # fmt: skip
MODES = {"DISP", "IMMED", "INDEX", "LABEL", "REGDFR", "REGISTER"}
FIELDS = {
    **dict.fromkeys(("ADD", "AND", "OR", "XOR", "SLA", "SRA", "SUB", "MUL", "DIV"), 3),
    **dict.fromkeys(("CMP", "MOV", "LOAD", "STORE", "SETHI", "CALL"), 2),
    **dict.fromkeys(("JMP", "JEQ", "JGE", "JGT", "JLE", "JLT", "JNE", "SAVE", "RESTORE"), 1),
    **dict.fromkeys(("NOP", "RET"), 0),
}  # research on Table VI: these and only these counts give its 13,261,673 fields


@cache
def baseline():
    return load("baseline")


def record(text):
    found = baseline().recognize(parse_effects(text, baseline().cells))
    assert found is not None, text
    return found


def shape(text):
    return [(f.name.upper(), f.mode, f.type) for f in record(text).fields]


@cache
def sample(name):
    return Compiler(baseline(), Settings(level=1)).program([str(ROOT / "samples" / f"{name}.c")])


def compact():
    return sample("compact")


def test_names_and_modes_of_whole_programs():
    names, modes = set(), set()
    for program in (compact(), sample("puzzle")):  # the paper's compact divides, ours does not
        for rtl in (rtl for function in program.functions.values() for rtl in function.rtls()):
            found = baseline().record(rtl)
            names.add(found.name)
            modes.update(field.mode for field in found.fields)
            assert len(found.fields) == FIELDS.get(found.name, len(found.fields)), rtl
    assert modes == MODES
    assert names >= PAPER
    assert {a.name for a in baseline().recognizer.alternatives} >= PAPER


def test_fields_of_loads_and_stores_as_in_table_6():
    assert shape("r[3]=sxL(B[r[4]]);") == [("DST", "REGISTER", "L"), ("MEM", "REGDFR", "B")]
    assert shape("r[3]=zxL(W[r[4]+6]);") == [("DST", "REGISTER", "L"), ("MEM", "DISP", "W")]
    assert shape("r[3]=L[r[4]+LO[_x]];") == [("DST", "REGISTER", "L"), ("MEM", "DISP", "L")]
    assert shape("L[r[4]+r[5]]=r[3];") == [("MEM", "INDEX", "L"), ("SRC", "REGISTER", "L")]


def test_fields_of_the_others():
    assert shape("ST=_f(r[3]); r[2]=NPC;") == [("TARGET", "DISP", ""), ("LINK", "REGISTER", "L")]
    assert shape("r[3]=HI[_x];") == [("DST", "REGISTER", "L"), ("SRC", "IMMED", "L")]
    assert shape("r[3]=neg(r[4]);") == [("DST", "REGISTER", "L"), ("SRC2", "REGISTER", "L"), ("SRC1", "REGISTER", "L")]
    assert shape("PC=cc<0,L7;") == [("TARGET", "LABEL", "")]
    assert shape("L[r[1]+8]=r[11]; L[r[1]+12]=r[12]; L[r[1]+16]=r[22];") == [("LIST", "REGISTER", "L")]


def test_block_save_and_its_text():
    found = record("L[r[1]+8]=r[11]; L[r[1]+12]=r[12]; L[r[1]+16]=r[22];")
    assert (found.name, found.assembly) == ("SAVE", "save {r11,r12,r22},[r1+8]")
    found = record("f[16]=D[r[1]]; f[17]=D[r[1]+8];")
    assert (found.name, found.assembly) == ("RESTORE", "restore {f16,f17},[r1]")


@pytest.mark.parametrize("text", [
    "L[r[1]+8]=r[11]; L[r[1]+16]=r[12];",  # a gap
    "L[r[1]+8]=r[11]; D[r[1]+16]=f[16];",  # two kinds
    "L[r[3]+8]=r[11]; L[r[3]+12]=r[12];",  # not on the stack
    "L[r[1]+8]=r[12]; L[r[1]+8]=r[11];",
])  # fmt: skip
def test_what_is_no_block_save(text):
    assert baseline().recognize(parse_effects(text, baseline().cells)) is None


def test_transfers_are_delayed_by_one():
    for text in ("PC=L5;", "PC=cc==0,L5;", "ST=_f(); r[2]=NPC;", "PC=r[2],RT();", "PC=r[5],{L1,L2};", "PC=fc!<0,L5;"):
        assert record(text).slots == 1, text
    for name, function in compact().functions.items():
        for block in function.blocks:
            for position, rtl in enumerate(block.rtls):
                if baseline().record(rtl).slots:
                    assert position + 1 < len(block.rtls), name


def test_only_13_bits_of_constant():
    machine = baseline()
    for value, legal in ((4095, True), (-4096, True), (4096, True), (4097, False), (-4097, False)):
        effects = parse_effects(f"r[3]={value};", machine.cells)
        assert machine.is_legal(effects) == legal
    assert record("r[3]=4096;").name == "SETHI"


@pytest.mark.thorough
@pytest.mark.parametrize("count", some((12, 16, 24), 1))
def test_fewer_registers(count):
    machine = load("baseline", [f"registers.r.count={count}"])
    program = Checking(machine, Settings(level=1)).program([str(ROOT / "samples" / "queens.c")])
    for function in program.functions.values():
        for rtl in function.rtls():
            for effect in rtl.effects:
                assert all(r.index < count for r in effect.uses if r.cls == "r")
                if isinstance(effect, Set) and isinstance(effect.target, Register) and effect.target.cls == "r":
                    assert effect.target.index < count
