"""A machine that does operations only in other registers, in cells, by condition codes or two at once needs no expansions."""

import pytest

from tests.covering import some
from tests.kept_machines import load
from vpo.algebra import binary
from vpo.build.compiler import Compiler, Settings
from vpo.interpret.fast.interpreter import interpret
from vpo.lower import detours
from vpo.lower.legalize import Legalizer
from vpo.rtl import Const, Register, Set
from vpo.rtl.function import Function

PROGRAM = """
static int words[6] = {7, -3, 100000, 0x7fffffff, -77, 12};
static signed char bytes[6] = {1, -2, 3, -100, 127, -128};
static double reals[6] = {0.5, -1.25, 3.0, 1e6, -7.75, 42.0};
static unsigned sum;
static void add(unsigned value) { sum = sum * 31 + value; }
int main(void)
{
    int i, j;
    for (i = 0; i < 6; i++)
        for (j = 0; j < 6; j++) {
            int a = words[i], b = words[j];
            double x = reals[i], y = reals[j];
            add(a * b), add(a / b), add(a % b), add((unsigned)a / (unsigned)b), add((unsigned)a % (unsigned)b);
            add((unsigned)((long long)a * b >> 32)), add((unsigned)((unsigned long long)(unsigned)a * (unsigned)b >> 32));
            add(a < b), add(a >= b), add(a == b), add(a != b), add((unsigned)a > (unsigned)b), add(a < 9);
            add(bytes[i] + bytes[j]), add((unsigned char)bytes[j]);
            add(x < y), add(x >= y), add(x == y), add(x != y), add((unsigned)(int)(x * y)), add((int)(y - a % 1000));
            if (a < b) add(1);
            if (x < y) add(2);
            if (x == y) add(3);
            if (!(x <= y)) add(4);
        }
    return (sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24) & 255;
}
"""
CELL = '{rtl: "r[2]+c", c: imm, asm: "$c(sp)", mode: DISP}'
EDITS = {
    "products and quotients in registers of their own": """
registers: {lo: {type: L}, hi: {type: L}}
allocable: {lo: ["lo[0]"], hi: ["hi[0]"]}
instructions:
  MUL: {rtl: "lo[0]=r[a]*r[b];", asm: "mul $a,$b", clobbers: ["hi[0]"]}
  MULH MULHU: {op: [sx, zx], rtl: "hi[0]=trL((${op}Q(r[a])*${op}Q(r[b]))>>u32);", asm: "$name $a,$b", clobbers: ["lo[0]"]}
  DIV DIVU: {op: ["/", "/u"], rtl: "lo[0]=r[a]${op}r[b];", asm: "$name $a,$b", clobbers: ["hi[0]"]}
  REM REMU: {op: ["%", "%u"], rtl: "hi[0]=r[a]${op}r[b];", asm: "$name $a,$b", clobbers: ["lo[0]"]}
  MFLO MFHI: {from: [lo, hi], rtl: "r[d]=${from}[0];", asm: "$name $d"}
""",
    "two results at once": """
instructions:
  MUL MULH MULHU: null
  SMULL UMULL: {op: [sx, zx], rtl: "r[l]=r[a]*r[b]; r[h]=trL((${op}Q(r[a])*${op}Q(r[b]))>>u32);", asm: "$name $l,$h,$a,$b"}
  DIV DIVU REM REMU: null
  DIVREM DIVREMU: {op: ["/", "/u"], rem: ["%", "%u"], rtl: "r[q]=r[q]${op}r[b]; r[m]=r[q]${rem}r[b];", asm: "$name $q,$m,$b"}
""",
    "two results in certain registers": """
instructions:
  MUL MULH MULHU: null
  SMULL UMULL: {op: [sx, zx], rtl: "r[10]=r[10]*r[b]; r[11]=trL((${op}Q(r[10])*${op}Q(r[b]))>>u32);", asm: "$name $b"}
""",
    "comparisons by condition codes, one without signs": """
registers: {cc: {type: C}, uc: {type: C}}
instructions:
  SLT SLTU SGT SGTU SLTI SLTIU SEQZ SNEZ: null
  BEQ BNE BLT BGE BLTU BGEU BGT BLE BGTU BLEU: null
  CMP CMPU: {code: [cc, uc], rtl: "${code}=r[a]?b;", b: regz, asm: "$name $a,$b"}
  SEQ SNE SLT SGE: {op: ["==", "!=", "<", ">="], rtl: "r[d]=cc${op}0;", asm: "$name $d"}
  SLTU SGEU: {op: ["<u", ">=u"], rtl: "r[d]=uc${op}0;", asm: "$name $d"}
  BEQ BNE BLT BGE BGT BLE: {op: ["==", "!=", "<", ">=", ">", "<="], rtl: "PC=cc${op}0,l;", asm: "$name $l"}
  BLTU BGEU BGTU BLEU: {op: ["<u", ">=u", ">u", "<=u"], rtl: "PC=uc${op}0,l;", asm: "$name $l"}
""",
    "floating comparisons in a bit": """
registers: {bit: {type: L}}
instructions:
  FEQ.D FLT.D FLE.D FGT.D FGE.D FEQ.S FLT.S FLE.S FGT.S FGE.S: null
  CEQ.D CLT.D CLE.D: {op: ["==", "<", "<="], rtl: "bit[0]=f[a]${op}f[b];", asm: "$name $a,$b"}
  CEQ.S CLT.S CLE.S: {op: ["==", "<", "<="], rtl: "bit[0]=e[a]${op}e[b];", asm: "$name $a,$b"}
  BCT BCF: {op: ["!=", "=="], rtl: "PC=bit[0]${op}0,l;", asm: "$name $l"}
""",
    "conversions from and to cells": f"""
operands: {{cell: [{CELL}]}}
instructions:
  FCVT.S.W FCVT.S.WU FCVT.W.S FCVT.WU.S FCVT.D.WU FCVT.WU.D FCVT.D.W FCVT.W.D: null
  FILD: {{rtl: "f[d]=cvtD(L[m]);", m: cell, asm: "fild $d,$m"}}
  FIST: {{rtl: "L[m]=cvtL(f[s]);", m: cell, asm: "fist $s,$m"}}
""",
    "loads of bytes without signs": "instructions: {LB: null, LH: null}",
    "loads into the low bits of registers": """
instructions:
  LB LBU LH LHU: null
  LDB LDH: {cell: [B, W], others: [-256, -65536], rtl: "r[d]=(r[d]&${others})|zxL(${cell}[m]);", m: address, asm: $d $m}
""",
    "remainders and signed quotients": "instructions: {REM: null, REMU: null, DIV: null}",
}  # fmt: skip


def outcome(machine, source):
    program = Compiler(machine, Settings(level=1)).program([source])
    called = {name for name in program.functions if name.startswith("___")}
    return interpret(program, limit=3_000_000).exit_status, called


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("detours") / "program.c"
    path.write_text(PROGRAM)
    return str(path)


@pytest.fixture(scope="module")
def expected(source):
    return outcome(load("riscv32"), source)


@pytest.mark.parametrize("edit", some(EDITS, 3))
def test_operations_are_done_elsewhere_without_routines(tmp_path, edit, source, expected):
    description = tmp_path / "elsewhere.yaml"
    description.write_text(f"machine: elsewhere\nextends: riscv32\n{EDITS[edit].strip()}\n")
    assert outcome(load(str(description)), source) == expected


def test_code_is_made_only_where_the_operation_itself_is_an_instruction(monkeypatch):
    """The product with a constant is in no class of parisc's; its registers could be in more than a hundred combinations."""
    tried = []
    monkeypatch.setattr(detours, "cost_of", lambda _code, way: tried.append(way))
    code = Legalizer(load("parisc"), Function("_", "", 0, False, pseudos=99))
    result, operand = (Register("r", 100 + number, "L", True) for number in range(2))
    assert detours.cheapest(code, Set(result, binary("*", operand, Const(5)))) is None
    assert not tried
    assert code.function.pseudos == 99
