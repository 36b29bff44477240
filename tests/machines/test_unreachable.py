"""Which instructions no C program can reach: each reason once, and near each an instruction that can be reached."""

import re

from vpo.machines.advice.unreachable import unreachable_forms
from vpo.machines.read.extends import merge
from vpo.machines.read.load import build, read_description
from vpo.machines.read.source import Place, read_value

MORE = """
registers:
  acc: {count: 2, type: Q}
  x: {count: 8, type: L}
  p: {type: C}
  q: {type: C}
allocable: {x: ["x[0]..x[7]"]}
operands: {below: {constant: 2049..4096}}
instructions:
  REMF: {rtl: "f[d]=f[a]%f[b];", asm: x}
  MULBIG: {rtl: "r[d]=r[a]*c;", c: imm, when: "c > 3000", asm: x}
  MULI: {rtl: "r[d]=r[a]*c;", c: imm, when: "c > 300", asm: x}
  TWICE: {rtl: "r[d]=(r[a]<<2)<<3;", asm: x}
  ROTATER: {rtl: "r[d]=(r[a]<<r[n])|(r[a]>>u(32-r[n]));", asm: x}
  SUM3: {rtl: "r[d]=(r[a]+r[b])+c;", c: imm, asm: x}
  SUM4: {rtl: "r[d]=(r[a]+c)+r[b];", c: imm, asm: x}
  LWDOWN: {rtl: "r[d]=L[r[a]-n];", n: below, asm: x}
  LWX: {rtl: "r[d]=L[(4*r[b])+r[a]];", asm: x}
  BBIT: {rtl: "PC=((r[a]+c)&1)==0,t;", c: imm, asm: x}
  ANDNOT: {rtl: "r[d]=r[a]&not(r[b]);", asm: x}
  MAXIMUM: {rtl: "r[d]=SEL(r[a]>r[b],r[a],r[b]);", asm: x}
  BNEAR: {rtl: "PC=r[a]<r[b],t;", reach: [-100, 100], asm: x}
  BFAR: {rtl: "PC=r[a]<r[b],t;", reach: [-100000, 100000], asm: x}
  ADDPC: {rtl: "r[d]=NPC+c;", c: imm, asm: x}
  CALL5: {rtl: "ST=t(); r[5]=NPC;", t: symbol, asm: x}
  CALLI: {rtl: "ST=L[r[t]](); r[1]=NPC;", asm: x}
  MAC: {rtl: "acc[d]=acc[d]+(sxQ(r[a])*sxQ(r[b]));", asm: x}
  TOX: {rtl: "x[d]=r[a];", asm: x}
  FROMX: {rtl: "r[d]=x[a];", asm: x}
  BP: {rtl: "PC=p<0,t;", asm: x}
  CMPQ: {rtl: "q=r[a]?r[b];", asm: x}
"""
REASONS = {
    "REMF": "C has no '%' on floating values (D)",
    "MULBIG": "its condition (`when:`) never holds",
    "TWICE": "the compiler writes this as `r[1]=r[1]<<5;`",
    "SUM4": "the compiler writes this as `r[1]=(r[1]+r[1])+8;`",
    "BNEAR": "BLT in line ",
    "ADDPC": "only calls ask for the address of an instruction",
    "CALL5": "only calls ask for the address of an instruction",
    "MAC": "no value of C is in class acc",
    "BP": "no instruction sets p",
    "CMPQ": "no instruction tests q",
    "ECALL": "an earlier form of SYS in the description has room",
    "NOP": "no-operations stand in delay slots",
}


def changed(name, text):
    description = read_description(name)
    merge(description, read_value(text, Place("more", 1, 1)))
    return build(description)


def test_reasons():
    found = {one.form.name: one.reason for one in unreachable_forms(changed("riscv32", MORE))}
    assert found.keys() == REASONS.keys()
    for name, reason in REASONS.items():
        assert re.sub(r"r\[\d+\]", "r[1]", found[name]).startswith(reason), name


def test_forms_of_operands_that_others_precede():
    text = """
operands: {either: [{rtl: "r[n]", asm: $n, mode: REGISTER}, {constant: -16..15, mode: IMMED}]}
instructions:
  ADD2: {rtl: "r[d]=r[a]+c;", c: either, asm: x}
  SUB2: {rtl: "r[d]=c-r[a];", c: either, asm: x}
"""
    found = {one.form.name: one.reason for one in unreachable_forms(changed("riscv32", text))}
    assert "SUB2" not in found
    assert found["ADD2"].startswith("ADD in line ")
    assert " or ADDI in line " in found["ADD2"]
