"""`ease machine prove`: faults that are put into descriptions are found, and nothing else is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ease.commands.ease_command import main
from ease.exchange.proving import prove
from vpo.machines.read.load import load

OPERATION = """\
kind: instruction
name: {name}
encoding: {{match: {match}----------000-----0001011, variables: [{fields}]}}
operation(): {operation}
"""
FIELDS = ", ".join(
    f"{{name: {name}, location: {place}}}" for name, place in (("xs2", "24-20"), ("xs1", "19-15"), ("xd", "11-7"))
)


def write(folder: Path, name: str, operation: str, match: str = "0000000") -> None:
    """Write an instruction as the Unified Database has it."""
    path = folder / "inst" / "Xtry" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(OPERATION.format(name=name, match=match, fields=FIELDS, operation=operation))


# by instruction: what is put in its place, and what must be told
FAULTS = {
    "SUB": ('rtl: "r[dst]=r[src2]-r[src1];", asm: "sub $dst,$src1,$src2"', "the emulator"),
    "SLL": ('rtl: "r[dst]=r[src1]<<r[src2];", asm: "srl $dst,$src1,$src2"', "the emulator"),
    "XORI": ('rtl: "r[dst]=(r[src1]^src2)+1;", src2: imm, asm: "xori $dst,$src1,$src2"', "the emulator"),
    "LBU": ('rtl: "r[dst]=zxL(B[mem])+1;", mem: address, asm: "lbu $dst,$mem"', "the emulator"),
    "SW": ('rtl: "L[mem]=not(r[src]);", mem: address, asm: "sw $src,$mem"', "the emulator"),
    "SLTU": ('rtl: "r[dst]=r[src1]<=ur[src2];", asm: "sltu $dst,$src1,$src2"', "the emulator"),
    "REM": ('rtl: "r[dst]=r[src1]%ur[src2];", asm: "rem $dst,$src1,$src2"', "the emulator"),
    "OR": (
        'rtl: "r[dst]=r[src1]|r[src2];", asm: "or $dst,$src1,$src2", encoding: "0000000 src2:5 src1:5 001 dst:5 0110011"',
        "to the assembler",
    ),
}


def machine_with(folder: Path, changes: dict[str, str], extends: str = "riscv32") -> str:
    """Write a machine with changed instructions."""
    path = folder / "faulty.yaml"
    lines = [f"  {name}: {{{change}}}\n" for name, change in changes.items()]
    path.write_text(f"machine: faulty\nextends: {extends}\ndrop_hidden: true\ninstructions:\n{''.join(lines)}")
    return str(path)


@pytest.mark.tools
@pytest.mark.skipif(not (shutil.which("qemu-riscv32") and shutil.which("riscv64-linux-gnu-as")), reason="no qemu-riscv32")
def test_seeded_faults_are_found(tmp_path: Path) -> None:
    """Wrong operators, operands, signs, widths, assembly and encodings."""
    assert prove(load("riscv32"), "riscv32", ["ADD", "LW", "SB", "FADD.D", "FLT.S"], ()).wrong == []
    changes = {name: change for name, (change, _) in FAULTS.items()}
    machine = load(machine_with(tmp_path, changes))
    findings = prove(machine, "faulty", list(FAULTS), ())
    for name, (_, words) in FAULTS.items():
        assert [told for told in findings.wrong if f": {name}: " in told and words in told], name


def test_the_source_of_an_instruction_is_a_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A description that somebody has changed after importing it is told, with operands."""
    write(tmp_path, "shadd", "X[xd] = X[xs2] + (X[xs1] << 1);")
    write(tmp_path, "either", "X[xd] = X[xs2] | ~X[xs1];", "0000001")
    encoded = 'asm: "t $xd,$xs1,$xs2", encoding: "{} xs2:5 xs1:5 000 xd:5 0001011"'
    changes = {
        "SHADD": 'rtl: "r[xd]=r[xs2]+(r[xs1]<<2);", ' + encoded.format("0000000"),
        "EITHER": 'rtl: "r[xd]=r[xs2]|not(r[xs1]);", ' + encoded.format("0000011"),
    }
    faulty = machine_with(tmp_path, changes)
    command = ["machine", "prove", faulty, "--set", "toolchain=null", "--only", "SHADD,EITHER", "--against", f"udb:{tmp_path}"]
    assert main(command) == 1
    told = capsys.readouterr()
    assert "SHADD: `r[xd]=r[xs2]+(r[xs1]<<2);`: with" in told.err
    assert "EITHER: its encoding has" in told.err
    assert "2 by its source" in told.out
    assert main(["machine", "prove", faulty, "--only", "NONE"]) == 1
    assert "has no instruction NONE" in capsys.readouterr().err
