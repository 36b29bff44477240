"""`ease machine prove` finds each of seventy faults that are put into a description: of meaning, of assembly, of encoding."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ease.exchange.proving import prove
from vpo.machines.machine import Machine
from vpo.machines.match.pattern import Alternative
from vpo.machines.read.encoding import OPCODE
from vpo.machines.read.load import load

BASE = "riscv32+zba+zbb+zbs"
TOLD = "abbreviations: {isa: {b: _zba_zbb_zbs}}\n"  # to the assembler
# wrong operators, operands, signs, widths, constants and comparisons; one that another instruction means is an error anyway
BASIC = {
    "LB": "r[dst]=zxL(B[mem]);",
    "LBU": "r[dst]=zxL(B[mem])+1;",
    "LH": "r[dst]=sxL(B[mem]);",
    "LHU": "r[dst]=sxL(W[mem]);",
    "SB": "W[mem]=src;",
    "SH": "B[mem]=src;",
    "SUB": "r[dst]=r[src2]-r[src1];",
    "AND": "r[dst]=not(r[src1]&r[src2]);",
    "XORI": "r[dst]=(r[src1]^src2)+1;",
    "SLL": "r[dst]=r[src2]<<r[src1];",
    "SRA": "r[dst]=r[src2]>>r[src1];",
    "SRL": "r[dst]=r[src2]>>ur[src1];",
    "SLTI": "r[dst]=r[src1]<=src2;",
    "SLTIU": "r[dst]=r[src1]<src2;",
    "SLT": "r[dst]=r[src1]<=src2;",
    "SLTU": "r[dst]=r[src1]<=usrc2;",
    "MUL": "r[dst]=r[src1]*not(r[src2]);",
}
MEANINGS = {
    "MULH": "r[dst]=trL((zxQ(r[src1])*zxQ(r[src2]))>>u32);",
    "MULHU": "r[dst]=trL((zxQ(r[src1])*zxQ(r[src2]))>>u31);",
    "DIV": "r[dst]=r[src2]/r[src1];",
    "DIVU": "r[dst]=(r[src1]/ur[src2])+1;",
    "REM": "r[dst]=r[src2]%r[src1];",
    "REMU": "r[dst]=(r[src1]%ur[src2])^1;",
    "FADD.S": "e[dst]=e[src1]+abs(e[src2]);",
    "FSUB.D": "f[dst]=f[src2]-f[src1];",
    "FMADD.D": "f[dst]=fma(f[src1],f[src3],f[src2]);",
    "FNMSUB.S": "e[dst]=fma(neg(e[src1]),neg(e[src2]),e[src3]);",
    "FLE.S": "r[dst]=e[src1]!=e[src2];",
    "FLT.D": "r[dst]=f[src1]!=f[src2];",
    "FCVT.D.WU": "f[dst]=neg(cvtuD(r[src]));",
    "FCVT.W.S": "r[dst]=cvtL(neg(e[src]));",
    "FMV.W.X": "e[dst]=bitsF(r[src]+1);",
    "FABS.D": "f[dst]=neg(abs(f[src]));",
    "FNEG.S": "e[dst]=neg(abs(e[src]));",
    "SH1ADD": "r[dst]=(r[src1]<<4)+r[src2];",
    "SH2ADD": "r[dst]=(r[src2]<<2)+r[src1];",
    "SH3ADD": "r[dst]=(r[src1]<<3)-r[src2];",
    "ANDN": "r[dst]=r[src2]&not(r[src1]);",
    "ORN": "r[dst]=r[src1]|neg(r[src2]);",
    "XNOR": "r[dst]=neg(r[src1]^r[src2]);",
    "CLZ": "r[dst]=ctz(r[src]);",
    "CTZ": "r[dst]=clz(neg(r[src]));",
    "MIN": "r[dst]=SEL(r[src1]<r[src2],r[src2],r[src1]);",
    "MAXU": "r[dst]=SEL(r[src1]>ur[src2],r[src2],r[src1]);",
    "ROL": "r[dst]=rotl(r[src2],r[src1]);",
    "SEXT.B": "r[dst]=neg(sxL(trB(r[src])));",
    "REV8": "r[dst]=rotl(bswap(r[src]),16);",
    "BCLR": "r[dst]=r[src1]&(1<<r[src2]);",
    "BEXTI": "r[dst]=(r[src1]>>un)&3;",
}
STORES = {"SW": "L[mem]=src+1;"}
ASSEMBLY = {
    "ADD": "sub $dst,$src1,$src2",
    "ORI": "xori $dst,$src1,$src2",
    "SRAI": "srli $dst,$src1,$src2",
    "SUB": "add $dst,$src1,$src2",
    "LW": "lh $dst,$mem",
    "FMUL.S": "fdiv.s $dst,$src1,$src2",
    "MAX": "max $dst,$src1,$src1",
    "CPOP": "clz $dst,$src",
    "BSET": "bclr $dst,$src1,$src2",
    "BINVI": "bseti $dst,$src1,$n",
}
# other bits, and fields in each other's places; bits of another instruction are an error anyway
ENCODINGS = {
    "OR": "0000000 src2:5 src1:5 110 dst:5 0111011",
    "ANDI": "src2:12 src1:5 111 dst:5 0011011",
    "XOR": "0000000 src1:5 src2:5 100 dst:5 0110011",
    "SRLI": "0000001 src2:5 src1:5 101 dst:5 0010011",
    "FLW": "mem:17 101 dst:5 0000111",
    "FADD.D": "00000 01 src1:5 src2:5 rm:3 dst:5 1010011",
    "ROR": "0110000 src2:5 src1:5 011 dst:5 0110011",
    "SEXT.H": "0110000 00101 dst:5 001 src:5 0010011",
    "ZEXT.H": "0000110 00000 src:5 100 dst:5 0110011",
    "BSETI": "0010100 src1:5 n:5 001 dst:5 0010011",
}


CASES: list[tuple[str, dict[str, str], list[str]]] = [
    *(("rtl", BASIC, []), ("rtl", STORES, []), ("rtl", MEANINGS, ["MV"])),
    *(("asm", ASSEMBLY, []), ("encoding", ENCODINGS, ["MV"])),
]


def body(form: Alternative, fault: dict[str, str]) -> str:
    """Return an instruction with a fault, as a description has it."""
    words = [f"{each.value:0{each.bits}b}" if each.name == OPCODE else f"{each.name}:{each.bits}" for each in form.code.fields]
    said = {"rtl": form.text, **form.operands, "asm": form.asm, "encoding": " ".join(words)} | fault
    pairs = ", ".join(f'{key}: "{value}"' for key, value in said.items())
    return f"  {form.name}: [{{{pairs}}}]\n"


def faulty(folder: Path, kind: str, faults: dict[str, str]) -> Machine:
    """Return a machine with faults."""
    forms = {form.name: form for form in reversed(load(BASE).recognizer.alternatives) if form.code is not None}
    text = "".join(body(forms[name], {kind: fault}) for name, fault in faults.items())
    path = folder / "faulty.yaml"
    path.write_text(f"machine: faulty\nextends: riscv32\n{TOLD}instructions:\n{text}")
    return load(str(path))


@pytest.mark.tools
@pytest.mark.skipif(not (shutil.which("qemu-riscv32") and shutil.which("riscv64-linux-gnu-as")), reason="no qemu-riscv32")
@pytest.mark.parametrize(("kind", "faults", "right"), CASES)
def test_each_fault_is_found(tmp_path: Path, kind: str, faults: dict[str, str], right: list[str]) -> None:
    """None is lost in the company of the others, and `right` ones are not told, unless all programs need wrong ones."""
    findings = prove(faulty(tmp_path, kind, faults), "faulty", [*faults, *right], ())
    assert {name for name in (*faults, *right) if any(f": {name}: " in told for told in findings.wrong)} == {*faults}
